"""What a standing is worth: VP if the match ended now, and what is owned."""

from __future__ import annotations

import pytest

from engine.kernel.seats import Seat
from engine.river_of_gold.agents.evaluation import evaluate
from engine.river_of_gold.box.components import PatronMode
from engine.river_of_gold.rules.scoring import scores, totals

A, B = Seat(0), Seat(1)


@pytest.mark.parametrize(("players", "leavers"), [(2, {}), (4, {}), (3, {50: 1})])
def test_totals_are_the_sums_of_the_final_scores_lines(play, players: int, leavers: dict[int, int]) -> None:
    """§8.5 At every move, also for who has left."""
    matches = play(players, 7, patrons=PatronMode.CHOICE_OF_TWO, keen=True, leavers=leavers)
    for step in matches:
        if step.state.stage != "patrons":
            assert totals(step.state) == [score.score for score in scores(step.state)]


@pytest.mark.parametrize(
    "richer",
    [
        pytest.param({"koku": 15}, id="koku"),
        pytest.param({"goods": (2, 0, 0)}, id="goods"),
        pytest.param({"favor": 3}, id="favor"),
        pytest.param({"tracks": (4, 0, 0, 0, 0, 0)}, id="influence"),
    ],
)
def test_who_owns_more_stands_better_and_the_other_worse(a_match, richer) -> None:
    story = a_match(2).with_player("A", favor=1).with_player("B", favor=1)
    rich = story.with_player("A", **richer)
    assert evaluate(rich.state, A) > evaluate(story.state, A)
    assert evaluate(rich.state, B) < evaluate(story.state, B)


def test_an_order_that_can_be_paid_is_worth_more_than_one_that_cannot(a_match) -> None:
    story = a_match(2).with_player("A", goods=(0, 0, 2))
    payable, distant = story.hand("A", "artisan_1"), story.hand("A", "artisan_3")
    assert evaluate(payable.state, A) > evaluate(distant.state, A)
    assert evaluate(payable.state, B) == evaluate(distant.state, B)  # a hand is its owner's to know


def test_when_the_last_turns_are_played_only_points_count(a_match) -> None:
    """§8.3"""
    story = a_match(2).last_turns("B")
    rich = story.with_player("A", goods=(3, 3, 3))
    assert evaluate(rich.state, A) == evaluate(story.state, A)
