"""Calls of the Python client that are ended from outside in everything they can wait for, and how long that takes.

For tests and for the benchmark; used by name.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, Final, Literal

from foldtable_client import AsyncClient, Client, Closed, FoldtableError, Stop, Stopped
from tests.support.silent_server import SilentServer, silent_server, unreachable

Way = Literal["stop", "close", "cancel", "aclose"]
WAYS: Final[tuple[Way, ...]] = ("stop", "close", "cancel", "aclose")
"""How a call ends: the first two in a thread, the others in a task."""
RAISED: Final[dict[Way, type[BaseException]]] = {
    "stop": Stopped,
    "close": Closed,
    "cancel": asyncio.CancelledError,
    "aclose": Closed,
}
SETTLE_SECONDS: Final = 0.3
"""Until a call that was begun waits for what it is to wait for."""
PATIENT_SECONDS: Final = 30.0
"""What takes longer was not ended."""


@dataclass(frozen=True)
class State:
    """Something that a call waits for."""

    name: str
    address: str
    credential: str
    call: Callable[[Any], Any]
    """The call; what it gives, of a client of either kind, is waited for or iterated."""
    server: SilentServer | None = None
    """Knows whether the connection was closed."""


@dataclass(frozen=True)
class Ended:
    """How a call ended."""

    state: str
    way: Way
    seconds: float
    raised: BaseException | None
    closed: bool
    """The server knows that the connection is closed, or it is none of ours."""


@contextmanager
def states(address: str, key: str) -> Iterator[list[State]]:
    """Give every state; the later ones are of a match at a running system, in which seat 0 or 1 has to wait."""
    with Client(address, key) as tenant, silent_server() as server, unreachable() as nowhere:
        match = tenant.create_match(game="al_rashid", seats=2)["match"]
        name, version = match["match_id"], match["version"]
        seat = match["to_act"][0]
        silent = [
            State("TLS handshake", server.address("tls"), "", lambda client: client.games(), server),
            State(
                "waiting for an answer", server.address("silent"), "", lambda client: client.games(), server
            ),
            State("reading an answer", server.address("half"), "", lambda client: client.games(), server),
            State("replaying", server.address("half"), "", lambda client: client.replay(name), server),
        ]
        yield [
            State("connecting", nowhere, "", lambda client: client.games()),
            *silent,
            State("pause between tries", server.address("later"), "", lambda client: client.games()),
            State("long poll", address, key, lambda client: client.poll(name, after=version, seconds=9)),
            State("reading a stream", address, key, lambda client: client.follow(name, seat=seat)),
            State("following a table", address, key, lambda client: client.follow_table(name, seat=seat)),
            State("reading a feed", address, key, lambda client: client.feed()),
            State(
                "waiting for a turn", address, key, lambda client: client.wait_for_turn(name, seat=1 - seat)
            ),
            State(
                "a callback thinks",
                address,
                key,
                lambda client: client.play(name, think(isinstance(client, AsyncClient)), seat=seat),
            ),
        ]
        tenant.abort(name)


def think(is_async: bool) -> Callable[[Any], Any]:
    """Return what thinks for longer than anybody waits."""

    async def async_choose(table: Any) -> Any:
        await asyncio.sleep(2 * PATIENT_SECONDS)

    def choose(table: Any) -> Any:
        threading.Event().wait(2 * PATIENT_SECONDS)

    return async_choose if is_async else choose


def ended(state: State, way: Way) -> Ended:
    """Begin a call, end it when it waits, and return how it ended."""
    if state.server is not None:
        state.server.forget()
    if way in {"stop", "close"}:
        seconds, raised = _in_a_thread(state, way)
    else:
        seconds, raised = asyncio.run(_in_a_task(state, way))
    closed = state.server is None or state.server.left.wait(PATIENT_SECONDS)
    return Ended(state.name, way, seconds, raised, closed)


def _in_a_thread(state: State, way: Way) -> tuple[float, BaseException | None]:
    stop, told = Stop(), list[tuple[float, BaseException]]()
    client = Client(state.address, state.credential)

    def call() -> None:
        try:
            begun = state.call(client.until(stop))
            for _ in begun if hasattr(begun, "__next__") else ():
                pass
        except FoldtableError as raised:
            told.append((time.perf_counter(), raised))

    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    time.sleep(SETTLE_SECONDS)
    assert thread.is_alive(), f"{state.name}: it did not wait"
    begun = time.perf_counter()
    stop.set() if way == "stop" else client.close()
    thread.join(PATIENT_SECONDS)
    client.close()
    return (told[0][0] - begun, told[0][1]) if told else (PATIENT_SECONDS, None)


async def _in_a_task(state: State, way: Way) -> tuple[float, BaseException | None]:
    client = AsyncClient(state.address, state.credential)

    async def call() -> None:
        begun = state.call(client)
        if isawaitable(begun):
            await begun
        else:
            await _read(begun)

    task = asyncio.create_task(call())
    await asyncio.sleep(SETTLE_SECONDS)
    assert not task.done(), f"{state.name}: it did not wait"
    begun = time.perf_counter()
    if way == "cancel":
        task.cancel()
    else:
        await client.aclose()
    await asyncio.wait([task], timeout=PATIENT_SECONDS)
    seconds = time.perf_counter() - begun
    await client.aclose()
    if task.cancelled():
        return seconds, asyncio.CancelledError()
    return seconds, task.exception() if task.done() else None


async def _read(items: AsyncIterator[Any]) -> None:
    async for _ in items:
        pass
