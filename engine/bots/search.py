"""Search further ahead: short playouts of the few best candidates, with the bot's own chance.

The candidates are the best ones by one step (greedy.py). They compete in rounds: in each round, every candidate is played
with the same deal and the same chance, and the match is continued for some moves, in which every seat plays the best of a few
actions by one step; then the game's evaluation gives the result. So candidates differ by their own value and not by their
deal. A candidate that is clearly worse drops out. Finally the candidate with the best mean is chosen; its value after one
step counts in the mean like a few rounds.
"""

from __future__ import annotations

from math import sqrt
from typing import Any, Final

from engine.bots.bot import Deals
from engine.bots.budget import Budget
from engine.bots.candidates import candidates
from engine.bots.greedy import best, own_secret, ranked
from engine.bots.worth import worth
from engine.kernel.chance import Chance, SeededChance
from engine.kernel.game import AnyGame
from engine.kernel.seats import Seat

WIDTH: Final = 4
"""Number of candidates that compete."""
PRIOR: Final = 2
"""Number of rounds for which the value after one step counts."""
HORIZON: Final = 12
"""Number of moves, of all seats together, in a playout after the candidate."""
TRIED: Final = 5
"""Number of actions of which a seat plays the best in a playout."""
LEAST_ROUNDS: Final = 5
"""Number of rounds before any candidate can drop out."""
BEHIND: Final = 2.0
"""A candidate drops out if it is this many standard errors behind the first."""


class SearchBot:
    """Flat Monte Carlo search over deals. Equal deals, chance and number of playouts give the same choice."""

    def choose(self, game: AnyGame, deals: Deals, seat: Seat, chance: Chance, budget: Budget) -> Any:
        """Return the best candidate. Uses the whole budget, unless only one candidate is left."""
        racing = [_Racer(value, action) for value, action in ranked(game, deals, seat, chance)[:WIDTH]]
        secret = own_secret(chance)
        number = 0
        while len(racing) > 1:
            results: list[float] = []
            for racer in racing:
                if not budget.another():
                    return _first(racing).action
                luck = SeededChance(secret, number)
                results.append(_playout(game, deals(number), seat, racer.action, luck))
            for racer, result in zip(racing, results, strict=True):
                racer.results.append(result)
            number += 1
            racing = _still_racing(racing)
        return racing[0].action


class _Racer:
    """A candidate, its value after one step, and the results of its playouts."""

    def __init__(self, value: float, action: Any) -> None:
        self.action = action
        self.results: list[float] = []
        self._value = value

    def mean(self) -> float:
        return (PRIOR * self._value + sum(self.results)) / (PRIOR + len(self.results))


def _first(racing: list[_Racer]) -> _Racer:
    """Return the candidate with the best mean, the earliest of equal ones."""
    return max(racing, key=_Racer.mean)


def _still_racing(racing: list[_Racer]) -> list[_Racer]:
    """Return the candidates that are not clearly behind, by their differences in each round."""
    first = _first(racing)
    return [racer for racer in racing if racer is first or not _is_behind(racer, first)]


def _is_behind(racer: _Racer, first: _Racer) -> bool:
    rounds = len(racer.results)
    if rounds < LEAST_ROUNDS:
        return False
    leads = [theirs - own for theirs, own in zip(first.results, racer.results, strict=True)]
    lead = sum(leads) / rounds
    variance = sum([(each - lead) ** 2 for each in leads]) / (rounds - 1)
    return lead > BEHIND * sqrt(variance / rounds)


def _playout(game: AnyGame, dealt: Any, seat: Seat, action: Any, luck: Chance) -> float:
    """Play a candidate and continue; return the value of the resulting state for the seat."""
    state = best(game, dealt, seat, (action,), luck)
    for _ in range(HORIZON):
        waited_for = game.to_act(state)
        if not waited_for:
            break
        acting = waited_for[0]
        state = best(game, state, acting, candidates(game, state, acting, luck, TRIED), luck)
    return worth(game, state, seat)
