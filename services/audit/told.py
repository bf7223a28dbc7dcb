"""The events of a match, compared with the moves they tell of: an event says nothing that its row does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from services.audit.findings import Finding, shown
from services.audit.untold import Recorded, Telling, missing
from services.movelog.events import EventType
from services.movelog.records import Match, Move, Status


class EventRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row of `events`, as it is stored."""

    number: int
    transaction: int
    tenant: str
    match_id: UUID | None
    type: str
    version: int
    seat: int | None
    player: str
    to_act: list[int]
    outcome: bytes | None
    endpoint_id: UUID | None
    recorded_at: datetime | None
    """None: a time that no calendar has."""


class Course(msgspec.Struct, frozen=True, kw_only=True):
    """A match as far as its events tell of it."""

    match: Match
    moves: dict[int, Move]
    """By their numbers."""
    to_act: list[tuple[int, ...]] | None
    """After each row; None where rows are missing or cannot be folded."""
    recorded: Recorded
    """What its tenant wanted to be told."""


def altered_events(course: Course | None, told: Sequence[EventRow]) -> Iterator[Finding]:
    """Give what of a match's events, in the order of their numbers, does not follow from its rows."""
    if course is None:
        yield _of(told[0], "match_id", f"{len(told)} events, and no such match")
        return
    for row in told:
        yield from _common(course, row)
        yield from _of_move(course, row) if row.version else _of_lobby(course, row)
    yield from _order(told)
    if course.to_act is not None:
        yield from _missing(course, told)


def _common(course: Course, row: EventRow) -> Iterator[Finding]:
    match = course.match
    if row.tenant != match.tenant:
        yield _of(row, "tenant", "is not the match's", match.tenant, row.tenant)
    if row.endpoint_id is not None:
        yield _of(row, "endpoint_id", "stands with events of no match only", found=row.endpoint_id)
    if row.type not in list(EventType) or row.type == EventType.ENDPOINT_DISABLED:
        yield _of(row, "type", "no match is told of like this", found=row.type)
    outcome = match.outcome if row.type == EventType.MATCH_ENDED else None
    if row.outcome != outcome:
        yield _of(row, "outcome", "is not the match's", _text(outcome), _text(row.outcome))
    if row.recorded_at is None:
        yield _of(row, "recorded_at", "cannot be read: no calendar has this time")


def _of_lobby(course: Course, row: EventRow) -> Iterator[Finding]:
    """What happens before the first move leaves no row, so little follows."""
    match = course.match
    created = row.type == EventType.MATCH_CREATED
    if row.type not in {EventType.MATCH_CREATED, EventType.SEAT_JOINED, EventType.SEAT_LEFT}:
        yield _of(row, "version or type", "does not happen before the first move", found=row.type)
    elif row.recorded_at is None:
        pass  # that was said
    elif created and row.recorded_at != match.created_at:
        yield _of(row, "recorded_at", "is not when it was created", match.created_at, row.recorded_at)
    elif row.recorded_at < match.created_at:
        yield _of(row, "recorded_at", "before the match was created", found=row.recorded_at)
    seats = match.seats + match.seats_left_out
    if created != (row.seat is None) or (row.seat is not None and not 0 <= row.seat < seats):
        yield _of(row, "seat", "is no seat this can tell of", found=shown(row.seat))
    if created and row.player:
        yield _of(row, "player", "nobody is told of", found=row.player)
    if row.to_act:
        yield _of(row, "to_act", "nobody is waited for yet", [], row.to_act)


def _of_move(course: Course, row: EventRow) -> Iterator[Finding]:
    """An event of a move is written with it, and says nothing that the row does not."""
    move = course.moves.get(row.version)
    if move is None:
        yield _of(row, "version", "there is no such move", found=row.version)
        return
    if row.recorded_at not in {move.recorded_at, None}:
        yield _of(row, "recorded_at", "is not the move's", move.recorded_at, row.recorded_at)
    if row.player:
        yield _of(row, "player", "is kept with events of the lobby only", found=row.player)
    if course.to_act is None:
        return
    kinds = _kinds(course, row.version)
    if (row.type, row.seat) not in kinds:
        seats = [shown(seat) for kind, seat in kinds if kind == row.type]
        column, what = ("seat", "is not whom it is about") if seats else ("type or version", "did not happen")
        yield _of(row, column, f"{row.type}: {what}", " or ".join(seats), shown(row.seat))
    to_act = course.to_act[row.version - 1]
    if tuple(row.to_act) != to_act:
        yield _of(row, "to_act", "is not who was waited for", list(to_act), row.to_act)


def _kinds(course: Course, version: int) -> list[tuple[str, int | None]]:
    """Give what a move's events are, each with the seat it is about: see `events.told_of`."""
    assert course.to_act is not None
    first: tuple[str, int | None] = (EventType.MATCH_STARTED.value, None)
    if version > 1:
        first = (EventType.MOVE_APPLIED.value, course.moves[version].seat)
    before = course.to_act[version - 2] if version > 1 else ()
    turns = [seat for seat in course.to_act[version - 1] if seat not in before]
    kinds = [first, *[(EventType.TURN_STARTED.value, seat) for seat in turns]]
    if course.match.status is Status.ENDED and version == course.match.version:
        kinds.append((EventType.MATCH_ENDED.value, None))
    return kinds


def _order(told: Sequence[EventRow]) -> Iterator[Finding]:
    """Events of one match are written one transaction after another, so their numbers and transactions rise together."""
    last = told[0]
    seen: set[tuple[object, ...]] = set()
    for row in told:
        if row.version < last.version or row.transaction < last.transaction:
            yield _of(
                row, "number or transaction", f"stands after number {last.number}, and happened before it"
            )
        elif row.version:
            key = (row.version, row.type, row.seat)
            if key in seen:
                yield _of(row, "number", "tells of the same again")
            seen.add(key)
        last = row


def _missing(course: Course, told: Sequence[EventRow]) -> Iterator[Finding]:
    kinds = [_kinds(course, version) for version in range(1, len(course.moves) + 1)]
    telling = [Telling(row.number, row.version, (row.type, row.seat)) for row in told]
    for version, kind, unless in missing(course.recorded, kinds, telling):
        yield Finding(
            table="events",
            match_id=course.match.id,
            seq=version,
            column="number",
            what=f"{kind} is missing{f', unless {unless}' if unless else ''}",
            certain=not unless,
        )


def of_no_match(row: EventRow) -> Iterator[Finding]:
    if row.type != EventType.ENDPOINT_DISABLED or row.endpoint_id is None:
        yield _of(row, "match_id", "is missing", found=row.type)


def _text(value: bytes | None) -> str:
    return "" if value is None else value.decode(errors="replace")


def _of(row: EventRow, column: str, what: str, expected: object = "", found: object = "") -> Finding:
    return Finding(
        table="events",
        match_id=row.match_id,
        seq=row.version,
        column=column,
        what=f"number {row.number}: {what}",
        expected=str(expected),
        found=shown(found),
    )
