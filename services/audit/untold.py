"""Which events of a match are missing, though its tenant wanted to be told.

A tenant is told only what it wants, and may want other types tomorrow; when it changed its mind stands nowhere. What it
was told of before and after shows what it wanted in between. What is old is forgotten, from the lowest number on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import msgspec

Kind = tuple[str, int | None]
"""The type of an event, and the seat it is about."""


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of the first and the last event of a type that a tenant was told of, in any match."""

    first: int
    last: int


class Recorded(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of what a tenant wanted to be told."""

    spans: dict[str, Span]
    types: frozenset[str] = frozenset()
    """Those it wants now."""
    cut: int | None = None
    """Where forgetting has come to: the lowest number there is; None where nothing of the tenant was ever forgotten."""

    def wanted(self, kind: str, number: int) -> bool:
        """Tell whether it wanted a type at a number: it was told of it before, and later or is still to be."""
        span = self.spans.get(kind)
        return span is not None and span.first <= number and (span.last > number or kind in self.types)


class Telling(NamedTuple):
    """An event that is there, as far as it matters here."""

    number: int
    version: int
    kind: Kind


class Missing(NamedTuple):
    """An event that is not there."""

    version: int
    kind: str
    unless: str = ""
    """An honest reason there may be; empty if there is none."""


def missing(
    recorded: Recorded, kinds: Sequence[Sequence[Kind]], told: Sequence[Telling]
) -> Iterator[Missing]:
    """Give the events missing of a match, of which `kinds` are there to be told after each of its moves.

    Before the first that is told and after the last whole moves may be missing: forgotten, or not wanted. In between,
    they may not have been wanted for a while. A move that is told of in part had its event taken away, also at the ends.
    """
    by_version: dict[int, list[Telling]] = defaultdict(list)
    for one in told:
        by_version[one.version].append(one)
    not_yet: dict[str, int] = {}
    number = told[0].number
    for version in range(max(1, min(by_version)), min(max(by_version), len(kinds)) + 1):
        here = by_version.get(version, [])
        number = here[0].number if here else number  # else: of the last version before that is told
        there = {one.kind for one in here}
        for kind, seat in _not_forgotten(recorded, kinds[version - 1], here):
            if (kind, seat) in there:
                continue
            if not here:
                if recorded.wanted(kind, number):
                    yield Missing(version, kind, "the tenant wanted none for a while")
            elif recorded.wanted(kind, number) or _tells(there, kind):
                yield Missing(version, kind)
            elif kind in recorded.types:
                not_yet.setdefault(kind, version)
    for kind, version in not_yet.items():
        yield Missing(version, kind, "the tenant did not want it yet")


def _tells(there: Collection[Kind], kind: str) -> bool:
    return any(one == kind for one, _ in there)


def _not_forgotten(recorded: Recorded, kinds: Sequence[Kind], here: Sequence[Telling]) -> Sequence[Kind]:
    """Leave out what stood before the very first event there is: forgetting goes by number, and may stop within a move."""
    if not here or recorded.cut != here[0].number or here[0].kind not in kinds:
        return kinds
    return kinds[kinds.index(here[0].kind) :]
