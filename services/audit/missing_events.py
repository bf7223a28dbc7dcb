"""Finds events of a match that are missing although its tenant wanted them.

Only events of the types that a tenant wants are written; it may change the types, and nothing records when. The events
written before and after show which types it wanted in between. Old events are deleted, from the lowest number on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import msgspec

Kind = tuple[str, int | None]
"""The type of an event, and the seat it is about."""


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of the first and the last event of a type stored for a tenant, in any match."""

    first: int
    last: int


class Recorded(msgspec.Struct, frozen=True, kw_only=True):
    """What is known about the events that a tenant wanted."""

    spans: dict[str, Span]
    types: frozenset[str] = frozenset()
    """The types that it wants now."""
    cut: int | None = None
    """The lowest number that is left after old events were deleted; None if none of the tenant's were ever deleted."""

    def wanted(self, kind: str, number: int) -> bool:
        """Return whether the tenant wanted a type at a number: it has such an event before it, and one after it or still wants it."""
        span = self.spans.get(kind)
        return span is not None and span.first <= number and (span.last > number or kind in self.types)


class StoredEvent(NamedTuple):
    """A stored event."""

    number: int
    version: int
    kind: Kind


class Missing(NamedTuple):
    """A missing event."""

    version: int
    kind: str
    unless: str = ""
    """A possible legitimate reason; empty if there is none."""


def missing(
    recorded: Recorded, kinds: Sequence[Sequence[Kind]], stored: Sequence[StoredEvent]
) -> Iterator[Missing]:
    """Yield the missing events of a match; `kinds` are all events of each of its moves.

    Before the first stored event and after the last one, all events of a move may be missing: deleted, or not wanted. In
    between, they may have been unwanted for some time. If only some events of a move are stored, the others were removed.
    """
    by_version: dict[int, list[StoredEvent]] = defaultdict(list)
    for one in stored:
        by_version[one.version].append(one)
    not_yet: dict[str, int] = {}
    number = stored[0].number
    for version in range(max(1, min(by_version)), min(max(by_version), len(kinds)) + 1):
        here = by_version.get(version, [])
        number = here[0].number if here else number  # else that of the last earlier version with events
        there = {one.kind for one in here}
        for kind, seat in _not_forgotten(recorded, kinds[version - 1], here):
            if (kind, seat) in there:
                continue
            if not here:
                if recorded.wanted(kind, number):
                    yield Missing(version, kind, "the tenant wanted none for a while")
            elif recorded.wanted(kind, number) or _has_kind(there, kind):
                yield Missing(version, kind)
            elif kind in recorded.types:
                not_yet.setdefault(kind, version)
    for kind, version in not_yet.items():
        yield Missing(version, kind, "the tenant did not want it yet")


def _has_kind(there: Collection[Kind], kind: str) -> bool:
    return any(one == kind for one, _ in there)


def _not_forgotten(recorded: Recorded, kinds: Sequence[Kind], here: Sequence[StoredEvent]) -> Sequence[Kind]:
    """Return the kinds that cannot have been deleted as old: deleting goes by number, and may stop within a move."""
    if not here or recorded.cut != here[0].number or here[0].kind not in kinds:
        return kinds
    return kinds[kinds.index(here[0].kind) :]
