"""A transport of httpx that blocks, such as one for tests or a special network, used from an event loop."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import TypeVar

import httpx

from foldtable_client.own_threads import RaisedError, in_own_thread

Result = TypeVar("Result")


class InThreads(httpx.AsyncBaseTransport):
    """Does each request in a thread of its own."""

    def __init__(self, transport: httpx.BaseTransport) -> None:
        self._transport = transport

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        answer = await _done(partial(self._transport.handle_request, request), let_go=httpx.Response.close)
        if isinstance(answer.stream, httpx.SyncByteStream):
            answer.stream = _Pieces(answer.stream)
        return answer

    async def aclose(self) -> None:
        await _done(self._transport.close)


class _Pieces(httpx.AsyncByteStream):
    def __init__(self, stream: httpx.SyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        pieces = iter(self._stream)
        while (piece := await _done(lambda: next(pieces, None))) is not None:
            yield piece

    async def aclose(self) -> None:
        await _done(self._stream.close)


async def _done(work: Callable[[], Result], *, let_go: Callable[[Result], object] = lambda _: None) -> Result:
    try:
        return await in_own_thread(work, let_go=let_go)
    except RaisedError as raised:
        if isinstance(raised.error, httpx.HTTPError):
            raise raised.error from None
        raise
