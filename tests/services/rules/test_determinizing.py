"""Determinizations: what a seat knows is true in each, what it does not know never is the truth's doing."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import islice
from typing import Any
from uuid import UUID

import pytest
from rules_stack import Player, Stack

from engine.kernel.chance import SECRET_BYTES, SeededChance
from engine.kernel.codec import encode
from engine.kernel.seats import PUBLIC, Seat, seat_audience
from engine.match.playout import random_match
from engine.registry import game
from foldtable.matches.v1 import bots_pb2 as bots
from foldtable.matches.v1 import match_service_pb2 as pb
from foldtable.rules.v1 import rules_service_pb2 as rules
from foldtable.rules.v1 import table_pb2
from services.movelog.records import Seating, SeatRecord
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from services.rules.views.determinizing import deal, luck_of, prepare
from tests.support.memory_log.log import MemoryLog
from tests.support.new_matches import new_match
from tests.support.our_games import OUR_GAMES

REFEREE = table_pb2.Audience(kind=table_pb2.Audience.KIND_REFEREE)


def dealt(match_id: str, **more: Any) -> bots.DeterminizeRequest:
    return bots.DeterminizeRequest(match_id=match_id, **({"count": 4, "seed": "s"} | more))


async def states(player: Player, match_id: str, **more: Any) -> list[bytes]:
    answer = await player.call("Determinize", dealt(match_id, **more))
    return [state.state for state in answer.states]


@pytest.fixture(params=OUR_GAMES)
async def begun(request: pytest.FixtureRequest, tenant: Player) -> pb.CreateMatchResponse:
    """A match of every game, a few moves old."""
    created = await tenant.create(3, game=request.param)
    for _ in range(8):
        match = await tenant.get(created.match.match_id)
        await tenant.any_move(match.match_id, match.to_act[0])
    return created


async def test_a_seat_cannot_distinguish_one_from_the_true_state(
    stack: Stack, tenant: Player, begun: pb.CreateMatchResponse
) -> None:
    played, match_id = game(begun.match.game), begun.match.match_id
    (true,) = await states(tenant, match_id, audience=REFEREE, count=1)
    truth = played.state_codec.decode(true)
    for seat in range(3):
        player = stack.player(begun.tokens[seat].token)
        for one in await states(player, match_id):
            table = played.state_codec.decode(one)
            assert played.view(table, seat_audience(Seat(seat))) == played.view(
                truth, seat_audience(Seat(seat))
            )
            assert played.pending(table) == played.pending(truth)


async def test_they_can_be_played_on_with_the_pure_rules(
    stack: Stack, tenant: Player, begun: pb.CreateMatchResponse
) -> None:
    match = await tenant.get(begun.match.match_id)
    seat = match.to_act[0]
    player = stack.player(begun.tokens[seat].token)
    answer = await player.call("Determinize", dealt(match.match_id, count=1))
    legal = await player.rules.GetLegalActions(
        rules.GetLegalActionsRequest(game=match.game, state=answer.states[0], seat=seat, samples=1)
    )
    assert legal.samples.json != b"[]"


async def test_the_same_seed_deals_the_same(stack: Stack, begun: pb.CreateMatchResponse) -> None:
    player, match_id = stack.player(begun.tokens[0].token), begun.match.match_id
    assert await states(player, match_id) == await states(player, match_id)
    assert (await states(player, match_id, count=2)) == (await states(player, match_id))[:2]


async def test_another_seed_deals_another_order_of_the_piles(tenant: Player) -> None:
    match_id = (await tenant.create(2, game="river_of_gold")).match.match_id
    assert await states(tenant, match_id) != await states(tenant, match_id, seed="t")


class StandingAt(MatchCache):
    """Gives one state, whatever the log says."""

    def __init__(self, state: Any) -> None:
        super().__init__(MemoryLog(), lambda _: None)
        self._state = state

    async def state_at(self, table: LoadedMatch, version: int) -> Any:
        del table, version
        return self._state


def a_table(game_id: str, seats: int, secret: bytes) -> LoadedMatch:
    """One match in all that is public; only its secret is the caller's."""
    now = datetime(2026, 1, 1, tzinfo=UTC)
    rules = {"game": game_id, "rules_version": game(game_id).rules_version, "options": b"{}", "seats": seats}
    match = new_match(id=UUID(int=7), secret=secret, created_at=now, updated_at=now, **rules)
    seating = Seating(seats=tuple(SeatRecord(seat=seat) for seat in range(seats)), watch_generation=0)
    table = LoadedMatch(match, game(game_id), seating)
    table.version = 9
    return table


@pytest.mark.parametrize("game_id", OUR_GAMES)
@pytest.mark.parametrize("seed", range(3))
async def test_they_do_not_depend_on_what_the_seat_does_not_know(game_id: str, seed: int) -> None:
    """Two true tables, and two match secrets, that a seat cannot tell apart: it is dealt the same tables from both."""
    played = game(game_id)
    match = random_match(
        played,
        played.options_codec.decode(b"{}"),
        3,
        bytes([seed]) * SECRET_BYTES,
        SeededChance(bytes([seed]) * SECRET_BYTES, 0),
    )
    state = next(islice(match, 6 + 7 * seed, None)).state
    for audience in (*(seat_audience(Seat(seat)) for seat in range(3)), PUBLIC):
        other = played.redeal(state, audience, SeededChance(b"o" * SECRET_BYTES, seed))
        answers = [
            deal(await prepare(StandingAt(true), a_table(game_id, 3, secret), audience, dealt("", count=8)))
            for true, secret in ((state, b"a" * SECRET_BYTES), (other, b"b" * SECRET_BYTES))
        ]
        assert answers[0] == answers[1]


def test_their_luck_is_made_of_the_match_the_version_the_audience_and_the_seed() -> None:
    asked = [
        (UUID(int=1), 5, PUBLIC, "s"),
        (UUID(int=2), 5, PUBLIC, "s"),
        (UUID(int=1), 6, PUBLIC, "s"),
        (UUID(int=1), 5, seat_audience(Seat(0)), "s"),
        (UUID(int=1), 5, PUBLIC, "t"),
    ]
    assert len({luck_of(*one) for one in asked}) == len(asked)


async def test_of_an_earlier_version_they_know_what_was_known_then(
    stack: Stack, begun: pb.CreateMatchResponse
) -> None:
    player = stack.player(begun.tokens[0].token)
    answer = await player.call("Determinize", dealt(begun.match.match_id, at_version=2))
    assert answer.version == 2
    played = game(begun.match.game)
    then = await player.view(begun.match.match_id, at_version=2)
    table = played.state_codec.decode(answer.states[0].state)
    assert encode(played.view(table, seat_audience(Seat(0)))) == then.view.json


@pytest.mark.parametrize(
    ("more", "field"),
    [
        pytest.param({"count": 0}, "$.count", id="none"),
        pytest.param({"count": 17}, "$.count", id="too many"),
        pytest.param({"seed": "x" * 65}, "$.seed", id="too long a seed"),
        pytest.param({"seed": "\n"}, "$.seed", id="a seed that cannot be shown"),
    ],
)
async def test_what_is_out_of_bounds_is_refused(tenant: Player, more: dict[str, Any], field: str) -> None:
    created = await tenant.create(2)
    assert (await tenant.refused("Determinize", dealt(created.match.match_id, **more))).fields == [field]


async def test_before_the_start_and_after_the_newest_move_there_are_none(tenant: Player) -> None:
    waiting = await tenant.create(2, open_seats=True)
    assert (await tenant.refused("Determinize", dealt(waiting.match.match_id))).reason == "MATCH_NOT_STARTED"
    begun = await tenant.create(2)
    refusal = await tenant.refused("Determinize", dealt(begun.match.match_id, at_version=9))
    assert refusal.reason == "VERSION_NOT_FOUND"
