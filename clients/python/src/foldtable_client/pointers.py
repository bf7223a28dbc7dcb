"""JSON Pointers (RFC 6901): where something is in a JSON document."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any, Final

_POSITION: Final = re.compile(r"0|[1-9][0-9]{0,9}")


def tokens(pointer: str) -> list[str]:
    """Return the names on the way; none for the whole document. Raises ValueError for what is no pointer."""
    if pointer and not pointer.startswith("/"):
        raise ValueError(f"{pointer[:80]!r} is no JSON Pointer")
    return [name.replace("~1", "/").replace("~0", "~") for name in pointer.split("/")[1:]]


def position(name: str) -> int | None:
    """Return a name as the position in a list; None if it is none."""
    return int(name) if _POSITION.fullmatch(name) else None


def put(document: dict[str, Any], pointer: str, value: Any) -> None:
    """Put a value where a pointer says; objects and lists are made on the way, and lists are filled from the front.

    Raises ValueError if there is no such place.
    """
    names = tokens(pointer) or [""]
    at: Any = document
    for name, following in pairwise(names):
        if not _has(at, name):
            _set(at, name, [] if position(following) is not None else {}, pointer)
        at = at[int(name)] if isinstance(at, list) else at[name]
    _set(at, names[-1], value, pointer)


def _has(at: Any, name: str) -> bool:
    if isinstance(at, list):
        place = position(name)
        return place is not None and place < len(at)
    return isinstance(at, dict) and name in at


def _set(at: Any, name: str, value: Any, pointer: str) -> None:
    place = position(name)
    if isinstance(at, list) and place is not None and place <= len(at):
        at[place : place + 1] = [value]
    elif isinstance(at, dict):
        at[name] = value
    else:
        raise ValueError(f"there is no place {pointer!r}")
