"""The versions of a game's rules. A match always keeps the version it began with.

A version has a value for each ruling that has ever changed. The first event of a match names the version, the state keeps
it, and `decide` reads it from the state. Events are facts, so applying them needs no version.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Generic, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

R = TypeVar("R")

FIRST: Final = "1.0.0"
"""Every game's first version. Events do not name it, because matches older than this module do not either."""


class RulesVersion(msgspec.Struct, Generic[R], frozen=True, kw_only=True):
    """One version of a game's rules."""

    version: str
    """For example `1.1.0`; never reused for other rules."""
    since: str
    """The day it was released, YYYY-MM-DD."""
    changes: str
    """How its rulings differ from the version before, in a sentence for players."""
    rulings: R
    """Its value of each ruling that has ever changed: a frozen struct of the game."""


def recorded(version: str) -> str | None:
    """Return the version as the first event of a match records it: None for the first version."""
    return None if version == FIRST else version


def kept(recorded: str | None) -> str | UnsetType:
    """Return the version as a state keeps it, from the first event's value."""
    return UNSET if recorded is None else recorded


def version_of(keeps: str | UnsetType) -> str:
    """Return the version of the rules from the value that a state keeps."""
    return FIRST if keeps is UNSET else keeps


def rulings_by_version(versions: Sequence[RulesVersion[R]]) -> Mapping[str, R]:
    """Return each version's rulings. Raises ValueError if the versions are not listed from the newest to the first."""
    numbers = [number(one.version) for one in versions]
    if numbers != sorted(set(numbers), reverse=True) or versions[-1].version != FIRST:
        raise ValueError(f"versions must be listed newest first, each once, down to {FIRST}")
    return {one.version: one.rulings for one in versions}


def number(version: str) -> tuple[int, ...]:
    """Return the sort key of a version. Raises ValueError if it is not a version."""
    return tuple(map(int, version.split(".")))


AnyRulesVersion = RulesVersion[Any]
