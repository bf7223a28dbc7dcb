"""Taking in a match that was exported: here or in another house, complete, and only after all of it was checked."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from msgspec import UnsetType
from msgspec.structs import replace

from engine.kernel.errors import Unreadable
from engine.kernel.forking import Fork
from engine.kernel.house import Abort
from engine.kernel.requests import read_request
from engine.registry import GAMES
from engine.registry import game as registered_game
from services.movelog.checks import check_ended
from services.movelog.export_format import MatchDocument, read_document
from services.movelog.log import MoveLog
from services.movelog.records import ForkedFrom, Match, Move, SeatRecord, SeatState
from services.movelog.verification import Verification, match_of, moves_of, verify_document
from services.rpc.match_messages import match_message
from services.rpc.refusals import Reason, Refused
from services.rules.playable import under
from services.thread_work import in_thread

GENERATION: Final = 1_000_000
"""Of the seats and the watchers: no token of the match's earlier life comes so far."""
MAX_QUOTED: Final = 300
"""Characters of what should stand in a place, and of what stands there."""


@dataclass(frozen=True, kw_only=True)
class Imported:
    """A match as it is in the log now, and whether it was there before."""

    match: Match
    replayed: bool


class Importer:
    """Takes matches in, one at a time: checking one is work, and moves go first. No two are held decoded."""

    def __init__(self, log: MoveLog) -> None:
        self._log = log
        self._turn = asyncio.Lock()

    async def take_in(self, tenant: str, data: bytes) -> Imported:
        """Check a document and store its match.

        Refused IMPORT_BROKEN with the place, MATCH_NOT_OVER, GAME_UNKNOWN, RULES_VERSION_UNSUPPORTED, or
        MATCH_ID_TAKEN where another match has its id, whosever it is.
        """
        async with self._turn:
            match, seats, moves = await in_thread(_checked, tenant, data)
            if await self._log.take_in(match, seats, moves):
                return Imported(match=match, replayed=False)
            stored = await self._log.find(match.id)
            if not await self._is_same(stored, match, moves):
                raise Refused(Reason.MATCH_ID_TAKEN, "another match has this id", field="$.match_id")
            return Imported(match=stored, replayed=True)

    async def _is_same(self, stored: Match, match: Match, moves: tuple[Move, ...]) -> bool:
        """Tell whether the stored match is the tenant's own and has the very same rows."""
        if (stored.tenant, stored.version) != (match.tenant, match.version):
            return False
        rows = await self._log.read(stored.id)
        return [row.hash for row in rows] == [move.hash for move in moves]


def _checked(tenant: str, data: bytes) -> tuple[Match, tuple[SeatRecord, ...], tuple[Move, ...]]:
    try:
        document = read_document(data)
    except Unreadable as problem:
        raise _broken(problem.detail, problem.pointer) from problem
    if document.secret is None:
        raise Refused(
            Reason.MATCH_NOT_OVER,
            "only the export of a match that has ended holds all of it",
            field="$.secret",
        )
    _must_be_playable(document)
    found = verify_document(document)
    if not found.ok:
        raise _differs(found)
    if not found.decided_again:
        raise _broken(f"cannot be checked: {found.unchecked}", "$")
    first = read_request(registered_game(document.game), bytes(document.moves[0].request))
    seats = _seats_of(document, began=not isinstance(first, Abort))
    match = replace(
        match_of(document), tenant=tenant, watch_generation=GENERATION, forked_from=_forked_from(first)
    )
    moves = moves_of(document)
    try:
        check_ended(match, seats, moves)
    except (ValueError, UnicodeError) as problem:
        raise _broken(str(problem), "$.moves") from problem
    _must_be_tellable(match, seats)
    return match, seats, moves


def _must_be_tellable(match: Match, seats: tuple[SeatRecord, ...]) -> None:
    """Refuse an outcome that no answer has room for: a fork's table comes from outside as it is, points and all."""
    try:
        match_message(match, seats)
    except ValueError as problem:
        raise _broken("has a number beyond what an outcome can hold", "$.outcome") from problem


def _forked_from(first: Any) -> ForkedFrom | None:
    """Give where a fork begins, by its first request; None for a match that is none."""
    if not isinstance(first, Fork):
        return None
    return ForkedFrom(match_id=UUID(first.of), version=first.version, audience=first.audience)


def _must_be_playable(document: MatchDocument) -> None:
    if document.game not in GAMES:
        raise Refused(Reason.GAME_UNKNOWN, "there is no such game here", field="$.game")
    under(registered_game(document.game), document.rules_version, field="$.rules_version")


def _seats_of(document: MatchDocument, *, began: bool) -> tuple[SeatRecord, ...]:
    """Give who sat where; in a match that was called off before it began, nobody where nobody is named."""
    named = {} if isinstance(document.players, UnsetType) else {one.seat: one for one in document.players}
    if not named.keys() <= set(range(document.seats)):
        raise _broken("names a seat that the match does not have", "$.players")
    return tuple(
        SeatRecord(
            seat=seat,
            state=SeatState.TAKEN if began or seat in named else SeatState.OPEN,
            player=named[seat].player if seat in named else "",
            name=named[seat].name if seat in named else "",
            generation=GENERATION,
            invite_generation=GENERATION,
        )
        for seat in range(document.seats)
    )


def _broken(what: str, path: str) -> Refused:
    return Refused(
        Reason.IMPORT_BROKEN,
        f"{path[:MAX_QUOTED]} {what[:MAX_QUOTED]}",
        field=path[:MAX_QUOTED],
        description=what[:MAX_QUOTED],
    )


def _differs(found: Verification) -> Refused:
    """Name the first place that does not agree."""
    metadata: dict[str, str | int] = {"pointer": found.difference_pointer[:MAX_QUOTED]}
    if found.difference_version:
        metadata["move"] = found.difference_version
    if found.difference_event is not None:
        metadata["event"] = found.difference_event
    if found.expected:
        metadata["expected"] = found.expected[:MAX_QUOTED]
    if found.found:
        metadata["found"] = found.found[:MAX_QUOTED]
    what = found.difference[:MAX_QUOTED]
    return Refused(
        Reason.IMPORT_BROKEN, what, field=found.difference_path, description=what, metadata=metadata
    )
