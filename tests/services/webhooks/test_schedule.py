"""When a delivery is tried again."""

from __future__ import annotations

from datetime import timedelta

import pytest

from services.webhooks.schedule import JITTER, MAX_WISH, STANDARD, Schedule


def test_the_pauses_are_those_of_standard_webhooks() -> None:
    minutes = [round(pause.total_seconds() / 60, 2) for pause in STANDARD]
    assert minutes == [0.08, 5, 30, 120, 300, 600, 840, 1_200, 1_440]
    assert timedelta(days=3) < sum(STANDARD, timedelta()) < timedelta(days=3.2)


@pytest.mark.parametrize("tries", range(1, 10))
def test_each_pause_is_stretched_a_little_by_chance(tries: int) -> None:
    pauses = {Schedule().pause(tries) for _ in range(50)}
    assert len(pauses) > 1
    assert all(pause is not None and 1 <= pause / STANDARD[tries - 1] <= 1 + JITTER for pause in pauses)


def test_the_tenth_try_is_the_last() -> None:
    assert Schedule().pause(9) is not None
    assert Schedule().pause(10) is None


def test_a_wish_lengthens_a_pause_within_bounds_and_never_shortens_it() -> None:
    asked = Schedule().pause(1, timedelta(minutes=10))
    assert asked is not None
    assert asked >= timedelta(minutes=10)
    longest = Schedule().pause(1, timedelta(days=365))
    assert longest is not None
    assert longest <= MAX_WISH * (1 + JITTER)
    shortest = Schedule().pause(2, timedelta(seconds=1))
    assert shortest is not None
    assert shortest >= STANDARD[1]
