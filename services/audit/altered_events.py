"""Checks stored events against the moves of their match: everything in an event must follow from the row of its move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from services.audit.findings import Finding, shown
from services.audit.missing_events import Kind, Recorded, StoredEvent, missing
from services.movelog.events import EventType
from services.movelog.records import Match, Move, Status

_BESIDE_MOVES: Final = frozenset(
    {EventType.CONSENT_ASKED, EventType.CONSENT_SETTLED, EventType.DEADLINE_NEAR}
)
"""Written by whoever found out that a proposal was made, answered or late, or that a deadline is near."""
_OF_MATCHES: Final = frozenset(str(kind) for kind in EventType) - {str(EventType.ENDPOINT_DISABLED)}
_STARTED: Final = EventType.MATCH_STARTED.value  # read once: an audit compares millions
_APPLIED: Final = EventType.MOVE_APPLIED.value
_TURN: Final = EventType.TURN_STARTED.value
_ENDED: Final = EventType.MATCH_ENDED.value
_ALONE: Final = frozenset({EventType.SEAT_REPLACED, EventType.DEADLINE_NEAR})
"""Events that belong to no move, and may be alone at their version."""


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
    """None: a time outside of the calendar."""


class MatchHistory(msgspec.Struct, frozen=True, kw_only=True):
    """What of a match its events must agree with."""

    match: Match
    moves: dict[int, Move]
    """The moves by their numbers."""
    to_act: list[tuple[int, ...]] | None
    """The seats to act after each row; None if rows are missing or cannot be folded."""
    paused: tuple[bool, ...]
    """Whether the match was paused after each row; empty like `to_act`."""
    recorded: Recorded
    """The events that its tenant wanted."""


def altered_events(history: MatchHistory | None, events: Sequence[EventRow]) -> Iterator[Finding]:
    """Yield the values of a match's events (in the order of their numbers) that do not follow from its rows."""
    if history is None:
        left = [one for one in events if one.type != EventType.MATCH_DELETED]
        if left:
            yield _of(left[0], "match_id", f"{len(left)} events, and no such match")
        return
    events = [one for one in events if not _is_of_a_copy(history.match, one)]
    if not events:
        return
    kinds = (
        [] if history.to_act is None else [_kinds(history, seq) for seq in range(1, len(history.moves) + 1)]
    )
    for row in events:
        yield from _common(history, row)
        yield from _of_move(history, row, kinds) if row.version else _of_lobby(history, row)
    yield from _order(events)
    if history.to_act is not None:
        yield from _missing(history, events, kinds)


def _is_of_a_copy(match: Match, row: EventRow) -> bool:
    """Return whether another tenant, which had imported the match and knew it by the same id, has deleted its copy."""
    return row.type == EventType.MATCH_DELETED and row.tenant != match.tenant


def _common(history: MatchHistory, row: EventRow) -> Iterator[Finding]:
    match = history.match
    if row.tenant != match.tenant:
        yield _of(row, "tenant", "is not the match's", match.tenant, row.tenant)
    if row.endpoint_id is not None:
        yield _of(row, "endpoint_id", "is only for events of no match", found=row.endpoint_id)
    if row.type not in _OF_MATCHES:
        yield _of(row, "type", "is no event of a match", found=row.type)
    outcome = match.outcome if row.type == _ENDED else None
    if row.outcome != outcome:
        yield _of(row, "outcome", "is not the match's", _text(outcome), _text(row.outcome))
    if row.recorded_at is None:
        yield _of(row, "recorded_at", "cannot be read: the time is outside of the calendar")


def _of_lobby(history: MatchHistory, row: EventRow) -> Iterator[Finding]:
    """Check an event before the first move. The log has no row for it, so little follows."""
    match = history.match
    created = row.type == EventType.MATCH_CREATED
    if row.type not in {EventType.MATCH_CREATED, EventType.SEAT_JOINED, EventType.SEAT_LEFT}:
        yield _of(row, "version or type", "does not happen before the first move", found=row.type)
    elif row.recorded_at is None:
        pass  # reported already
    elif created and row.recorded_at != match.created_at:
        yield _of(row, "recorded_at", "is not when it was created", match.created_at, row.recorded_at)
    elif row.recorded_at < match.created_at:
        yield _of(row, "recorded_at", "before the match was created", found=row.recorded_at)
    seats = match.seats + match.seats_left_out
    if created != (row.seat is None) or (row.seat is not None and not 0 <= row.seat < seats):
        yield _of(row, "seat", "is no possible seat of this event", found=shown(row.seat))
    if created and row.player:
        yield _of(row, "player", "this event has no player", found=row.player)
    if row.to_act:
        yield _of(row, "to_act", "no seat has to act yet", [], row.to_act)


def _of_move(history: MatchHistory, row: EventRow, all_kinds: Sequence[Sequence[Kind]]) -> Iterator[Finding]:
    """Check an event of a move, which is written with the move and must follow from its row."""
    move = history.moves.get(row.version)
    if move is None:
        yield _of(row, "version", "there is no such move", found=row.version)
        return
    if row.type in _BESIDE_MOVES:
        if row.seat is None or not 0 <= row.seat < history.match.seats:
            yield _of(row, "seat", "is no possible seat of this event", found=shown(row.seat))
        return
    if row.type == EventType.SEAT_REPLACED:  # written beside the log, at the version at which the match was
        yield from _of_replacement(history, row)
        return
    if row.recorded_at not in {move.recorded_at, None}:
        yield _of(row, "recorded_at", "is not the move's", move.recorded_at, row.recorded_at)
    if row.player:
        yield _of(row, "player", "is only for events of the lobby", found=row.player)
    if history.to_act is None:
        return
    kinds = all_kinds[row.version - 1]
    if (row.type, row.seat) not in kinds:
        seats = [shown(seat) for kind, seat in kinds if kind == row.type]
        column, what = (
            ("seat", "is not the seat of this event") if seats else ("type or version", "did not happen")
        )
        yield _of(row, column, f"{row.type}: {what}", " or ".join(seats), shown(row.seat))
    to_act = history.to_act[row.version - 1]
    if tuple(row.to_act) != to_act:
        yield _of(row, "to_act", "is not who had to act", list(to_act), row.to_act)


def _of_replacement(history: MatchHistory, row: EventRow) -> Iterator[Finding]:
    if row.seat is None or not 0 <= row.seat < history.match.seats:
        yield _of(row, "seat", "is no possible seat of this event", found=shown(row.seat))
    if history.to_act is not None and tuple(row.to_act) != history.to_act[row.version - 1]:
        yield _of(row, "to_act", "is not who had to act", list(history.to_act[row.version - 1]), row.to_act)


def _kinds(history: MatchHistory, version: int) -> list[Kind]:
    """Return the events of a move, each with the seat it is about: see `events.events_of`."""
    assert history.to_act is not None
    first: Kind = (_STARTED, None)
    if version > 1:
        first = (_APPLIED, history.moves[version].seat)
    before = history.to_act[version - 2] if version > 1 else ()
    turns = [seat for seat in history.to_act[version - 1] if seat not in before]
    kinds = [first, *_of_a_pause(history, version), *[(_TURN, seat) for seat in turns]]
    if history.match.status is Status.ENDED and version == history.match.version:
        kinds.append((_ENDED, None))
    return kinds


def _of_a_pause(history: MatchHistory, version: int) -> list[Kind]:
    """Return the event of a row that pauses the match, or ends the pause."""
    is_paused = history.paused[version - 1]
    if is_paused is (version > 1 and history.paused[version - 2]):
        return []
    kind = EventType.MATCH_PAUSED if is_paused else EventType.MATCH_RESUMED
    return [(kind.value, history.moves[version].seat)]


def _order(events: Sequence[EventRow]) -> Iterator[Finding]:
    """Check the order: a match's events are written in one transaction after another, so numbers and transactions rise together."""
    last = events[0]
    seen: set[tuple[object, ...]] = set()
    for row in events:
        if row.type in _BESIDE_MOVES:
            continue  # written by a transaction that looked at many matches, whatever moves it met
        if row.version < last.version or row.transaction < last.transaction:
            yield _of(
                row, "number or transaction", f"comes after number {last.number}, but happened before it"
            )
        elif (
            row.version and row.type != EventType.SEAT_REPLACED
        ):  # a seat may get several players at one version
            key = (row.version, row.type, row.seat)
            if key in seen:
                yield _of(row, "number", "is a second event of the same")
            seen.add(key)
        last = row


def _missing(
    history: MatchHistory, events: Sequence[EventRow], kinds: Sequence[Sequence[Kind]]
) -> Iterator[Finding]:
    stored = [
        StoredEvent(row.number, row.version, (row.type, row.seat)) for row in events if row.type not in _ALONE
    ]
    if not stored:
        return
    for version, kind, unless in missing(history.recorded, kinds, stored):
        yield Finding(
            table="events",
            match_id=history.match.id,
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
