"""The feed of every tenant, in Postgres.

Rows become visible when their transactions commit, not in the order of their numbers: a reader that remembers the
highest number it has seen would skip a row that a slower transaction commits later. So the feed is in the order of
transaction ids, and holds back every row whose transaction is not older than all running ones: `pg_snapshot_xmin` names
the oldest of those. Everything before it is final.

A transaction that has written something and stays open holds the feed back for everybody; ours are short, and
`statement_timeout` limits them.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple
from uuid import UUID

from services.movelog.checks import check_text
from services.movelog.events import START, Event, EventType, FeedEvent, Position
from services.movelog.postgres.asking import ask, ask_on, in_our_words
from services.postgres.database import Pool
from services.postgres.records import NamedRow, Reader

EVENT_COLUMNS: Final = """
    events.id, events.type, events.tenant, events.match_id, coalesce(matches.game, '') AS game, events.version, events.seat,
    coalesce(CASE WHEN events.player <> '' OR events.type = 'seat.replaced' THEN events.player ELSE (
        SELECT earlier.value ->> 'player' FROM jsonb_array_elements(seats.replaced) WITH ORDINALITY AS earlier (value, number)
        WHERE (earlier.value ->> 'until_version')::int4 >= events.version ORDER BY earlier.number LIMIT 1
    ) END, seats.player, '') AS player,
    events.to_act, events.outcome, events.endpoint_id, events.proposal, events.result, events.replaced, events.recorded_at,
    ARRAY(SELECT CASE WHEN own.state = 'taken' THEN own.player ELSE '' END
          FROM seats AS own WHERE own.match_id = matches.id ORDER BY own.seat) AS players,
    coalesce(matches.title, '') AS title,
    (SELECT min(clocks.deadline_at + INTERVAL '0 s') FROM clocks
     WHERE clocks.match_id = matches.id AND clocks.seat = coalesce(events.seat, clocks.seat)) AS deadline,
    coalesce(match_notes.reference, '') AS reference, coalesce(match_notes.metadata, '{}') AS metadata
"""
"""Columns named like the fields of `events.Event`; `event_from` reads them. The sum keeps a plan from walking along the index of all
matches' deadlines for the least one."""
EVENT_TABLES: Final = """
    events
    LEFT JOIN matches ON matches.id = events.match_id AND matches.tenant = events.tenant
    LEFT JOIN match_notes ON match_notes.match_id = matches.id
    LEFT JOIN seats ON seats.match_id = matches.id AND seats.seat = events.seat AND events.version > 0
"""
"""The match is looked up with its tenant: `match.deleted` of an imported match has the id by which the tenant knew it, and another tenant
may have the match that was exported under that id.

An event of the lobby, and of a replacement, stores the player of its seat until the player is erased. That of a move is who had the seat then: a player
who was replaced since, or the present one."""

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
"""Update the types that a tenant's feed and its enabled endpoints want together. Run it after the change it includes, in
the same transaction but as a separate statement, and after locking the tenant's row: so concurrent changes both count."""
LOCK: Final = """
INSERT INTO recorded_events (tenant) VALUES ($1::text) ON CONFLICT (tenant) DO UPDATE SET tenant = excluded.tenant
"""

READ: Final = f"""
SELECT events.transaction::text AS transaction, events.number, {EVENT_COLUMNS}
FROM {EVENT_TABLES}
WHERE events.tenant = $1::text AND (events.transaction, events.number) > ($2::text::xid8, $3::int8)
  AND events.type = ANY (SELECT unnest(feed_types) FROM recorded_events WHERE tenant = $1::text)
  AND events.transaction < pg_snapshot_xmin(pg_current_snapshot())
ORDER BY events.transaction, events.number
LIMIT $4::int8
"""  # noqa: S608 - only constants of ours

RECORDED: Final = "SELECT feed_types FROM recorded_events WHERE tenant = $1::text"


KEPT: Final = """
SELECT pruned_transaction::text AS transaction, pruned_number AS number, (
    SELECT events.id FROM events
    WHERE events.tenant = $1::text AND events.transaction = $2::text::xid8 AND events.number = $3::int8
) AS event
FROM recorded_events WHERE tenant = $1::text
"""


class Kept(NamedTuple):
    """What a tenant's feed still has."""

    forgotten: Position
    """The position up to which events are deleted."""
    event: UUID | None
    """The event at the position that was asked for; None: there is none."""


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
        return frozenset(map(EventType, rows[0]["feed_types"])) if rows else frozenset()

    async def read(self, tenant: str, *, after: Position = START, limit: int) -> list[FeedEvent]:
        """See `Events.read`."""
        rows = await ask(self._pool, READ, (tenant, str(after.transaction), after.number, limit))
        return [FeedEvent(_position(row), event_from(row)) for row in rows]

    async def kept(self, tenant: str, at: Position) -> Kept:
        """Return what the feed still has, and which event is at a position. Raises LogUnavailable."""
        rows = await ask(self._pool, KEPT, (tenant, str(at.transaction), at.number))
        return Kept(event=rows[0].pop("event"), forgotten=_position(rows[0])) if rows else Kept(START, None)


event_from: Final = Reader(Event, to_act=tuple, players=tuple, metadata=str.encode)
"""Converts a row of EVENT_COLUMNS."""


def _position(row: NamedRow) -> Position:
    """Return the position of an event from its row."""
    return Position(int(row.pop("transaction")), row.pop("number"))
