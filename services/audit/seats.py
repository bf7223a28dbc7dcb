"""Checks the seats of a match: one row for each, no other rows, and the values that follow from the match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

import msgspec

from services.audit.findings import Finding, of_seat
from services.movelog.records import JoinedBy, Match, SeatState, Status

_of: Final = partial(of_seat, "seats")


class SeatRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of `seats`, as it is stored."""

    seat: int
    tenant: str
    match_open: bool
    state: str
    joined_by: str
    player: str
    name: str
    bot: str
    generation: int
    invite_generation: int
    salt: bytes | None
    erased: bytes | None
    """The commitment that is left of an erased player."""


def altered_seats(match: Match, rows: Sequence[SeatRow]) -> Iterator[Finding]:
    """Yield the seats' values that do not follow from the match, or contradict each other."""
    seats = {row.seat for row in rows}
    for missing in sorted(set(range(match.seats)) - seats):
        yield _of(match.id, missing, "seat", "has no row")
    for row in rows:
        if row.seat >= match.seats:
            yield _of(match.id, row.seat, "seat", f"the match has {match.seats} seats")
        if row.tenant not in {match.tenant, ""}:  # rows of the first release have none
            yield _of(match.id, row.seat, "tenant", "is not the match's", match.tenant, row.tenant)
        is_open = match.status is not Status.ENDED
        if row.match_open != is_open:
            yield _of(
                match.id, row.seat, "match_open", f"the match is {match.status}", is_open, row.match_open
            )
        yield from _contradictions(match, row)


def _contradictions(match: Match, row: SeatRow) -> Iterator[Finding]:
    if row.state not in list(SeatState):
        yield _of(match.id, row.seat, "state", "there is no such state", found=row.state)
    elif began(match) and row.state != SeatState.TAKEN:
        yield _of(match.id, row.seat, "state", "the match has begun", SeatState.TAKEN.value, row.state)
    if row.joined_by not in list(JoinedBy):
        yield _of(match.id, row.seat, "joined_by", "there is no such way", found=row.joined_by)
    if row.bot and row.state != SeatState.TAKEN:
        yield _of(match.id, row.seat, "bot", "nobody has taken the seat", found=row.bot)
    if row.erased is not None:
        for column in ("player", "name", "salt"):
            if getattr(row, column):
                yield _of(match.id, row.seat, column, "the player is erased")
    for column in ("generation", "invite_generation"):
        if getattr(row, column) < 0:
            yield _of(match.id, row.seat, column, "is counted up from 0", found=getattr(row, column))


def began(match: Match) -> bool:
    """Return whether the match began: it may be aborted before, with seats still free."""
    return match.version > 1 or match.status is Status.RUNNING
