"""Are draws evenly spread? Counts of draws and of shuffles, each with the probability of being as uneven by luck alone.

Every secret is fixed, so the same code gives the same figures on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import permutations
from typing import Final, Protocol

from engine.kernel.chance import Chance, SeededChance
from tests.proofs.audit.chi_square import p_of, p_value, statistic

BOUNDS: Final = (2, 3, 6, 7, 10, 52, 2**32 + 1, 2**63 + 1, 3 << 62, (1 << 64) - 1)
CELLS: Final = 64
"""A larger bound is cut into so many equal parts."""
PER_MOVE: Final = 100
"""Draws that are taken from one move; moves of matches take about as many at most."""
PLACES: Final = 6
"""A deck so small that its orders can be counted, and one whose places are."""
DECK: Final = 52
LEAST: Final = 1e-4
"""A p-value below it is called uneven: once in a few hundred runs with other secrets, never by chance with these."""


class Seeded(Protocol):
    """What draws: the engine's chance, or one with a fault planted."""

    def __call__(self, secret: bytes, move: int) -> Chance:
        """Return the luck of a move."""
        ...


@dataclass(frozen=True)
class Spread:
    """What was counted, and how even it is."""

    what: str
    draws: int
    cells: int
    p: float

    @property
    def is_even(self) -> bool:
        return self.p >= LEAST


def spreads(draws: int, seeded: Seeded = SeededChance) -> Iterator[Spread]:
    """Count so many draws below each bound, pairs of neighbours, and about as many draws' worth of shuffles."""
    for bound in BOUNDS:
        yield _values(draws, bound, seeded)
    yield _neighbours(draws, seeded)
    yield _moves(draws, seeded)
    yield _orders(draws // PLACES, seeded)
    yield _places(max(draws // DECK, 1), seeded)


def _lucks(name: str, moves: int, seeded: Seeded) -> Iterator[Chance]:
    """Yield the luck of many moves: those of a match of a hundred moves, then of the next match."""
    for number in range(moves):
        secret = sha256(f"{name} {number // 100}".encode()).digest()
        yield seeded(secret, number % 100 + 1)


def _values(draws: int, bound: int, seeded: Seeded) -> Spread:
    cells = min(bound, CELLS)
    counts = [0] * cells
    for chance in _lucks(f"below {bound}", draws // PER_MOVE, seeded):
        for _ in range(PER_MOVE):
            counts[chance.below(bound) * cells // bound] += 1
    return Spread(f"draws below {bound}", sum(counts), cells, p_value(counts))


def _neighbours(draws: int, seeded: Seeded) -> Spread:
    """Two draws after each other: does the first say anything of the second?"""
    counts = [0] * 36
    for chance in _lucks("neighbours", draws // PER_MOVE, seeded):
        for _ in range(PER_MOVE // 2):
            counts[chance.below(6) * 6 + chance.below(6)] += 1
    return Spread("two dice after each other", sum(counts), 36, p_value(counts))


def _moves(draws: int, seeded: Seeded) -> Spread:
    """The first draws of two moves after each other."""
    counts = [0] * 36
    last = 0
    for number, chance in enumerate(_lucks("moves", draws // PER_MOVE, seeded)):
        drawn = chance.below(6)
        if number % 2:
            counts[last * 6 + drawn] += 1
        last = drawn
    return Spread("the first dice of two moves", sum(counts), 36, p_value(counts))


def _orders(shuffles: int, seeded: Seeded) -> Spread:
    """Every order of a small deck."""
    orders = {order: number for number, order in enumerate(permutations(range(PLACES - 1)))}
    counts = [0] * len(orders)
    for chance in _lucks("orders", shuffles, seeded):
        counts[orders[chance.shuffled(range(PLACES - 1))]] += 1
    return Spread(f"orders of {PLACES - 1} cards", sum(counts), len(orders), p_value(counts))


def _places(shuffles: int, seeded: Seeded) -> Spread:
    """Every card in every place of a large deck.

    A shuffle fills each row and each column once, so (n - 1)^2 cells are free, and spread by n / (n - 1) more.
    """
    counts = [0] * (DECK * DECK)
    for chance in _lucks("places", shuffles, seeded):
        for place, card in enumerate(chance.shuffled(range(DECK))):
            counts[place * DECK + card] += 1
    p = p_of(statistic(counts) * (DECK - 1) / DECK, (DECK - 1) ** 2)
    return Spread(f"cards in places of a deck of {DECK}", sum(counts), len(counts), p)
