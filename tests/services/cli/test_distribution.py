"""Figures of many matches, beside the standard library's and published ones."""

from __future__ import annotations

import random
import statistics

import pytest

from services.cli.simulate.distribution import Distribution, share


def counted(values: list[int]) -> Distribution:
    found = Distribution()
    for value in values:
        found.add(value)
    return found


@pytest.mark.parametrize("number", [2, 3, 4, 5, 10, 101, 1000])
def test_quartiles_and_mean_are_those_of_the_standard_library(number: int) -> None:
    luck = random.Random(number)
    values = [luck.randint(-20, 60) for _ in range(number)]
    found = counted(values).summary()
    quartiles = statistics.quantiles(values, n=4, method="inclusive")
    assert [found.lower_quartile, found.median, found.upper_quartile] == pytest.approx(quartiles)
    assert found.mean == pytest.approx(statistics.fmean(values))
    assert (found.least, found.most) == (min(values), max(values))


def test_one_value_is_every_quartile() -> None:
    found = counted([7]).summary()
    assert (found.least, found.lower_quartile, found.median, found.most, found.mean) == (7, 7, 7, 7, 7)


def test_nothing_counted_has_no_median() -> None:
    with pytest.raises(ValueError, match="nothing was counted"):
        Distribution().summary()


def test_parts_add_up_in_any_order() -> None:
    values = [5, 3, 3, 9, -1, 4]
    one, other = counted(values[:2]), counted(values[2:])
    one.merge(counted(values[2:]))
    other.merge(counted(values[:2]))
    assert one == other == counted(values)
    assert len(one) == 6
    assert one.total() == sum(values)


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [
        # Newcombe, Statistics in Medicine 17 (1998), table I, method 3
        pytest.param(81, 263, 0.2553, 0.3662, id="81 of 263"),
        pytest.param(15, 148, 0.0624, 0.1605, id="15 of 148"),
        pytest.param(0, 20, 0.0, 0.1611, id="0 of 20"),
        pytest.param(1, 29, 0.0061, 0.1718, id="1 of 29"),
        pytest.param(29, 29, 0.8830, 1.0, id="all of 29"),
    ],
)
def test_the_interval_of_a_share_is_wilsons(count: int, of: int, low: float, high: float) -> None:
    found = share(count, of)
    assert (found.low, found.high) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))
    assert found.low <= found.share <= found.high


@pytest.mark.parametrize(("count", "of"), [(1, 0), (0, 0), (-1, 5), (6, 5)])
def test_a_share_of_nothing_is_no_share(count: int, of: int) -> None:
    with pytest.raises(ValueError, match="no share"):
        share(count, of)
