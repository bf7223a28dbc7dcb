"""A proposal is open until its time is up, to the microsecond, whoever asks: to answer it, or to make another."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

import pytest

from engine.kernel.errors import TableCode
from engine.kernel.seats import Seat
from engine.match.commands import Abort, AnswerAbort, AnswerUndo, Undo
from engine.registry import game
from services.movelog.records import MatchSettings
from services.rpc.refusals import Refused
from services.rules.match import seating, starting
from services.rules.match.appending import AcceptedRow, Request
from services.rules.match.match_cache import MatchCache
from services.rules.match.proposals import proposal_of
from services.rules.match.undo import look
from tests.support.asked_rows import carry_out
from tests.support.memory_log.log import MemoryLog

DRAGONS: Final = game("river_dragons")
PROGRAM: Final = DRAGONS.action_codec.decode(
    b'{"type":"submit_program","cards":["stone1","stone2","plank1","move1","jump"]}'
)
THEN: Final = (datetime.now(UTC) + timedelta(days=1)).replace(
    hour=2, minute=59, second=59, microsecond=999_999
)
"""After the match was made, whenever this runs: moves never lie before the moves that they follow."""
HOUR: Final = timedelta(hours=1)
MICROSECOND: Final = timedelta(microseconds=1)
KINDS = pytest.mark.parametrize(
    ("proposal", "answer"),
    [(Undo(to=1), AnswerUndo(accept=True)), (Abort(), AnswerAbort(accept=True))],
    ids=["undo", "abort"],
)
EDGES = pytest.mark.parametrize(
    ("since", "is_open"),
    [(HOUR - MICROSECOND, True), (HOUR, False), (HOUR + MICROSECOND, False)],
    ids=["a microsecond before", "when its time is up", "a microsecond after"],
)


class Match:
    """A match of two that have both moved, where a proposal is open for an hour."""

    def __init__(self) -> None:
        self.tables = MatchCache(MemoryLog(), {"river_dragons": DRAGONS}.get)
        self.id = UUID(int=0)
        self.version = 0

    async def begin(self) -> None:
        new = seating.NewMatch(
            tenant="one",
            game=DRAGONS,
            seats=2,
            options=DRAGONS.types.options(),
            settings=MatchSettings(undo_timeout=HOUR),
        )
        self.id = (await seating.create(self.tables.log, new)).id
        async with self.tables.hold(self.id) as table:
            await self.tables.check_seating(table)
            await starting.start_when_full(self.tables, table)
        self.version = 1
        for seat in range(2):
            await self.ask(seat, PROGRAM, THEN)

    async def ask(self, seat: int, body: Any, now: datetime) -> AcceptedRow:
        request = Request(seat=Seat(seat), body=body, request_id="", expected_version=self.version)
        async with self.tables.hold(self.id) as table:
            answer = await carry_out(self.tables, table, request, now=lambda: now)
        self.version = answer.version
        return answer

    async def refused(self, seat: int, body: Any, now: datetime) -> str:
        with pytest.raises(Refused) as refusal:
            await self.ask(seat, body, now)
        return str(refusal.value.reason)


@pytest.fixture
async def match() -> Match:
    match = Match()
    await match.begin()
    return match


@KINDS
@EDGES
async def test_it_is_answered_in_time_only(
    match: Match, proposal: Any, answer: Any, since: timedelta, is_open: bool
) -> None:
    await match.ask(0, proposal, THEN)
    if is_open:
        assert (await match.ask(1, answer, THEN + since)).version == 5
    else:
        assert await match.refused(1, answer, THEN + since) == TableCode.NO_PROPOSAL


@KINDS
@EDGES
async def test_another_is_made_only_when_its_time_is_up(
    match: Match, proposal: Any, answer: Any, since: timedelta, is_open: bool
) -> None:
    await match.ask(0, proposal, THEN)
    if is_open:
        assert await match.refused(1, proposal, THEN + since) == TableCode.PROPOSAL_OPEN
    else:
        assert (await match.ask(1, proposal, THEN + since)).version == 5
        assert (await match.ask(0, answer, THEN + since + HOUR - MICROSECOND)).version == 6, (
            "it has its own hour"
        )


@KINDS
@EDGES
async def test_it_is_seen_as_long_as_it_may_be_answered(
    match: Match, proposal: Any, answer: Any, since: timedelta, is_open: bool
) -> None:
    await match.ask(0, proposal, THEN)
    async with match.tables.hold(match.id) as table:
        assert (proposal_of(table, THEN + since) is not None) is is_open
        seen = (await look(match.tables, table, Seat(1), THEN + since)).proposal
    assert (seen is not None) is is_open
    if seen is not None:
        assert (seen.expires_at, seen.waiting) == (THEN + HOUR, (1,))
