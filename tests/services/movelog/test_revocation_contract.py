"""Revoked tokens in every log: what is asked for with one is not written, whichever statement would write it.

Each test runs on the log in Postgres and on the one in memory.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from msgspec.structs import replace

from services.movelog.clocks import Cause, Clock, ClockKind, Tick
from services.movelog.events import EventType
from services.movelog.failures import MatchUnknown, RequestIdTaken, StaleVersion, TokensRevoked
from services.movelog.lobby import SeatChange, SeatFree, SeatsFree, SeatWanted
from services.movelog.log import MoveLog
from services.movelog.records import (
    UNDO_TIMEOUT,
    Append,
    JoinedBy,
    Match,
    SeatRecord,
    SeatState,
    Status,
    TokenUse,
)

AMatch = Callable[..., Match]
AMove = Callable[..., Append]

CLOCK = Clock(kind=ClockKind.PER_MOVE, time=UNDO_TIMEOUT)
SEATS = 2


class Table:
    """A running match of two, with a clock or without, and its next move."""

    def __init__(self, log: MoveLog, match: Match, a_move: AMove) -> None:
        self.log = log
        self.match = match
        self._a_move = a_move
        self.version = 0
        self.head: bytes | None = None

    async def start(self) -> Table:
        start = self.next(None, begun=(0, 1))
        await self.log.lobby.start(start, SEATS)
        self.took(start)
        return self

    def next(self, revocations: int | None, *, begun: tuple[int, ...] = (1,), **given: Any) -> Append:
        """Return the next move of seat 1, as asked for with a token that was looked at then."""
        status = given.pop("status", Status.RUNNING)
        made = self._a_move(
            self.match, self.version + 1, self.head, seat=1 if self.version else None, **given
        )
        tick = None if self.match.clock is None else Tick(cause=Cause.MOVE, begun=begun)
        return replace(made, tick=tick, revocations=revocations, status=status)

    def took(self, append: Append) -> None:
        self.version, self.head = append.move.seq, append.move.hash

    async def revocations(self) -> int:
        return (await self.log.lobby.seating(self.match.id)).revocations


NewTable = Callable[..., Any]


@pytest.fixture(scope="module")
def database_url(module_database_url: str) -> str:
    """One for all of them: each has a match of its own."""
    return module_database_url


@pytest.fixture
def new_table(log: MoveLog, a_match: AMatch, a_move: AMove) -> NewTable:
    async def create(*, clock: Clock | None = None, tenant: str = "quiet", started: bool = True) -> Table:
        taken = [SeatRecord(seat=seat, state=SeatState.TAKEN) for seat in range(SEATS)]
        table = Table(log, await log.create(a_match(seats=SEATS, clock=clock, tenant=tenant), taken), a_move)
        return await table.start() if started else table

    return create


VARIANTS = pytest.mark.parametrize(
    ("clock", "tenant"),
    [(None, "quiet"), (None, "told"), (CLOCK, "quiet"), (CLOCK, "told")],
    ids=["unclocked", "unclocked, told", "clocked", "clocked, told"],
)
"""Each is written by a statement of its own."""
LAST = pytest.mark.parametrize("status", [Status.RUNNING, Status.ENDED])


@VARIANTS
@LAST
async def test_a_move_is_written_only_while_no_token_is_revoked(
    log: MoveLog, new_table: NewTable, clock: Clock | None, tenant: str, status: Status
) -> None:
    await log.events.record("told", frozenset(EventType))
    table = await new_table(clock=clock, tenant=tenant)
    good = await table.revocations()
    await log.lobby.revoke(table.match.id, 0)
    with pytest.raises(TokensRevoked):
        await log.append(table.next(good, status=status))
    assert (await log.find(table.match.id)).version == 1
    await log.append(table.next(good + 1, status=status))
    assert (await log.find(table.match.id)).version == 2


@VARIANTS
async def test_who_asks_without_a_token_is_asked_for_none(
    log: MoveLog, new_table: NewTable, clock: Clock | None, tenant: str
) -> None:
    """An API key, and the server itself: bots that agree, time-outs, the start."""
    table = await new_table(clock=clock, tenant=tenant)
    await log.lobby.revoke(table.match.id, 1)
    await log.append(table.next(None))
    assert (await log.find(table.match.id)).version == 2


@VARIANTS
@LAST
async def test_of_a_batch_only_the_revoked_move_fails(
    log: MoveLog, new_table: NewTable, clock: Clock | None, tenant: str, status: Status
) -> None:
    await log.events.record("told", frozenset(EventType))
    tables = [await new_table(clock=clock, tenant=tenant) for _ in range(8)]
    mixed = [await new_table(clock=None if clock else CLOCK) for _ in range(4)]
    for revoked in (*tables[::3], mixed[0]):
        await log.lobby.revoke(revoked.match.id, 1)
    outcomes = await asyncio.gather(
        *(log.append(table.next(0, status=status)) for table in (*tables, *mixed)), return_exceptions=True
    )
    refused, written = TokensRevoked, type(None)
    expected = [refused, written, written] * 2 + [refused, written] + [refused, *[written] * 3]
    assert [type(one) for one in outcomes] == expected
    versions = [(await log.find(table.match.id)).version for table in (*tables, *mixed)]
    assert versions == [1 if one is refused else 2 for one in expected]


@VARIANTS
async def test_revoked_is_said_before_anything_else_that_stands_against_a_move(
    log: MoveLog, new_table: NewTable, clock: Clock | None, tenant: str
) -> None:
    """Who may not know how the match stands is not told by the way it is refused."""
    table = await new_table(clock=clock, tenant=tenant)
    first, stale = table.next(0, request_id="one"), table.next(0)
    await log.append(first)
    with pytest.raises(RequestIdTaken):
        await log.append(first)
    with pytest.raises(StaleVersion):
        await log.append(stale)
    await log.lobby.revoke(table.match.id, 0)
    for append in (first, stale):
        with pytest.raises(TokensRevoked):
            await log.append(append)


async def test_a_move_of_an_unknown_match_is_none_of_a_revoked_token(
    log: MoveLog, a_match: AMatch, a_move: AMove
) -> None:
    with pytest.raises(MatchUnknown):
        await log.append(replace(a_move(a_match()), revocations=3))


async def test_whatever_revokes_a_token_is_counted(log: MoveLog, new_table: NewTable) -> None:
    table = await new_table(started=False)
    counted = [await table.revocations()]
    for revoke in (
        log.lobby.revoke(table.match.id, 1),
        log.lobby.revoke_watchers(table.match.id),
        log.lobby.leave(table.match.id, 1, None),
    ):
        await revoke
        counted.append(await table.revocations())
        assert (await log.progress([table.match.id]))[table.match.id].revocations == counted[-1]
    assert counted == [0, 1, 2, 3]
    with pytest.raises(SeatFree):
        await log.lobby.leave(table.match.id, 1, None)
    await log.lobby.claim(table.match.id, SeatWanted(seat=1))
    await log.lobby.update_seat(table.match.id, 1, None, SeatChange(name="Ruth"))
    assert await table.revocations() == 3, "nothing else revokes"


@pytest.mark.parametrize("clock", [None, CLOCK], ids=["unclocked", "clocked"])
async def test_a_start_that_a_player_asks_for_is_written_only_while_no_token_is_revoked(
    log: MoveLog, new_table: NewTable, clock: Clock | None
) -> None:
    table = await new_table(clock=clock, started=False)
    await log.lobby.revoke(table.match.id, 1)
    with pytest.raises(TokensRevoked):
        await log.lobby.start(table.next(0, begun=(0,)), SEATS)
    assert (await log.find(table.match.id)).version == 0
    with pytest.raises(SeatsFree):
        await log.lobby.start(table.next(1, begun=(0,)), 1)
    await log.lobby.start(table.next(1, begun=(0,)), SEATS)
    assert (await log.find(table.match.id)).version == 1


async def test_a_match_that_is_made_with_a_token_of_another_is_made_only_while_that_is_good(
    log: MoveLog, new_table: NewTable, a_match: AMatch
) -> None:
    """A fork, a rematch."""
    table = await new_table()
    token = TokenUse(match_id=table.match.id, revocations=0)
    made = await log.create(a_match(), [], token=token)
    assert await log.find(made.id) == made
    await log.lobby.revoke_watchers(table.match.id)
    refused = a_match()
    with pytest.raises(TokensRevoked):
        await log.create(refused, [], token=token)
    with pytest.raises(MatchUnknown):
        await log.find(refused.id)
    await log.create(refused, [], token=replace(token, revocations=1))


async def test_a_seat_that_is_taken_with_the_token_of_the_match_before_is_taken_only_while_that_is_good(
    log: MoveLog, new_table: NewTable, match: Match
) -> None:
    table = await new_table()
    token = TokenUse(match_id=table.match.id, revocations=0)
    wanted = SeatWanted(seat=2, by=JoinedBy.REMATCH, token=token)
    await log.lobby.revoke(table.match.id, 0)
    with pytest.raises(TokensRevoked):
        await log.lobby.claim(match.id, wanted)
    with pytest.raises(TokensRevoked):
        await log.lobby.claim(match.id, replace(wanted, seat=None))
    assert (await log.lobby.seating(match.id)).seats[2].state is SeatState.OPEN
    await log.lobby.claim(match.id, replace(wanted, token=replace(token, revocations=1)))
    assert (await log.lobby.seating(match.id)).seats[2].state is SeatState.TAKEN


async def test_what_a_seat_says_of_itself_and_its_bot_are_of_the_generation_that_is_named(
    log: MoveLog, new_table: NewTable
) -> None:
    table = await new_table()
    match_id: UUID = table.match.id
    await log.lobby.seat_bot(match_id, 1, "greedy")
    await log.lobby.revoke(match_id, 1)
    for asked in (
        log.lobby.update_seat(match_id, 1, 0, SeatChange(name="Mallory")),
        log.lobby.seat_bot(match_id, 1, "", 0),
        log.lobby.seat_bot(match_id, 1, "greedy", 0),
    ):
        with pytest.raises(SeatFree):
            await asked
    row = (await log.lobby.seating(match_id)).seats[1]
    assert (row.name, row.bot) == ("", "greedy")
    assert (await log.lobby.seat_bot(match_id, 1, "", 1)).bot == ""
