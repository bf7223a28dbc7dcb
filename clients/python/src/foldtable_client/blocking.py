"""Methods that block, made of the methods that AsyncClient declares: each keeps its parameters, its words and its types."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from concurrent.futures import CancelledError
from contextlib import suppress
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, Protocol, TypeVar

from foldtable_client.background import Call
from foldtable_client.own_threads import RaisedError
from foldtable_client.problems import Closed, Stopped
from foldtable_client.stopping import Stop

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")
Item = TypeVar("Item")


class Blocking(Protocol):
    """An object whose methods block, and the one whose methods they are made of."""

    @property
    def _declared(self) -> Any: ...
    @property
    def _stop(self) -> Stop | None: ...


def blocking(
    method: Callable[Concatenate[Any, Asked], Coroutine[Any, Any, Answer]],
) -> Callable[Concatenate[Any, Asked], Answer]:
    """Return the method that waits for the answer of another."""

    @wraps(method)
    def wait(self: Blocking, /, *args: Asked.args, **kwargs: Asked.kwargs) -> Answer:
        return waited_for(method(self._declared, *args, **kwargs), self._stop)

    return wait


def each(
    method: Callable[Concatenate[Any, Asked], AsyncGenerator[Item]],
) -> Callable[Concatenate[Any, Asked], Generator[Item]]:
    """Return the method whose iterator waits for each item of another's."""

    @wraps(method)
    def iterate(self: Blocking, /, *args: Asked.args, **kwargs: Asked.kwargs) -> Generator[Item]:
        return _items(method(self._declared, *args, **kwargs), self._stop)

    return iterate


def waited_for(work: Coroutine[Any, Any, Answer], stop: Stop | None) -> Answer:
    """Return what some work returns. Raises Stopped if `stop` is set before, and what the work raises."""
    try:
        if stop is None:
            return Call(work).wait()
        if stop.is_set():
            work.close()
            raise Stopped(_STOPPED)
        call = Call(work)
        with stop.ending(call.cancel):
            return call.wait()
    except CancelledError:
        raise Stopped(_STOPPED) from None  # by nothing else
    except RaisedError as raised:
        raise raised.error from None


def _items(items: AsyncGenerator[Item], stop: Stop | None) -> Generator[Item]:
    try:
        while True:
            try:
                item = waited_for(_next(items), stop)
            except StopAsyncIteration:
                return
            yield item
    finally:
        with suppress(Closed):  # where the program ends, nothing is left to be closed
            Call(items.aclose()).let_end()


_STOPPED: Final = "the call's stop was set"


async def _next(items: AsyncGenerator[Item]) -> Item:
    return await anext(items)
