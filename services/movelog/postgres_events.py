"""The feed of every tenant, in Postgres.

Rows appear when their transactions commit, and not in the order in which their numbers were drawn: whoever remembers the
highest number it has seen skips what a slower transaction commits later. So the feed is in the order of transaction ids,
and holds back every row whose transaction is not older than all that are under way: `pg_snapshot_xmin` names the oldest
of those. What lies before it is final.

A transaction that has written something and stays open holds the feed back for everybody; ours are short, and
`statement_timeout` bounds them.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from services.database import Pool
from services.movelog.asking import ask, ask_on, in_our_words
from services.movelog.checks import check_text
from services.movelog.events import START, Event, EventType, Position, Told

EVENT_COLUMNS: Final = """
    events.id, events.type, events.tenant, events.match_id, matches.game, events.version, events.seat,
    CASE WHEN events.player = '' THEN seats.player ELSE events.player END, events.to_act, events.outcome,
    events.endpoint_id, events.recorded_at
"""
"""In the order of `event_from`."""
EVENT_TABLES: Final = """
    events
    LEFT JOIN matches ON matches.id = events.match_id
    LEFT JOIN seats ON seats.match_id = events.match_id AND seats.seat = events.seat AND events.version > 0
"""
"""Who sits where is stored with an event of the lobby; later nobody changes places."""

RECORD: Final = """
INSERT INTO recorded_events (tenant, feed_types, types) VALUES ($1::text, $2::text[], $2::text[])
ON CONFLICT (tenant) DO UPDATE SET feed_types = excluded.feed_types
"""
GATHER: Final = """
UPDATE recorded_events
SET types = ARRAY(
    SELECT unnest(feed_types)
    UNION SELECT unnest(webhook_endpoints.types) FROM webhook_endpoints
    WHERE webhook_endpoints.tenant = recorded_events.tenant AND webhook_endpoints.state = 'enabled'
    ORDER BY 1
)
WHERE tenant = $1::text
"""
"""What a tenant's feed and its enabled endpoints want together. It comes after the change it takes in, in the same
transaction but in a statement of its own, and after the tenant's row was locked: so two changes at once count both."""
LOCK: Final = """
INSERT INTO recorded_events (tenant) VALUES ($1::text) ON CONFLICT (tenant) DO UPDATE SET tenant = excluded.tenant
"""

READ: Final = f"""
SELECT events.transaction::text, events.number, {EVENT_COLUMNS}
FROM {EVENT_TABLES}
WHERE events.tenant = $1::text AND (events.transaction, events.number) > ($2::text::xid8, $3::int8)
  AND events.type = ANY (SELECT unnest(feed_types) FROM recorded_events WHERE tenant = $1::text)
  AND events.transaction < pg_snapshot_xmin(pg_current_snapshot())
ORDER BY events.transaction, events.number
LIMIT $4::int8
"""  # noqa: S608 - our own words

RECORDED: Final = "SELECT feed_types FROM recorded_events WHERE tenant = $1::text"


FORGOTTEN: Final = """
SELECT pruned_transaction::text, pruned_number FROM recorded_events WHERE tenant = $1::text
"""


class PostgresEvents:
    """See `Events`."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def record(self, tenant: str, types: Collection[EventType]) -> None:
        """See `Events.record`."""
        check_text(tenant)
        with in_our_words():
            async with self._pool.connection() as connection, connection.transaction():
                await ask_on(connection, RECORD, (tenant, sorted(types)))
                await ask_on(connection, GATHER, (tenant,))

    async def recorded(self, tenant: str) -> frozenset[EventType]:
        """See `Events.recorded`."""
        rows = await ask(self._pool, RECORDED, (tenant,))
        return frozenset(map(EventType, rows[0][0])) if rows else frozenset()

    async def read(self, tenant: str, *, after: Position = START, limit: int) -> list[Told]:
        """See `Events.read`."""
        rows = await ask(self._pool, READ, (tenant, str(after.transaction), after.number, limit))
        return [Told(Position(int(row[0]), row[1]), event_from(row[2:])) for row in rows]

    async def forgotten(self, tenant: str) -> Position:
        """Give how far the tenant's events are forgotten; LogUnavailable."""
        rows = await ask(self._pool, FORGOTTEN, (tenant,))
        return Position(int(rows[0][0]), rows[0][1]) if rows else START


def event_from(row: tuple[Any, ...]) -> Event:
    """Read a row of EVENT_COLUMNS."""
    return Event(
        id=row[0],
        type=row[1],
        tenant=row[2],
        match_id=row[3],
        game=row[4] or "",
        version=row[5],
        seat=row[6],
        player=row[7] or "",
        to_act=tuple(row[8]),
        outcome=row[9],
        endpoint_id=row[10],
        recorded_at=row[11],
    )
