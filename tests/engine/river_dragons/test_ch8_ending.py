"""§8 End of the game."""

from __future__ import annotations

import pytest

from engine.kernel.errors import TableCode
from engine.kernel.outcome import SeatResult
from engine.kernel.seats import Seat
from engine.river_dragons.actions import Step, SubmitProgram
from engine.river_dragons.events import CardBegun, EndReason, MatchEnded
from engine.river_dragons.game import GAME


def green_before_red_village(a_match):
    return a_match().stones("I24").planks("red-5 I24-V-red").pawn("green", "I24-V-red")


def test_the_match_ends_the_moment_a_pawn_is_on_its_destination(a_match) -> None:
    """The rest of the card, slot and round is not played."""
    story = green_before_red_village(a_match).executes("green", "move2").plays("green", Step(to="V-red"))
    assert isinstance(story.events[-1], MatchEnded)
    assert not [event for event in story.events if isinstance(event, CardBegun)]
    assert story.waiting == []


def test_the_winner_ranks_first_and_all_others_share_the_next_rank(a_match) -> None:
    story = green_before_red_village(a_match).executes("green", "move1").plays("green", Step(to="V-red"))
    outcome = GAME.outcome(story.state)
    assert (outcome.reason, outcome.rule, outcome.winners) == ("DESTINATION_REACHED", "8", (1,))
    assert outcome.results == tuple(SeatResult(seat=seat, rank=1 if seat == 1 else 2) for seat in range(6))


def test_another_players_destination_is_just_a_village(a_match) -> None:
    """[R19]"""
    story = green_before_red_village(a_match).pawn("blue", "I24-V-red").pawn("green", "V-green")
    story = story.executes("blue", "move1").plays("blue", Step(to="V-red"))
    assert GAME.outcome(story.state) is None


def test_the_own_start_village_does_not_end_the_match(a_match) -> None:
    story = green_before_red_village(a_match).pawn("red", "I24-V-red").pawn("green", "V-green")
    story = story.executes("red", "move1").plays("red", Step(to="V-red"))
    assert GAME.outcome(story.state) is None


def test_in_a_draw_nobody_wins_and_all_share_the_first_rank(a_match) -> None:
    """[R23]"""
    story = a_match(players=3).told(MatchEnded(reason=EndReason.ROUND_LIMIT, winners=()))
    outcome = GAME.outcome(story.state)
    assert (outcome.reason, outcome.rule, outcome.winners) == ("ROUND_LIMIT", "R23", ())
    assert [result.rank for result in outcome.results] == [1, 1, 1]


def test_in_a_draw_who_has_left_ranks_behind_who_stayed(a_match) -> None:
    """[F7]"""
    story = a_match(players=4).leaves("green").told(MatchEnded(reason=EndReason.ROUND_LIMIT, winners=()))
    assert [result.rank for result in GAME.outcome(story.state).results] == [1, 4, 1, 1]


@pytest.mark.parametrize(
    ("rules", "ranks"),
    [
        pytest.param("1.1.0", [1, 4, 2, 2], id="1.1.0: behind all who stayed"),
        pytest.param("1.0.0", [1, 2, 2, 2], id="1.0.0: beside all who did not win"),
    ],
)
def test_after_a_win_who_has_left_ranks_by_the_rules_of_the_match(a_match, rules, ranks) -> None:
    """[F7]"""
    story = a_match(players=4, rules=rules).leaves("green")
    outcome = GAME.outcome(
        story.told(MatchEnded(reason=EndReason.DESTINATION_REACHED, winners=(Seat(0),))).state
    )
    assert [result.rank for result in outcome.results] == ranks


@pytest.mark.parametrize("action", [Step(to="V-red"), SubmitProgram(cards=())], ids=["a step", "a program"])
def test_after_the_end_nothing_can_be_done(a_match, action) -> None:
    story = green_before_red_village(a_match).executes("green", "move1").plays("green", Step(to="V-red"))
    story.refuses("green", action, TableCode.MATCH_OVER, "8", reason="DESTINATION_REACHED")


def test_while_the_match_goes_on_there_is_no_outcome(a_match) -> None:
    assert GAME.outcome(a_match().state) is None
