"""The cache that remembers keys and revocations: bounded in age, to the instant, and in number."""

from __future__ import annotations

import pytest

from services.identity.expiring import Expiring


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def cache(clock: Clock) -> Expiring[str, int]:
    return Expiring(10.0, 3, clock)


@pytest.mark.parametrize(("later", "found"), [(0.0, 1), (9.999, 1), (10.0, -1), (10.001, -1)])
def test_a_value_is_kept_until_its_time_is_over(
    cache: Expiring[str, int], clock: Clock, later: float, found: int
) -> None:
    cache.put("a", 1)
    clock.now += later
    assert cache.get("a", -1) == found
    assert len(cache) == (found == 1)


def test_when_it_is_full_the_oldest_goes_and_no_other(cache: Expiring[str, int]) -> None:
    for number, key in enumerate("abcd"):
        cache.put(key, number)
        assert len(cache) <= 3
    assert [cache.get(key, -1) for key in "abcd"] == [-1, 1, 2, 3]


def test_what_is_put_again_is_new_and_pushes_nothing_out(cache: Expiring[str, int], clock: Clock) -> None:
    for number, key in enumerate("abc"):
        cache.put(key, number)
    clock.now += 6
    cache.put("a", 7)
    assert len(cache) == 3
    clock.now += 6
    assert [cache.get(key, -1) for key in "abc"] == [7, -1, -1]


def test_what_is_put_again_is_the_last_to_go(cache: Expiring[str, int]) -> None:
    for number, key in enumerate("abcad"):
        cache.put(key, number)
    assert [cache.get(key, -1) for key in "abcd"] == [3, -1, 2, 4]


def test_one_value_is_forgotten_or_all(cache: Expiring[str, int]) -> None:
    for number, key in enumerate("abc"):
        cache.put(key, number)
    cache.forget("b")
    cache.forget("never put")
    assert [cache.get(key, -1) for key in "abc"] == [0, -1, 2]
    cache.clear()
    assert len(cache) == 0
