"""Leases on lanes. A lane holds the deliveries that must stay in order: those of one match's events to one endpoint.

A worker takes a lease on a lane, and no other worker serves the lane until the lease is given back or expires. No lock and
no transaction is held while a request is under way. If a worker dies, its lanes wait until their leases expire, and nothing
is lost. A worker whose lease has expired cannot change a delivery any more, because the statements below check the lease.

An empty lane is removed without losing a new event: whoever writes an event also writes its lane's row, and the worker
locks that row before it checks, in a later statement, whether a delivery is left.
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

MAX_ATTEMPTS: Final = 20
"""How many attempts are stored per delivery: the most recent ones."""

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
"""A success that was sent before the endpoint began to fail does not count: it says nothing about the present."""
_ENDPOINT_FAILS: Final = """
UPDATE webhook_endpoints
SET failing_since = coalesce(failing_since, $3::timestamptz),
    paused_until = CASE WHEN $4::interval IS NULL THEN paused_until ELSE greatest(
        paused_until,
        now() + greatest($4::interval, least($5::interval, now() - coalesce(failing_since, $3::timestamptz)))
    ) END
WHERE id = $1::uuid AND url = $2::text AND (failing_since IS NULL OR $4::interval IS NOT NULL)
"""
"""A failure counts only if the request went to the endpoint's present URL."""
_TRY_LATER: Final = """
UPDATE webhook_lanes
SET lease = NULL, due_at = now() + CASE
    WHEN EXISTS (SELECT FROM webhook_endpoints WHERE id = $1::uuid AND url = $5::text) THEN $4::interval
    ELSE interval '0'
END
WHERE endpoint_id = $1::uuid AND lane = $2::uuid AND lease = $3::uuid
"""
_RELEASE_IF_GONE: Final = """
UPDATE webhook_lanes SET lease = NULL, due_at = now()
WHERE endpoint_id = $1::uuid AND lane = $2::uuid AND lease = $3::uuid
  AND NOT EXISTS (SELECT FROM webhook_deliveries WHERE endpoint_id = $1::uuid AND event = $4::int8)
"""
"""A delivery that was deleted while it was under way, with its match, ends this lease: what comes after it must not wait."""
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
"""If a crash of the database loses such a commit, the delivery is sent once more. That is permitted, so the commit does not
wait for the disk, and neither does a move that waits for the lane's row."""


class Attempt(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One attempt, as it is stored."""

    at: datetime
    milliseconds: int
    status: int | None = None
    problem: str = ""


class Due(NamedTuple):
    """The first delivery of a lane."""

    number: int
    """The event's number."""
    tries: int
    """How many attempts have failed so far."""
    first_try: datetime | None
    """When the first attempt began; None: there was none yet."""
    url: str
    secrets: tuple[bytes, ...]
    """Encrypted, the newest first."""
    failing_since: datetime | None
    """Since when nothing has arrived at the endpoint; None: it is not failing."""
    event: Event


class Lanes:
    """Leases on lanes. All methods but `keep` raise DatabaseUnavailable if the database cannot be reached."""

    def __init__(self, pool: Pool, *, lease: timedelta) -> None:
        """`lease` is how long a lease lasts unless it is renewed."""
        self._pool = pool
        self._lease = lease

    async def claim(self, room: Room) -> Claim:
        """Take leases on lanes with due deliveries; see claiming.py."""
        async with connected(self._pool) as connection:
            return await claim(connection, room, self._lease)

    async def next(self, lane: Lane) -> Due | None:
        """Return the first pending delivery and renew the lease.

        None: there is no such delivery, the endpoint is disabled or paused, or the lease has expired.
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
        """Renew the lease repeatedly, so that no request outlasts it; return when the lease is lost."""
        is_ours = True
        while is_ours:
            try:
                async with connected(self._pool) as connection:
                    renewed = await connection.execute(_RENEW, (*lane.key, self._lease))
                is_ours = renewed.rowcount > 0
            except DatabaseUnavailable:
                pass  # the database may be back before the lease expires
            await asyncio.sleep(self._lease.total_seconds() / 3)

    async def arrived(self, lane: Lane, due: Due, attempt: Attempt) -> bool:
        """Record that a delivery has arrived; return False if nothing is recorded: the lease has expired, or was given back because there is no such delivery any more."""
        async with connected(self._pool) as connection, connection.transaction():
            await connection.execute(_MAY_BE_REPEATED)
            if not await _recorded(connection, lane, due, "delivered", attempt):
                return False
            await connection.execute(_ENDPOINT_WORKS, (lane.endpoint_id, attempt.at))
        return True

    async def failed(
        self, lane: Lane, due: Due, attempt: Attempt, pause: timedelta, *, rest: Rest | None
    ) -> bool:
        """Record a failed attempt, and give the lease back: the lane is due again after `pause`, or at once if the URL has changed.

        `rest`: how long the endpoint is paused with all of its lanes. Return False as `arrived` does.
        """
        async with connected(self._pool) as connection, connection.transaction():
            await connection.execute(_MAY_BE_REPEATED)
            if not await _recorded(connection, lane, due, "pending", attempt):
                return False
            await _fails(connection, lane, due, attempt, rest)
            await connection.execute(_TRY_LATER, (*lane.key, pause, due.url))
        return True

    async def abandoned(self, lane: Lane, due: Due, attempt: Attempt, *, rest: Rest | None) -> bool:
        """Record that a delivery has failed for good, so that the lane's next one is due; return False as `arrived` does."""
        async with connected(self._pool) as connection, connection.transaction():
            if not await _recorded(connection, lane, due, "failed", attempt):
                return False
            await _fails(connection, lane, due, attempt, rest)
        return True

    async def give_back(self, lane: Lane) -> None:
        """Give a lease back, and remove the lane if it has no pending delivery."""
        async with connected(self._pool) as connection, connection.transaction():
            await connection.execute(_MAY_BE_REPEATED)
            if await (await connection.execute(_HOLD, lane.key)).fetchone() is None:
                return
            removed = await connection.execute(_REMOVE, (lane.endpoint_id, lane.id))
            if removed.rowcount == 0:
                await connection.execute(_GIVE_BACK, (lane.endpoint_id, lane.id))


async def _recorded(connection: Connection, lane: Lane, due: Due, state: str, attempt: Attempt) -> bool:
    kept = msgspec.json.encode([attempt]).decode()
    values: tuple[Any, ...] = (*lane.key, due.number, state, kept, MAX_ATTEMPTS)
    if await (await connection.execute(_RECORD, values)).fetchone() is not None:
        return True
    await connection.execute(_RELEASE_IF_GONE, (*lane.key, due.number))
    return False


async def _fails(connection: Connection, lane: Lane, due: Due, attempt: Attempt, rest: Rest | None) -> None:
    least, most = rest or (None, None)
    await connection.execute(_ENDPOINT_FAILS, (lane.endpoint_id, due.url, attempt.at, least, most))
