"""Clients that follow matches to their end through whatever happens, and write down what they are told, as it comes.

They do what the documentation tells clients to do: remember the last version, and come back with it, wherever somebody
answers.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from random import Random
from typing import Final

import grpc
import httpx
import msgspec

from foldtable.matches.v1.match_service_pb2 import WatchMatchRequest
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON
from foldtable.rules.v1.table_pb2 import Audience
from tests.proofs.faults.answers import denial_in, denial_of
from tests.proofs.faults.asking import Doors
from tests.proofs.faults.notes import (
    Broken,
    Denied,
    Finished,
    Followed,
    Notebook,
    Overheard,
    Told,
    canonical,
    now,
)
from tests.proofs.faults.player import Seating
from tests.support.followers import Event, EventLines

PAUSE_SECONDS: Final = 0.1
SILENCE_SECONDS: Final = 17.0
"""The server speaks every fifteen; longer silence means that the connection is dead."""
CONNECT_SECONDS: Final = 3.0
POLL_SECONDS: Final = 5
HANGS_UP: Final = 0.5
"""How likely a fickle follower hangs up after an event."""
FAREWELLS: Final = frozenset({"drain", "lagged"})
"""Events that end a stream and mean: come back with the version you have. Any other says that it is not good any more."""
_UNREACHED: Final = httpx.Timeout(CONNECT_SECONDS, read=SILENCE_SECONDS)


class Follower(ABC):
    """Follows one match for one pair of eyes."""

    def __init__(
        self, doors: Doors, notebook: Notebook, whims: Random, seating: Seating, seat: int | None
    ) -> None:
        """`seat`: whose eyes; None: the public's."""
        self.name = f"{type(self).__name__} {seating.match} {'public' if seat is None else seat}"
        self._doors = doors
        self._notebook = notebook
        self._whims = whims
        self._seating = seating
        self._seat = seat
        self._last = 0
        self._credential = doors.system.key if seat is None else seating.tokens[seat]

    async def follow(self) -> None:
        """Follow to the end of the match."""
        self._notebook.add(Followed(at=now(), follower=self.name, match=self._seating.match, seat=self._seat))
        while True:
            why = await self._until_broken()
            if why is None:
                self._notebook.add(Finished(at=now(), follower=self.name))
                return
            self._notebook.add(Broken(at=now(), follower=self.name, why=why))
            await asyncio.sleep(PAUSE_SECONDS)

    async def _until_broken(self) -> str | None:
        """Listen at some place; give why that ended, None for the end of the match."""
        try:
            return await self._listen()
        except grpc.aio.AioRpcError as broken:
            return self._denied(reason) if (reason := denial_in(broken)) else type(broken).__name__
        except (httpx.TransportError, TimeoutError) as broken:
            return type(broken).__name__

    def _unanswered(self, answer: httpx.Response) -> str:
        """Return why nothing was told, and write it down if it was a no and not «not now»."""
        reason = denial_of(answer)
        return self._denied(reason) if reason else f"status {answer.status_code}"

    def _denied(self, reason: str) -> str:
        """Write down that it was told no, or that its version is not known any more."""
        self._notebook.add(Denied(at=now(), who=self.name, what=self._seating.match, reason=reason))
        return reason

    def _told(self, version: int, events: bytes) -> None:
        self._notebook.add(Told(at=now(), follower=self.name, version=version, events=canonical(events)))
        self._last = version

    def _gateway(self) -> httpx.AsyncClient:
        return self._whims.choice(list(self._doors.rest.values()))

    @property
    def _headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self._credential}"}

    @property
    def _audience(self) -> str:
        return "" if self._seat is not None else "&audience=public"

    @abstractmethod
    async def _listen(self) -> str | None:
        """Follow from one place, after the version that was told last; give why it ended."""


class Applied(msgspec.Struct):
    """The data of `move.applied`, as far as it matters here."""

    version: int
    events: msgspec.Raw


_APPLIED: Final = msgspec.json.Decoder(Applied)


class Streaming(Follower):
    """By server-sent events."""

    async def _listen(self) -> str | None:
        path = f"/v1/matches/{self._seating.match}/stream?{self._audience.removeprefix('&')}"
        headers = {**self._headers, "last-event-id": str(self._last)}
        async with self._gateway().stream("GET", path, headers=headers, timeout=_UNREACHED) as response:
            if response.status_code == 204:
                return None
            if response.status_code != 200:
                await response.aread()
                return self._unanswered(response)
            async for name, _, data in events_of(response):
                if name == "move.applied":
                    told = _APPLIED.decode(data)
                    self._told(told.version, bytes(told.events))
                    if self._has_enough():
                        return "hung up"
                elif name == "match.ended":
                    return None
                else:
                    return name if name in FAREWELLS else self._denied(name)
        return "closed"

    def _has_enough(self) -> bool:
        """Return whether to hang up now."""
        return False


class Fickle(Streaming):
    """By server-sent events, hanging up after every few of them: the next come from somewhere else."""

    def _has_enough(self) -> bool:
        return self._whims.random() < HANGS_UP


async def events_of(response: httpx.Response) -> AsyncIterator[Event]:
    """Yield server-sent events as they come."""
    lines = EventLines()
    async for line in response.aiter_lines():
        if (event := lines.take(line)) is not None:
            yield event


class Page(msgspec.Struct):
    """A page of moves, as far as it matters here."""

    moves: list[Applied]
    version: int
    status: str


_PAGE: Final = msgspec.json.Decoder(Page)


class Polling(Follower):
    """By long polls."""

    async def _listen(self) -> str | None:
        while True:
            path = f"/v1/matches/{self._seating.match}/moves?after={self._last}&wait={POLL_SECONDS}s{self._audience}"
            answer = await self._gateway().get(path, headers=self._headers, timeout=_UNREACHED)
            if answer.status_code != 200:
                return self._unanswered(answer)
            page = _PAGE.decode(answer.content)
            for move in page.moves:
                self._told(move.version, bytes(move.events))
            if page.status == "ended" and self._last == page.version:
                return None


class Watching(Follower):
    """By gRPC, at a rules server."""

    async def _listen(self) -> str | None:
        kind = Audience.KIND_PUBLIC if self._seat is None else Audience.KIND_SEAT
        request = WatchMatchRequest(
            match_id=self._seating.match,
            audience=Audience(kind=kind, seat=self._seat),
            after_version=self._last,
            form=PAYLOAD_FORM_JSON,
        )
        server = self._whims.choice(self._doors.system.rules_of(self._seating.game))
        stub = self._doors.rpc[server.name]
        metadata = (("authorization", self._headers["authorization"]),)
        call = stub.WatchMatch(request, metadata=metadata)
        try:
            while True:
                async with asyncio.timeout(SILENCE_SECONDS):  # it may be frozen, and nothing speaks but moves
                    update = await call.read()
                if update is grpc.aio.EOF:
                    return None  # without an error it ends with the match
                if update.WhichOneof("update") != "move":
                    return self._denied(str(update.WhichOneof("update")))
                self._told(update.move.version, update.move.events.json)
        finally:
            call.cancel()


KINDS: Final = (Streaming, Fickle, Polling, Watching)


class Standing(msgspec.Struct):
    """How a match stands, by the feed, as far as it matters here."""

    match_id: str
    version: int
    status: str


_STANDING: Final = msgspec.json.Decoder(Standing)


class Overhearing:
    """Follows the feed of the tenant, which tells where every match is, though not every move."""

    def __init__(self, doors: Doors, notebook: Notebook, whims: Random) -> None:
        self._doors = doors
        self._notebook = notebook
        self._whims = whims
        self._last_id = ""
        self.ended: set[str] = set()
        """Matches it was told the end of."""

    async def follow(self) -> None:
        """Follow for ever."""
        while True:
            try:
                why = await self._listen()
            except httpx.TransportError as broken:
                why = type(broken).__name__
            self._notebook.add(Broken(at=now(), follower=type(self).__name__, why=why))
            await asyncio.sleep(PAUSE_SECONDS)

    async def _listen(self) -> str:
        headers = {"authorization": f"Bearer {self._doors.system.key}"}
        if self._last_id:
            headers["last-event-id"] = self._last_id
        client = self._whims.choice(list(self._doors.rest.values()))
        async with client.stream("GET", "/v1/feed", headers=headers, timeout=_UNREACHED) as response:
            if response.status_code != 200:
                await response.aread()
                if reason := denial_of(response):
                    denied = Denied(at=now(), who=type(self).__name__, what="/v1/feed", reason=reason)
                    self._notebook.add(denied)
                return f"status {response.status_code}"
            async for name, number, data in events_of(response):
                self._last_id = number or self._last_id
                if name == "match.updated":
                    self._told(_STANDING.decode(data))
        return "closed"

    def _told(self, told: Standing) -> None:
        ended = told.status == "ended"
        self._notebook.add(Overheard(at=now(), match=told.match_id, version=told.version, ended=ended))
        if ended:
            self.ended.add(told.match_id)
