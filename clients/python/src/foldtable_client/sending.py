"""Sends requests, and sends them again where that is safe (repeating.py)."""

from __future__ import annotations

import asyncio
import weakref
from asyncio import sleep
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

import httpx

from foldtable_client.headers import authorization
from foldtable_client.paths import require_address, require_path
from foldtable_client.problems import Closed
from foldtable_client.repeating import Attempts

MAX_POLL_SECONDS: Final = 20


class Sender:
    """The connections to one API with one credential. Everything that waits here ends when they are closed."""

    def __init__(
        self,
        address: str,
        credential: str,
        *,
        retry_for: float,
        timeout: float,
        transport: httpx.AsyncBaseTransport | None,
    ) -> None:
        self.retry_for = retry_for
        self.poll_seconds = max(0, min(MAX_POLL_SECONDS, int(timeout * 2 / 3)))
        """How long the server may keep a request waiting: it answers before `timeout`."""
        self._closing: asyncio.Task[None] | None = None
        self._waiting = set[asyncio.Timeout]()
        self._http = httpx.AsyncClient(
            base_url=require_address(address),
            headers=authorization(credential),
            timeout=timeout,
            transport=transport,
        )

    async def close(self) -> None:
        """Close the connections. What waits at this moment, and what is asked for later, raises Closed."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._http.aclose())
            for waiting in self._waiting:
                waiting.reschedule(0)  # long ago: it ends now
        await asyncio.shield(self._closing)  # who closes may be among those that end

    def close_when_forgotten(self, begin: Callable[[Callable[[], Coroutine[Any, Any, None]]], None]) -> None:
        """Have the connections closed when nothing refers to this any more: no client, and nothing that one was asked for.

        `begin` is given what closes them, in any thread. It is not at the end of the program, which closes everything.
        """
        weakref.finalize(self, begin, self._http.aclose).atexit = False

    @asynccontextmanager
    async def waiting(self) -> AsyncIterator[None]:
        """Wait for something inside of this; `close` ends it with Closed."""
        if self._closing is not None:
            raise Closed(_CLOSED)
        try:
            async with asyncio.timeout(None) as until_closed:
                self._waiting.add(until_closed)
                try:
                    yield
                finally:
                    self._waiting.discard(until_closed)
        except (TimeoutError, httpx.RequestError) as error:
            if (
                self._closing is not None
            ):  # a connection may break off before its reader hears that it was closed
                raise Closed(_CLOSED) from error
            raise

    async def pause(self, seconds: float) -> None:
        """Wait between two tries."""
        async with self.waiting():
            await sleep(seconds)

    async def send(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, Any] | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
        repeatable: bool,
    ) -> httpx.Response:
        """Return the answer, a success or 304. Raises ProblemError, Unreachable, Closed, ValueError for what is no path."""
        request = self._request(method, path, params=params or {}, json=body, headers=headers)
        attempts = Attempts(f"{method} {path}", retry_for=self.retry_for, repeatable=repeatable)
        while True:
            try:
                async with self.waiting():
                    answer = await self._sent(request)
            except httpx.RequestError as error:
                pause = attempts.failed(error)
            else:
                later = attempts.answered(answer)
                if later is None:
                    return answer
                pause = later
            await self.pause(pause)

    @asynccontextmanager
    async def opened(
        self, path: str, *, params: Mapping[str, Any], headers: Mapping[str, str], quiet_seconds: float
    ) -> AsyncIterator[httpx.Response]:
        """Open an answer that is read as it arrives, and close it in the end. The body of what is no success has been read.

        `quiet_seconds`: how long nothing may arrive. Raises httpx.RequestError where it cannot be had, or breaks off.
        """
        timeout = httpx.Timeout(self._http.timeout.connect, read=quiet_seconds)
        request = self._request("GET", path, params=params, headers=headers, timeout=timeout)
        async with self.waiting():
            answer = await self._sent(request, stream=True)
        try:
            if not answer.is_success:
                async with self.waiting():
                    await answer.aread()
            yield answer
        finally:
            await answer.aclose()

    async def chunks(self, answer: httpx.Response) -> AsyncGenerator[bytes]:
        """Yield the bytes of an opened answer as they arrive."""
        arriving = answer.aiter_bytes()
        while True:
            async with self.waiting():
                chunk = await anext(arriving, None)
            if chunk is None:
                return
            yield chunk

    async def _sent(self, request: httpx.Request, *, stream: bool = False) -> httpx.Response:
        """Send once. A connection that is given up in its TLS handshake is closed: httpx leaves it to the collector of garbage."""
        shaking_hands = list[Any]()

        async def trace(event: str, its: Mapping[str, Any]) -> None:
            if event == "connection.connect_tcp.complete":
                shaking_hands.append(its["return_value"])
            elif event == "connection.start_tls.complete":
                shaking_hands.clear()

        if request.url.scheme == "https":
            request.extensions["trace"] = trace
        try:
            return await self._http.send(request, stream=stream)
        except BaseException:
            for connection in shaking_hands:
                await connection.aclose()
            raise

    def _request(self, method: str, path: str, *, params: Mapping[str, Any], **more: Any) -> httpx.Request:
        require_path(path)
        try:
            return self._http.build_request(method, path, params=with_said(path, params), **more)
        except httpx.InvalidURL as error:
            raise ValueError(f"{path[:80]!r} is not a path: {error}") from error


def with_said(path: str, parameters: Mapping[str, Any]) -> httpx.QueryParams | None:
    """Return the query: what the path has, and the parameters given; None if there are none.

    A path keeps its own query only if it is put together here: httpx puts any other in its place, an empty one too.
    """
    said = {name: value for name, value in parameters.items() if value is not None}
    return httpx.QueryParams(path.partition("?")[2]).merge(said) or None


_CLOSED: Final = "this client is closed"
