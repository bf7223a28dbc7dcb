"""The versions of a game's rules: a match goes on, for ever, under the one it began with.

A version is a value for each ruling that was ever decided in another way. The first event of a match tells its version,
the state keeps it, and whatever judges a table asks the state. Events are facts, so recording them needs no version.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Generic, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

R = TypeVar("R")

FIRST: Final = "1.0.0"
"""Every game's first version. It is not told: matches that are older than this file say nothing either."""


class RulesVersion(msgspec.Struct, Generic[R], frozen=True, kw_only=True):
    """One version of a game's rules."""

    version: str
    """Such as `1.1.0`; never used again for other rules."""
    since: str
    """The day it was released, YYYY-MM-DD."""
    changes: str
    """What it decides in another way than the version before, in a sentence for players."""
    rulings: R
    """How it decides what has ever changed: a frozen struct of the game's own."""


def told(version: str) -> str | None:
    """Give what the first event of a match says of its rules; nothing for the first version."""
    return None if version == FIRST else version


def kept(said: str | None) -> str | UnsetType:
    """Give what a state keeps of what the first event said."""
    return UNSET if said is None else said


def version_of(keeps: str | UnsetType) -> str:
    """Give the version a state is played by."""
    return FIRST if keeps is UNSET else keeps


def rulings_by_version(versions: Sequence[RulesVersion[R]]) -> Mapping[str, R]:
    """Give each version's rulings; `ValueError` if they are not newest first, down to the first."""
    numbers = [number(one.version) for one in versions]
    if numbers != sorted(set(numbers), reverse=True) or versions[-1].version != FIRST:
        raise ValueError(f"versions are listed newest first, each once, down to {FIRST}")
    return {one.version: one.rulings for one in versions}


def number(version: str) -> tuple[int, ...]:
    """Give what versions are ordered by; `ValueError` for what is no version."""
    return tuple(map(int, version.split(".")))


AnyRulesVersion = RulesVersion[Any]
