"""The first place where two JSON values differ, as a JSON pointer (RFC 6901)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

import msgspec

PathStep: TypeAlias = str | int
ABSENT: Final = msgspec.UNSET
"""The value at a place that one of the two does not have."""


class JsonDifference(msgspec.Struct, frozen=True):
    """The place where two values differ, and the value there in each."""

    steps: tuple[PathStep, ...]
    expected: Any
    found: Any


def first_difference(expected: Any, found: Any) -> JsonDifference | None:
    """Return the first, deepest place where `found` differs from `expected`; None if they are equal.

    The order of an object's keys matters here: it is part of what is hashed.
    """
    steps: list[PathStep] = []
    if written(expected) == written(found):
        return None
    while True:
        children = _children(expected, found)
        parted = next((pair for pair in children if written(pair[1]) != written(pair[2])), None)
        if parted is None:
            return JsonDifference(tuple(steps), expected, found)
        step, expected, found = parted
        steps.append(step)


def _children(expected: Any, found: Any) -> Iterable[tuple[PathStep, Any, Any]]:
    match expected, found:
        case dict(), dict():
            names = [*expected, *(name for name in found if name not in expected)]
            return [(name, expected.get(name, ABSENT), found.get(name, ABSENT)) for name in names]
        case list(), list():
            most = max(len(expected), len(found))
            return [(number, _at(expected, number), _at(found, number)) for number in range(most)]
        case _:
            return []


def _at(items: list[Any], number: int) -> Any:
    return items[number] if number < len(items) else ABSENT


def written(value: Any) -> str:
    """Return a value as JSON; an empty string if it is absent."""
    return "" if value is ABSENT else msgspec.json.encode(value).decode()


def json_pointer(steps: Iterable[PathStep]) -> str:
    """Return a JSON pointer: `/moves/3/events`."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def json_path(steps: Iterable[PathStep]) -> str:
    """Return the same place as problem documents write it: `$.moves[3].events`."""
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
