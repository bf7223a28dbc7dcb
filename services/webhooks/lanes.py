"""Leases on lanes. A lane is what has to stay in order at one endpoint: the events of one match.

A worker takes a lease on a lane, and nobody else touches the lane until the lease is given back or runs out. No lock and
no transaction is held while a request is on its way. Whoever dies with a lease delays its lane and loses nothing. Whoever
has lost a lease changes nothing any more: every statement below asks for it.

How a lane is removed, and why no event can slip in beside it: an event that is written touches its lane's row, and the
worker locks that row before it looks, in a later statement, whether anything is left.
"""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

import msgspec

from services.movelog.events import Event
from services.movelog.postgres.events import EVENT_COLUMNS, EVENT_TABLES, event_from
from services.postgres.database import Connection, DatabaseUnavailable, Pool, connected
from services.postgres.records import named_rows
from services.webhooks.claiming import Claim, Lane, Room, claim
from services.webhooks.schedule import Rest

MOST_ATTEMPTS: Final = 20
"""Tries that are remembered of a delivery, the latest."""

_NEXT: Final = f"""
WITH held AS (
    UPDATE webhook_lanes SET due_at = now() + $4::interval
    WHERE endpoint_id = $1::uuid AND lane = $2::uuid AND lease = $3::uuid
    RETURNING endpoint_id, lane
)
SELECT deliveries.event AS number, deliveries.tries, deliveries.first_try, webhook_endpoints.url, webhook_endpoints.secret,
       CASE WHEN webhook_endpoints.old_secret_until > now() THEN webhook_endpoints.old_secret END AS old_secret,
       webhook_endpoints.failing_since, {EVENT_COLUMNS}
FROM held
JOIN webhook_endpoints ON webhook_endpoints.id = held.endpoint_id AND webhook_endpoints.state = 'enabled'
    AND (webhook_endpoints.paused_until IS NULL OR webhook_endpoints.paused_until <= now())
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
  AND coalesce(failing_since <= $2::timestamptz, true)
"""
"""What was sent before the endpoint began to fail says nothing about now."""
_ENDPOINT_FAILS: Final = """
UPDATE webhook_endpoints
SET failing_since = coalesce(failing_since, $3::timestamptz),
    paused_until = CASE WHEN $4::interval IS NULL THEN paused_until ELSE greatest(
        paused_until,
        now() + greatest($4::interval, least($5::interval, now() - coalesce(failing_since, $3::timestamptz)))
    ) END
WHERE id = $1::uuid AND url = $2::text AND (failing_since IS NULL OR $4::interval IS NOT NULL)
"""
"""What became of a request to the endpoint's last address says nothing about the one it has now."""
_TRY_LATER: Final = """
UPDATE webhook_lanes
SET lease = NULL, due_at = now() + CASE
    WHEN EXISTS (SELECT FROM webhook_endpoints WHERE id = $1::uuid AND url = $5::text) THEN $4::interval
    ELSE interval '0'
END
WHERE endpoint_id = $1::uuid AND lane = $2::uuid AND lease = $3::uuid
"""
_RENEW: Final = """
UPDATE webhook_lanes SET due_at = now() + $4::interval
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
    failing_since: datetime | None
    """Since when the endpoint has taken nothing; None: what was sent last has arrived."""
    event: Event


class Lanes:
    """Leases on lanes. All methods raise DatabaseUnavailable."""

    def __init__(self, pool: Pool, *, lease: timedelta) -> None:
        """`lease` is how long a worker may stay silent before its lanes are somebody else's."""
        self._pool = pool
        self._lease = lease

    async def claim(self, room: Room) -> Claim:
        """Take leases on lanes with something to do; see claiming.py."""
        async with connected(self._pool) as connection:
            return await claim(connection, room, self._lease)

    async def next(self, lane: Lane) -> Due | None:
        """Return the first delivery and renew the lease.

        None: there is none, the endpoint is to be left alone, or the lease has run out.
        """
        async with connected(self._pool) as connection:
            rows = await named_rows(connection, _NEXT, (*lane.key, self._lease))
        if not rows:
            return None
        (row,) = rows
        sealed = (row.pop("secret"), row.pop("old_secret"))
        of_delivery = {
            name: row.pop(name) for name in ("number", "tries", "first_try", "url", "failing_since")
        }
        secrets = tuple(secret for secret in sealed if secret is not None)
        return Due(**of_delivery, secrets=secrets, event=event_from(row))

    async def keep(self, lane: Lane) -> None:
        """Renew the lease again and again, so that no request outlasts it; return once it is lost."""
        is_ours = True
        while is_ours:
            try:
                async with connected(self._pool) as connection:
                    renewed = await connection.execute(_RENEW, (*lane.key, self._lease))
                is_ours = renewed.rowcount > 0
            except DatabaseUnavailable:
                pass  # it may be back before the lease has run out
            await asyncio.sleep(self._lease.total_seconds() / 3)

    async def arrived(self, lane: Lane, due: Due, attempt: Attempt) -> bool:
        """Note that a delivery has arrived; False: the lease has run out, and somebody else has it."""
        async with connected(self._pool) as connection, connection.transaction():
            await connection.execute(_MAY_BE_REPEATED)
            if not await _recorded(connection, lane, due, "delivered", attempt):
                return False
            await connection.execute(_ENDPOINT_WORKS, (lane.endpoint_id, attempt.at))
        return True

    async def failed(
        self, lane: Lane, due: Due, attempt: Attempt, pause: timedelta, *, rest: Rest | None
    ) -> bool:
        """Note that a delivery has failed, and give the lane back for a while; False: the lease has run out.

        `rest`: the endpoint is left alone with all of its lanes.
        """
        async with connected(self._pool) as connection, connection.transaction():
            await connection.execute(_MAY_BE_REPEATED)
            if not await _recorded(connection, lane, due, "pending", attempt):
                return False
            await _fails(connection, lane, due, attempt, rest)
            await connection.execute(_TRY_LATER, (*lane.key, pause, due.url))
        return True

    async def abandoned(self, lane: Lane, due: Due, attempt: Attempt, *, rest: Rest | None) -> bool:
        """Note that a delivery has failed for good, after which the next is due; False: the lease has run out."""
        async with connected(self._pool) as connection, connection.transaction():
            if not await _recorded(connection, lane, due, "failed", attempt):
                return False
            await _fails(connection, lane, due, attempt, rest)
        return True

    async def give_back(self, lane: Lane) -> None:
        """Give a lease back, and remove the lane if nothing is left in it."""
        async with connected(self._pool) as connection, connection.transaction():
            await connection.execute(_MAY_BE_REPEATED)
            if await (await connection.execute(_HOLD, lane.key)).fetchone() is None:
                return
            removed = await connection.execute(_REMOVE, (lane.endpoint_id, lane.id))
            if removed.rowcount == 0:
                await connection.execute(_GIVE_BACK, (lane.endpoint_id, lane.id))


async def _recorded(connection: Connection, lane: Lane, due: Due, state: str, attempt: Attempt) -> bool:
    kept = msgspec.json.encode([attempt]).decode()
    values: tuple[Any, ...] = (*lane.key, due.number, state, kept, MOST_ATTEMPTS)
    return await (await connection.execute(_RECORD, values)).fetchone() is not None


async def _fails(connection: Connection, lane: Lane, due: Due, attempt: Attempt, rest: Rest | None) -> None:
    least, most = rest or (None, None)
    await connection.execute(_ENDPOINT_FAILS, (lane.endpoint_id, due.url, attempt.at, least, most))
