"""Requests and event streams over asyncio, with the published client's rules for repeating (`foldtable_client.repeating`)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from types import TracebackType
from typing import Any, Final, Self

import httpx
import msgspec

from foldtable_client.events import ServerEvent
from foldtable_client.headers import authorization, idempotency_key
from foldtable_client.paths import require_path
from foldtable_client.repeating import Attempts
from foldtable_client.streams import QUIET_SECONDS, Resumption

TIMEOUT_SECONDS: Final = 15.0
NDJSON: Final = "application/x-ndjson"
LINE_SECONDS: Final = 120.0
"""How long the next line of an answer may take: a gateway tries a match again whose server is away."""


class Rest:
    """A gateway and a credential."""

    def __init__(
        self, address: str, credential: str, *, retry_for: float = 60.0, timeout: float = TIMEOUT_SECONDS
    ) -> None:
        """`retry_for`: seconds to keep trying one request; `timeout`: seconds to wait for one answer.

        Raises ValueError if `credential` cannot be a credential.
        """
        self.address = address.rstrip("/")
        self.credential = credential
        self.retry_for = retry_for
        self.repeated = 0
        """How often something had to be sent again."""
        self._client = httpx.AsyncClient(
            base_url=self.address, headers=authorization(credential), timeout=timeout, trust_env=False
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def get(self, path: str, **parameters: str | int) -> Any:
        """Return the JSON of the answer. Raise the errors of `send`."""
        return msgspec.json.decode(await self.get_bytes(path, **parameters))

    async def get_bytes(self, path: str, **parameters: str | int) -> bytes:
        """Return the body of the answer. Raise the errors of `send`."""
        return (await self.send("GET", path, params=parameters)).content

    async def post(self, path: str, body: dict[str, Any], *, request_id: str) -> Any:
        """Send a body under a request id and return the JSON of the answer. Raise the errors of `send`."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": idempotency_key(request_id)}
        answer = await self.send("POST", path, content=msgspec.json.encode(body), headers=headers)
        return msgspec.json.decode(answer.content)

    async def send(
        self,
        method: str,
        path: str,
        *,
        credential: str | None = None,
        params: Mapping[str, str | int] | None = None,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """Send a request until it is answered, and return the answer: a success, or 304.

        It is sent again if it is unknown whether it arrived, so it must be idempotent: a GET, a request with an
        `Idempotency-Key`, or one that does no harm if it is repeated. `credential` replaces this client's own.

        Raises ProblemError if it is refused, Unreachable if the time to keep trying ends, ValueError if `path` is not a path.
        """
        require_path(path)
        request = self._client.build_request(
            method,
            path,
            params=params or None,
            content=content,
            headers={**(headers or {}), **({} if credential is None else authorization(credential))},
        )
        attempts = Attempts(f"{method} {path}", retry_for=self.retry_for, repeatable=True)
        while True:
            try:
                answer = await self._client.send(request)
            except httpx.TransportError as error:
                pause = attempts.failed(error)
            else:
                later = attempts.answered(answer)
                if later is None:
                    return answer
                pause = later
            self.repeated += 1
            await asyncio.sleep(pause)

    async def lines(
        self,
        path: str,
        *,
        params: Mapping[str, str | int],
        resume: Callable[[bytes], Mapping[str, str | int]],
    ) -> AsyncGenerator[bytes]:
        """Yield every line of an NDJSON answer, over as many connections as it takes.

        After an answer that was cut off, `resume` says what to add to `params` so that the next one continues after a line. Raises
        ProblemError if a request is refused, Unreachable if no line comes for as long as `retry_for`.
        """
        require_path(path)
        query, headers = dict(params), {"Accept": NDJSON}
        timeout = httpx.Timeout(self._client.timeout.connect, read=LINE_SECONDS)
        attempts = Attempts(f"GET {path}", retry_for=self.retry_for, repeatable=True)
        while True:
            try:
                async with self._client.stream(
                    "GET", path, params=query, headers=headers, timeout=timeout
                ) as answer:
                    if not answer.is_success:
                        await answer.aread()
                    later = attempts.answered(answer)
                    if later is None:
                        rest = b""
                        async for data in answer.aiter_bytes():
                            *whole, rest = (rest + data).split(b"\n")
                            for line in whole:
                                yield line
                                query.update(resume(line))
                            if whole:
                                attempts = Attempts(f"GET {path}", retry_for=self.retry_for, repeatable=True)
                        return
                    pause = later
            except httpx.TransportError as error:
                pause = attempts.failed(error)
            self.repeated += 1
            await asyncio.sleep(pause)

    async def events(
        self,
        path: str,
        *,
        params: Mapping[str, str | int] | None = None,
        retry_for: float | None = None,
        while_open: Callable[[], AbstractContextManager[object]] = nullcontext,
    ) -> AsyncGenerator[ServerEvent]:
        """Yield every event of a stream, over as many connections as it takes, until the server says there is no more.

        `retry_for` replaces this client's own; `while_open` is entered for as long as a connection is open.
        Close the generator to end the stream.

        Raises Unreachable if no connection holds for as long as `retry_for`, ProblemError if one is refused.
        """
        require_path(path)
        resumption = Resumption(path, retry_for=self.retry_for if retry_for is None else retry_for)
        timeout = httpx.Timeout(self._client.timeout.connect, read=QUIET_SECONDS)
        while True:
            broken: httpx.TransportError | None = None
            try:
                async with self._client.stream(
                    "GET", path, params=params or None, headers=resumption.headers(), timeout=timeout
                ) as answer:
                    if answer.status_code == httpx.codes.NO_CONTENT:
                        return
                    if not answer.is_success:
                        await answer.aread()
                    if resumption.opened(answer):
                        with while_open():
                            async for chunk in answer.aiter_bytes():
                                for event in resumption.read(chunk):
                                    yield event
            except httpx.TransportError as error:
                broken = error
            pause = resumption.pause(broken)
            self.repeated += 1
            await asyncio.sleep(pause)
