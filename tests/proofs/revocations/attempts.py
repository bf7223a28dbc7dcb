"""What somebody does with a seat's token, again and again, until it is refused: write at every server, and read everything."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final

import grpc
import httpx
import msgspec
from google.rpc import error_details_pb2, status_pb2

from foldtable.matches.v1 import match_service_pb2, match_service_pb2_grpc, play_pb2, undo_pb2
from foldtable.rules.v1 import payload_pb2

SEAT: Final = 1
PROGRAM: Final = msgspec.json.encode(
    {"type": "submit_program", "cards": ["move1", "stone1", "plank1", "move2", "stone2"]}
)
REVOKED: Final = "SEAT_FORBIDDEN"
CALL_SECONDS: Final = 20.0
WAIT: Final = "20s"
"""Of a long poll."""


@dataclass
class Attempt:
    """One kind of thing that is done over and over."""

    kind: str = ""
    """Of a read."""
    writes: bool = False
    is_long: bool = False
    """It lasts until something happens."""
    good: list[tuple[float, float]] = field(default_factory=list)
    """When each that was answered well was sent, and answered."""
    ended: float | None = None
    """When it was refused for good."""

    async def over_and_over(self, once: Callable[[], Awaitable[str]], *, pause: float = 0.0) -> None:
        """Do it until the token is refused. `once` returns nothing where it was answered well, or the reason why not."""
        while True:
            sent = time.time()
            reason = await once()
            if reason == REVOKED:
                self.ended = time.time()
                return
            if not reason:
                self.good.append((sent, time.time()))
            await asyncio.sleep(pause)


class Mover:
    """Submits a program and takes it back, at one rules server, whatever others with the same token do meanwhile."""

    def __init__(self, channel: grpc.aio.Channel, match_id: str, token: str) -> None:
        self._calls = match_service_pb2_grpc.MatchServiceStub(channel)
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._match_id = match_id
        self._version = 1
        self._submits = True

    async def once(self) -> str:
        """Move once; return why not."""
        try:
            if self._submits:
                act = play_pb2.ActRequest(
                    match_id=self._match_id,
                    action=payload_pb2.Payload(json=PROGRAM),
                    expected_version=self._version,
                )
                done = await self._calls.Act(act, metadata=self._metadata, timeout=CALL_SECONDS)
            else:
                undo = undo_pb2.UndoRequest(
                    match_id=self._match_id, to=self._version - 1, expected_version=self._version
                )
                done = (await self._calls.Undo(undo, metadata=self._metadata, timeout=CALL_SECONDS)).result
        except grpc.aio.AioRpcError as error:
            return self._learn(error)
        self._version, self._submits = done.version, not self._submits
        return ""

    def _learn(self, error: grpc.aio.AioRpcError) -> str:
        """Take in how the match stands, as a refusal says; return its reason."""
        reason, standing = refusal(error)
        if standing is not None:
            self._version, self._submits = standing.version, standing.HasField("pending")
        return reason


def refusal(error: grpc.aio.AioRpcError) -> tuple[str, play_pb2.Standing | None]:
    """Return the reason of a refusal, and how the match stands, if it says so."""
    info, standing, has_standing = error_details_pb2.ErrorInfo(), play_pb2.Standing(), False
    for name, value in error.trailing_metadata() or ():
        if name == "grpc-status-details-bin":
            for detail in status_pb2.Status.FromString(value).details:
                detail.Unpack(info)
                has_standing |= bool(detail.Unpack(standing))
    return info.reason or error.code().name, standing if has_standing else None


class Http:
    """What is done through a gateway."""

    def __init__(self, client: httpx.AsyncClient, match_id: str, token: str) -> None:
        self._client = client
        self._path = f"/v1/matches/{match_id}"
        self._headers = {"authorization": f"Bearer {token}"}
        self._after = 0
        self._names = 0

    async def rename(self) -> str:
        self._names += 1
        return await self._ask("PATCH", f"seats/{SEAT}", json={"name": f"Mallory {self._names}"})

    async def view(self) -> str:
        return await self._ask("GET", "view")

    async def legal_actions(self) -> str:
        return await self._ask("GET", "legal-actions")

    async def poll(self) -> str:
        """Wait for the next move."""
        return await self._ask("GET", "moves", params={"after": self._after, "wait": WAIT})

    async def stream(self) -> str:
        """Read events until the server says that there will be no more."""
        async with self._client.stream("GET", f"{self._path}/stream", headers=self._headers) as response:
            if not response.is_success:
                await response.aread()
                return str(response.json()["reason"])
            async for line in response.aiter_lines():
                if line == "event: revoked":
                    return REVOKED
        return "closed"

    async def _ask(self, method: str, what: str, **more: Any) -> str:
        response = await self._client.request(method, f"{self._path}/{what}", headers=self._headers, **more)
        if not response.is_success:
            return str(response.json()["reason"])
        if what == "moves":
            self._after = response.json()["version"]
        return ""


class HttpMover:
    """Does the same through a gateway, having looked first, as clients do.

    Every second move asks for words, and arrives in parts.
    """

    def __init__(self, client: httpx.AsyncClient, match_id: str, token: str) -> None:
        self._client = client
        self._path = f"/v1/matches/{match_id}"
        self._headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
        self._version = 0
        self._submits = True
        self._asks_for_words = False

    async def once(self) -> str:
        """Move once; return why not."""
        if not self._version:
            seen = await self._client.get(f"{self._path}/view", headers=self._headers)
            if not seen.is_success:
                return str(seen.json()["reason"])
            self._version = seen.json()["version"]
        body: dict[str, Any] = {"expected_version": self._version}
        if self._submits:
            body["action"] = msgspec.Raw(PROGRAM)
            what = "moves?lang=fr" if self._asks_for_words else "moves"
        else:
            body["to"] = self._version - 1
            what = "undo"
        content = msgspec.json.encode(body)
        response = await self._client.post(
            f"{self._path}/{what}",
            content=_in_parts(content) if "?" in what else content,
            headers=self._headers,
        )
        told = response.json()
        if not response.is_success:
            if "current_version" in told:
                self._version, self._submits = told["current_version"], told["pending"] is not None
            return str(told["reason"])
        self._asks_for_words ^= self._submits
        self._version, self._submits = told["version"], not self._submits
        return ""


async def _in_parts(content: bytes) -> AsyncIterator[bytes]:
    """Yield a body as chunks, whose number the head does not say."""
    yield content[:1]
    yield content[1:]


class Grpc:
    """What is read from a rules server itself."""

    def __init__(self, channel: grpc.aio.Channel, match_id: str, token: str) -> None:
        self._calls = match_service_pb2_grpc.MatchServiceStub(channel)
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._match_id = match_id

    async def view(self) -> str:
        request = match_service_pb2.GetViewRequest(match_id=self._match_id)
        try:
            await self._calls.GetView(request, metadata=self._metadata, timeout=CALL_SECONDS)
        except grpc.aio.AioRpcError as error:
            return refusal(error)[0]
        return ""

    async def watch(self) -> str:
        """Read updates until the server says that there will be no more."""
        request = match_service_pb2.WatchMatchRequest(match_id=self._match_id)
        try:
            async for _ in self._calls.WatchMatch(request, metadata=self._metadata):
                await asyncio.sleep(0)
        except grpc.aio.AioRpcError as error:
            return refusal(error)[0]
        return "closed"
