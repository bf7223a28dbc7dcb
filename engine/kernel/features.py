"""A view as a row of numbers from 0 to 1, for programs that learn: the same length, and the same places, at every table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol


class Features(Protocol):
    """How one game's views become rows, for given options and a given number of seats."""

    def named(self, view: Any, /) -> list[str]:
        """Give what each place of a row means; any view of such a match will do."""
        ...

    def row(self, view: Any, seat: int, /) -> list[float]:
        """Give the row of a seat's view. Seats are counted from the seat itself, clockwise: its own places come first."""
        ...


class Row:
    """A row being written, from left to right. With `names` it also notes what each place means."""

    def __init__(self, names: list[str] | None = None) -> None:
        self.values: list[float] = []
        self._names = names

    def number(self, name: str, value: float, most: float) -> None:
        """Write a number as its share of `most`; what is more is as `most`."""
        share = value / most
        self.values.append(share if share < 1.0 else 1.0)  # noqa: FURB136 - twice as fast as `min`
        if self._names is not None:
            self._names.append(name)

    def numbers(self, name: str, values: Sequence[float], most: float, kinds: Iterable[object]) -> None:
        """Write a number for each kind."""
        self.values += [value / most if value < most else 1.0 for value in values]
        self._note(name, kinds)

    def flag(self, name: str, value: object) -> None:
        """Write 1 for true, 0 for false."""
        self.values.append(1.0 if value else 0.0)
        if self._names is not None:
            self._names.append(name)

    def one_of(self, name: str, value: object, among: Mapping[Any, int]) -> None:
        """Write a 1 in the place of the value, 0 in the others; all 0 for None."""
        block = [0.0] * len(among)
        if value is not None:
            block[among[value]] = 1.0
        self.values += block
        self._note(name, among)

    def any_of(self, name: str, values: Iterable[object], among: Mapping[Any, int]) -> None:
        """Write a 1 in the place of each of the values."""
        block = [0.0] * len(among)
        for value in values:
            block[among[value]] = 1.0
        self.values += block
        self._note(name, among)

    def places(self, name: str, values: Mapping[int, float], kinds: Sequence[object]) -> None:
        """Write some values at their places, 0 in the others."""
        block = [0.0] * len(kinds)
        for place, value in values.items():
            block[place] = value
        self.values += block
        self._note(name, kinds)

    def _note(self, name: str, kinds: Iterable[object]) -> None:
        if self._names is not None:
            self._names += [f"{name}: {kind}" for kind in kinds]


def numbered(kinds: Iterable[Any]) -> dict[Any, int]:
    """Give each kind its place."""
    return {kind: place for place, kind in enumerate(kinds)}
