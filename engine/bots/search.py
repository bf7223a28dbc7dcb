"""Looking further ahead: short playouts of the few best candidates, with luck of the bot's own.

Candidates are the best by one step (greedy.py). They race: in each round every one of them is carried out at the same deal and
with the same luck, and the match played on for a while, every seat taking the best of a few actions by one step; then the game's
evaluation judges. So two candidates differ by what they are, not by what they were dealt. Who falls clearly behind drops out. In
the end the best mean is taken, to which what one step showed counts as a few rounds.
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
"""So many candidates race."""
PRIOR: Final = 2
"""What one step showed counts as so many rounds."""
HORIZON: Final = 12
"""So many moves, of all seats together, a playout goes on after the candidate."""
TRIED: Final = 5
"""Of so many actions a seat takes the best in a playout."""
LEAST_ROUNDS: Final = 5
"""Before anybody drops out."""
BEHIND: Final = 2.0
"""Who is so many standard errors behind the first drops out."""


class SearchBot:
    """Flat Monte Carlo over deals. The same choice for the same deals, chance and number of playouts."""

    def choose(self, game: AnyGame, deals: Deals, seat: Seat, chance: Chance, budget: Budget) -> Any:
        """Spend the whole budget, unless only one candidate is left."""
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
    """A candidate, what one step showed, and what its playouts came to."""

    def __init__(self, value: float, action: Any) -> None:
        self.action = action
        self.results: list[float] = []
        self._value = value

    def mean(self) -> float:
        return (PRIOR * self._value + sum(self.results)) / (PRIOR + len(self.results))


def _first(racing: list[_Racer]) -> _Racer:
    """Of equals the better one by one step."""
    return max(racing, key=_Racer.mean)


def _still_racing(racing: list[_Racer]) -> list[_Racer]:
    """Leave out who is clearly behind, by the differences round by round."""
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


def _playout(game: AnyGame, table: Any, seat: Seat, action: Any, luck: Chance) -> float:
    """Carry a candidate out and play on; give what the seat's standing is worth then."""
    state = best(game, table, seat, (action,), luck)
    for _ in range(HORIZON):
        waited_for = game.to_act(state)
        if not waited_for:
            break
        acting = waited_for[0]
        state = best(game, state, acting, candidates(game, state, acting, luck, TRIED), luck)
    return worth(game, state, seat)
