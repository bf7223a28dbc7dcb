"""How long players waited after a harm, and that somebody notices if they wait for ever."""

from __future__ import annotations

import msgspec

from tests.proofs.faults.notes import Healed
from tests.proofs.faults.recovery import is_all_seen_again, recoveries
from tests.proofs.faults.sound_run import KILLED, NOTES, THE_THIRD, instead


def test_recovery_counts_until_every_gateway_has_acknowledged_a_new_move_sent_after_the_harm() -> None:
    elsewhere = msgspec.structs.replace(KILLED, number=2, gateways=("gateway 0", "gateway 1"))
    (found,) = recoveries((*NOTES, KILLED, Healed(at=4.5, number=1), elsewhere))
    assert (found.times, found.lasted, found.waited, found.unseen) == (2, (2.0,), (3.5,), 1)


def test_an_answer_that_is_given_again_is_no_new_move() -> None:
    (found,) = recoveries((*instead(THE_THIRD, replayed=True), KILLED))
    assert (found.waited, found.unseen) == ((), 1)


def test_a_game_that_nobody_plays_is_not_waited_for() -> None:
    assert is_all_seen_again((*NOTES, msgspec.structs.replace(KILLED, games=("al_rashid", "river_dragons"))))
