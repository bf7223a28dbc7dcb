"""Who delivers what next. A lane is what has to stay in order at one endpoint: the events of one match.

A worker takes a lease on a lane, and nobody else touches the lane until the lease is given back or runs out. No lock and
no transaction is held while a request is on its way. Whoever dies with a lease delays its lane and loses nothing.

How a lane is removed, and why no event can slip in beside it: an event that is written touches its lane's row, and the
worker locks that row before it looks, in a later statement, whether anything is left.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid4

import msgspec

from services.database import Connection, Pool, connected
from services.movelog.events import Event
from services.movelog.postgres_events import EVENT_COLUMNS, EVENT_TABLES, event_from

MOST_ATTEMPTS: Final = 20
"""Tries that are remembered of a delivery, the latest."""

_CLAIM: Final = """
WITH due AS (
    SELECT due.endpoint_id, due.lane
    FROM (
        SELECT id FROM webhook_endpoints
        WHERE state = 'enabled' AND (paused_until IS NULL OR paused_until <= now()) AND id <> ALL ($3::uuid[])
        ORDER BY random()
    ) AS endpoint
    CROSS JOIN LATERAL (
        SELECT endpoint_id, lane FROM webhook_lanes
        WHERE endpoint_id = endpoint.id AND due_at <= now()
        ORDER BY due_at LIMIT $2::int
        FOR UPDATE SKIP LOCKED
    ) AS due
    LIMIT $1::int
)
UPDATE webhook_lanes SET due_at = now() + $4::interval, lease = $5::uuid
FROM due WHERE webhook_lanes.endpoint_id = due.endpoint_id AND webhook_lanes.lane = due.lane
RETURNING webhook_lanes.endpoint_id, webhook_lanes.lane
"""
"""A few lanes of each endpoint, so that a slow one leaves room for the others."""
_NEXT: Final = f"""
WITH held AS (
    UPDATE webhook_lanes SET due_at = now() + $4::interval
    WHERE endpoint_id = $1::uuid AND lane = $2::uuid AND lease = $3::uuid
    RETURNING endpoint_id, lane
)
SELECT deliveries.event, deliveries.tries, deliveries.first_try, webhook_endpoints.url, webhook_endpoints.secret,
       CASE WHEN webhook_endpoints.old_secret_until > now() THEN webhook_endpoints.old_secret END, {EVENT_COLUMNS}
FROM held
JOIN webhook_endpoints ON webhook_endpoints.id = held.endpoint_id AND webhook_endpoints.state = 'enabled'
CROSS JOIN LATERAL (
    SELECT event, tries, CASE WHEN tries > 0 THEN (attempts -> (-tries::int) ->> 'at')::timestamptz END AS first_try
    FROM webhook_deliveries
    WHERE endpoint_id = held.endpoint_id AND lane = held.lane AND state = 'pending'
    ORDER BY event LIMIT 1
) AS deliveries
JOIN ({EVENT_TABLES}) ON events.number = deliveries.event
"""  # noqa: S608 - our own words
_RECORD: Final = """
UPDATE webhook_deliveries
SET state = $5::text, tries = tries + 1,
    attempts = CASE WHEN jsonb_array_length(attempts) < $7::int THEN attempts ELSE attempts - 0 END || $6::jsonb
WHERE endpoint_id = $1::uuid AND event = $4::int8 AND state = 'pending'
  AND EXISTS (SELECT FROM webhook_lanes WHERE endpoint_id = $1::uuid AND lane = $2::uuid AND lease = $3::uuid)
RETURNING tries
"""
_ENDPOINT_WORKS: Final = """
UPDATE webhook_endpoints SET failing_since = NULL, paused_until = NULL
WHERE id = $1::uuid AND (failing_since IS NOT NULL OR paused_until IS NOT NULL)
"""
_ENDPOINT_FAILS: Final = """
UPDATE webhook_endpoints
SET failing_since = coalesce(failing_since, $2::timestamptz), paused_until = greatest(paused_until, now() + $3::interval)
WHERE id = $1::uuid AND (failing_since IS NULL OR $3::interval IS NOT NULL)
"""
_TRY_LATER: Final = """
UPDATE webhook_lanes SET due_at = now() + $4::interval, lease = NULL
WHERE endpoint_id = $1::uuid AND lane = $2::uuid AND lease = $3::uuid
"""
_HOLD: Final = """
SELECT FROM webhook_lanes WHERE endpoint_id = $1::uuid AND lane = $2::uuid AND lease = $3::uuid FOR UPDATE
"""
_REMOVE: Final = """
DELETE FROM webhook_lanes
WHERE endpoint_id = $1::uuid AND lane = $2::uuid AND NOT EXISTS (
    SELECT FROM webhook_deliveries
    WHERE endpoint_id = $1::uuid AND lane = $2::uuid AND state = 'pending'
)
"""
_GIVE_BACK: Final = """
UPDATE webhook_lanes SET due_at = now(), lease = NULL WHERE endpoint_id = $1::uuid AND lane = $2::uuid
"""
_MAY_BE_REPEATED: Final = "SET LOCAL synchronous_commit = off"
"""What a crash takes back here is sent once more; so nobody, and no move that touches the lane, waits for the disk."""


class Attempt(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One try, as it is kept."""

    at: datetime
    milliseconds: int
    status: int | None = None
    problem: str = ""


class Lane(NamedTuple):
    """A lane this process has a lease on."""

    endpoint_id: UUID
    id: UUID
    """The match, or what else the events belong to."""
    lease: UUID


class Due(NamedTuple):
    """The first delivery of a lane."""

    number: int
    """Of the event."""
    tries: int
    """So far."""
    first_try: datetime | None
    """When it began; None: this is the first."""
    url: str
    secrets: tuple[bytes, ...]
    """Sealed; the newest first."""
    event: Event


class Lanes:
    """Leases on lanes. All methods raise DatabaseUnavailable."""

    def __init__(self, pool: Pool, *, lease: timedelta) -> None:
        """`lease` is how long a worker may stay silent before its lanes are somebody else's."""
        self._pool = pool
        self._lease = lease

    async def claim(self, *, most: int, per_endpoint: int, without: set[UUID]) -> list[Lane]:
        """Take leases on lanes with something to do, of other endpoints than `without`."""
        lease = uuid4()
        async with connected(self._pool) as connection:
            cursor = await connection.execute(_CLAIM, (most, per_endpoint, list(without), self._lease, lease))
            return [Lane(endpoint_id, lane, lease) for endpoint_id, lane in await cursor.fetchall()]

    async def next(self, lane: Lane) -> Due | None:
        """Give the first delivery and make the lease new; None: there is none, or the lease has run out."""
        async with connected(self._pool) as connection:
            cursor = await connection.execute(_NEXT, (*lane, self._lease))
            row = await cursor.fetchone()
        if row is None:
            return None
        number, tries, first_try, url, secret, old_secret, *event = row
        sealed = (secret,) if old_secret is None else (secret, old_secret)
        return Due(number, tries, first_try, url, tuple(map(bytes, sealed)), event_from(tuple(event)))

    async def arrived(self, lane: Lane, due: Due, attempt: Attempt) -> bool:
        """Note that a delivery has arrived; False: the lease has run out, and somebody else has it."""
        async with connected(self._pool) as connection, connection.transaction():
            await connection.execute(_MAY_BE_REPEATED)
            if not await _recorded(connection, lane, due, "delivered", attempt):
                return False
            await connection.execute(_ENDPOINT_WORKS, (lane.endpoint_id,))
        return True

    async def failed(
        self, lane: Lane, due: Due, attempt: Attempt, pause: timedelta, *, all_wait: timedelta | None
    ) -> None:
        """Note that a delivery has failed, and give the lane back for a while.

        `all_wait`: the endpoint wants nothing at all for so long.
        """
        async with connected(self._pool) as connection, connection.transaction():
            await connection.execute(_MAY_BE_REPEATED)
            if await _recorded(connection, lane, due, "pending", attempt):
                await connection.execute(_ENDPOINT_FAILS, (lane.endpoint_id, attempt.at, all_wait))
                await connection.execute(_TRY_LATER, (*lane, pause))

    async def abandoned(self, lane: Lane, due: Due, attempt: Attempt) -> None:
        """Note that a delivery has failed for good; the lane goes on with the next."""
        async with connected(self._pool) as connection, connection.transaction():
            if await _recorded(connection, lane, due, "failed", attempt):
                await connection.execute(_ENDPOINT_FAILS, (lane.endpoint_id, attempt.at, None))

    async def give_back(self, lane: Lane) -> None:
        """Give a lease back, and remove the lane if nothing is left in it."""
        async with connected(self._pool) as connection, connection.transaction():
            await connection.execute(_MAY_BE_REPEATED)
            if await (await connection.execute(_HOLD, tuple(lane))).fetchone() is None:
                return
            removed = await connection.execute(_REMOVE, (lane.endpoint_id, lane.id))
            if removed.rowcount == 0:
                await connection.execute(_GIVE_BACK, (lane.endpoint_id, lane.id))


async def _recorded(connection: Connection, lane: Lane, due: Due, state: str, attempt: Attempt) -> bool:
    kept = msgspec.json.encode([attempt]).decode()
    values: tuple[Any, ...] = (*lane, due.number, state, kept, MOST_ATTEMPTS)
    return await (await connection.execute(_RECORD, values)).fetchone() is not None
