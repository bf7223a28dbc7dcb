"""Match ids: of version 7, and in the order in which they were made."""

from __future__ import annotations

import itertools

import pytest

from services.movelog.match_ids import MatchIds, new_match_id

NOW = 1_795_000_000_000


@pytest.mark.parametrize("step", [0, 1, -1], ids=["one millisecond", "time goes on", "time goes back"])
def test_ids_rise(step: int) -> None:
    ids = MatchIds()
    made = [ids.new(NOW + step * number) for number in range(2_000)]
    assert made == sorted(set(made))
    assert {(one.version, one.variant) for one in made} == {(7, "specified in RFC 4122")}


def test_an_id_begins_with_its_time_and_goes_on_at_random() -> None:
    first, second = MatchIds().new(NOW), MatchIds().new(NOW)
    assert first.int >> 80 == second.int >> 80 == NOW
    assert first != second


def test_the_next_id_of_a_millisecond_cannot_be_guessed() -> None:
    ids = MatchIds()
    made = [ids.new(NOW) for _ in range(100)]
    steps = [
        (after.int & (1 << 62) - 1) - (before.int & (1 << 62) - 1)
        for before, after in itertools.pairwise(made)
    ]
    assert len({step >> 40 for step in steps}) > 90


def test_when_the_random_bits_are_used_up_the_next_millisecond_begins() -> None:
    ids = MatchIds()
    ids._last = (NOW, (1 << 74) - 1)
    assert ids.new(NOW).int >> 80 == NOW + 1


def test_those_of_this_process_rise() -> None:
    made = [new_match_id() for _ in range(500)]
    assert made == sorted(made)
