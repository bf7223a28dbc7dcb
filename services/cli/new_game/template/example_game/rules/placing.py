"""§2 Placing pebbles in secret.

§2 Placing. In each round all players place pebbles at the same time: 0 to 4 of those in hand, split over the three
bowls as they like. What is placed stays secret until the last player has placed; then all pebbles are shown and go
into the bowls. A player who has no pebbles left places none.
"""

from __future__ import annotations

from math import comb

from engine.interface import Chance, RuleViolation, Seat

from example_game.actions import Place
from example_game.box import Pebbles
from example_game.errors import Code
from example_game.events import PebblesPlaced
from example_game.rules.scoring import reveal
from example_game.rules.turn import Turn


def place(turn: Turn, seat: Seat, action: Place, chance: Chance) -> None:
    """§2 Place pebbles; the last seat to do so reveals them all. Everything is checked before anything is drawn."""
    limit = turn.state.most(seat)
    if action.pebbles.total > limit:
        raise RuleViolation(Code.TOO_MANY_PEBBLES, rule="2", pebbles=action.pebbles.total, limit=limit)
    turn.record(PebblesPlaced(seat=seat, pebbles=action.pebbles))
    if not turn.state.to_place:
        reveal(turn, chance)


def ways(most: int) -> int:
    """Return in how many ways up to `most` pebbles can be placed.

    >>> ways(0), ways(1), ways(4)
    (1, 4, 35)
    """
    return comb(most + 3, 3)


def nth_way(number: int, most: int) -> Pebbles:
    """Return the way to place up to `most` pebbles that has a number below `ways(most)`. Each has exactly one number."""
    for left in range(most + 1):
        for middle in range(most - left + 1):
            rights = most - left - middle + 1
            if number < rights:
                return Pebbles(left=left, middle=middle, right=number)
            number -= rights
    raise ValueError(f"there are only {ways(most)} ways to place up to {most} pebbles")


def any_way(most: int, chance: Chance) -> Pebbles:
    """Return any way to place up to `most` pebbles, each equally likely."""
    return nth_way(chance.below(ways(most)), most)
