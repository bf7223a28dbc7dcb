"""The client's side of the REST gateway, as a careful client writes it.

What fails for the moment (no connection, 429, 502, 503, 504) is sent again, a move with the same request id:
it is made once, however often it arrives. Who is told when to come back comes back then. Everything else is an
answer.
"""

from __future__ import annotations

import asyncio
import time
from types import TracebackType
from typing import Any, Final, Self

import httpx
import msgspec

PASSING: Final = frozenset({429, 502, 503, 504})
FIRST_PAUSE: Final = 0.05
LONGEST_PAUSE: Final = 1.0
TIMEOUT_SECONDS: Final = 15.0


class RestProblem(Exception):  # noqa: N818 - the RFC's word (9457)
    """The gateway answered with a problem document."""

    def __init__(self, status: int, document: dict[str, Any]) -> None:
        self.status = status
        self.document = document
        self.reason = str(document.get("reason", ""))
        super().__init__(f"{status} {self.reason or 'without a reason'}: {document.get('detail', '')}")


class OutOfPatience(Exception):  # noqa: N818 - the name says what happened
    """The gateway could not be reached, or was not ready, for too long."""


class Rest:
    """A gateway and a credential. `repeated` counts how often something had to be sent again."""

    def __init__(self, address: str, credential: str, *, patience: float = 60.0) -> None:
        """`patience`: seconds to keep trying one request."""
        self.address = address.rstrip("/")
        self.credential = credential
        self.repeated = 0
        self.patience = patience
        self._client = httpx.AsyncClient(
            base_url=self.address,
            headers={"Authorization": f"Bearer {credential}"},
            timeout=TIMEOUT_SECONDS,
            trust_env=False,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.aclose()

    async def get(self, path: str, **parameters: str | int) -> Any:
        """Give the JSON of the answer; RestProblem, OutOfPatience."""
        return msgspec.json.decode(await self.get_bytes(path, **parameters))

    async def get_bytes(self, path: str, **parameters: str | int) -> bytes:
        """Give the body as it came."""
        answer = await self._send(self._client.build_request("GET", path, params=parameters))
        return answer.content

    async def post(self, path: str, body: dict[str, Any], *, request_id: str) -> Any:
        """Send a body under a request id; RestProblem, OutOfPatience."""
        request = self._client.build_request(
            "POST", path, json=body, headers={"Idempotency-Key": f'"{request_id}"'}
        )
        return msgspec.json.decode((await self._send(request)).content)

    async def post_bytes(self, path: str, body: bytes, media_type: str) -> Any:
        """Send a body as it is, which a repeat does not do twice; RestProblem, OutOfPatience."""
        request = self._client.build_request("POST", path, content=body, headers={"Content-Type": media_type})
        return msgspec.json.decode((await self._send(request)).content)

    async def _send(self, request: httpx.Request) -> httpx.Response:
        deadline = time.monotonic() + self.patience
        pause = FIRST_PAUSE
        while True:
            try:
                answer = await self._client.send(request)
                trouble = f"{answer.status_code}"
            except httpx.TransportError as problem:
                answer, trouble = None, repr(problem)
            if answer is not None and answer.status_code not in PASSING:
                return judged(answer)
            wait = max(pause, told_to_wait(answer))
            if time.monotonic() + wait > deadline:
                raise OutOfPatience(
                    f"{request.method} {request.url.path}: {trouble} for {self.patience:.0f} s"
                )
            self.repeated += 1
            await asyncio.sleep(wait)
            pause = min(pause * 2, LONGEST_PAUSE)


def told_to_wait(answer: httpx.Response | None) -> float:
    """Give the seconds an answer says to wait (RFC 9110 §10.2.3); 0 where it says nothing, or names a date."""
    said = "" if answer is None else answer.headers.get("retry-after", "")
    return float(said) if said.isascii() and said.isdecimal() else 0.0


def judged(answer: httpx.Response) -> httpx.Response:
    """Give the answer back if it is a good one; RestProblem otherwise."""
    if answer.is_success:
        return answer
    try:
        document = msgspec.json.decode(answer.content, type=dict[str, Any])
    except msgspec.DecodeError:
        document = {"detail": answer.text[:200]}
    raise RestProblem(answer.status_code, document)
