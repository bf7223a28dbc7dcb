"""Many new matches: stored with few statements, and once, however often their request is repeated.

A batch has no record of its own. Every match of it is stored under a request id that is made of the batch's and the match's
place. So a repeat finds what the first request stored, whatever happened in between, and stores only what is missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final, TypeAlias
from uuid import UUID

import msgspec

from engine.kernel.errors import TableCode
from services.movelog.batches import MatchNow
from services.movelog.batches import NewMatch as StoredMatch
from services.movelog.failures import LogUnavailable, ReferenceTaken
from services.movelog.log import MoveLog
from services.movelog.records import Match, Seating, SeatRecord
from services.process.reasons import Reason
from services.rpc.refusals import Refused, malformed
from services.rules.match import seating
from services.rules.match.notes import reference_taken

TRIES: Final = 4
"""Attempts to store all of a batch while other requests store some of the same matches."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A match of a batch that can be created as it was requested."""

    place: int
    """Its place in the caller's list."""
    new: seating.NewMatch
    match: Match
    seats: tuple[SeatRecord, ...]

    @classmethod
    def of(cls, place: int, new: seating.NewMatch) -> Wanted:
        """Return a requested match. Raises Refused with what is wrong."""
        match, seats = seating.prepare(new)
        return cls(place=place, new=new, match=match, seats=seats)

    @property
    def at(self) -> str:
        """Where it is in the caller's request."""
        return at(self.place)

    @property
    def as_stored(self) -> MatchNow:
        """The match as it is when it has just been stored."""
        seated = Seating(
            seats=self.seats,
            watch_generation=self.match.watch_generation,
            title=self.match.title,
            visibility=self.match.visibility,
        )
        return MatchNow(match=self.match, seating=seated, notes=self.new.notes)


Outcomes: TypeAlias = dict[int, MatchNow | Refused]
"""What became of each match, by its place."""


def at(place: int) -> str:
    """Return where a match is in the caller's request."""
    return f"$.matches[{place}]"


def request_id_at(request_id: str, place: int) -> str | None:
    """Return the id under which one match of a batch is stored, so that it meets no request for one match; None without an id."""
    if not request_id:
        return None
    mark = blake2b(msgspec.json.encode([request_id, place]), digest_size=24).hexdigest()
    return f"batch:{mark}"


def placed(refused: Refused, place: int) -> Refused:
    """Return the refusal of a request for one match as that of a match in a batch: its field is in the caller's request."""
    field = refused.field or _field_of(refused)
    there = f"{at(place)}{field.removeprefix('$')}"
    message = refused.message
    if refused.field is not None and message.startswith(refused.field):
        message = there + message.removeprefix(refused.field)
    return Refused(
        refused.reason,
        message,
        field=there,
        description=refused.description,
        domain=refused.domain,
        metadata=refused.metadata,
        violation=refused.violation,
    )


def _field_of(refused: Refused) -> str:
    """Return which part of a request for a match a rule is about."""
    if refused.reason is TableCode.SEAT_COUNT:
        return "$.seats"
    if refused.reason is Reason.MATCH_NOT_FOUND:
        return "$.rematch_of"
    return "$" if refused.violation is None else "$.options"


async def store_all(log: MoveLog, batch: Sequence[Wanted]) -> Outcomes:
    """Store all matches of a batch, or none. Return them, those of an earlier request included. Raises Refused with the first fault."""
    _must_differ(batch)
    taken: dict[str, UUID] = {}
    for _ in range(TRIES):
        # After `taken`: a taken reference may be that of a match which a concurrent repeat has just stored.
        known = await _known(log, batch)
        for one in batch:
            if isinstance(refused := known.get(one.place), Refused):
                raise refused
        missing = [one for one in batch if one.place not in known]
        if not missing:
            return known
        _must_be_free(missing, taken)
        stored = await log.batches.create(list(map(_to_store, missing)), all_or_none=True)
        if stored:
            return known | {one.place: one.as_stored for one in missing}
        references = [one.new.notes.reference for one in missing]
        taken = await log.batches.referred(batch[0].match.tenant, references)
    raise LogUnavailable("other requests stored matches of the same batch; nothing was written")


async def store_each(log: MoveLog, batch: Sequence[Wanted]) -> Outcomes:
    """Store each match of a batch by itself, or return why not. Those of an earlier request are returned as they are now."""
    known = await _known(log, batch)
    missing = [one for one in batch if one.place not in known]
    if not missing:
        return known
    stored = await log.batches.create(list(map(_to_store, missing)), all_or_none=False)
    for one in missing:
        known[one.place] = one.as_stored if one.match.id in stored else await _stored_alone(log, one)
    return known


def _to_store(one: Wanted) -> StoredMatch:
    return StoredMatch(match=one.match, seats=one.seats, notes=one.new.notes)


async def _known(log: MoveLog, batch: Sequence[Wanted]) -> Outcomes:
    """Return the matches that an earlier request stored, and the refusals of those that it requested with other content."""
    if not batch:
        return {}
    requested = [one.match.request_id for one in batch if one.match.request_id is not None]
    found = await log.batches.requested(batch[0].match.tenant, requested) if requested else {}
    ids = {one.place: found[one.match.request_id] for one in batch if one.match.request_id in found}
    for one in batch:
        if one.place not in ids and one.new.rematch_of is not None:
            following = await log.lobby.rematch_of(one.new.rematch_of)
            if following is not None:
                ids[one.place] = following.id
    now = await log.batches.read(list(ids.values())) if ids else {}
    return {one.place: _or_reused(one, now[ids[one.place]]) for one in batch if one.place in ids}


def _or_reused(one: Wanted, known: MatchNow) -> MatchNow | Refused:
    if seating.follows_same(one.new, known.match):
        return known
    try:
        seating.must_be_same(one.new, one.match, one.seats, known)
    except Refused as refused:
        return placed(refused, one.place)
    return known


async def _stored_alone(log: MoveLog, one: Wanted) -> MatchNow | Refused:
    """Store a match that was left out, or return why it is refused."""
    try:
        stored = await seating.create(log, one.new)
    except Refused as refused:
        return placed(refused, one.place)
    return (await log.batches.read([stored.id]))[stored.id]


def _must_differ(batch: Sequence[Wanted]) -> None:
    """Raises Refused if two matches of a batch, of which all are to exist, exclude each other."""
    references: dict[str, int] = {}
    followed: dict[UUID, int] = {}
    for one in batch:
        reference, before = one.new.notes.reference, one.new.rematch_of
        if reference and (first := references.setdefault(reference, one.place)) != one.place:
            raise Refused(
                Reason.REFERENCE_TAKEN,
                f"{at(first)} of this request has this reference",
                field=f"{one.at}.reference",
            )
        if before is not None and (first := followed.setdefault(before, one.place)) != one.place:
            raise malformed(
                f"{one.at}.rematch_of", f"is that of {at(first)}; at most one match follows another"
            )


def _must_be_free(missing: Sequence[Wanted], taken: Mapping[str, UUID]) -> None:
    """Raises Refused REFERENCE_TAKEN for the first match whose reference another match has."""
    for one in missing:
        if (match_id := taken.get(one.new.notes.reference)) is not None:
            clash = ReferenceTaken("another match has this reference", match_id=match_id)
            raise placed(reference_taken(clash), one.place)
