"""What has changed between two JSON documents, as a JSON Patch (RFC 6902) of `add`, `remove` and `replace`.

Only these three of its six operations are used, so that a client without a library applies a patch in a few lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Operation = dict[str, Any]


def difference(
    before: Any, after: Any, at: str = "", *, as_a_whole: frozenset[str] = frozenset()
) -> list[Operation]:
    """Return the operations that turn one document into the other; none if they are equal. `at` is a JSON Pointer (RFC 6901).

    Both are of one schema, in which no field is now a number and now a boolean: Python takes `1` and `true` for equal.
    What the pointers `as_a_whole` name is replaced and not looked into.
    """
    if before == after:
        return []
    if at not in as_a_whole:
        if isinstance(before, dict) and isinstance(after, dict):
            return _fewer(list(_of_objects(before, after, at, as_a_whole)), after, at)
        if isinstance(before, list) and isinstance(after, list):
            return _fewer(list(_of_lists(before, after, at, as_a_whole)), after, at)
    return [_replace(at, after)]


def _fewer(operations: list[Operation], after: Any, at: str) -> list[Operation]:
    """Return the operations, or one that replaces everything if they are more than its members. The whole document is never replaced.

    The number decides and not the length, which would depend on digits of times.
    """
    if at and len(operations) > len(after):
        return [_replace(at, after)]
    return operations


def _of_objects(
    before: dict[str, Any], after: dict[str, Any], at: str, as_a_whole: frozenset[str]
) -> Iterator[Operation]:
    for name in before:
        if name not in after:
            yield {"op": "remove", "path": f"{at}/{_escaped(name)}"}
    for name, value in after.items():
        path = f"{at}/{_escaped(name)}"
        if name in before:
            yield from difference(before[name], value, path, as_a_whole=as_a_whole)
        else:
            yield {"op": "add", "path": path, "value": value}


def _of_lists(
    before: list[Any], after: list[Any], at: str, as_a_whole: frozenset[str]
) -> Iterator[Operation]:
    """Compare what lies between the common beginning and the common end."""
    shorter = min(len(before), len(after))
    first = next((place for place in range(shorter) if before[place] != after[place]), shorter)
    last = next(
        (
            place
            for place in range(shorter - first)
            if before[len(before) - 1 - place] != after[len(after) - 1 - place]
        ),
        shorter - first,
    )
    for place in range(first, shorter - last):
        yield from difference(before[place], after[place], f"{at}/{place}", as_a_whole=as_a_whole)
    for place in range(len(before) - last - 1, shorter - last - 1, -1):
        yield {"op": "remove", "path": f"{at}/{place}"}
    for place in range(shorter - last, len(after) - last):
        yield {"op": "add", "path": f"{at}/{place}", "value": after[place]}


def _replace(at: str, value: Any) -> Operation:
    return {"op": "replace", "path": at, "value": value}


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
