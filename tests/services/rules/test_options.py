"""Options are judged when a match is made: not when its last player sits down, and before anything is stored."""

from __future__ import annotations

import msgspec
import pytest
from rules_stack import Player, Stack

from foldtable.matches.v1 import bots_pb2 as bots
from foldtable.matches.v1 import clock_pb2, fork_pb2, match_pb2
from foldtable.matches.v1 import lobby_pb2 as lobby
from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.rules.v1 import payload_pb2

NONE = {"round_limit": "none"}


def options(**said: object) -> payload_pb2.Payload:
    return payload_pb2.Payload(json=msgspec.json.encode(said))


def clock(absent: int) -> clock_pb2.Clock:
    made = clock_pb2.Clock(kind=clock_pb2.CLOCK_KIND_PER_MOVE, absent=absent)
    made.time.FromSeconds(3600)
    return made


FORFEIT = clock(clock_pb2.ABSENT_RULE_FORFEIT)


def creating(**more: object) -> pb.CreateMatchRequest:
    return pb.CreateMatchRequest(**{"game": "river_dragons", "seats": 2, **more})


async def stored(stack: Stack) -> int:
    """Count the matches there are."""
    async with stack.logs[0].pool.connection() as connection:
        rows = await connection.execute("SELECT count(*) FROM matches")
        ((count,),) = await rows.fetchall()
    return int(count)


async def test_a_match_is_played_with_the_limit_it_was_made_with(tenant: Player) -> None:
    """[R23]"""
    match = (await tenant.create(2, options=options(round_limit=7))).match
    assert msgspec.json.decode(match.options) == {"variant": "islands", "round_limit": 7}
    seen = await tenant.call("GetView", pb.GetViewRequest(match_id=match.match_id))
    assert msgspec.json.decode(seen.view.json)["round_limit"] == 7


async def test_a_match_with_a_clock_that_makes_the_absent_leave_may_have_no_limit(tenant: Player) -> None:
    """[R23]"""
    match = (await tenant.create(2, options=options(**NONE), clock=FORFEIT)).match
    assert match.status == match_pb2.MATCH_STATUS_RUNNING
    seen = await tenant.call("GetView", pb.GetViewRequest(match_id=match.match_id))
    assert msgspec.json.decode(seen.view.json)["round_limit"] == 0


@pytest.mark.parametrize(
    ("more", "missing"),
    [
        pytest.param({}, "FORFEIT_CLOCK", id="no clock"),
        pytest.param({"open_seats": True}, "FORFEIT_CLOCK", id="no clock, and nobody there yet"),
        pytest.param(
            {"clock": clock(clock_pb2.ABSENT_RULE_POLICY)}, "FORFEIT_CLOCK", id="the policy plays on"
        ),
        pytest.param({"clock": clock(clock_pb2.ABSENT_RULE_BOT)}, "FORFEIT_CLOCK", id="a bot takes over"),
        pytest.param(
            {
                "clock": FORFEIT,
                "seating": [
                    lobby.SeatPlan(kind=lobby.SEATING_KIND_CLOSED, player="ruth"),
                    lobby.SeatPlan(kind=lobby.SEATING_KIND_BOT, level="greedy"),
                ],
            },
            "PEOPLE_ONLY",
            id="a bot sits there",
        ),
    ],
)
async def test_without_a_limit_nothing_is_made_that_might_not_end(
    tenant: Player, stack: Stack, more: dict[str, object], missing: str
) -> None:
    """[R23]"""
    refusal = await tenant.refused("CreateMatch", creating(options=options(**NONE), **more))
    assert (refusal.reason, refusal.info.metadata["missing"]) == ("NO_CERTAIN_END", missing)
    assert refusal.rule is not None
    assert refusal.rule.field == "round_limit"
    assert await stored(stack) == 0


async def test_a_quick_join_makes_no_match_without_a_limit(tenant: Player) -> None:
    """[R23] Its matches have no clock."""
    wanted = lobby.QuickJoinRequest(
        game="river_dragons", player="ruth", options=options(**NONE), create_if_none=True
    )
    assert (await tenant.refused("QuickJoin", wanted)).reason == "NO_CERTAIN_END"


async def test_no_bot_is_handed_a_seat_later(tenant: Player) -> None:
    """[R23]"""
    match = (await tenant.create(2, options=options(**NONE), clock=FORFEIT)).match
    handing = bots.SeatBotRequest(match_id=match.match_id, seat=1, level="greedy")
    refusal = await tenant.refused("SeatBot", handing)
    assert (refusal.reason, refusal.info.metadata["missing"]) == ("NO_CERTAIN_END", "PEOPLE_ONLY")
    assert not (await tenant.get(match.match_id)).seats[1].level


async def test_a_fork_of_it_needs_no_clock_but_takes_no_bot_either(tenant: Player) -> None:
    """[R23]"""
    match = (await tenant.create(2, options=options(**NONE), clock=FORFEIT)).match
    forked = await tenant.call("ForkMatch", fork_pb2.ForkMatchRequest(match_id=match.match_id))
    assert forked.match.status == match_pb2.MATCH_STATUS_RUNNING
    two_bots = [lobby.SeatPlan(kind=lobby.SEATING_KIND_BOT, level="random")] * 2
    wanted = fork_pb2.ForkMatchRequest(match_id=match.match_id, seating=two_bots)
    assert (await tenant.refused("ForkMatch", wanted)).reason == "NO_CERTAIN_END"


@pytest.mark.parametrize("said", [7, 40, "none"])
async def test_older_rules_do_not_know_the_option(tenant: Player, said: object) -> None:
    """[R23]"""
    asked = creating(options=options(round_limit=said), clock=FORFEIT, rules_version="1.1.0")
    refusal = await tenant.refused("CreateMatch", asked)
    assert (refusal.reason, refusal.info.metadata["since"]) == ("ROUND_LIMIT_FIXED", "1.2.0")
    assert refusal.rule is not None
    assert refusal.rule.field == "round_limit"
    older = (await tenant.create(2, rules_version="1.1.0")).match
    assert msgspec.json.decode(older.options) == {"variant": "islands"}


async def test_options_that_contradict_the_table_are_refused_before_anybody_waits(
    tenant: Player, stack: Stack
) -> None:
    """River of Gold §2.5: three clans for two seats, and nobody there yet. Nothing is stored."""
    asked = creating(
        game="river_of_gold", options=options(clans=["crab", "crane", "mantis"]), open_seats=True
    )
    refusal = await tenant.refused("CreateMatch", asked)
    assert (refusal.reason, refusal.info.metadata["clans"]) == ("CLANS_WRONG_NUMBER", "3")
    assert await stored(stack) == 0


async def test_a_match_that_starts_on_demand_is_judged_by_any_number_it_can_start_with(
    tenant: Player,
) -> None:
    """Three seats, started by two at will: two clans are as right as three, one is not."""
    for clans, fits in ((["crab", "crane"], True), (["crab", "crane", "mantis"], True), (["crab"], False)):
        asked = creating(
            game="river_of_gold",
            seats=3,
            options=options(clans=clans),
            open_seats=True,
            start=match_pb2.START_RULE_ON_DEMAND,
        )
        if fits:
            assert (await tenant.call("CreateMatch", asked)).match.version == 0
        else:
            assert (await tenant.refused("CreateMatch", asked)).reason == "CLANS_WRONG_NUMBER"
