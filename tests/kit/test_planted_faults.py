"""A game with one thing wrong is found by the checks that ask for it and by no other, and its author is told what to do."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.kernel.game import AnyGame
from engine.kernel.package import Checks
from services.kit.rules import bots, conserved, policy, redeal, unlisted_actions
from services.kit.running import run
from services.kit.subject import Subject
from tests.kit import planted
from tests.kit.planted import RASHID, found_in

EACH = (
    (planted.raises_in_the_middle, "plays", "KeyError: 'silk', raised in decide", "handle this position"),
    (planted.leaves_in_the_middle, "plays", "SystemExit: 0, raised in decide", "handle this position"),
    (planted.draws_elsewhere, "plays", "`decide` gives other events", "draw from `chance` alone"),
    (planted.forgets_the_version, "plays", "is to name the version 1.1.0", "recorded(rules_version)"),
    (planted.lists_what_is_refused, "listed-actions", "is refused: {", "list only what `decide` accepts"),
    (planted.accepts_out_of_turn, "unlisted-actions", "`decide` accepts {", "refuse it in `decide`, or list"),
    (planted.breaks_on_unlisted, "unlisted-actions", "`decide` raises IndexError", "raise RuleViolation"),
    (
        planted.refuses_with_a_foreign_code,
        "unlisted-actions",
        "not in `Game.codes`",
        "give every refusal a code",
    ),
    (planted.draws_before_it_refuses, "draws-after-judging", "after a draw", "judge first and draw last"),
    (
        planted.stores_something_else,
        "replay",
        "others after they were stored",
        "in types that JSON can carry",
    ),
    (planted.adds_up_wrongly, "ends", "its breakdown adds up to", "correct `outcome`"),
    (planted.keeps_a_seat, "leaving", "seat 0 may not leave", "let every seat that is there leave"),
    (planted.acts_for_idle_seats, "policy", "which has no open decision", "raise LookupError in `policy`"),
    (
        planted.policy_knows,
        "policy",
        "depends on what the seat cannot know",
        "only what the seat's view shows",
    ),
    (planted.copies_the_truth, "redeal", "gives the true state in all", "deal everything again"),
    (planted.copies_the_truth_for_a_seat, "redeal", "is hidden from seat 0", "deal everything again"),
    (
        planted.copies_the_truth_for_all_seats,
        "redeal",
        "is hidden from seat 0, seat 1",
        "deal everything again",
    ),
    (
        planted.names_nothing_and_deals_nothing,
        "redeal",
        "`redact` withholds part of ProgramSubmitted from",
        "name in `hidden` every place",
    ),
    (
        planted.deals_by_the_truth,
        "redeal",
        "depends on what is hidden from its audience",
        "take nothing hidden",
    ),
    (planted.hides_from_a_referee, "redeal", "hidden from a referee", "return `()` from `hidden`"),
    (planted.view_shows, "non-interference", "`view` tells ", "may know alone"),
    (planted.event_shows, "non-interference", "an event tells seat 1", "leave out of `redact`"),
    (planted.evaluates_what_it_cannot_know, "non-interference", "`evaluate` tells", "may know alone"),
    (planted.refusal_tells, "non-interference", "a refusal tells seat", "may know alone"),
    (planted.hides_no_name, "undo-boundary", "said to reveal nothing", "be in `hidden` before the move"),
    (planted.listed_oldest_first, "rules-versions", "listed as 1.0.0, 1.1.0", "newest first"),
)
"""A fault, the check that is for it, and words of what is found and of what to do."""
ALSO = {
    planted.draws_elsewhere: {"replay", "undo-boundary"},
    planted.forgets_the_version: {"rules-versions"},
    planted.lists_what_is_refused: {"bots"},
    planted.hides_no_name: {"redeal"},
    planted.policy_knows: {"non-interference"},
}
"""Other checks that find the same, because it does harm there too."""


@pytest.mark.parametrize(
    ("plant", "check", "what", "do"), [pytest.param(*each, id=each[0].__name__) for each in EACH]
)
def test_a_fault_is_found_by_the_check_for_it(
    plant: Callable[[], AnyGame], check: str, what: str, do: str
) -> None:
    found = found_in(plant())
    assert found.keys() - ALSO.get(plant, set()) == {check}
    assert what in " ".join(fault.what for fault in found[check])
    assert do in " ".join(fault.do for fault in found[check])
    assert all(fault.where for fault in found[check]) or check in {"redeal", "rules-versions"}


def test_a_tile_that_others_see_drawn_is_found_as_such() -> None:
    """It takes more moves: few of them draw from a stack."""
    found = found_in(planted.drawn_tile_shows(), matches=2, share=1)
    assert found.keys() == {"undo-boundary", "non-interference"}
    assert "is said to reveal nothing to seat" in found["undo-boundary"][0].what
    assert "leave it out of `redact`" in found["undo-boundary"][0].do


def test_a_bot_that_knows_more_than_its_seat_is_found() -> None:
    """It takes more positions: in few of them does what is hidden change a choice."""
    (fault,) = run(bots.CHECK, Subject("river_dragons", matches=1, game=planted.bots_know())).faults
    assert fault.what.startswith("the greedy bot of seat ")
    assert fault.what.endswith(", by what is hidden from it")
    assert fault.do.startswith("let `redeal` copy nothing hidden")


def test_what_is_accepted_at_a_rare_decision_is_found() -> None:
    """The other answers to a decision are tried at every kind of it, however seldom it is."""
    subject = Subject("al_rashid", matches=4, game=planted.accepts_a_rare_answer())
    (fault,) = run(unlisted_actions.CHECK, subject).faults
    assert '`decide` accepts {"type":"take_all"' in fault.what


def test_a_piece_that_is_lost_is_named() -> None:
    """The turn stands for a count that changes."""
    found = found_in(RASHID, checks=Checks(conserved=lambda state: {"tiles": 59, "turns": state.turn > 2}))
    assert found.keys() == {"conserved"}
    assert "turns was False, is True" in found["conserved"][0].what
    assert "tiles" not in found["conserved"][0].what


def test_a_piece_that_is_lost_when_all_is_dealt_again_is_named() -> None:
    """What stands for a count depends on what is hidden, so that it differs in the states that look alike."""
    subject = Subject("al_rashid", matches=1, game=RASHID, share=planted.SHARE)
    subject.checks = Checks(conserved=lambda state: {"hand": planted.hand(state, 0)})
    (fault,) = run(redeal.CHECK, subject).faults
    assert fault.what.startswith("`redeal` makes or loses something: {'hand': ")
    assert fault.do.startswith("collect in `redeal` what the audience cannot see")


def test_what_is_dealt_again_and_cannot_be_stored_is_found() -> None:
    subject = Subject("al_rashid", matches=1, game=planted.deals_lists(), share=planted.SHARE)
    faults = run(redeal.CHECK, subject).faults
    assert "a state that was dealt again is another after it was stored" in [fault.what for fault in faults]


def test_absent_players_who_never_come_to_an_end_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy, "MAX_MOVES", 30)
    found = found_in(RASHID)
    assert found.keys() == {"policy"}
    assert "30 moves do not end the match; the last ones: seat" in found["policy"][0].what


def test_our_games_have_no_fault() -> None:
    """Otherwise the faults above would not be those that were planted."""
    assert found_in(RASHID) == {}
    assert found_in(planted.DRAGONS) == {}


def test_a_game_that_declares_nothing_conserved_is_not_said_to_pass() -> None:
    subject = Subject("al_rashid", matches=1)
    subject.checks = Checks()
    assert conserved.CHECK.run(subject).skipped == "the game declares nothing in `Checks.conserved`"
