"""A view as a row of numbers from 0 to 1, for machine learning. Length and meaning of the places never change in a match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol


class Features(Protocol):
    """The encoding of one game's views as rows, for certain options and a number of seats."""

    def named(self, view: Any, /) -> list[str]:
        """Return the meaning of each place of a row. `view` can be any view of such a match."""
        ...

    def row(self, view: Any, seat: int, /) -> list[float]:
        """Return the row of a seat's view. Seats are ordered clockwise from the seat itself, so its own places come first."""
        ...


class Row:
    """A row that is written from left to right. With `names`, it also records the meaning of each place."""

    def __init__(self, names: list[str] | None = None) -> None:
        self.values: list[float] = []
        self._names = names

    def number(self, name: str, value: float, most: float) -> None:
        """Write a number as a fraction of `most`; larger numbers count as `most`."""
        share = value / most
        self.values.append(share if share < 1.0 else 1.0)  # noqa: FURB136 - twice as fast as `min`
        if self._names is not None:
            self._names.append(name)

    def numbers(self, name: str, values: Sequence[float], most: float, kinds: Iterable[object]) -> None:
        """Write a number for each kind, as a fraction of `most`."""
        self.values += [value / most if value < most else 1.0 for value in values]
        self._note(name, kinds)

    def flag(self, name: str, value: object) -> None:
        """Write 1 for true, 0 for false."""
        self.values.append(1.0 if value else 0.0)
        if self._names is not None:
            self._names.append(name)

    def one_of(self, name: str, value: object, among: Mapping[Any, int]) -> None:
        """Write a 1 at the place of the value and 0 at the others; all 0 for None."""
        block = [0.0] * len(among)
        if value is not None:
            block[among[value]] = 1.0
        self.values += block
        self._note(name, among)

    def any_of(self, name: str, values: Iterable[object], among: Mapping[Any, int]) -> None:
        """Write a 1 at the place of each value and 0 at the others."""
        block = [0.0] * len(among)
        for value in values:
            block[among[value]] = 1.0
        self.values += block
        self._note(name, among)

    def places(self, name: str, values: Mapping[int, float], kinds: Sequence[object]) -> None:
        """Write values at their places and 0 at the others."""
        block = [0.0] * len(kinds)
        for place, value in values.items():
            block[place] = value
        self.values += block
        self._note(name, kinds)

    def _note(self, name: str, kinds: Iterable[object]) -> None:
        if self._names is not None:
            self._names += [f"{name}: {kind}" for kind in kinds]


def numbered(kinds: Iterable[Any]) -> dict[Any, int]:
    """Return the place of each kind."""
    return {kind: place for place, kind in enumerate(kinds)}
