"""A revocation and a write at the same moment, in Postgres: one waits for the other, so none is written behind a revocation.

What is under way is held open by a transaction of the test's own, with the statement the other side would use.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import psycopg
import pytest
from msgspec.structs import replace

from services.movelog.clocks import Cause, Clock, ClockKind, Tick
from services.movelog.failures import TokensRevoked
from services.movelog.lobby import SeatFree, SeatWanted
from services.movelog.postgres import lobby_queries, queries
from services.movelog.postgres.log import PostgresLog
from services.movelog.records import UNDO_TIMEOUT, Append, JoinedBy, Match, SeatRecord, SeatState, TokenUse
from services.postgres.database import Connection, DatabaseSettings, connect

AMatch = Callable[..., Match]
AMove = Callable[..., Append]

CLOCK = Clock(kind=ClockKind.PER_MOVE, time=UNDO_TIMEOUT)
SOON = 0.5
"""Long enough for a statement that waits for nobody; the writers give up a lock after a second."""
WAITING = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
)


@pytest.fixture
async def match(
    request: pytest.FixtureRequest, postgres_log: PostgresLog, a_match: AMatch, a_move: AMove
) -> Match:
    """A running match of two; with a clock where the test says so."""
    clock = getattr(request, "param", None)
    taken = [SeatRecord(seat=seat, state=SeatState.TAKEN) for seat in range(2)]
    match = await postgres_log.create(a_match(seats=2, clock=clock), taken)
    tick = None if clock is None else Tick(cause=Cause.MOVE, begun=(0, 1))
    await postgres_log.lobby.start(replace(a_move(match, seat=None), tick=tick), 2)
    return match


BOTH = pytest.mark.parametrize("match", [None, CLOCK], ids=["unclocked", "clocked"], indirect=True)


async def next_move(log: PostgresLog, match: Match, a_move: AMove, revocations: int | None = 0) -> Append:
    (start,) = await log.read(match.id)
    tick = None if match.clock is None else Tick(cause=Cause.MOVE, begun=(0,), kept=(1,))
    return replace(a_move(match, 2, start.hash), tick=tick, revocations=revocations)


@asynccontextmanager
async def under_way(url: str, statement: str, values: tuple[Any, ...]) -> AsyncIterator[Connection]:
    """A statement that somebody has not committed yet."""
    connection = await connect(DatabaseSettings(url), name="somebody", session={})
    async with connection, connection.transaction():
        await connection.execute(statement, values, binary=True)
        yield connection


async def until_somebody_waits(url: str) -> None:
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as operator:
        for _ in range(200):
            row = await (await operator.execute(WAITING)).fetchone()
            if row is not None and row[0]:
                return
            await asyncio.sleep(0.005)
    pytest.fail("nobody waits: what is under way stands in nobody's way")


@BOTH
@pytest.mark.parametrize("company", [0, 3], ids=["alone", "in a batch"])
async def test_a_move_that_comes_while_a_revocation_is_under_way_is_not_written(
    postgres_log: PostgresLog, match: Match, a_match: AMatch, a_move: AMove, database_url: str, company: int
) -> None:
    """It began when the token was good still, and sees the seats as they were then; the row of the match decides."""
    others = [await postgres_log.create(a_match(), []) for _ in range(company)]
    move = await next_move(postgres_log, match, a_move)
    async with under_way(database_url, lobby_queries.REVOKE, (match.id, 1)):
        appends = [postgres_log.append(move), *(postgres_log.append(a_move(other)) for other in others)]
        answers = asyncio.gather(*appends, return_exceptions=True)
        await until_somebody_waits(database_url)
    outcomes = await answers
    assert [type(one) for one in outcomes] == [TokensRevoked] + [type(None)] * company
    assert (await postgres_log.find(match.id)).version == 1


@BOTH
async def test_a_revocation_is_not_acknowledged_before_the_moves_that_are_under_way(
    postgres_log: PostgresLog, match: Match, a_move: AMove, database_url: str
) -> None:
    advance = "UPDATE matches SET version = version + 1 WHERE id = $1"  # as any append does
    async with under_way(database_url, advance, (match.id,)):
        revoking = asyncio.ensure_future(postgres_log.lobby.revoke(match.id, 1))
        await until_somebody_waits(database_url)
        assert not revoking.done()
    assert (await revoking).generation == 1
    with pytest.raises(TokensRevoked):
        await postgres_log.append(await next_move(postgres_log, match, a_move))


async def test_a_leaver_s_start_that_comes_while_the_seat_is_being_left_is_not_written(
    postgres_log: PostgresLog, a_match: AMatch, a_move: AMove, database_url: str
) -> None:
    taken = [SeatRecord(seat=seat, state=SeatState.TAKEN) for seat in range(3)]
    match = await postgres_log.create(a_match(seats=3), taken)
    async with under_way(database_url, lobby_queries.LEAVE, (match.id, 2, 0)):
        starting = asyncio.ensure_future(
            postgres_log.lobby.start(replace(a_move(match, seat=None), revocations=0), 2)
        )
        await until_somebody_waits(database_url)
    with pytest.raises(TokensRevoked):
        await starting
    assert (await postgres_log.find(match.id)).version == 0


async def test_a_fork_or_rematch_that_comes_while_a_revocation_is_under_way_is_not_made(
    postgres_log: PostgresLog, match: Match, a_match: AMatch, database_url: str
) -> None:
    token = TokenUse(match_id=match.id, revocations=0)
    other = await postgres_log.create(a_match(), [])
    wanted = SeatWanted(seat=1, by=JoinedBy.REMATCH, token=token)
    async with under_way(database_url, lobby_queries.REVOKE_WATCHERS, (match.id,)):
        answers = asyncio.gather(
            postgres_log.create(a_match(), [], token=token),
            postgres_log.lobby.claim(other.id, wanted),
            return_exceptions=True,
        )
        await until_somebody_waits(database_url)
        await asyncio.sleep(SOON)
    assert [type(one) for one in await answers] == [TokensRevoked] * 2


async def test_a_revocation_waits_for_what_is_made_with_a_token(
    postgres_log: PostgresLog, match: Match, database_url: str
) -> None:
    async with under_way(database_url, queries.HOLD_GOOD, (match.id, 0)):
        revoking = asyncio.ensure_future(postgres_log.lobby.revoke(match.id, 1))
        await until_somebody_waits(database_url)
        assert not revoking.done()
    await revoking


async def test_a_name_that_is_given_while_a_revocation_is_under_way_is_not_kept(
    postgres_log: PostgresLog, match: Match, database_url: str
) -> None:
    async with under_way(database_url, lobby_queries.REVOKE, (match.id, 1)):
        unseating = asyncio.ensure_future(postgres_log.lobby.seat_bot(match.id, 1, "greedy", 0))
        await until_somebody_waits(database_url)
    with pytest.raises(SeatFree):
        await unseating
    assert (await postgres_log.lobby.seating(match.id)).seats[1].bot == ""


async def test_revocations_leaves_and_moves_of_many_never_wait_in_a_circle(
    postgres_log: PostgresLog, a_match: AMatch, a_move: AMove, database_url: str
) -> None:
    """Everybody takes the match before its seats."""
    taken = [SeatRecord(seat=seat, state=SeatState.TAKEN) for seat in range(4)]
    matches = [await postgres_log.create(a_match(), taken) for _ in range(4)]

    async def revoke(match: Match) -> None:
        for seat in range(4):
            await postgres_log.lobby.revoke(match.id, seat)
            await postgres_log.lobby.revoke_watchers(match.id)

    async def leave(match: Match) -> None:
        for seat in range(4):
            await postgres_log.lobby.leave(match.id, seat, None)
            await postgres_log.lobby.claim(match.id, SeatWanted(seat=seat))

    async with await PostgresLog.open(DatabaseSettings(database_url)) as another:
        started = [another.append(a_move(match, seat=None)) for match in matches[2:]]
        outcomes = await asyncio.gather(
            *map(revoke, matches), *map(leave, matches[:2]), *started, return_exceptions=True
        )
    assert outcomes == [None] * len(outcomes)
    for match in matches:
        assert (await postgres_log.lobby.seating(match.id)).revocations >= 8
