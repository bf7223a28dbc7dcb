"""Distributions over many matches: counts, which can be added in any order and stay small."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

import msgspec

Z_95: Final = 1.959963984540054
"""The normal distribution's two-sided 95 % point."""


class Summary(msgspec.Struct, frozen=True):
    """Summary of a distribution. Quartiles are interpolated between neighbours, both ends included."""

    least: int
    lower_quartile: float
    median: float
    upper_quartile: float
    most: int
    mean: float


class Share(msgspec.Struct, frozen=True):
    """A share, and the 95 % interval of its probability (Wilson's score interval)."""

    count: int
    share: float
    low: float
    high: float


@dataclass
class Distribution:
    """How often each whole number occurred."""

    counts: Counter[int] = field(default_factory=Counter)

    def add(self, value: int) -> None:
        self.counts[value] += 1

    def merge(self, other: Distribution) -> None:
        self.counts.update(other.counts)

    def __len__(self) -> int:
        return self.counts.total()

    def total(self) -> int:
        """Return the sum of all values."""
        return sum(value * count for value, count in self.counts.items())

    def quantile(self, part: float) -> float:
        """Return the value below which a part (0 to 1) of all lies. Raises ValueError without values."""
        if not self.counts:
            raise ValueError("nothing was counted")
        place = (len(self) - 1) * part
        below = math.floor(place)
        low, high = self._at(below), self._at(math.ceil(place))
        return low + (high - low) * (place - below)

    def summary(self) -> Summary:
        """Return a summary of the values. Raises ValueError without values."""
        return Summary(
            least=min(self.counts, default=0),
            lower_quartile=self.quantile(0.25),
            median=self.quantile(0.5),
            upper_quartile=self.quantile(0.75),
            most=max(self.counts, default=0),
            mean=self.total() / len(self),
        )

    def _at(self, place: int) -> int:
        """Return the value at a place of the sorted values, counted from 0."""
        for value in sorted(self.counts):
            place -= self.counts[value]
            if place < 0:
                return value
        raise IndexError(place)


def share(count: int, of: int) -> Share:
    """Return a share with its 95 % interval. Raises ValueError for a share of nothing."""
    if not 0 <= count <= of or not of:
        raise ValueError(f"{count} of {of} is no share")
    low, high = interval(count, of)
    return Share(count=count, share=count / of, low=low, high=high)


def interval(count: float, of: int) -> tuple[float, float]:
    """Return the 95 % interval of the probability of success (Wilson). Fractions of a success, such as a shared win, may count."""
    part = count / of
    spread = Z_95 * Z_95 / of
    middle = (part + spread / 2) / (1 + spread)
    reach = Z_95 * math.sqrt(part * (1 - part) / of + spread / (4 * of)) / (1 + spread)
    return 0.0 if count == 0 else middle - reach, 1.0 if count == of else middle + reach
