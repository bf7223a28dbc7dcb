"""The reward of each seat at the end of a match. Every kind sums to 0 and stays between -1 and 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from engine.kernel.outcome import Outcome

Rewards = tuple[float, ...]
"""By seat."""


def by_rank(outcome: Outcome) -> Rewards:
    """Return 1 for first place, -1 for last, and equal steps between; seats that share a rank get the mean of its places."""
    ranks = [result.rank for result in sorted(outcome.results, key=lambda result: result.seat)]
    seats = len(ranks)
    worth = {}
    for rank in set(ranks):
        ahead, equal = sum(other < rank for other in ranks), ranks.count(rank)
        worth[rank] = 1 - 2 * (ahead + (equal - 1) / 2) / (seats - 1)
    return tuple(worth[rank] for rank in ranks)


def by_win(outcome: Outcome) -> Rewards:
    """Return 1 for a single winner, and all others share -1; several winners share 1. Without a winner all get 0."""
    seats, winners = len(outcome.results), len(outcome.winners)
    if winners in (0, seats):
        return (0.0,) * seats
    return tuple(1 / winners if seat in outcome.winners else -1 / (seats - winners) for seat in range(seats))


def by_margin(outcome: Outcome) -> Rewards:
    """Return each score's distance from the mean, divided by best minus worst. Raises ValueError if there are no scores."""
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
"""The kinds by name; environments and games accept these names as `reward`."""


def reward_named(name: str) -> Callable[[Outcome], Rewards]:
    """Return a kind of reward. Raises ValueError, which lists the names, if there is none of this name."""
    try:
        return REWARDS[name]
    except KeyError:
        raise ValueError(f"no reward {name!r}; there are: {', '.join(REWARDS)}") from None
