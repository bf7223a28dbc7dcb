"""How an audit is divided: stretches of matches, each with the numbers of its events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from uuid import UUID

import msgspec

from services.audit import outbox
from services.audit.missing_events import Span
from services.audit.outbox import ListedEvents, Spans
from services.audit.reading import FIRST_ID, LAST_ID, Stretch, Wanted
from services.audit.stretches import STRETCH_MATCHES, stretches

MAX_EVENTS = 50_000
"""Events of one piece; the events of one match are never divided."""


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """Matches that are audited at one moment, with their events."""

    wanted: Wanted
    stretch: Stretch
    events: list[int]
    """The numbers of all events of these matches, and of events there whose match is missing."""
    spans: dict[str, dict[str, Span]]
    """For each tenant of these matches, the first and last number of its events by type."""


def pieces(
    wanted: Wanted, *, after: UUID = FIRST_ID, done: Mapping[UUID, UUID] | None = None, size: int = 0
) -> Iterator[Piece]:
    """Yield everything that is to be audited after an id, oldest matches first, except the stretches that are done.

    Raise psycopg.Error.
    """
    size = size or STRETCH_MATCHES
    with outbox.listed(wanted) as (spans, listing):
        events = _Listing(spans, listing)
        for stretch in stretches(wanted, after=after, done=done, size=size):
            yield from events.of(wanted, stretch)


class _Listing:
    """The listed events, taken stretch by stretch."""

    def __init__(self, spans: Spans, listing: Iterator[ListedEvents]) -> None:
        self._spans = spans
        self._listing = listing
        self._next = next(listing, None)

    def of(self, wanted: Wanted, stretch: Stretch) -> Iterator[Piece]:
        """Yield the stretch with its events, in several pieces if there are too many events without a match."""
        numbers: list[int] = []
        tenants: set[str] = set()
        for one in self._up_to(stretch):
            if numbers and len(numbers) + len(one.numbers) > MAX_EVENTS and not one.tenant:
                nothing = Stretch(after=stretch.upto, upto=stretch.upto, matches=0)
                yield self._piece(wanted, nothing, one.numbers, set())
                continue
            numbers += one.numbers
            tenants.add(one.tenant)
        yield self._piece(wanted, stretch, numbers, tenants)

    def _up_to(self, stretch: Stretch) -> Iterator[ListedEvents]:
        """Yield what is listed for the ids of a stretch, and with the last one what belongs to no match; skip what comes before."""
        while (one := self._next) is not None:
            if (one.match_id or LAST_ID) > stretch.upto:
                return
            self._next = next(self._listing, None)
            if one.match_id is None or one.match_id > stretch.after:
                yield one

    def _piece(self, wanted: Wanted, stretch: Stretch, numbers: list[int], tenants: set[str]) -> Piece:
        spans = {one: dict(self._spans[one]) for one in tenants & self._spans.keys()}
        return Piece(wanted=wanted, stretch=stretch, events=numbers, spans=spans)
