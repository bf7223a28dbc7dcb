"""Caches what was read from a header. Strangers choose what they send, so only short values are kept, and only so many."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final, TypeVar

MAX_KEPT: Final = 1_024
MAX_CHARACTERS: Final = 256
"""Browsers send less. Whatever is longer is read each time."""

Value = TypeVar("Value", str, bytes)
Result = TypeVar("Result")


def keeping_short(read: Callable[[Value], Result]) -> Callable[[Value], Result]:
    """Return a function that keeps the answers to short values."""
    kept = lru_cache(maxsize=MAX_KEPT)(read)

    def answer(value: Value) -> Result:
        return kept(value) if len(value) <= MAX_CHARACTERS else read(value)

    return answer
