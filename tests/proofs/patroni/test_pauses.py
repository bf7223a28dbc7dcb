"""How long play paused: from the last move before until the first one after."""

from __future__ import annotations

from tests.proofs.faults.notes import Healed
from tests.proofs.faults.sound_run import KILLED, NOTES, instead
from tests.proofs.faults.sound_run import THE_THIRD as THIRD
from tests.proofs.patroni.pauses import pauses


def test_a_pause_is_the_longest_time_between_two_moves_around_a_harm() -> None:
    """Moves were acknowledged at 2 and 6; the harm began at 2.5."""
    assert pauses((*NOTES, KILLED, Healed(at=4.5, number=1))) == {"gateway killed": [4.0]}


def test_an_answer_that_is_given_again_does_not_end_a_pause() -> None:
    assert pauses((*instead(THIRD, replayed=True), KILLED, Healed(at=4.5, number=1))) == {
        "gateway killed": [0.0]
    }
