"""Audits the outbox of events, match by match, some thousands at a time, each match with all of its events.

No index finds the events of a match, and each must be read only once. So their numbers are listed first, by match, in
one pass over the table: eight bytes each, stored by Postgres on its disk and fetched in batches. Then the events are
read by number. Events written after the listing are left to the next audit; events deleted meanwhile are not missed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
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
from services.audit.findings import Tally
from services.audit.missing_events import Recorded, Span
from services.audit.reading import CannotRead, Cursor, Unread, Wanted
from services.movelog.export.verification import logged_moves
from services.movelog.records import Match, Move

PAGE: Final = 5_000
"""Events of a page; more if one match has more."""
LISTING: Final = ("SET statement_timeout = '1h'", "SET work_mem = '64MB'")
"""Listing the events of all matches is one statement, and sorts them."""
FETCHED: Final = 100
"""Matches whose event numbers are fetched at a time."""


class EventPage(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of all events of some matches."""

    wanted: Wanted
    numbers: list[int]
    spans: dict[str, dict[str, Span]]
    """For each tenant of these matches, the first and last number of its events by type."""


_LISTED: Final = """
SELECT max(matches.tenant), array_agg(events.number ORDER BY events.number)
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


def pages(wanted: Wanted) -> Iterator[EventPage]:
    """Yield the pages of all current events. Raise psycopg.Error."""
    with reading.connected(wanted) as connection:
        for setting in LISTING:
            connection.execute(setting)
        spans: dict[str, dict[str, Span]] = defaultdict(dict)
        for tenant, kind, first, last in connection.execute(_SPANS, binary=True):
            spans[tenant][kind] = Span(first=first, last=last)
        numbers: list[int] = []
        tenants: set[str] = set()
        for tenant, of_match in _listed(connection, wanted):
            if numbers and len(numbers) + len(of_match) > PAGE:
                yield _page(wanted, numbers, tenants, spans)
                numbers, tenants = [], set()
            numbers += of_match
            tenants.add(tenant)
        if numbers:
            yield _page(wanted, numbers, tenants, spans)


def _page(
    wanted: Wanted, numbers: list[int], tenants: set[str], spans: dict[str, dict[str, Span]]
) -> EventPage:
    return EventPage(
        wanted=wanted, numbers=numbers, spans={one: spans[one] for one in tenants & spans.keys()}
    )


def _listed(connection: Cursor, wanted: Wanted) -> Iterator[tuple[str, list[int]]]:
    """Yield the tenant and the event numbers of each match, without keeping a transaction open."""
    with psycopg.RawServerCursor(connection, "listed", withhold=True) as cursor:
        cursor.execute(_LISTED, (wanted.match, wanted.game, wanted.since), binary=True)
        while rows := cursor.fetchmany(FETCHED):
            yield from rows


def audit_page(page: EventPage) -> Tally:
    """Compare a page of events with their matches. Raise psycopg.OperationalError."""
    tally = Tally()
    with reading.at_one_moment(page.wanted) as connection:
        rows = [_event(row) for row in connection.execute(_EVENTS, (page.numbers,), binary=True)]
        histories = _histories(connection, page, rows)
    tally.rows["events"] += len(rows)
    of_match: dict[UUID, list[EventRow]] = defaultdict(list)
    for row in rows:
        if row.match_id is None:
            for finding in of_no_match(row):
                tally.add(finding)
        else:
            of_match[row.match_id].append(row)
    for match_id, events in of_match.items():
        if match_id in histories and histories[match_id] is None:
            continue
        for finding in altered_events(histories.get(match_id), events):
            tally.add(finding)
    return tally


def _event(row: tuple[Any, ...]) -> EventRow:
    number, transaction, *others = row
    names = EventRow.__struct_fields__
    return EventRow(**dict(zip(names, (number, int(transaction), *others), strict=True)))


def _histories(
    connection: Cursor, page: EventPage, rows: Sequence[EventRow]
) -> dict[UUID, MatchHistory | None]:
    """Return the matches that the events belong to, folded as far as possible; None for one that cannot be read."""
    ids = sorted({row.match_id for row in rows if row.match_id is not None})
    found: dict[UUID, MatchHistory | None] = {}
    matches = reading.matches_of(connection, ids)
    recorded = _recorded(connection, page, {one.tenant for one in matches if isinstance(one, Match)})
    for match in matches:
        if isinstance(match, Unread):
            found[match.id] = None  # the audit of the match reports that
            continue
        try:
            moves = reading.moves(connection, match.id)
        except CannotRead:
            found[match.id] = None  # and this
            continue
        history = _history(match, moves)
        found[match.id] = MatchHistory(
            match=match,
            moves={one.seq: one for one in moves},
            to_act=None if history is None else [to_act for to_act, _ in history],
            paused=() if history is None else tuple(paused for _, paused in history),
            recorded=recorded[match.tenant],
        )
    return found


def _recorded(connection: Cursor, page: EventPage, tenants: set[str]) -> dict[str, Recorded]:
    """Return the types of events that each tenant wants and wanted before, and up to where old events were deleted."""
    ((first,),) = connection.execute(_FIRST, binary=True).fetchall()
    found = {one: Recorded(spans=page.spans.get(one, {})) for one in tenants}
    for tenant, types, pruned in connection.execute(_RECORDED, (list(tenants),), binary=True):
        found[tenant] = Recorded(
            spans=page.spans.get(tenant, {}), types=frozenset(types), cut=first if pruned else None
        )
    return found


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
