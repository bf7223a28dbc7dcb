"""What the public API says afterwards about every match that was played, and about every event there was."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

import httpx
import msgspec

from services.movelog.export.format import read_document
from services.movelog.export.verification import verify_document
from tests.proofs.faults.answers import reason_of
from tests.proofs.faults.asking import Doors
from tests.proofs.faults.notes import Made, canonical
from tests.proofs.faults.receiving import NoPage, read_feed

AT_ONCE: Final = 6
WAIT_SECONDS: Final = 60.0
SETTLED_SECONDS: Final = 1.0
"""The feed holds events back until nothing older can come: so long after the last one it is complete."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the log, as the export of the ended match has it."""

    version: int
    seat: int | None
    request_id: str | None
    request: str
    hash: str


class MatchHistory(msgspec.Struct, frozen=True, kw_only=True):
    """Everything the API says about one match."""

    match: str
    game: str
    version: int
    status: str
    rows: tuple[Row, ...]
    seen: dict[str, dict[int, str]]
    """The events of every version by whose eyes: `public`, or a seat's number."""
    hashes: dict[int, str]
    """Of every version, as the list of moves gives them."""
    replay: str
    """What checking it online found, empty: it is as it should be and every move was decided again."""
    offline: str
    """The same of its export, by `foldtable verify`."""


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """One event of the feed."""

    id: str
    type: str
    match: str
    version: int
    seat: int | None
    to_act: tuple[int, ...]
    body: str


class History(msgspec.Struct, frozen=True, kw_only=True):
    """What happened, by the API."""

    matches: dict[str, MatchHistory]
    """Those that clients made, and that are there."""
    listed: frozenset[str]
    """The ids of all matches there are."""
    feed: tuple[Event, ...]


class Historian:
    """Reads what there is, from a system that is whole again."""

    def __init__(self, doors: Doors) -> None:
        self._clients = list(doors.rest.values())
        self._key = doors.system.key
        self._turn = 0

    async def read(self, made: Sequence[Made]) -> History:
        """Read it all, except matches that are not there any more; TimeoutError where something cannot be had."""
        room = asyncio.Semaphore(AT_ONCE)
        listed = frozenset(await self._listed())

        async def one(match: Made) -> MatchHistory:
            async with room:
                return await self._match(match)

        matches = await asyncio.gather(*(one(match) for match in made if match.match in listed))
        return History(
            matches={match.match: match for match in matches},
            listed=listed,
            feed=tuple([event async for event in self._feed()]),
        )

    async def _match(self, made: Made) -> MatchHistory:
        path = f"/v1/matches/{made.match}"
        match = (await self._get(path)).json()
        exported = (await self._get(f"{path}/export")).content
        verified = (await self._get(f"{path}/verify")).json()
        seen, hashes = {}, {}
        for eyes in ["public", *map(str, range(made.seats))]:
            moves = await self._moves(path, "audience=public" if eyes == "public" else f"seat={eyes}")
            seen[eyes] = {move["version"]: canonical(msgspec.json.encode(move["events"])) for move in moves}
            hashes |= {move["version"]: move["hash"] for move in moves}
        document = await asyncio.to_thread(read_document, exported)
        return MatchHistory(
            match=made.match,
            game=made.game,
            version=match["version"],
            status=match["status"],
            rows=tuple(
                Row(
                    version=move.seq,
                    seat=move.seat,
                    request_id=move.request_id,
                    request=canonical(bytes(move.request)),
                    hash=move.hash,
                )
                for move in document.moves
            ),
            seen=seen,
            hashes=hashes,
            replay=_online(verified),
            offline=await asyncio.to_thread(_offline, document),
        )

    async def _moves(self, path: str, eyes: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        token = ""
        while True:
            more = f"&page_token={token}" if token else ""
            page = (await self._get(f"{path}/moves?{eyes}&page_size=1000{more}")).json()
            found += page["moves"]
            token = page["next_page_token"]
            if not token:
                return found

    async def _listed(self) -> list[str]:
        found: list[str] = []
        token = ""
        while True:
            more = f"&page_token={token}" if token else ""
            page = (await self._get(f"/v1/matches?visibility=any&page_size=1000{more}")).json()
            found += [match["match_id"] for match in page["matches"]]
            token = page["next_page_token"]
            if not token:
                return found

    async def _feed(self) -> AsyncIterator[Event]:
        cursor = ""
        await asyncio.sleep(SETTLED_SECONDS)
        while True:
            try:
                page = await read_feed(self._clients[0], self._key, cursor)
            except NoPage as no:
                raise TimeoutError(f"the feed cannot be had: {no}") from no
            if not page.events:
                return
            for event in page.events:
                yield read_event(bytes(event))
            cursor = page.cursor

    async def _get(self, path: str) -> httpx.Response:
        """Ask until there is an answer; TimeoutError says what came instead."""
        headers = {"authorization": f"Bearer {self._key}"}
        last = ""
        deadline = asyncio.get_running_loop().time() + WAIT_SECONDS
        while asyncio.get_running_loop().time() < deadline:
            self._turn += 1
            try:
                answer = await self._clients[self._turn % len(self._clients)].get(path, headers=headers)
                if answer.status_code == 200:
                    return answer
                last = reason_of(answer)
            except httpx.TransportError as broken:  # the system may still be getting up
                last = type(broken).__name__
            await asyncio.sleep(0.2)
        raise TimeoutError(f"{path} cannot be had: {last}")


def read_event(body: bytes) -> Event:
    """Read a CloudEvent of a match."""
    told = msgspec.json.decode(body)
    data = told["data"]
    return Event(
        id=told["id"],
        type=told["type"].removeprefix("foldtable.").removesuffix(".v1"),
        match=data["match_id"],
        version=data["version"],
        seat=data.get("seat"),
        to_act=tuple(data["to_act"]),
        body=canonical(body),
    )


def _online(verified: dict[str, Any]) -> str:
    if verified["ok"] and verified["decided_again"]:
        return ""
    return str(verified["difference"] or verified["unchecked"] or "not decided again")


def _offline(document: Any) -> str:
    found = verify_document(document)
    if found.ok and found.decided_again:
        return ""
    return found.difference or found.unchecked or "not decided again"
