"""What stands in for an absent player: legal, blind to what the seat cannot know, and never the end of a match's end."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import msgspec
import pytest

from engine.kernel.chance import SeededChance
from engine.kernel.game import AnyGame
from engine.kernel.seats import Seat, seat_audience
from engine.match.replay import fold
from engine.registry import GAMES
from engine.registry import game as registered_game
from engine.river_dragons.box.components import Variant
from engine.river_of_gold.box.components import PatronMode
from tests.engine.al_rashid import matches as al_rashid
from tests.engine.river_dragons import matches as river_dragons
from tests.engine.river_of_gold import matches as river_of_gold

TABLES = (
    ("al_rashid", {}, 600),
    ("river_dragons", {}, 1500),
    ("river_dragons", {"variant": "expert"}, 1500),
    ("river_of_gold", {}, 600),
    ("river_of_gold", {"patrons": "draft"}, 600),
    ("river_of_gold", {"patrons": "choice_of_two"}, 600),
)
"""Game, options, and more moves than any match with absent players has ever taken."""
KEEN = {
    "al_rashid": lambda number: al_rashid.whole_match(2 + number % 4, number, keen=True),
    "river_dragons": lambda number: river_dragons.whole_match(4, Variant.ISLANDS, number, keen=True),
    "river_of_gold": lambda number: river_of_gold.whole_match(
        2 + number % 3,
        number,
        patrons=PatronMode.CHOICE_OF_TWO,
        keen=number % 2 == 0,
        thrifty=number % 2 == 1,
    ),
}
"""Matches of players who get as far as rare decisions; those of River of Gold build in one and save in the next."""
EVERY_TABLE = pytest.mark.parametrize(
    ("name", "options", "bound"),
    TABLES,
    ids=["-".join([name, *options.values()]) for name, options, _ in TABLES],
)


def luck(number: int, about: int) -> SeededChance:
    return SeededChance(number.to_bytes(32, "big"), about)


def match_with_absent_players(
    name: str, options: dict[str, str], number: int, bound: int
) -> Iterator[tuple[AnyGame, Any, Seat, Any]]:
    """Some seats are absent, by number; every table with the seat that acts on it and what it does."""
    game = registered_game(name)
    seats = game.seat_counts[number % len(game.seat_counts)]
    whims = luck(number, 1 << 32)
    absent = {seat for seat in range(seats) if number % 3 == 0 or whims.below(2)}
    read = game.options_codec.decode(msgspec.json.encode(options))
    state = fold(game, game.start(read, seats, luck(number, 1)))
    move = 1
    while waited_for := game.to_act(state):
        move += 1
        assert move <= bound, f"{name}: {absent} of {seats} absent, and no end"
        seat = waited_for[whims.below(len(waited_for))]
        action = game.policy(state, seat) if seat in absent else game.sample(state, seat, whims)
        yield game, state, seat, action
        state = fold(game, game.decide(state, seat, action, luck(number, move)), state)
    assert game.outcome(state) is not None


@EVERY_TABLE
@pytest.mark.parametrize("number", range(15))
def test_a_match_ends_whoever_is_absent(name: str, options: dict[str, str], bound: int, number: int) -> None:
    """Every third match is played by nobody at all."""
    for _ in match_with_absent_players(name, options, number, bound):
        pass


@EVERY_TABLE
def test_an_absent_player_knows_no_more_than_the_seat(name: str, options: dict[str, str], bound: int) -> None:
    """At two tables a seat cannot tell apart it does the same, and what it does is in the listing."""
    redealt = 0
    for number in (1, 2):
        tables = match_with_absent_players(name, options, number, bound)
        for place, (game, state, seat, _) in enumerate(tables):
            action = game.policy(state, seat)
            listed = game.legal_actions(state, seat)
            assert listed.templates or action in listed.actions
            if place % 3 == 0:
                dealt = game.redeal(state, seat_audience(seat), luck(number, place))
                redealt += dealt != state
                assert game.policy(dealt, seat) == action
    assert redealt


@pytest.mark.parametrize("name", GAMES)
def test_every_decision_of_a_game_is_answered_for_an_absent_player(name: str) -> None:
    """Whatever keen players have brought about: who was there until just now leaves the oddest questions behind."""
    unanswered = {each.value for each in import_module(f"engine.{name}.phases").Decision}
    game = registered_game(name)
    for number in range(200):
        for step in KEEN[name](number):
            for asked in game.pending(step.state):
                if asked.decision in unanswered:
                    action = game.policy(step.state, asked.seat)
                    assert game.decide(step.state, asked.seat, action, luck(number, 2))
                    unanswered.remove(asked.decision)
        if not unanswered:
            return
    assert unanswered == set()


@pytest.mark.parametrize("name", GAMES)
def test_only_who_is_asked_is_answered_for(name: str) -> None:
    game = registered_game(name)
    state = fold(game, game.start(game.types.options(), max(game.seat_counts), luck(0, 1)))
    idle = [Seat(seat) for seat in range(max(game.seat_counts)) if Seat(seat) not in game.to_act(state)]
    for seat in idle:
        with pytest.raises(LookupError):
            game.policy(state, seat)
    with pytest.raises(LookupError):
        game.policy(state, Seat(99))
