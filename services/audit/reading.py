"""Reading everything stored about matches, a stretch of ids at a time, as it was at one moment.

Every stretch is read in one read-only transaction that sees the database as it was when it began: matches may go on
meanwhile, and nothing waits for an audit. A stretch covers the ids after one match up to another, so all stretches
together cover every possible id, including those of rows whose match is missing.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
import psycopg
from psycopg.rows import dict_row

from services.audit.seats import SeatRow
from services.movelog.clocks import SeatClock
from services.movelog.downtimes import Downtime, ServedRules
from services.movelog.postgres.clock_queries import DOWNTIMES
from services.movelog.postgres.queries import MATCH_COLUMNS, MOVE_COLUMNS
from services.movelog.postgres.rows import match_from, move_from
from services.movelog.records import Match, Move
from services.movelog.snapshots import Snapshot
from services.postgres.database import DatabaseSettings, connect_arguments
from services.postgres.records import NamedRow

FIRST_ID: Final = UUID(int=0)
LAST_ID: Final = UUID(int=(1 << 128) - 1)
STATEMENT_SECONDS: Final = 120.0
ADDRESS: Final = "FOLDTABLE_DATABASE_URL"
OF_MATCHES: Final = ("moves", "seats", "clocks", "snapshots")
"""Tables with rows of matches, except the outbox."""


class NoDatabase(Exception):  # noqa: N818 - the name says what happened
    """A worker does not know the database, has another one than the process that gave it the work, or gets no answer."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """The part of the log that is audited."""

    url: str = ""
    """The database's address; empty: that of FOLDTABLE_DATABASE_URL where the work is done, because a cluster shows and logs what its
    tasks are called with."""
    match: UUID | None = None
    game: str = ""
    since: datetime | None = None
    """Only matches that have changed since."""

    def __repr__(self) -> str:
        return f"Wanted({self.match or self.game or 'all'})"  # the address may contain a password

    @property
    def is_all(self) -> bool:
        return self.match is None and not self.game and self.since is None

    @property
    def address(self) -> str:
        """Return the database's address. Raises NoDatabase if it is to be found here, and is not."""
        address = self.url or os.environ.get(ADDRESS, "")
        if not address:
            raise NoDatabase(f"{ADDRESS} is not set on a worker")
        return address


class Stretch(msgspec.Struct, frozen=True, kw_only=True):
    """The match ids after one, up to and including another."""

    after: UUID
    upto: UUID
    matches: int
    """Number of matches expected there."""


class Around(msgspec.Struct, frozen=True, kw_only=True):
    """Everything stored beside a match and its moves."""

    seats: list[SeatRow]
    clocks: list[SeatClock]
    downtimes: list[Downtime]
    """The times in which no server took moves of matches under the same rules."""
    snapshots: list[Snapshot]
    known_tenant: bool
    rematch_of: tuple[str, str, str] | None
    """Tenant, game and status of the match this one is the rematch of, if it exists."""


def another_database(stretch: Stretch) -> NoDatabase:
    """Return the error of a worker that finds no match where there should be some."""
    return NoDatabase(
        f"a worker's database has no match where there should be {stretch.matches}: is its {ADDRESS} the same?"
    )


class Unread(NamedTuple):
    """An unreadable row of `matches`."""

    id: UUID
    problem: Exception


class CannotRead(Exception):  # noqa: N818 - the name says what happened
    """Rows of a match contain a time outside of the calendar, such as `infinity`, or one after the year 9999."""

    def __init__(self, table: str, column: str, rows: list[int]) -> None:
        super().__init__(f"{column} of {table}")
        self.table = table
        self.column = column
        self.rows = rows
        """The rows' numbers within the match: of moves or seats."""


Cursor = psycopg.Connection[tuple[Any, ...]]

_WHERE: Final = """
WHERE id > $1::uuid AND id <= $2::uuid
  AND ($3::uuid IS NULL OR id = $3::uuid) AND ($4::text = '' OR game = $4::text)
  AND ($5::timestamptz IS NULL OR updated_at >= $5::timestamptz)
ORDER BY id
"""
IDS: Final = f"SELECT id, version FROM matches {_WHERE} LIMIT $6::int8"  # noqa: S608 - our own words
_MATCHES: Final = f"SELECT {MATCH_COLUMNS} FROM matches {_WHERE}"  # noqa: S608 - our own words
_MATCHES_OF: Final = f"SELECT {MATCH_COLUMNS} FROM matches WHERE id = ANY ($1::uuid[]) ORDER BY id"  # noqa: S608 - our own words
_MOVES: Final = f"SELECT {MOVE_COLUMNS} FROM moves WHERE match_id = ANY ($1::uuid[]) ORDER BY match_id, seq"  # noqa: S608 - our own words
_SEATS: Final = """
SELECT match_id, seat, tenant, match_open, state, joined_by, player, name, bot, generation, invite_generation, salt, erased
FROM seats WHERE match_id = ANY ($1::uuid[]) ORDER BY match_id, seat
"""
_CLOCKS: Final = """
SELECT match_id, seat, left_us, deadline_at, time_outs, spent, resting
FROM clocks WHERE match_id = ANY ($1::uuid[]) ORDER BY match_id, seat
"""
_SNAPSHOTS: Final = """
SELECT match_id, version, rules_version, state, state_hash
FROM snapshots WHERE match_id = ANY ($1::uuid[]) ORDER BY match_id, version
"""
_TENANTS: Final = "SELECT id FROM tenants WHERE id = ANY ($1::text[])"
_BEFORE: Final = "SELECT id, tenant, game, status FROM matches WHERE id = ANY ($1::uuid[])"
CALENDAR: Final = "{} BETWEEN '0001-01-02 00:00:00+00'::timestamptz AND '9999-12-30 00:00:00+00'::timestamptz"
"""The condition that Python can read a time: Postgres's times begin earlier, end later, and include infinities."""


@contextmanager
def connected(wanted: Wanted) -> Iterator[Cursor]:
    """Open a read-only connection in autocommit mode. Raise psycopg.Error."""
    address = wanted.address
    settings = DatabaseSettings(address, statement_seconds=STATEMENT_SECONDS)
    arguments = connect_arguments(settings, name="audit") | {"cursor_factory": psycopg.RawCursor}
    with psycopg.connect(address, **arguments) as connection:
        # Not set while connecting: libpq would take a read-only session for a standby.
        connection.execute("SET default_transaction_read_only = on")
        yield connection


@contextmanager
def at_one_moment(wanted: Wanted) -> Iterator[Cursor]:
    """Open a read-only transaction that sees the database as it is now. Raise psycopg.Error."""
    with connected(wanted) as connection, connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield connection


def matches(connection: Cursor, wanted: Wanted, stretch: Stretch) -> list[Match | Unread]:
    """Return the matches of a stretch; for an unreadable row the reason."""
    of_stretch = (stretch.after, stretch.upto, *filters(wanted))
    try:
        return [_match(row) for row in _named(connection, _MATCHES, of_stretch)]
    except psycopg.DataError:  # raised by one row; the others can be read
        ids = rows_of(connection, IDS, (*of_stretch, None))
        return matches_of(connection, [row[0] for row in ids])


def matches_of(connection: Cursor, ids: list[UUID]) -> list[Match | Unread]:
    """Return the matches of these ids, as far as they exist."""
    try:
        return [_match(row) for row in _named(connection, _MATCHES_OF, (ids,))]
    except psycopg.DataError as problem:  # such as a time beyond the year 9999; the others can be read
        if len(ids) == 1:
            return [Unread(ids[0], problem)]
        return [found for one in ids for found in matches_of(connection, [one])]


def _match(row: NamedRow) -> Match | Unread:
    try:
        return match_from(row)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as problem:
        return Unread(row["id"], problem)


class Stored(NamedTuple):
    """Everything that is stored about some matches, by their ids."""

    moves: dict[UUID, list[Move]]
    """The rows of each match, in the order of their numbers."""
    around: dict[UUID, Around]
    unreadable: dict[UUID, CannotRead]
    """The matches with rows that cannot be read; they are in neither of the others."""


def stored(connection: Cursor, matches: Sequence[Match]) -> Stored:
    """Return everything that is stored about matches. A statement for each table: one for each match would take longer than all checks."""
    try:
        moves = moves_of(connection, [one.id for one in matches])
        return Stored(moves, _around(connection, matches), {})
    except CannotRead as problem:
        if len(matches) == 1:
            return Stored({}, {}, {matches[0].id: problem})
    whole = Stored({}, {}, {})
    for match in matches:  # the others can be read
        one = stored(connection, [match])
        whole.moves.update(one.moves)
        whole.around.update(one.around)
        whole.unreadable.update(one.unreadable)
    return whole


def moves_of(connection: Cursor, ids: Sequence[UUID]) -> dict[UUID, list[Move]]:
    """Return the rows of matches, in the order of their numbers. Raises CannotRead."""
    found: dict[UUID, list[Move]] = {one: [] for one in ids}
    for row in _timed(connection, _MOVES, ids, "moves", "seq", "recorded_at"):
        found[row[0]].append(move_from(row))
    return found


def _around(connection: Cursor, matches: Sequence[Match]) -> dict[UUID, Around]:
    """Return what else is stored about matches. Raises CannotRead."""
    ids = [one.id for one in matches]
    tenants = {row[0] for row in rows_of(connection, _TENANTS, (list({one.tenant for one in matches}),))}
    before_them = [one.rematch_of for one in matches if one.rematch_of is not None]
    before = {row[0]: (row[1], row[2], row[3]) for row in rows_of(connection, _BEFORE, (before_them,))}
    seats, clocks, snapshots = (defaultdict[UUID, list[Any]](list) for _ in range(3))
    for row in _named(connection, _SEATS, (ids,)):
        seats[row.pop("match_id")].append(SeatRow(**row))
    for values in _timed(connection, _CLOCKS, ids, "clocks", "seat", "deadline_at"):
        clocks[values[0]].append(_clock(values))
    for row in _named(connection, _SNAPSHOTS, (ids,)):
        snapshots[row["match_id"]].append(Snapshot(**row))
    downtimes = _downtimes(connection, matches)
    return {
        match.id: Around(
            seats=seats[match.id],
            clocks=clocks[match.id],
            downtimes=[]
            if match.clock is None
            else [one for one in downtimes[match.game, match.rules_version] if one.until > match.created_at],
            snapshots=snapshots[match.id],
            known_tenant=match.tenant in tenants,
            rematch_of=None if match.rematch_of is None else before.get(match.rematch_of),
        )
        for match in matches
    }


def _clock(row: tuple[Any, ...]) -> SeatClock:
    return SeatClock(
        seat=row[1],
        left=timedelta(microseconds=row[2]),
        deadline=row[3],
        time_outs=row[4],
        spent=row[5],
        resting=row[6],
    )


def _downtimes(connection: Cursor, matches: Sequence[Match]) -> dict[ServedRules, list[Downtime]]:
    """Return the downtimes of the rules of those matches that have clocks, in order."""
    timed = [one for one in matches if one.clock is not None]
    found: dict[ServedRules, list[Downtime]] = defaultdict(list)
    if timed:
        games, versions = zip(*{(one.game, one.rules_version) for one in timed}, strict=True)
        since = min(one.created_at for one in timed)
        for row in _named(connection, DOWNTIMES, (list(games), list(versions), since)):
            found[row["game"], row["rules_version"]].append(Downtime(**row))
    return found


def without_a_match(connection: Cursor, stretch: Stretch, table: str) -> list[tuple[UUID, int]]:
    """Return the match ids of a stretch with rows in a table but no match, each with the number of its rows."""
    assert table in OF_MATCHES
    query = f"""
    SELECT match_id, count(*) FROM {table}
    WHERE match_id > $1::uuid AND match_id <= $2::uuid AND NOT EXISTS (SELECT FROM matches WHERE id = match_id)
    GROUP BY match_id ORDER BY match_id
    """  # noqa: S608 - the name of one of our tables
    return [(row[0], row[1]) for row in rows_of(connection, query, (stretch.after, stretch.upto))]


def _timed(
    connection: Cursor, query: str, ids: Sequence[UUID], table: str, number: str, time: str
) -> list[tuple[Any, ...]]:
    """Return the rows of matches in a table that contains a time. Raises CannotRead with the unreadable rows."""
    try:
        return rows_of(connection, query, (list(ids),))
    except psycopg.DataError:
        unreadable = f"""
        SELECT {number} FROM {table} WHERE match_id = ANY ($1::uuid[]) AND NOT ({CALENDAR.format(time)})
        ORDER BY {number}
        """  # noqa: S608 - the names of our own table and columns
        rows = [row[0] for row in rows_of(connection, unreadable, (list(ids),))]
        raise CannotRead(table, time, rows) from None


def filters(wanted: Wanted) -> tuple[Any, ...]:
    """Return the values of the conditions on matches."""
    return wanted.match, wanted.game, wanted.since


def rows_of(connection: Cursor, query: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """Return all rows of a query. Raise psycopg.Error."""
    return connection.execute(query, values, binary=True).fetchall()


def _named(connection: Cursor, query: str, values: tuple[Any, ...]) -> list[NamedRow]:
    with connection.cursor(binary=True, row_factory=dict_row) as cursor:
        return cursor.execute(query, values).fetchall()
