"""Pearson's chi-square test: how likely counts as uneven as these are, if all cells are equally likely.

>>> round(p_value([16, 18, 16, 14, 12, 12]), 4)
0.8491
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

_ENOUGH: Final = 1e-15
_STEPS: Final = 10_000


def p_value(counts: Sequence[int]) -> float:
    """Return the probability of counts at least as uneven; ValueError for fewer than two cells, or none counted."""
    return p_of(statistic(counts), len(counts) - 1)


def statistic(counts: Sequence[int]) -> float:
    """Return how uneven counts are: 0 for equal ones; ValueError as `p_value`."""
    total = sum(counts)
    if len(counts) < 2 or not total:
        raise ValueError("a chi-square test needs two cells and something counted")
    expected = total / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected


def p_of(found: float, freedom: int) -> float:
    """Return the probability of a statistic at least as large, with so many degrees of freedom."""
    return _upper_gamma(freedom / 2, found / 2)


def _upper_gamma(a: float, x: float) -> float:
    """Return Q(a, x), the regularized upper incomplete gamma function (DLMF 8.11.4 below a + 1, DLMF 8.9.2 above)."""
    if x <= 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    return 1.0 - scale * _series(a, x) if x < a + 1 else scale * _fraction(a, x)


def _series(a: float, x: float) -> float:
    term = total = 1 / a
    for step in range(1, _STEPS):
        term *= x / (a + step)
        total += term
        if term < total * _ENOUGH:
            break
    return total


def _fraction(a: float, x: float) -> float:
    """The continued fraction, by Lentz's method."""
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    value = d
    for step in range(1, _STEPS):
        factor = -step * (step - a)
        b += 2
        d = 1 / (factor * d + b or tiny)
        c = b + factor / c or tiny
        value *= d * c
        if abs(d * c - 1) < _ENOUGH:
            break
    return value
