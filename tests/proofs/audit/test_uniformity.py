"""Draws and shuffles are even, and the counting would see it if they were not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import pytest

from engine.kernel.chance import SeededChance, raw_draw
from tests.proofs.audit.chi_square import p_value
from tests.proofs.audit.uniformity import Spread, spreads

T = TypeVar("T")

DRAWS = 20_000
"""`make prove P=audit` takes a million of each."""


class WithoutRejection(SeededChance):
    """The planted fault: numbers are brought into range by modulo alone."""

    def below(self, bound: int) -> int:
        self._next += 1
        return raw_draw(self._secret, self._move, self._next - 1) % bound


class OneShort(SeededChance):
    """The planted fault: a card is never swapped with itself."""

    def shuffled(self, items: Iterable[T]) -> tuple[T, ...]:
        deck = list(items)
        for last in range(len(deck) - 1, 0, -1):
            other = self.below(last)
            deck[last], deck[other] = deck[other], deck[last]
        return tuple(deck)


def uneven(found: list[Spread]) -> list[str]:
    return [spread.what for spread in found if not spread.is_even]


def test_draws_and_shuffles_are_even() -> None:
    found = list(spreads(DRAWS))
    assert uneven(found) == []
    assert len(found) == 14


def test_modulo_without_throwing_away_is_seen_where_it_favours_the_low_outcomes() -> None:
    """Below 3 * 2^62 the first third comes twice as often. Below 2^63 + 1, where every other number is thrown away, all but
    one come twice; and below small bounds nobody could ever see it."""
    assert uneven(list(spreads(DRAWS, WithoutRejection))) == [f"draws below {3 << 62}"]


def test_a_shuffle_that_is_one_short_is_seen() -> None:
    assert uneven(list(spreads(DRAWS, OneShort))) == ["orders of 5 cards", "cards in places of a deck of 52"]


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        pytest.param([50, 50], 1.0, id="as even as can be"),
        pytest.param([44, 56], 0.230139, id="1 degree of freedom, 1.44"),
        pytest.param([5, 8, 9, 8, 10, 20], 0.019905, id="5 degrees of freedom, 13.4"),
        pytest.param([0, 100], 1.523971e-23, id="as uneven as can be"),
    ],
)
def test_p_values_are_those_of_the_tables(counts: list[int], expected: float) -> None:
    assert p_value(counts) == pytest.approx(expected, rel=1e-4)


def test_nothing_counted_is_no_proof() -> None:
    with pytest.raises(ValueError, match="two cells"):
        p_value([0, 0])
