"""The protocol of many matches at once: stored, started and read with a few statements, however many there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

import msgspec

from services.movelog.clocks import Clocks
from services.movelog.notes import NO_NOTES, Notes
from services.movelog.records import Append, Match, Seating, SeatRecord


class NewMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A match to be stored."""

    match: Match
    seats: tuple[SeatRecord, ...] = ()
    """Seats that are not named are open."""
    notes: Notes = NO_NOTES


class MatchNow(msgspec.Struct, frozen=True, kw_only=True):
    """A match as it is now."""

    match: Match
    seating: Seating
    notes: Notes
    clocks: Clocks | None = None
    """Each seat's remaining time; None without a clock, and unless the match is running."""


class Batches(Protocol):
    """Many matches at once. All methods raise LogUnavailable, after which a part may have been written or nothing."""

    async def create(self, new: Sequence[NewMatch], *, all_or_none: bool) -> frozenset[UUID]:
        """Store new matches of one tenant in one transaction, durable on return; return the ids of those that were stored.

        Left out is what `MoveLog.create` would not store either: a match that the same request made before, a second match
        that follows the same one, and a second one with the same reference. With `all_or_none` nothing is stored if one is left out.
        Concurrent requests may have all of a batch left out. Raises ValueError for impossible matches.
        """
        ...

    async def start(self, appends: Sequence[Append]) -> frozenset[UUID]:
        """Write the first moves of matches whose seats are all taken, in one transaction; return the ids of those that begin by it.

        Left out are matches that have begun, those with a free seat, and those at which tokens were revoked since
        (`Append.revocations`).
        """
        ...

    async def read(self, match_ids: Sequence[UUID]) -> dict[UUID, MatchNow]:
        """Return matches as they are now; unknown ones are left out."""
        ...

    async def requested(self, tenant: str, request_ids: Sequence[str]) -> dict[str, UUID]:
        """Return the matches that a tenant's requests created, by the ids of the requests; those that created none are left out."""
        ...

    async def referred(self, tenant: str, references: Sequence[str]) -> dict[str, UUID]:
        """Return the tenant's matches with these references, as the tenant knows them; references that none has are left out."""
        ...


def first_of_each_reference(new: Sequence[NewMatch]) -> list[NewMatch]:
    """Return the matches without those whose reference an earlier one of them has. Raises ValueError if they are of several tenants."""
    if len({one.match.tenant for one in new}) > 1:
        raise ValueError("the matches of a batch are of one tenant")
    known: set[str] = set()
    first = []
    for one in new:
        if not one.notes.reference or one.notes.reference not in known:
            first.append(one)
        known.add(one.notes.reference)
    return first
