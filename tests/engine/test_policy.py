"""What stands in for an absent player, in the rare positions that players bring about who want to get there.

That it is legal, blind to what the seat cannot know, and ends matches, the kit checks for every game.
"""

from __future__ import annotations

from importlib import import_module

import pytest

from engine.kernel.chance import SeededChance
from engine.kernel.seats import Seat
from engine.match.replay import fold
from engine.registry import game as registered_game
from tests.support.our_games import OUR_GAMES


def luck(number: int, about: int) -> SeededChance:
    return SeededChance(number.to_bytes(32, "big"), about)


@pytest.mark.parametrize("name", OUR_GAMES)
def test_every_decision_of_a_game_is_answered_for_an_absent_player(name: str) -> None:
    """Whatever keen players have brought about: who was there until just now leaves the oddest questions behind."""
    unanswered = {each.value for each in import_module(f"engine.{name}.phases").Decision}
    game = registered_game(name)
    keen_match = import_module(f"tests.engine.{name}.matches").keen_match
    for number in range(200):
        for step in keen_match(number):
            for asked in game.pending(step.state):
                if asked.decision in unanswered:
                    action = game.policy(step.state, asked.seat)
                    assert game.decide(step.state, asked.seat, action, luck(number, 2))
                    unanswered.remove(asked.decision)
        if not unanswered:
            return
    assert unanswered == set()


@pytest.mark.parametrize("name", OUR_GAMES)
def test_who_is_not_at_the_table_is_not_answered_for(name: str) -> None:
    game = registered_game(name)
    state = fold(game, game.start(game.types.options(), max(game.seat_counts), luck(0, 1)))
    with pytest.raises(LookupError):
        game.policy(state, Seat(99))
