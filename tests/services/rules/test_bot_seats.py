"""Seats of bots: planned, filled, handed over and back, and who may fetch their tokens."""

from __future__ import annotations

from typing import Any

import pytest
from rules_stack import KEYS, Player, Stack

from engine.bots.levels import LEVELS
from foldtable.matches.v1 import bots_pb2 as bots
from foldtable.matches.v1 import lobby_pb2 as lobby
from foldtable.matches.v1 import match_pb2
from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.rules.v1 import rules_service_pb2
from services.identity.api_keys import ApiKey

RUTH = lobby.SeatPlan(kind=lobby.SEATING_KIND_CLOSED, player="ruth", name="Ruth")
OPEN = lobby.SeatPlan(kind=lobby.SEATING_KIND_OPEN)


def of_level(level: str) -> lobby.SeatPlan:
    return lobby.SeatPlan(kind=lobby.SEATING_KIND_BOT, level=level)


def of_its_own(name: str) -> lobby.SeatPlan:
    return lobby.SeatPlan(kind=lobby.SEATING_KIND_BOT, bot=name)


def players(match: match_pb2.Match) -> list[tuple[str, str, str]]:
    return [(seat.player, seat.level, seat.bot) for seat in match.seats]


def minted(match_id: str, seat: int) -> pb.IssueSeatTokenRequest:
    return pb.IssueSeatTokenRequest(match_id=match_id, seat=seat)


@pytest.fixture
async def runs_bots(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> Player:
    """Somebody with a key of the tenant that is good for bots and nothing else."""
    one = KEYS["ft_test_one"]
    key = ApiKey(
        id=one.id,
        tenant=one.tenant,
        prefix=one.prefix,
        scopes=frozenset({"bots:play"}),
        created_at=one.created_at,
    )
    monkeypatch.setitem(KEYS, "ft_test_bots", key)
    return stack.player("ft_test_bots")


# ── planned ────────────────────────────────────────────────────────────────────────────────────────


async def test_a_match_against_a_bot_begins_at_once(tenant: Player) -> None:
    created = await tenant.create(2, seating=[RUTH, of_level("random")])
    assert (created.match.version, created.match.status) == (1, match_pb2.MATCH_STATUS_RUNNING)
    assert players(created.match) == [("ruth", "", ""), ("", "random", "")]


async def test_the_match_begins_when_the_people_are_there(tenant: Player) -> None:
    created = await tenant.create(3, seating=[RUTH, of_level("random"), OPEN])
    assert created.match.version == 0
    joined = await tenant.call("JoinMatch", pb.JoinMatchRequest(match_id=created.match.match_id))
    assert (joined.match.version, joined.token.seat) == (1, 2)


async def test_tokens_are_handed_out_for_people_and_for_ones_own_bots(tenant: Player) -> None:
    created = await tenant.create(3, seating=[RUTH, of_level("random"), of_its_own("alphariver")])
    assert [token.seat for token in created.tokens] == [0, 2]
    assert players(created.match)[2] == ("", "", "alphariver")


@pytest.mark.parametrize(
    ("plan", "reason", "field"),
    [
        pytest.param(of_level("grandmaster"), "BOT_UNKNOWN", "$.seating[1].level", id="no such level"),
        pytest.param(of_level(""), "MALFORMED_REQUEST", "$.seating[1].level", id="nobody named"),
        pytest.param(of_its_own("greedy"), "MALFORMED_REQUEST", "$.seating[1].bot", id="a level as a name"),
        pytest.param(of_its_own("My Bot"), "MALFORMED_REQUEST", "$.seating[1].bot", id="not a name"),
        pytest.param(
            lobby.SeatPlan(kind=lobby.SEATING_KIND_BOT, level="random", bot="mine"),
            "MALFORMED_REQUEST",
            "$.seating[1].level",
            id="two at once",
        ),
        pytest.param(
            lobby.SeatPlan(kind=lobby.SEATING_KIND_OPEN, level="random"),
            "MALFORMED_REQUEST",
            "$.seating[1].kind",
            id="a bot on a person's seat",
        ),
    ],
)
async def test_a_bot_that_cannot_be_is_refused_by_name(
    tenant: Player, plan: lobby.SeatPlan, reason: str, field: str
) -> None:
    request = pb.CreateMatchRequest(game="river_dragons", seats=2, seating=[RUTH, plan])
    refusal = await tenant.refused("CreateMatch", request)
    assert (refusal.reason, refusal.fields) == (reason, [field])


async def test_the_refusal_of_an_unknown_level_lists_the_known_ones(tenant: Player) -> None:
    request = pb.CreateMatchRequest(game="river_dragons", seats=2, seating=[RUTH, of_level("best")])
    refusal = await tenant.refused("CreateMatch", request)
    assert refusal.info.metadata["levels"] == ", ".join(LEVELS)


async def test_every_game_names_the_levels_there_are(tenant: Player) -> None:
    games = (await tenant.rules.ListGames(rules_service_pb2.ListGamesRequest())).games
    assert all(list(game.bot_levels) == list(LEVELS) for game in games)


async def test_a_repeated_creation_is_the_same_match_although_a_bot_stands_in(tenant: Player) -> None:
    asked: dict[str, Any] = {"seating": [RUTH, of_level("random")], "request_id": "r1"}
    first = await tenant.create(2, **asked)
    await tenant.call("SeatBot", bots.SeatBotRequest(match_id=first.match.match_id, seat=0, level="greedy"))
    again = await tenant.create(2, **asked)
    assert again.match.match_id == first.match.match_id
    request = pb.CreateMatchRequest(
        game="river_dragons", seats=2, seating=[RUTH, of_its_own("mine")], request_id="r1"
    )
    assert (await tenant.refused("CreateMatch", request)).reason == "REQUEST_ID_REUSED"


# ── handed over and back ───────────────────────────────────────────────────────────────────────────


async def test_a_bot_fills_the_last_free_seat_and_the_match_begins(tenant: Player) -> None:
    created = await tenant.create(2, seating=[RUTH, OPEN])
    request = bots.SeatBotRequest(match_id=created.match.match_id, seat=1, level="random")
    match = (await tenant.call("SeatBot", request)).match
    assert (match.version, players(match)[1]) == (1, ("", "random", ""))


async def test_a_bot_stands_in_and_the_player_comes_back_with_the_own_token(
    stack: Stack, tenant: Player
) -> None:
    created = await tenant.create(2, players=["ruth", "ann"])
    match_id = created.match.match_id
    stood_in = await tenant.call("SeatBot", bots.SeatBotRequest(match_id=match_id, seat=0, level="random"))
    assert players(stood_in.match) == [("ruth", "random", ""), ("ann", "", "")]
    ruth = stack.player(created.tokens[0].token)
    back = await ruth.call("UnseatBot", bots.UnseatBotRequest(match_id=match_id))
    assert players(back.match) == [("ruth", "", ""), ("ann", "", "")]
    assert (await ruth.any_move(match_id, 0)).version == 2


async def test_where_the_match_is_over_nobody_plays(tenant: Player) -> None:
    created = await tenant.create(2)
    match_id = created.match.match_id
    await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=0))
    request = bots.SeatBotRequest(match_id=match_id, seat=1, level="random")
    assert (await tenant.refused("SeatBot", request)).reason == "MATCH_OVER"


async def test_a_seat_there_is_not_is_refused(tenant: Player) -> None:
    created = await tenant.create(2)
    request = bots.SeatBotRequest(match_id=created.match.match_id, seat=2, level="random")
    assert (await tenant.refused("SeatBot", request)).fields == ["$.seat"]


async def test_another_replica_knows_it_at_once(stack: Stack, tenant: Player) -> None:
    other = stack.player(address=await stack.serve())
    created = await tenant.create(2, players=["ruth", "ann"])
    match_id = created.match.match_id
    await other.get(match_id)
    await tenant.call("SeatBot", bots.SeatBotRequest(match_id=match_id, seat=0, bot="mine"))
    assert players(await other.get(match_id))[0] == ("ruth", "", "mine")


# ── playing again ──────────────────────────────────────────────────────────────────────────────────


async def test_in_a_rematch_bots_sit_one_seat_further_and_players_play_for_themselves(
    stack: Stack, tenant: Player
) -> None:
    created = await tenant.create(
        3, seating=[RUTH, of_level("random"), lobby.SeatPlan(player="ann", name="Ann")]
    )
    match_id = created.match.match_id
    await tenant.call("SeatBot", bots.SeatBotRequest(match_id=match_id, seat=2, level="greedy"))
    for seat in (0, 1):
        await tenant.call("ResignSeat", pb.ResignSeatRequest(match_id=match_id, seat=seat))
    ruth = stack.player(created.tokens[0].token)
    answer = await ruth.call("Rematch", lobby.RematchRequest(match_id=match_id))
    assert players(answer.match) == [("", "random", ""), ("ann", "", ""), ("ruth", "", "")]
    assert [seat.state for seat in answer.match.seats] == [
        match_pb2.SEAT_STATE_TAKEN,
        match_pb2.SEAT_STATE_RESERVED,
        match_pb2.SEAT_STATE_TAKEN,
    ]
    assert [token.seat for token in answer.tokens] == [2]


# ── who runs bots ──────────────────────────────────────────────────────────────────────────────────


async def test_a_key_for_bots_gets_the_tokens_of_bots_seats_only(tenant: Player, runs_bots: Player) -> None:
    created = await tenant.create(3, seating=[RUTH, of_level("random"), of_its_own("mine")])
    match_id = created.match.match_id
    for seat in (1, 2):
        assert (await runs_bots.call("IssueSeatToken", minted(match_id, seat))).token.seat == seat
    assert (await runs_bots.refused("IssueSeatToken", minted(match_id, 0))).reason == "SCOPE_MISSING"
    assert (await runs_bots.refused("GetView", pb.GetViewRequest(match_id=match_id))).info.metadata[
        "scope"
    ] == "matches:read"


async def test_a_key_for_bots_gets_none_once_the_player_is_back(tenant: Player, runs_bots: Player) -> None:
    match_id = (await tenant.create(2, players=["ruth", "ann"])).match.match_id
    await tenant.call("SeatBot", bots.SeatBotRequest(match_id=match_id, seat=0, level="random"))
    await runs_bots.call("IssueSeatToken", minted(match_id, 0))
    await tenant.call("UnseatBot", bots.UnseatBotRequest(match_id=match_id, seat=0))
    assert (await runs_bots.refused("IssueSeatToken", minted(match_id, 0))).reason == "SCOPE_MISSING"
