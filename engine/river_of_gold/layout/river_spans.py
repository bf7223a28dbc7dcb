"""How long river spaces and shore spaces are drawn, and where they begin and end from left to right.

The river is a loop of two runs: the first one leads to the right as far as the bend, the second one back to the left. All numbers
are counted from the bend; what lies left of it is below 0.

A river space is as long as needed for the shore spaces there. It is shared by those of a bank, and a shore space is as long as its
shares of all river spaces that it touches: so what touches in the rules (§1.2) touches on the screen.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, pairwise
from typing import Final

from engine.river_of_gold.box.board import RIVER_LENGTH, SHORE_SPACES, TOUCHING, VISITED, Bank

Span = tuple[int, int]
"""Where something begins and where it ends."""

BEND: Final = RIVER_LENGTH // 2
"""The index of the first river space after the bend."""
OUTSIDE, INSIDE = (
    next(at for at in VISITED[BEND] if at in VISITED[BEND - 1] and SHORE_SPACES[at].bank is bank)
    for bank in Bank
)
"""The indices of the shore spaces at the bend that touch both runs. Looking downstream, the left bank is outside the loop."""

_LONG: Final = 160
"""Of a river space with three shore spaces on a bank, and of the first and the last one, where shore spaces begin or end."""
_SHORT: Final = 130
"""Of any other."""
_CHANNEL: Final = 100
"""The open water at the bend, right of the shore space inside it."""
_OVERLAP: Final = 42
"""How long another shore space inside touches the first river space after the bend."""
_SHARES: Final = {1: 3, 2: 2, 3: 1}
"""The share of a shore space, by how many river spaces it touches: those that touch few get more of each, and so all become long
enough for a tile."""
_BETWEEN: Final = 2
"""How many times the share of a shore space that lies between two others at its only river space."""


def _on(bank: Bank, river: int) -> list[int]:
    """Return the shore spaces of a bank at a river space, downstream, without the one outside the bend."""
    return [at for at in VISITED[river] if SHORE_SPACES[at].bank is bank and at != OUTSIDE]


def _cuts(bank: Bank, river: int, length: int) -> list[int]:
    """Return where the shore spaces of a bank meet along a river space, its two ends included."""
    there = _on(bank, river)
    if river == BEND and INSIDE in there:
        return [0, length - _OVERLAP, length]
    shares = [_SHARES[TOUCHING[at]] for at in there]
    shares[1:-1] = [_BETWEEN * share for share in shares[1:-1]]
    return [length * so_far // sum(shares) for so_far in accumulate(shares, initial=0)]


def _length(river: int) -> int:
    at_end = river in (0, RIVER_LENGTH - 1)
    return _LONG if at_end or max(len(_on(bank, river)) for bank in Bank) > 2 else _SHORT


def _lengths() -> tuple[int, ...]:
    """Return the lengths of the river spaces; those at the bend have room for the open water and the shore space inside."""
    first = [_length(river) for river in range(BEND)]
    first[-1] += _CHANNEL // 2
    before_bend = first[-2] - _cuts(Bank.RIGHT, BEND - 2, first[-2])[-2]
    second = [_length(river) for river in range(BEND, RIVER_LENGTH)]
    second[0] = before_bend + first[-1] + _OVERLAP
    return (*first, *second)


_LENGTHS: Final = _lengths()


def _rivers() -> Iterator[Span]:
    first = sum(_LENGTHS[:BEND])
    for start, end in pairwise(accumulate(_LENGTHS, initial=0)):
        yield (start - first, end - first) if end <= first else (first - end, first - start)


RIVER_SPANS: Final = tuple(_rivers())
"""By index of the river space."""


def _shares() -> Iterator[tuple[int, Span]]:
    """Return every shore space with its share of each river space that it touches."""
    for river, ((left, right), length) in enumerate(zip(RIVER_SPANS, _LENGTHS, strict=True)):
        for bank in Bank:
            cuts = pairwise(_cuts(bank, river, length))
            for at, (low, high) in zip(_on(bank, river), cuts, strict=True):
                yield at, (left + low, left + high) if river < BEND else (right - high, right - low)


def _shores() -> dict[int, Span]:
    spans: dict[int, Span] = {}
    for at, (left, right) in _shares():
        so_far = spans.get(at, (left, right))
        spans[at] = (min(so_far[0], left), max(so_far[1], right))
    spans[INSIDE] = (spans[INSIDE][0], -_CHANNEL)
    return spans


SHORE_SPANS: Final = _shores()
"""By index of the shore space; the one outside the bend lies right of it and has none."""
