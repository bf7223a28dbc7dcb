"""The events that platforms are told, read match by match, some thousands at a time, each match with all of its own.

No index finds the events of a match, and each has to be read but once. So their numbers are listed first, by match, in
one pass over the table: eight bytes each, kept by Postgres on its disk and fetched little by little. Then they are read
by their numbers. What is told after the listing is for the next audit; what is forgotten meanwhile is not missed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final
from uuid import UUID

import msgspec
import psycopg

from engine.kernel import aborting
from engine.kernel.folding import Replay, takes_back
from engine.kernel.house import is_house_row, read_events
from engine.registry import game as registered_game
from services.audit import reading
from services.audit.findings import Tally
from services.audit.reading import CannotRead, Cursor, Unread, Wanted
from services.audit.told import Course, EventRow, altered_events, of_no_match
from services.audit.untold import Recorded, Span
from services.movelog.records import Match, Move
from services.movelog.verification import logged_moves

PAGE: Final = 5_000
"""Events of a page, or all of one match that has more."""
LISTING: Final = ("SET statement_timeout = '1h'", "SET work_mem = '64MB'")
"""Listing the events of all matches is one statement, and sorts them."""
FETCHED: Final = 100
"""Matches whose numbers are fetched at a time."""


class EventPage(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of some events: all that some matches have."""

    wanted: Wanted
    numbers: list[int]
    spans: dict[str, dict[str, Span]]
    """Of the tenants of these matches, by type: from which number to which it was told."""


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
    """Give the pages of all events that there are now; psycopg.Error."""
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
    """Give of each match its tenant and the numbers of its events, without a transaction that stays open meanwhile."""
    with psycopg.RawServerCursor(connection, "listed", withhold=True) as cursor:
        cursor.execute(_LISTED, (wanted.match, wanted.game, wanted.since), binary=True)
        while rows := cursor.fetchmany(FETCHED):
            yield from rows


def audit_page(page: EventPage) -> Tally:
    """Compare a page of events with their matches; psycopg.OperationalError."""
    tally = Tally()
    with reading.at_one_moment(page.wanted) as connection:
        rows = [_event(row) for row in connection.execute(_EVENTS, (page.numbers,), binary=True)]
        courses = _courses(connection, page, rows)
    tally.rows["events"] += len(rows)
    of_match: dict[UUID, list[EventRow]] = defaultdict(list)
    for row in rows:
        if row.match_id is None:
            for finding in of_no_match(row):
                tally.add(finding)
        else:
            of_match[row.match_id].append(row)
    for match_id, told in of_match.items():
        if match_id in courses and courses[match_id] is None:
            continue
        for finding in altered_events(courses.get(match_id), told):
            tally.add(finding)
    return tally


def _event(row: tuple[Any, ...]) -> EventRow:
    number, transaction, *others = row
    names = EventRow.__struct_fields__
    return EventRow(**dict(zip(names, (number, int(transaction), *others), strict=True)))


def _courses(connection: Cursor, page: EventPage, rows: Sequence[EventRow]) -> dict[UUID, Course | None]:
    """Give the matches that events tell of, folded as far as they go; None for one that cannot be read."""
    ids = sorted({row.match_id for row in rows if row.match_id is not None})
    found: dict[UUID, Course | None] = {}
    matches = reading.matches_of(connection, ids)
    recorded = _recorded(connection, page, {one.tenant for one in matches if isinstance(one, Match)})
    for match in matches:
        if isinstance(match, Unread):
            found[match.id] = None  # that is named with the match
            continue
        try:
            moves = reading.moves(connection, match.id)
        except CannotRead:
            found[match.id] = None  # and so is this
            continue
        found[match.id] = Course(
            match=match,
            moves={one.seq: one for one in moves},
            to_act=_to_act(match, moves),
            recorded=recorded[match.tenant],
        )
    return found


def _recorded(connection: Cursor, page: EventPage, tenants: set[str]) -> dict[str, Recorded]:
    """Give what each tenant wants to be told, wanted before, and may have forgotten."""
    ((first,),) = connection.execute(_FIRST, binary=True).fetchall()
    found = {one: Recorded(spans=page.spans.get(one, {})) for one in tenants}
    for tenant, types, pruned in connection.execute(_RECORDED, (list(tenants),), binary=True):
        found[tenant] = Recorded(
            spans=page.spans.get(tenant, {}), types=frozenset(types), cut=first if pruned else None
        )
    return found


def _to_act(match: Match, moves: Sequence[Move]) -> list[tuple[int, ...]] | None:
    """Give who was waited for after each row; None where that cannot be told, for reasons that are named with the match."""
    if any(move.seq != place for place, move in enumerate(moves, 1)):
        return None
    try:
        game = registered_game(match.game, match.rules_version)
        rows = logged_moves(moves)
        replay = Replay(game, keep=takes_back(rows))
        found: list[tuple[int, ...]] = []
        for row in rows:
            replay.advance(row)
            house: tuple[Any, ...] = read_events(game, row.events) if is_house_row(row.events) else ()
            pending = aborting.pending(game, replay.state, aborted=aborting.is_abort(house))
            found.append(tuple(one.seat for one in pending))
    except Exception:  # noqa: BLE001 - whatever the rules make of rows that nobody played must not end the audit
        return None
    return found
