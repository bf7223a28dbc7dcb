"""The one door luck comes through: anybody can repeat a draw, and every outcome is equally likely."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from itertools import permutations

import pytest

from engine.kernel import chance as door
from engine.kernel.chance import (
    Draw,
    ScriptedChance,
    SeededChance,
    commitment,
    raw_draw,
    shuffle_by,
)

SECRET = bytes(range(32))


def by_hand(secret: bytes, move: int, number: int) -> int:
    """A draw computed from the published description alone."""
    message = b"foldtable.draw.v1" + move.to_bytes(8, "big") + number.to_bytes(8, "big")
    digest = hmac.new(secret, message, hashlib.sha256).digest()
    return int.from_bytes(digest[:8], "big")


@pytest.mark.parametrize(
    ("move", "number", "raw"),
    [
        (1, 0, 0xAD079047290D4376),
        (1, 1, 0x33F75B494AFCB3A4),
        (2, 0, 0xA27C5D72E6F0AEFF),
        (1 << 40, 7, 0xD2A796E39B0E6915),
    ],
)
def test_known_draws(move: int, number: int, raw: int) -> None:
    """Written down once from the formula; a change of the formula would break every running match."""
    assert raw_draw(SECRET, move, number) == by_hand(SECRET, move, number) == raw


@pytest.mark.parametrize("length", [0, 1, 32, 64, 65, 200])
def test_a_secret_of_any_length_is_the_key_of_an_hmac(length: int) -> None:
    secret = bytes(range(length))
    for move, number in ((0, 0), (1, 0), (1, 1), (2, 0), (1, 300), (1 << 40, 1 << 40)):
        assert raw_draw(secret, move, number) == by_hand(secret, move, number)


def test_known_commitment() -> None:
    assert commitment(SECRET).hex() == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_draws_of_a_move_are_numbered_from_0_and_listed() -> None:
    chance = SeededChance(SECRET, 5)
    values = [chance.below(6), chance.below(100)]
    assert chance.draws == [
        Draw(5, 0, 6, by_hand(SECRET, 5, 0) % 6),
        Draw(5, 1, 100, by_hand(SECRET, 5, 1) % 100),
    ]
    assert values == [draw.value for draw in chance.draws]


def test_chances_that_share_a_key_draw_as_if_each_had_made_its_own() -> None:
    for secret in (SECRET, b"", bytes(64), bytes(65)):
        first = SeededChance(secret, 1)
        first.below(6)
        second = SeededChance(secret, 2)
        second.key = first.key
        second.below(100)
        assert first.draws == [Draw(1, 0, 6, by_hand(secret, 1, 0) % 6)]
        assert second.draws == [Draw(2, 0, 100, by_hand(secret, 2, 0) % 100)]


def test_another_move_or_another_secret_draws_anew() -> None:
    def drawn(secret: bytes, move: int) -> list[int]:
        chance = SeededChance(secret, move)
        return [chance.below(1 << 32) for _ in range(4)]

    assert drawn(SECRET, 1) == drawn(SECRET, 1)
    assert len({tuple(drawn(SECRET, 1)), tuple(drawn(SECRET, 2)), tuple(drawn(bytes(32), 1))}) == 3


def test_values_that_would_favour_low_outcomes_are_thrown_away(monkeypatch) -> None:
    """2^64 = 3 * 6148914691236517205 + 1: of all raw draws the very last one has no equal share."""
    raws = {0: (1 << 64) - 1, 1: (1 << 64) - 2}
    monkeypatch.setattr(door.DrawKey, "raw_draw", lambda _key, _move, number: raws[number])
    chance = SeededChance(SECRET, 1)
    assert chance.below(3) == ((1 << 64) - 2) % 3
    assert [(draw.number, draw.value) for draw in chance.draws] == [(1, 2)]


def test_the_whole_range_is_a_bound_and_beyond_is_an_error() -> None:
    chance = SeededChance(SECRET, 1)
    assert chance.below(1 << 64) == by_hand(SECRET, 1, 0)
    assert chance.below(1) == 0
    for bound in (0, -1, (1 << 64) + 1):
        with pytest.raises(ValueError, match="bound"):
            chance.below(bound)


def test_dice_fall_evenly() -> None:
    """Chi-square over 6000 throws, far beyond the 0.001 limit of 20.5 for five degrees of freedom if it were biased."""
    chance = SeededChance(SECRET, 9)
    counts = Counter(chance.below(6) for _ in range(6000))
    assert sum((counts[face] - 1000) ** 2 / 1000 for face in range(6)) < 20.5


def test_a_shuffle_swaps_from_the_last_place_down() -> None:
    """Places 3, 2, 1 with 0, 2, 0: abcd, dbca, dbca, bdca."""
    assert ScriptedChance([0, 2, 0]).shuffled("abcd") == ("b", "d", "c", "a")


def test_every_order_is_equally_likely() -> None:
    """All scripts of draws give all orders, each once."""
    orders = [
        ScriptedChance([a, b, c]).shuffled("wxyz") for a in range(4) for b in range(3) for c in range(2)
    ]
    assert sorted(orders) == sorted(permutations("wxyz"))


def test_a_shuffle_of_one_or_none_draws_nothing() -> None:
    assert shuffle_by(ScriptedChance(), "a") == ("a",)
    assert SeededChance(SECRET, 1).shuffled(()) == ()


def test_a_script_gives_its_numbers_and_then_complains() -> None:
    chance = ScriptedChance([3, 5])
    assert chance.below(4) == 3
    with pytest.raises(AssertionError, match="below 5"):
        chance.below(5)
    with pytest.raises(AssertionError, match="no number left"):
        chance.below(5)


def test_a_printed_chance_shows_no_secret() -> None:
    assert SECRET.hex() not in repr(SeededChance(SECRET, 1))
    assert repr(SECRET) not in repr(vars(SeededChance(SECRET, 1)).keys())
