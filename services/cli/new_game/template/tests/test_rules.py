"""The rules in examples, in the order of their paragraphs."""

from __future__ import annotations

import pytest
from engine.interface import PUBLIC, RuleViolation, ScriptedChance, seat_audience

from example_game.actions import Keep, Place, Tip
from example_game.box import Bowl
from example_game.errors import Code
from example_game.events import (
    BowlScored,
    BowlsKept,
    BowlTied,
    BowlTipped,
    DieRolled,
    EndReason,
    MatchEnded,
    PebblesPlaced,
    PebblesRevealed,
    RoundStarted,
    SeatFavour,
    SeatLeft,
    SeatPebbles,
)
from example_game.game import GAME

from given import BLUE, GREEN, RED, Given, a_match, pebbles

THREE_LEFT = Place(left=3, middle=1, right=0)
TWO_LEFT = Place(left=2, middle=0, right=1)
NOTHING = Place(left=0, middle=0, right=0)
FIVE = 4
"""What is drawn for a five: draws count from 0."""
ONE = 0


def red_scores_left(rounds: int = 3) -> Given:
    """Return a match in which red has placed the most in the left bowl, which the die has chosen."""
    match = Given(*a_match(Bowl.LEFT, Bowl.RIGHT, rounds=rounds))
    return match.when(RED, THREE_LEFT).when(BLUE, TWO_LEFT, draws=[ONE])


def test_nobody_sees_what_is_placed_before_all_have_placed() -> None:
    """§2, §7"""
    match = Given(*a_match(Bowl.LEFT, Bowl.RIGHT)).when(RED, THREE_LEFT)
    match.then(PebblesPlaced(seat=RED, pebbles=pebbles(left=3, middle=1)))
    assert GAME.redact(match.events[0], seat_audience(BLUE)) == PebblesPlaced(seat=RED)
    assert GAME.view(match.state, PUBLIC).seats[RED].pebbles is None
    assert GAME.view(match.state, seat_audience(RED)).seats[RED].pebbles == pebbles(left=3, middle=1)


def test_at_most_four_pebbles_are_placed_in_a_round() -> None:
    """§2"""
    Given(*a_match(Bowl.LEFT, Bowl.RIGHT)).then_refused(
        RED, Place(left=2, middle=2, right=1), Code.TOO_MANY_PEBBLES, pebbles=5, limit=4
    )


def test_pebbles_are_placed_once_in_a_round() -> None:
    """§2"""
    match = Given(*a_match(Bowl.LEFT, Bowl.RIGHT)).when(RED, NOTHING)
    match.then_refused(RED, NOTHING, Code.ALREADY_PLACED, round=1)


def test_the_most_pebbles_in_the_chosen_bowl_score_all_that_were_placed_there() -> None:
    """§3: red has placed three, blue two, so red scores five."""
    red_scores_left().then(
        PebblesPlaced(seat=BLUE, pebbles=pebbles(left=2, right=1)),
        PebblesRevealed(
            placed=(
                SeatPebbles(seat=RED, pebbles=pebbles(left=3, middle=1)),
                SeatPebbles(seat=BLUE, pebbles=pebbles(left=2, right=1)),
            )
        ),
        DieRolled(pips=1, bowl=Bowl.LEFT),
        BowlScored(seat=RED, bowl=Bowl.LEFT, points=5),
    )


def test_if_two_have_the_most_nobody_scores_and_the_next_round_begins() -> None:
    """§3"""
    match = Given(*a_match(Bowl.LEFT, Bowl.RIGHT)).when(RED, NOTHING).when(BLUE, NOTHING, draws=[FIVE])
    assert match.events[-3:] == (
        DieRolled(pips=5, bowl=Bowl.RIGHT),
        BowlTied(bowl=Bowl.RIGHT),
        RoundStarted(round=2),
    )


def test_who_has_scored_tips_another_bowl() -> None:
    """§4: the pebble in the middle is red's own."""
    match = red_scores_left().when(RED, Tip(bowl=Bowl.MIDDLE))
    match.then(BowlTipped(seat=RED, bowl=Bowl.MIDDLE, pebbles=1), RoundStarted(round=2))
    assert match.state.gone == (1, 0)


def test_all_bowls_may_be_kept() -> None:
    """§4"""
    red_scores_left().when(RED, Keep()).then(BowlsKept(seat=RED), RoundStarted(round=2))


def test_the_chosen_bowl_is_not_tipped() -> None:
    """§4"""
    red_scores_left().then_refused(RED, Tip(bowl=Bowl.LEFT), Code.BOWL_CHOSEN, bowl="left")


def test_an_empty_bowl_is_not_tipped() -> None:
    """§4"""
    match = Given(*a_match(Bowl.LEFT, Bowl.RIGHT)).when(RED, THREE_LEFT).when(BLUE, NOTHING, draws=[ONE])
    match.then_refused(RED, Tip(bowl=Bowl.RIGHT), Code.BOWL_EMPTY, bowl="right")


def test_after_the_last_round_favours_are_shown_and_score() -> None:
    """§5: red has five points and three pebbles in the left bowl; blue has one pebble in the right bowl."""
    match = red_scores_left(rounds=2).when(RED, Keep()).when(RED, NOTHING).when(BLUE, NOTHING, draws=[ONE])
    favours = (SeatFavour(seat=RED, bowl=Bowl.LEFT), SeatFavour(seat=BLUE, bowl=Bowl.RIGHT))
    assert match.events[-1] == MatchEnded(reason=EndReason.ROUNDS_OVER, favours=favours, winners=(RED,))
    outcome = GAME.outcome(match.state)
    assert outcome is not None
    assert [(each.rank, each.score) for each in outcome.results] == [(1, 8), (2, 1)]


def test_a_leaver_takes_back_what_was_placed_in_secret() -> None:
    """§6 [R1]: green was the last that the others waited for, so the round goes on."""
    match = Given(*a_match(Bowl.LEFT, Bowl.RIGHT, Bowl.MIDDLE)).when(RED, THREE_LEFT).when(BLUE, TWO_LEFT)
    match.when_leaving(GREEN, draws=[ONE])
    assert match.events[0] == SeatLeft(seat=GREEN)
    assert match.events[-1] == BowlScored(seat=RED, bowl=Bowl.LEFT, points=5)
    assert match.state.hands == (8, 9, 12)


def test_the_last_player_wins_even_with_fewer_points() -> None:
    """§6 [R2]"""
    match = red_scores_left().when_leaving(RED)
    outcome = GAME.outcome(match.state)
    assert outcome is not None
    assert (outcome.reason, outcome.winners) == (EndReason.LAST_PLAYER_LEFT, (BLUE,))
    assert [each.rank for each in outcome.results] == [2, 1]


def test_nobody_leaves_twice() -> None:
    """§6"""
    match = Given(*a_match(Bowl.LEFT, Bowl.RIGHT, Bowl.MIDDLE)).when_leaving(GREEN)
    with pytest.raises(RuleViolation) as refused:
        GAME.leave(match.state, GREEN, ScriptedChance())
    assert (refused.value.code, refused.value.facts) == (Code.ALREADY_LEFT, {"seat": GREEN})
