"""`evolve` records and judges nothing; what cannot be a history of a match is a programming error, never skipped."""

from __future__ import annotations

import pytest

from engine.kernel.chance import SeededChance
from engine.match.playout import playout
from engine.river_dragons.box.components import Plank, Variant
from engine.river_dragons.events import MatchStarted, PlankChosen, ProgramSubmitted, RoundStarted
from engine.river_dragons.evolve import evolve
from engine.river_dragons.game import GAME
from engine.river_dragons.options import RiverDragonsOptions


def test_a_history_begins_with_the_start(a_match) -> None:
    with pytest.raises(ValueError, match="begins with match_started"):
        evolve(None, RoundStarted(round=1, first_player=0))


def test_a_match_starts_once(a_match) -> None:
    started, _ = GAME.start(RiverDragonsOptions(), 2, SeededChance(bytes(32), 1))
    assert isinstance(started, MatchStarted)
    with pytest.raises(ValueError, match="starts once"):
        evolve(evolve(None, started), started)


def test_a_redacted_program_cannot_be_folded(a_match) -> None:
    with pytest.raises(ValueError, match="redacted"):
        evolve(a_match().state, ProgramSubmitted(seat=0, cards=None))


def test_a_plank_is_chosen_only_where_one_is_asked_for(a_match) -> None:
    with pytest.raises(TypeError, match="Programming"):
        evolve(a_match().state, PlankChosen(seat=0, plank=Plank(colour="blue", size=1)))


def test_what_came_before_is_left_alone(a_match) -> None:
    """A state never changes; the next one is another value."""
    before = a_match()
    after = before.stones("I07")
    assert (before.state.supply, after.state.supply) == (27, 26)


@pytest.mark.parametrize("variant", list(Variant))
def test_a_playout_of_the_kernel_ends(variant) -> None:
    secret = bytes(32)
    finished = playout(GAME, RiverDragonsOptions(variant=variant), 3, secret, SeededChance(secret, 1 << 32))
    assert finished.moves > 100
    assert finished.outcome.reason == "ROUND_LIMIT"
