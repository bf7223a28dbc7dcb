"""Luck drawn by the caller: the request carries the numbers, which are used in order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from engine.kernel.chance import Draw, shuffle_by
from services.rpc.refusals import malformed

T = TypeVar("T")


class CallerLuck:
    """A Chance that draws the given numbers. Raises Refused MALFORMED_REQUEST if they run out or are out of range."""

    def __init__(self, numbers: Sequence[int], move: int) -> None:
        self._numbers = numbers
        self._move = move
        self.draws: list[Draw] = []

    def below(self, bound: int) -> int:
        used = len(self.draws)
        if used == len(self._numbers):
            raise malformed("$.luck.drawn.values", f"draw number {used}, below {bound}, is missing")
        value = self._numbers[used]
        if value >= bound:
            raise malformed(f"$.luck.drawn.values[{used}]", f"must be below {bound}")
        self.draws.append(Draw(self._move, used, bound, value))
        return value

    def shuffled(self, items: Iterable[T]) -> tuple[T, ...]:
        return shuffle_by(self, items)
