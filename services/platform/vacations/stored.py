"""Vacations in the database: one row each.

Everything here is a statement on a connection; what several of them decide together, they decide in one transaction under the
lock of the player (`lock_player`). A row lock would not do: a player has no row of their own, and a vacation that does not exist yet
has none either. Nor would an exclusion constraint, which needs the extension btree_gist.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

import msgspec

from services.platform.vacations.months import Span
from services.postgres.database import Connection
from services.postgres.records import NamedRow, named_rows

KEPT: Final = timedelta(days=90)
"""How long a vacation is stored after its end, at least: longer than it can count for a month."""
SWEPT: Final = 100
"""Most old vacations that go with each new one: more than are added, so they never pile up."""


class Vacation(msgspec.Struct, frozen=True, kw_only=True):
    """A time for which a player is away by announcement."""

    id: UUID
    tenant: str
    player: str
    since: datetime
    until: datetime
    created_at: datetime
    by_tenant: bool
    """Announced by the platform; then it takes none of the player's days."""
    mark: bytes
    """The hash of the request, if that had a request id."""


class Position(NamedTuple):
    """A place in a list: after the vacation that ends then and has this id."""

    until: datetime
    id: UUID


class Present(NamedTuple):
    """What is true now."""

    now: datetime
    """By the database's time, which clocks go by, too."""
    vacation_days: int


BEGINNING: Final = Position(datetime.min.replace(tzinfo=UTC), UUID(int=0))

_COLUMNS: Final = "id, tenant, player, since, until, created_at, by_tenant, mark"
_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended($1::text || ' ' || $2::text, 3))"
_PRESENT: Final = """
SELECT clock_timestamp() AS now,
    coalesce((SELECT vacation_days FROM tenants WHERE id = $1::text), 0)::int4 AS vacation_days
"""
"""Not now(), which is when the transaction began: it may have waited for its lock since."""
_FIND: Final = f"SELECT {_COLUMNS} FROM vacations WHERE id = $1::uuid AND tenant = $2::text"  # noqa: S608 - only column names of ours
_COUNT: Final = """
SELECT count(*)::int4 AS counted FROM (
    SELECT 1 FROM vacations
    WHERE tenant = $1::text AND player = $2::text
      AND until > $3::timestamptz AND (until > $4::timestamptz OR NOT by_tenant)
    LIMIT $5::int4
) AS so_many
"""
_OVERLAPPING: Final = f"""
SELECT {_COLUMNS} FROM vacations
WHERE tenant = $1::text AND player = $2::text AND until > $3::timestamptz AND since < $4::timestamptz
ORDER BY until LIMIT 1
"""  # noqa: S608 - as above
_OWN: Final = """
SELECT since, until FROM vacations
WHERE tenant = $1::text AND player = $2::text AND until > $3::timestamptz AND NOT by_tenant
"""
_INSERT: Final = f"""
WITH swept AS (
    DELETE FROM vacations WHERE id IN (
        SELECT id FROM vacations WHERE until < now() - $8::interval
        ORDER BY until LIMIT {SWEPT} FOR UPDATE SKIP LOCKED
    )
)
INSERT INTO vacations (id, tenant, player, since, until, by_tenant, mark)
VALUES ($1::uuid, $2::text, $3::text, $4::timestamptz, $5::timestamptz, $6::boolean, $7::bytea)
ON CONFLICT (id) DO NOTHING
RETURNING {_COLUMNS}
"""  # noqa: S608 - as above
"""The limit is no parameter: not knowing how few rows it lets through, Postgres would read the whole table."""
_END: Final = f"UPDATE vacations SET until = $2::timestamptz WHERE id = $1::uuid RETURNING {_COLUMNS}"  # noqa: S608 - as above
_REMOVE: Final = "DELETE FROM vacations WHERE id = $1::uuid"
_LIST: Final = """
SELECT {columns} FROM vacations
WHERE tenant = $1::text AND {player} AND (until, id) > ($2::timestamptz, $3::uuid)
  AND until > CASE WHEN $4::boolean THEN '-infinity'::timestamptz ELSE now() END
ORDER BY until, id LIMIT $5::int4
"""


async def lock_player(connection: Connection, tenant: str, player: str) -> None:
    """Wait until nobody else announces anything for the player, and keep it so until the transaction ends.

    This is a statement by itself: the next one sees what others had committed when it got the lock.
    """
    await named_rows(connection, _LOCK, (tenant, player))


async def present(connection: Connection, tenant: str) -> Present:
    """Return the time, and how many days of a month a player of the tenant may take."""
    (row,) = await named_rows(connection, _PRESENT, (tenant,))
    return Present(**row)


async def find(
    connection: Connection, tenant: str, vacation_id: UUID, *, to_change: bool = False
) -> Vacation | None:
    """Return a vacation of a tenant; None if there is none. `to_change`: nobody else can change it until the transaction ends."""
    rows = await named_rows(connection, f"{_FIND} FOR UPDATE" if to_change else _FIND, (vacation_id, tenant))
    return _vacation(rows[0]) if rows else None


async def count(
    connection: Connection, tenant: str, player: str, *, own_since: datetime, now: datetime, limit: int
) -> int:
    """Return how many vacations of a player are not over, or were announced by the player and not over at `own_since`; at most `limit`.

    `own_since` is now, or before.
    """
    rows = await named_rows(connection, _COUNT, (tenant, player, own_since, now, limit))
    counted: int = rows[0]["counted"]
    return counted


async def overlapping(connection: Connection, tenant: str, player: str, span: Span) -> Vacation | None:
    """Return the first vacation of a player that has a moment in common with a time; None if none has."""
    rows = await named_rows(connection, _OVERLAPPING, (tenant, player, *span))
    return _vacation(rows[0]) if rows else None


async def own_vacations(connection: Connection, tenant: str, player: str, *, after: datetime) -> list[Span]:
    """Return the times that a player has announced, and that end after a moment."""
    return [Span(**row) for row in await named_rows(connection, _OWN, (tenant, player, after))]


async def insert(
    connection: Connection,
    vacation_id: UUID,
    tenant: str,
    player: str,
    span: Span,
    *,
    by_tenant: bool,
    mark: bytes,
) -> Vacation | None:
    """Store a vacation and return it; None if the id is taken. Some of those that were over long ago are forgotten."""
    values = (vacation_id, tenant, player, *span, by_tenant, mark, KEPT)
    rows = await named_rows(connection, _INSERT, values)
    return _vacation(rows[0]) if rows else None


async def end(connection: Connection, vacation_id: UUID, now: datetime) -> Vacation:
    """Let a vacation that goes on be over now, and return it."""
    (row,) = await named_rows(connection, _END, (vacation_id, now))
    return _vacation(row)


async def remove(connection: Connection, vacation_id: UUID) -> None:
    """Remove a vacation that has not begun."""
    await named_rows(connection, _REMOVE, (vacation_id,))


async def list_vacations(
    connection: Connection, tenant: str, player: str, *, ended: bool, after: Position, limit: int
) -> list[Vacation]:
    """Return vacations of a tenant, or of a player, in the order in which they end; `ended`: also those that are over."""
    where = "player = $6::text" if player else "$6::text = ''"
    statement = _LIST.format(columns=_COLUMNS, player=where)
    rows = await named_rows(connection, statement, (tenant, *after, ended, limit, player))
    return [_vacation(row) for row in rows]


def _vacation(row: NamedRow) -> Vacation:
    return Vacation(**row)
