"""Chance: the only source of randomness in the rules.

A draw is HMAC-SHA-256(match secret, "foldtable.draw.v1" | move number | draw number), both numbers as
eight bytes, big-endian; the first eight bytes of the digest are read as an integer. Values that would
favour the low outcomes are discarded and the next draw number is used, so every outcome is equally
likely. SHA-256 of the secret is published when the match starts, the secret itself when it ends.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Iterable, Sequence
from typing import Final, Protocol, TypeVar

import msgspec

T = TypeVar("T")

DRAW_DOMAIN: Final = b"foldtable.draw.v1"
SECRET_BYTES: Final = 32
_SPAN: Final = 1 << 64
_BLOCK_BYTES: Final = 64
_INNER_PAD: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER_PAD: Final = bytes(byte ^ 0x5C for byte in range(256))
_MESSAGE: Final = struct.Struct(f">{len(DRAW_DOMAIN)}sQQ")
_FIRST_BYTES: Final = struct.Struct(">Q24x")


class Draw(msgspec.Struct, frozen=True):
    """One draw, for verification: `value` in `range(bound)`, drawn with `number` (counted from 0 within the move)."""

    move: int
    number: int
    bound: int
    value: int


class Chance(Protocol):
    """The random draws that the rules can make."""

    def below(self, bound: int) -> int:
        """Return a number in `range(bound)`, each equally likely."""
        ...

    def shuffled(self, items: Iterable[T]) -> tuple[T, ...]:
        """Return all items in random order, every order equally likely (Fisher-Yates from the last place down)."""
        ...


def commitment(secret: bytes) -> bytes:
    """Return SHA-256 of the match secret: published at the start, checked against the secret at the end."""
    return hashlib.sha256(secret).digest()


def draw_message(move: int, number: int) -> bytes:
    """Return the message of the HMAC of one draw."""
    return DRAW_DOMAIN + move.to_bytes(8, "big") + number.to_bytes(8, "big")


def raw_draw(secret: bytes, move: int, number: int) -> int:
    """Return the 64-bit integer of one draw, before it is reduced to a range."""
    return int.from_bytes(hmac.digest(secret, draw_message(move, number), "sha256")[:8], "big")


def shuffle_by(chance: Chance, items: Iterable[T]) -> tuple[T, ...]:
    """Return the items shuffled by Fisher-Yates: each place, from the last to the second, is swapped with one drawn from those up to it."""
    deck = list(items)
    for last in range(len(deck) - 1, 0, -1):
        other = chance.below(last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)


class DrawKey:
    """The secret as the key of many draws: HMAC hashes a block made of the key before each message, here once for all of them."""

    __slots__ = ("_inner", "_outer")

    def __init__(self, secret: bytes) -> None:
        short = secret if len(secret) <= _BLOCK_BYTES else hashlib.sha256(secret).digest()
        block = short.ljust(_BLOCK_BYTES, b"\0")
        self._inner = hashlib.sha256(block.translate(_INNER_PAD))
        self._outer = hashlib.sha256(block.translate(_OUTER_PAD))

    def raw_draw(self, move: int, number: int) -> int:
        """Return the same as the function `raw_draw` with the secret."""
        inner = self._inner.copy()
        inner.update(_MESSAGE.pack(DRAW_DOMAIN, move, number))  # faster than `draw_message`
        outer = self._outer.copy()
        outer.update(inner.digest())
        raw: int
        (raw,) = _FIRST_BYTES.unpack(outer.digest())
        return raw


class SeededChance:
    """Chance for one move of one match. `draws` lists the draws in order; it is empty if the move needed none."""

    def __init__(self, secret: bytes, move: int) -> None:
        self._secret = secret
        self._move = move
        self._next = 0
        self.key: DrawKey | None = None
        """Made of the secret at the first draw, unless it was set: chances of the same match can share it."""
        self.draws: list[Draw] = []

    def below(self, bound: int) -> int:
        if not 0 < bound <= _SPAN:
            raise ValueError(f"a draw needs a bound from 1 to 2^64, not {bound}")
        fair = _SPAN - _SPAN % bound  # values from here on would favour the low outcomes
        key = self.key
        if key is None:
            key = self.key = DrawKey(self._secret)
        while True:
            number = self._next
            self._next += 1
            raw = key.raw_draw(self._move, number)
            if raw < fair:
                value = raw % bound
                self.draws.append(Draw(self._move, number, bound, value))
                return value

    def shuffled(self, items: Iterable[T]) -> tuple[T, ...]:
        return shuffle_by(self, items)


class ScriptedChance:
    """Chance for tests: returns the listed numbers in order, then fails. `rest` holds the numbers not yet used."""

    def __init__(self, numbers: Sequence[int] = ()) -> None:
        self.rest = list(numbers)

    def below(self, bound: int) -> int:
        if not self.rest:
            raise AssertionError(f"the script has no number left for a draw below {bound}")
        value = self.rest.pop(0)
        if not 0 <= value < bound:
            raise AssertionError(f"the script says {value}, the rules asked for a number below {bound}")
        return value

    def shuffled(self, items: Iterable[T]) -> tuple[T, ...]:
        return shuffle_by(self, items)
