"""What the end of a match is worth: by rank, by win, by margin."""

from __future__ import annotations

import pytest

from engine.kernel.outcome import Outcome, SeatResult
from engine.kernel.seats import Seat
from engine.research.rewards import REWARDS, by_margin, by_rank, by_win


def ended(*results: tuple[int, int | None], winners: tuple[int, ...] | None = None) -> Outcome:
    """An end with rank and score by seat; rank 1 wins unless told otherwise."""
    first = tuple(Seat(seat) for seat, (rank, _) in enumerate(results) if rank == 1)
    return Outcome(
        reason="OVER",
        rule="1",
        winners=first if winners is None else tuple(map(Seat, winners)),
        results=tuple(
            SeatResult(seat=Seat(seat), rank=rank, score=score) for seat, (rank, score) in enumerate(results)
        ),
    )


@pytest.mark.parametrize(
    ("outcome", "worth"),
    [
        pytest.param(ended((1, 9), (2, 4)), (1, -1), id="two"),
        pytest.param(ended((3, 1), (1, 9), (2, 4)), (-1, 1, 0), id="three"),
        pytest.param(
            ended((1, 9), (1, 9), (3, 4), (4, 1)), (2 / 3, 2 / 3, -1 / 3, -1), id="a shared first place"
        ),
        pytest.param(ended((1, 5), (1, 5)), (0, 0), id="a draw"),
    ],
)
def test_by_rank(outcome, worth) -> None:
    assert by_rank(outcome) == pytest.approx(worth)


@pytest.mark.parametrize(
    ("outcome", "worth"),
    [
        pytest.param(ended((1, 9), (2, 4), (3, 1)), (1, -0.5, -0.5), id="one winner"),
        pytest.param(ended((1, 9), (1, 9), (3, 1)), (0.5, 0.5, -1), id="two winners"),
        pytest.param(ended((1, 9), (2, 4), winners=()), (0, 0), id="no winner"),
    ],
)
def test_by_win(outcome, worth) -> None:
    assert by_win(outcome) == pytest.approx(worth)


def test_by_margin() -> None:
    assert by_margin(ended((1, 30), (2, 20), (3, 10))) == pytest.approx((0.5, 0, -0.5))
    assert by_margin(ended((1, 5), (1, 5))) == (0, 0)


def test_a_game_without_scores_has_no_margin() -> None:
    with pytest.raises(ValueError, match="no scores"):
        by_margin(ended((1, None), (2, None)))


@pytest.mark.parametrize("name", REWARDS)
def test_every_kind_sums_to_nothing_and_stays_within_one(name) -> None:
    for outcome in (ended((1, 30), (2, 20), (2, 20), (4, 1)), ended((2, 3), (1, 4))):
        worth = REWARDS[name](outcome)
        assert sum(worth) == pytest.approx(0)
        assert all(-1 <= one <= 1 for one in worth)
