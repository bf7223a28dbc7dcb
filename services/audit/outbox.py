"""The outbox of events: lists which events belong to which match, and compares them with their matches.

No index finds the events of a match, and each must be read only once. So their numbers are listed first, by match, in
one pass over the table: eight bytes each, stored by Postgres on its disk and fetched in batches. Then the events are
read by number, with their matches. Events written after the listing are left to the next audit; events deleted meanwhile are
not missed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final
from uuid import UUID

import msgspec
import psycopg

from engine.match import aborting
from engine.match.commands import is_command_row, read_events
from engine.match.folding import Replay, takes_back
from engine.registry import game as registered_game
from services.audit import reading
from services.audit.altered_events import EventRow, MatchHistory, altered_events, of_no_match
from services.audit.findings import Finding
from services.audit.missing_events import Recorded, Span
from services.audit.reading import Cursor, Unread, Wanted
from services.audit.replayed import Replayed
from services.movelog.export.verification import logged_moves
from services.movelog.records import Match, Move

LISTING: Final = ("SET statement_timeout = '1h'", "SET work_mem = '64MB'")
"""Listing the events of all matches is one statement, and sorts them."""
FETCHED: Final = 100
"""Matches whose event numbers are fetched at a time."""
READ_AT_ONCE: Final = 5_000
"""Events that are read by one statement."""


class ListedEvents(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of all events of a match, or of those that belong to no match."""

    match_id: UUID | None
    tenant: str
    """The match's; empty if there is no such match."""
    numbers: list[int]


Spans = Mapping[str, Mapping[str, Span]]
"""For each tenant, the first and last number of its events by type."""


_LISTED: Final = """
SELECT events.match_id, coalesce(max(matches.tenant), ''), array_agg(events.number ORDER BY events.number)
FROM events LEFT JOIN matches ON matches.id = events.match_id
WHERE ($1::uuid IS NULL OR events.match_id = $1::uuid) AND ($2::text = '' OR matches.game = $2::text)
  AND ($3::timestamptz IS NULL OR coalesce(matches.updated_at, events.recorded_at) >= $3::timestamptz)
GROUP BY events.match_id ORDER BY events.match_id
"""
_SPANS: Final = "SELECT tenant, type, min(number), max(number) FROM events GROUP BY tenant, type"
_EVENTS: Final = f"""
SELECT number, transaction::text, tenant, match_id, type, version, seat, player, to_act, outcome, endpoint_id,
       CASE WHEN {reading.CALENDAR.format("recorded_at")} THEN recorded_at END
FROM events WHERE number = ANY ($1::int8[]) ORDER BY number
"""  # noqa: S608 - our own words
_RECORDED: Final = "SELECT tenant, types, pruned_number FROM recorded_events WHERE tenant = ANY ($1::text[])"
_FIRST: Final = "SELECT min(number) FROM events"


@contextmanager
def listed(wanted: Wanted) -> Iterator[tuple[Spans, Iterator[ListedEvents]]]:
    """Return the spans of all current events, and the events of each match in the order of ids, those of no match last.

    No transaction is kept open. Raise psycopg.Error.
    """
    with reading.connected(wanted) as connection:
        for setting in LISTING:
            connection.execute(setting)
        spans: dict[str, dict[str, Span]] = defaultdict(dict)
        for tenant, kind, first, last in connection.execute(_SPANS, binary=True):
            spans[tenant][kind] = Span(first=first, last=last)
        with psycopg.RawServerCursor(connection, "listed", withhold=True) as cursor:
            cursor.execute(_LISTED, (wanted.match, wanted.game, wanted.since), binary=True)
            yield spans, _fetched(cursor)


def _fetched(cursor: Any) -> Iterator[ListedEvents]:
    while rows := cursor.fetchmany(FETCHED):
        for match_id, tenant, numbers in rows:
            yield ListedEvents(match_id=match_id, tenant=tenant, numbers=numbers)


class Outbox:
    """The events of some matches, as they are stored."""

    def __init__(self, connection: Cursor, numbers: Sequence[int], spans: Spans) -> None:
        """Read events by their numbers. Raise psycopg.OperationalError."""
        self.of_match: dict[UUID | None, list[EventRow]] = defaultdict(list)
        self.rows = 0
        """How many there are."""
        for first in range(0, len(numbers), READ_AT_ONCE):
            some = list(numbers[first : first + READ_AT_ONCE])
            for row in connection.execute(_EVENTS, (some,), binary=True).fetchall():
                event = _event(row)
                self.of_match[event.match_id].append(event)
                self.rows += 1
        self._recorded = _recorded(connection, spans) if self.rows else {}

    def altered(self, match: Match, moves: Sequence[Move], result: Replayed | None) -> Iterator[Finding]:
        """Yield the values of a match's events that do not follow from its rows; `result` is their replay, if there was one."""
        events = self.of_match.pop(match.id, None)
        if events is None:
            return
        history = _of_replay(result, moves) or _history(match, moves)
        beside = MatchHistory(
            match=match,
            moves={one.seq: one for one in moves},
            to_act=None if history is None else [to_act for to_act, _ in history],
            paused=() if history is None else tuple(paused for _, paused in history),
            recorded=self._recorded.get(match.tenant) or Recorded(spans={}),
        )
        yield from altered_events(beside, events)

    def leave_out(self, match_id: UUID) -> None:
        """Leave the events of a match out: it cannot be read, which is reported already."""
        self.of_match.pop(match_id, None)

    def of_others(self, connection: Cursor) -> Iterator[Finding]:
        """Yield the findings of events whose match was not among those audited with them, or does not exist."""
        for row in self.of_match.pop(None, []):
            yield from of_no_match(row)
        for match in reading.matches_of(connection, list(filter(None, self.of_match))):
            if isinstance(match, Unread):
                self.leave_out(match.id)
                continue
            found = reading.stored(connection, [match])
            if found.unreadable:
                self.leave_out(match.id)
            else:
                yield from self.altered(match, found.moves[match.id], None)
        for events in self.of_match.values():
            yield from altered_events(None, events)


_NAMES: Final = EventRow.__struct_fields__


def _event(row: tuple[Any, ...]) -> EventRow:
    number, transaction, *others = row
    return EventRow(**dict(zip(_NAMES, (number, int(transaction), *others), strict=True)))


def _recorded(connection: Cursor, spans: Spans) -> dict[str, Recorded]:
    """Return the types of events that each tenant wants and wanted before, and up to where old events were deleted."""
    ((first,),) = connection.execute(_FIRST, binary=True).fetchall()
    found = {one: Recorded(spans=dict(of_tenant)) for one, of_tenant in spans.items()}
    for tenant, types, pruned in connection.execute(_RECORDED, (list(spans),), binary=True):
        found[tenant] = Recorded(
            spans=dict(spans[tenant]), types=frozenset(types), cut=first if pruned else None
        )
    return found


def _of_replay(result: Replayed | None, moves: Sequence[Move]) -> list[tuple[tuple[int, ...], bool]] | None:
    """Return what `_history` computes, if a replay of all rows has computed it already."""
    if result is None or len(result.to_act) != len(moves):
        return None
    return list(zip(result.to_act, result.paused, strict=True))


def _history(match: Match, moves: Sequence[Move]) -> list[tuple[tuple[int, ...], bool]] | None:
    """Return the seats to act after each row, and whether the match is paused; None if that cannot be computed, which the audit
    of the match reports.
    """
    if any(move.seq != place for place, move in enumerate(moves, 1)):
        return None
    try:
        game = registered_game(match.game, match.rules_version)
        rows = logged_moves(moves)
        replay = Replay(game, keep=takes_back(rows))
        found: list[tuple[tuple[int, ...], bool]] = []
        for row in rows:
            replay.advance(row)
            match_events: tuple[Any, ...] = (
                read_events(game, row.events) if is_command_row(row.events) else ()
            )
            aborted, paused = aborting.is_abort(match_events), replay.timeline.pause is not None
            pending = aborting.pending(game, replay.state, aborted=aborted, paused=paused)
            found.append((tuple(one.seat for one in pending), paused))
    except Exception:  # noqa: BLE001 - whatever the rules make of rows that nobody played must not end the audit
        return None
    return found
