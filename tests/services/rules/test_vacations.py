"""Vacations in matches: rules servers let announced ones begin and end, and the clocks of their players stand meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest
from google.protobuf.duration_pb2 import Duration
from rules_stack import FIVE_CARDS, Player, Stack, act, program

from engine.registry import game as registered_game
from foldtable.matches.v1 import abort_pb2, clock_pb2, match_pb2, match_service_pb2, pause_pb2, replacing_pb2
from services.movelog.export.format import read_document
from services.movelog.export.verification import verify_document
from services.rules.match.match_cache import MatchCache
from services.rules.sweeps.vacation_rows import CHANGED, PostgresVacations
from services.rules.sweeps.vacations import VacationSweeper

DRAGONS = registered_game("river_dragons")
PLAYERS = ["ada", "bob"]


def clock(seconds: int = 3600, **more: Any) -> clock_pb2.Clock:
    kept = {"kind": clock_pb2.CLOCK_KIND_PER_MOVE, "time": Duration(seconds=seconds), "vacations": True}
    return clock_pb2.Clock(**{**kept, **more})


@pytest.fixture
def sweeps(stack: Stack) -> Callable[[], Any]:
    """Look for vacations at once, as another rules server would, and give how many rows that wrote."""

    async def look() -> int:
        log = stack.logs[0]
        return await VacationSweeper(
            MatchCache(log, registered_game), PostgresVacations(log.pool), [DRAGONS]
        ).sweep()

    return look


async def announce(
    stack: Stack, player: str, *, since: timedelta = timedelta(), days: int = 7, tenant: str = "one"
) -> UUID:
    vacation = uuid4()
    async with stack.logs[0].pool.connection() as connection:
        await connection.execute(
            "INSERT INTO vacations (id, tenant, player, since, until, by_tenant) "
            "VALUES ($1, $2, $3, now() + $4::interval, now() + $4::interval + $5::interval, true)",
            (vacation, tenant, player, since, timedelta(days=days)),
        )
    return vacation


async def end(stack: Stack, vacation: UUID) -> None:
    async with stack.logs[0].pool.connection() as connection:
        await connection.execute(
            "UPDATE vacations SET since = since - interval '9 days', until = now() WHERE id = $1", (vacation,)
        )


def clocks_of(match: match_pb2.Match) -> list[tuple[bool, bool]]:
    """Give of each seat whether its clock runs, and whether its player is on vacation."""
    return [(one.HasField("deadline"), one.on_vacation) for one in match.clocks.seats]


async def rows(tenant: Player, match_id: str) -> list[Any]:
    request = match_service_pb2.ListMovesRequest(match_id=match_id, after_version=1)
    return [
        (move.seat if move.HasField("seat") else None, msgspec.json.decode(move.events.json))
        for move in (await tenant.call("ListMoves", request)).moves
    ]


@pytest.fixture
async def match_id(tenant: Player) -> str:
    """A match of ada and bob, who both decide, with vacations."""
    return (await tenant.create(2, players=PLAYERS, clock=clock())).match.match_id


async def test_a_clock_stands_during_the_vacation_and_goes_on_with_what_was_left(
    stack: Stack, tenant: Player, match_id: str, sweeps: Any
) -> None:
    async with stack.logs[0].pool.connection() as connection:
        await connection.execute("UPDATE clocks SET deadline_at = deadline_at - interval '20 min'")
    vacation = await announce(stack, "ada")
    assert (await sweeps(), await sweeps()) == (1, 0), "once"
    assert clocks_of(await tenant.get(match_id)) == [(False, True), (True, False)]
    await end(stack, vacation)
    assert (await sweeps(), await sweeps()) == (1, 0)
    match = await tenant.get(match_id)
    assert clocks_of(match) == [(True, False), (True, False)]
    assert match.clocks.seats[0].left.ToTimedelta().total_seconds() == pytest.approx(2400, abs=10)
    assert await rows(tenant, match_id) == [
        (0, [{"type": "vacation_began", "seat": 0}]),
        (0, [{"type": "vacation_ended", "seat": 0}]),
    ]


async def test_a_rules_server_looks_for_vacations_by_itself(
    stack: Stack, tenant: Player, match_id: str
) -> None:
    await announce(stack, "bob")
    for _ in range(200):
        if (await tenant.get(match_id)).version == 2:
            break
        await asyncio.sleep(0.05)
    assert clocks_of(await tenant.get(match_id)) == [(True, False), (False, True)]


async def test_the_player_may_move_all_the_same_and_the_next_decision_has_its_whole_time(
    stack: Stack, tenant: Player, match_id: str, sweeps: Any
) -> None:
    vacation = await announce(stack, "ada")
    await sweeps()
    await tenant.call("Act", act(match_id, program(*FIVE_CARDS), 2, seat=0))
    moved = await tenant.call("Act", act(match_id, program(*FIVE_CARDS), 3, seat=1))
    assert not moved.clocks.seats[0].HasField("deadline")
    await end(stack, vacation)
    await sweeps()
    while 0 not in (match := await tenant.get(match_id)).to_act:
        await tenant.any_move(match_id, match.to_act[0])
    assert match.clocks.seats[0].left.ToTimedelta().total_seconds() == pytest.approx(3600, abs=10)


async def test_no_other_match_and_nobody_else_is_touched(
    stack: Stack, tenant: Player, match_id: str, sweeps: Any
) -> None:
    """Of another tenant's ada, of a clock without vacations, without a clock, before the match begins, or announced for later."""
    plain = (await tenant.create(2, players=PLAYERS, clock=clock(vacations=False))).match.match_id
    without = (await tenant.create(2, players=PLAYERS)).match.match_id
    await announce(stack, "ada", tenant="two")
    await announce(stack, "bob", since=timedelta(hours=1))
    await announce(stack, "cleo")
    assert await sweeps() == 0
    await announce(stack, "ada")
    assert await sweeps() == 1
    assert [(await tenant.get(one)).version for one in (match_id, plain, without)] == [2, 1, 1]


async def test_whose_time_is_up_gets_no_more_by_a_vacation(
    stack: Stack, tenant: Player, match_id: str, sweeps: Any
) -> None:
    """The time-out of that decision comes first; the next decision stands."""
    await announce(stack, "ada")
    async with stack.logs[0].pool.connection() as connection:
        await connection.execute("UPDATE clocks SET deadline_at = now() WHERE seat = 0")
    for _ in range(200):
        await sweeps()
        if (await tenant.get(match_id)).version >= 3:
            break
        await asyncio.sleep(0.05)
    (_, first), (_, second) = (await rows(tenant, match_id))[:2]
    assert [event["type"] for event in (*first, *second)] == ["program_submitted", "vacation_began"]


async def test_several_at_once_and_in_a_pause(
    stack: Stack, tenant: Player, match_id: str, sweeps: Any
) -> None:
    others = [(await tenant.create(2, players=PLAYERS, clock=clock())).match.match_id for _ in range(3)]
    await tenant.call("PauseMatch", pause_pb2.PauseMatchRequest(match_id=match_id))
    vacation = await announce(stack, "ada")
    await announce(stack, "bob")
    written = await asyncio.gather(sweeps(), sweeps(), sweeps())
    assert sum(written) == 2 * 4
    for one in (match_id, *others):
        assert clocks_of(await tenant.get(one)) == [(False, True), (False, True)]
    await end(stack, vacation)
    assert await sweeps() == 4
    assert clocks_of(await tenant.get(match_id)) == [(False, False), (False, True)], "it is paused"
    await tenant.call("ResumeMatch", pause_pb2.ResumeMatchRequest(match_id=match_id))
    assert clocks_of(await tenant.get(match_id)) == [(True, False), (False, True)]


async def test_a_replaced_player_s_vacation_is_not_the_next_one_s(
    stack: Stack, tenant: Player, match_id: str, sweeps: Any
) -> None:
    await announce(stack, "ada")
    await sweeps()
    await tenant.call(
        "ReplacePlayer", replacing_pb2.ReplacePlayerRequest(match_id=match_id, seat=0, player="zoe")
    )
    assert await sweeps() == 1
    assert clocks_of(await tenant.get(match_id)) == [(True, False), (True, False)]


async def test_a_match_with_vacations_is_verified(
    stack: Stack, tenant: Player, match_id: str, sweeps: Any
) -> None:
    await announce(stack, "ada")
    await sweeps()
    await tenant.call("Act", act(match_id, program(*FIVE_CARDS), 2, seat=1))
    await tenant.call("AbortMatch", abort_pb2.AbortMatchRequest(match_id=match_id))
    assert await sweeps() == 0, "a match that is over is not touched"
    request = match_service_pb2.ExportMatchRequest(match_id=match_id)
    found = verify_document(read_document(bytes((await tenant.call("ExportMatch", request)).document)))
    assert (found.ok, found.decided_again) == (True, True)


async def test_a_look_after_the_first_one_finds_what_has_just_begun_or_ended(
    stack: Stack, tenant: Player, match_id: str
) -> None:
    """And what it cannot change is left alone for a while."""
    log = stack.logs[0]
    sweeper = VacationSweeper(MatchCache(log, registered_game), PostgresVacations(log.pool), [DRAGONS])
    assert await sweeper.sweep() == 0
    vacation = await announce(stack, "ada")
    assert (await sweeper.sweep(), await sweeper.sweep()) == (1, 0)
    await end(stack, vacation)
    assert (await sweeper.sweep(), await sweeper.sweep()) == (1, 0)


async def test_a_match_that_begins_during_the_vacation_is_found_by_a_look_at_all(
    stack: Stack, tenant: Player, sweeps: Any
) -> None:
    await announce(stack, "ada")
    async with stack.logs[0].pool.connection() as connection:
        await connection.execute("UPDATE vacations SET since = since - interval '2 days'")
    match = (await tenant.create(2, players=PLAYERS, clock=clock())).match
    assert await sweeps() == 1
    assert clocks_of(await tenant.get(match.match_id)) == [(False, True), (True, False)]


async def test_who_has_left_keeps_nobody_from_going_on_vacation(
    stack: Stack, tenant: Player, sweeps: Any
) -> None:
    match_id = (await tenant.create(3, players=["ada", "ada", "bob"], clock=clock())).match.match_id
    await tenant.call("ResignSeat", match_service_pb2.ResignSeatRequest(match_id=match_id, seat=0))
    await announce(stack, "ada")
    assert await sweeps() == 1
    assert [one.on_vacation for one in (await tenant.get(match_id)).clocks.seats] == [False, True, False]


async def test_the_statement_reads_by_indexes(stack: Stack, tenant: Player) -> None:
    """However many vacations, seats and clocks there are, a look at what has just changed reads few."""
    async with stack.logs[0].pool.connection() as connection:
        await connection.execute(
            "INSERT INTO vacations (id, tenant, player, since, until, by_tenant) "
            "SELECT gen_random_uuid(), 't', 'p' || n, now() + n * interval '1 hour', "
            "now() + (n + 1) * interval '1 hour', true FROM generate_series(1, 20000) AS n"
        )
        await connection.execute("ANALYZE vacations")
        values = "ARRAY['river_dragons'], ARRAY['1.2.0'], interval '15 s', false, 2000"
        await connection.execute("SET plan_cache_mode = force_generic_plan")
        await connection.execute(f"PREPARE looked AS {CHANGED}")
        cursor = await connection.execute(f"EXPLAIN EXECUTE looked ({values})")
        plan = "\n".join(row[0] for row in await cursor.fetchall())
        await connection.execute("DEALLOCATE looked")
        await connection.execute("RESET plan_cache_mode")
    assert "Seq Scan on vacations" not in plan, plan
