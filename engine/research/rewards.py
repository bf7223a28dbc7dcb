"""What the end of a match is worth to each seat. Every kind sums to nothing and stays between -1 and 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from engine.kernel.outcome import Outcome

Rewards = tuple[float, ...]
"""By seat."""


def by_rank(outcome: Outcome) -> Rewards:
    """First place 1, last place -1, the places between at equal steps; who shares a rank shares the places' mean."""
    ranks = [result.rank for result in sorted(outcome.results, key=lambda result: result.seat)]
    seats = len(ranks)
    worth = {}
    for rank in set(ranks):
        ahead, equal = sum(other < rank for other in ranks), ranks.count(rank)
        worth[rank] = 1 - 2 * (ahead + (equal - 1) / 2) / (seats - 1)
    return tuple(worth[rank] for rank in ranks)


def by_win(outcome: Outcome) -> Rewards:
    """The only winner 1, and all others share -1; several winners share 1. Nothing to anybody without a winner."""
    seats, winners = len(outcome.results), len(outcome.winners)
    if winners in (0, seats):
        return (0.0,) * seats
    return tuple(1 / winners if seat in outcome.winners else -1 / (seats - winners) for seat in range(seats))


def by_margin(outcome: Outcome) -> Rewards:
    """Distance of the score from the mean, as a share of the distance between best and worst. ValueError without scores."""
    scores = [result.score for result in sorted(outcome.results, key=lambda result: result.seat)]
    points = [score for score in scores if score is not None]
    if len(points) < len(scores):
        raise ValueError("this game has no scores: reward the rank or the win")
    mean, spread = sum(points) / len(points), max(points) - min(points)
    return tuple((score - mean) / spread if spread else 0.0 for score in points)


REWARDS: Final[Mapping[str, Callable[[Outcome], Rewards]]] = {
    "rank": by_rank,
    "win": by_win,
    "margin": by_margin,
}
"""By name: what environments and games take as `reward`."""


def reward_named(name: str) -> Callable[[Outcome], Rewards]:
    """Give a kind of reward; ValueError names what there is."""
    try:
        return REWARDS[name]
    except KeyError:
        raise ValueError(f"no reward {name!r}; there are: {', '.join(REWARDS)}") from None
