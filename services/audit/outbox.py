"""The events that platforms are told, read by their numbers, a page at a time, each with the match it tells of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final
from uuid import UUID

import msgspec
import psycopg
from msgspec.structs import replace

from engine.kernel import aborting
from engine.kernel.errors import Unreadable
from engine.kernel.folding import Replay, takes_back
from engine.kernel.house import is_house_row, read_events
from engine.registry import game as registered_game
from services.audit import reading
from services.audit.findings import Finding, Tally
from services.audit.reading import Cursor, Unread, Wanted
from services.audit.told import Course, EventRow, altered_events, of_no_match
from services.movelog.records import Match, Move
from services.movelog.verification import logged_moves

PAGE: Final = 5_000


class EventPage(msgspec.Struct, frozen=True, kw_only=True):
    """The events after a number, up to and with another."""

    wanted: Wanted
    after: int
    upto: int


_LAST: Final = """
SELECT max(number) FROM (SELECT number FROM events WHERE number > $1::int8 ORDER BY number LIMIT $2::int8) AS page
"""
_EVENTS: Final = """
SELECT events.number, events.transaction::text::int8, events.tenant, events.match_id, events.type, events.version,
       events.seat, events.player, events.to_act, events.outcome, events.endpoint_id, events.recorded_at
FROM events LEFT JOIN matches ON matches.id = events.match_id
WHERE events.number > $1::int8 AND events.number <= $2::int8
  AND ($3::uuid IS NULL OR events.match_id = $3::uuid) AND ($4::text = '' OR matches.game = $4::text)
  AND ($5::timestamptz IS NULL OR events.recorded_at >= $5::timestamptz)
ORDER BY events.number
"""
_TYPES: Final = "SELECT tenant, types FROM recorded_events"


def pages(wanted: Wanted) -> Iterator[EventPage]:
    """Give the pages of all events, those written meanwhile included."""
    after = -(1 << 63)
    with reading.connected(wanted) as connection:
        while True:
            ((last,),) = connection.execute(_LAST, (after, PAGE), binary=True).fetchall()
            if last is None:
                return
            yield EventPage(wanted=wanted, after=after, upto=last)
            after = last


def audit_page(page: EventPage) -> Tally:
    """Compare a page of events with their matches; psycopg.OperationalError."""
    try:
        return _audited(page)
    except psycopg.DataError as problem:  # such as a time beyond the year 9999: find which row it is
        tally = Tally()
        middle = (page.after + page.upto) // 2
        if page.upto - page.after == 1:
            what = f"number {page.upto}: cannot be read: {type(problem).__name__}"
            tally.add(Finding(table="events", match_id=None, column="recorded_at", what=what))
            return tally
        tally.merge(audit_page(replace(page, upto=middle)))
        tally.merge(audit_page(replace(page, after=middle)))
        return tally


def _audited(page: EventPage) -> Tally:
    tally = Tally()
    wanted = page.wanted
    with reading.at_one_moment(wanted) as connection:
        values = (page.after, page.upto, wanted.match, wanted.game, wanted.since)
        names = EventRow.__struct_fields__
        found = connection.execute(_EVENTS, values, binary=True).fetchall()
        rows = [EventRow(**dict(zip(names, row, strict=True))) for row in found]
        courses = _courses(connection, rows)
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


def _courses(connection: Cursor, rows: Sequence[EventRow]) -> dict[UUID, Course | None]:
    """Give the matches that events tell of, folded as far as they go; None for one that cannot be read."""
    ids = sorted({row.match_id for row in rows if row.match_id is not None})
    types: dict[str, list[str]] = dict(connection.execute(_TYPES, binary=True).fetchall())
    found: dict[UUID, Course | None] = {}
    for match in reading.matches_of(connection, ids):
        if isinstance(match, Unread):
            found[match.id] = None  # that is named with the match
            continue
        moves = reading.moves(connection, match.id)
        wanted = frozenset(types.get(match.tenant, ()))
        found[match.id] = Course(match=match, moves=moves, to_act=_to_act(match, moves), wanted=wanted)
    return found


def _to_act(match: Match, moves: Sequence[Move]) -> list[tuple[int, ...]] | None:
    """Give who was waited for after each row; None where the rows cannot be folded: that is named with the match."""
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
    except (ArithmeticError, LookupError, TypeError, ValueError, Unreadable):
        return None
    return found
