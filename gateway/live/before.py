"""What the client of a stream of several matches has of them: what the id of the last event says.

The id has one part for each match, in the order of the request, such as `12.0.x`: the version that the client has, 0 for a match
of which it has none, and `x` for one of which it was told that it may no longer read it. The client sends it back, so anybody can
make one up: it says what to send, and permits nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gateway.schemas.fields import MAX_VERSION

LOST: Final = "x"
"""In place of the version of a match that the client was told it has lost."""
_LONGEST: Final = len(str(MAX_VERSION))


@dataclass(frozen=True)
class Before:
    """What a client had of one match."""

    was_there: bool = False
    """Whether the match was part of its stream."""
    version: int | None = None
    """The version it has; None: none, so the match begins anew."""
    is_lost: bool = False
    """Whether it was told that it may no longer read the match."""


_NOTHING: Final = Before()
_UNREADABLE: Final = Before(version=MAX_VERSION)
"""A version that no match has, so the client gets a `reset`. It proves no earlier stream of the match."""


def read_last_id(sent: str, count: int) -> list[Before]:
    """Return what a client had of each match. An id of another form counts as versions that no match has."""
    if not sent:
        return [_NOTHING] * count
    parts = sent.split(".", count)
    if len(parts) != count or not all(map(_is_part, parts)):
        return [_UNREADABLE] * count
    return [_before(part) for part in parts]


def _is_part(text: str) -> bool:
    return text == LOST or (text.isascii() and text.isdecimal() and len(text) <= _LONGEST)


def _before(part: str) -> Before:
    if part == LOST:
        return Before(was_there=True, is_lost=True)
    # 0 stands for a match of which nothing was sent, and for one that waited for players: both begin anew.
    return Before(was_there=True, version=min(int(part), MAX_VERSION) or None)
