"""What stands in for an absent player, in the rare positions that players bring about who want to get there.

That it is legal, blind to what the seat cannot know, and ends matches, the kit checks for every game.
"""

from __future__ import annotations

from importlib import import_module

import pytest

from engine.kernel.chance import SeededChance
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
def test_nobody_chooses_who_is_not_asked(name: str) -> None:
    """Neither for an absent player, which the kit asks, nor at random."""
    game = registered_game(name)
    for step in import_module(f"tests.engine.{name}.matches").keen_match(1):
        for seat in {*range(4), 99} - {*game.to_act(step.state)}:
            with pytest.raises(LookupError):
                game.policy(step.state, seat)
            with pytest.raises(LookupError):
                game.sample(step.state, seat, luck(0, 2))
