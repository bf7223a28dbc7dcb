"""Deliveries of an endpoint: list them, send them again, send a test event."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final
from uuid import UUID

import msgspec

from services.postgres.database import Connection
from services.postgres.records import Reader, named_rows
from services.webhooks.cloud_events import TEST
from services.webhooks.endpoints import Endpoint
from services.webhooks.lanes import Attempt

DELIVERY_COLUMNS: Final = """
    deliveries.event AS number, events.id AS event_id, events.type AS event_type, events.match_id, events.recorded_at,
    deliveries.state, deliveries.attempts,
    CASE WHEN deliveries.state = 'pending' AND NOT EXISTS (
        SELECT FROM webhook_deliveries AS earlier
        WHERE earlier.endpoint_id = deliveries.endpoint_id AND earlier.lane = deliveries.lane
          AND earlier.state = 'pending' AND earlier.event < deliveries.event
    ) THEN lanes.due_at END AS next_at
"""
"""Named as the fields of Delivery."""
_LIST: Final = f"""
SELECT {DELIVERY_COLUMNS}
FROM webhook_deliveries AS deliveries
JOIN events ON events.number = deliveries.event
LEFT JOIN webhook_lanes AS lanes ON lanes.endpoint_id = deliveries.endpoint_id AND lanes.lane = deliveries.lane
WHERE deliveries.endpoint_id = $1::uuid AND deliveries.event < $2::int8
  AND ($3::text IS NULL OR deliveries.state = $3::text)
ORDER BY deliveries.event DESC LIMIT $4::int8
"""  # noqa: S608 - columns of our own
_AGAIN: Final = """
WITH chosen AS (
    SELECT events.number, coalesce(events.match_id, events.endpoint_id, events.id) AS lane
    FROM events
    LEFT JOIN webhook_deliveries AS deliveries
        ON deliveries.endpoint_id = $1::uuid AND deliveries.event = events.number
    WHERE events.tenant = $2::text AND {which}
), again AS (
    INSERT INTO webhook_deliveries (endpoint_id, event, lane)
    SELECT $1::uuid, number, lane FROM chosen
    ON CONFLICT (endpoint_id, event) DO UPDATE SET state = 'pending', tries = 0
    RETURNING lane
), lanes AS (
    INSERT INTO webhook_lanes (endpoint_id, lane)
    SELECT DISTINCT $1::uuid, lane FROM again ORDER BY lane
    ON CONFLICT (endpoint_id, lane) DO UPDATE
        SET due_at = CASE WHEN webhook_lanes.lease IS NULL THEN now() ELSE webhook_lanes.due_at END
)
SELECT count(*)::int FROM again
"""
_ONE_AGAIN: Final = _AGAIN.format(which="events.id = $3::uuid AND deliveries.event IS NOT NULL")
_RANGE_AGAIN: Final = _AGAIN.format(
    which="""
      events.recorded_at >= $3::timestamptz AND events.recorded_at < coalesce($4::timestamptz, 'infinity')
      AND events.type = ANY ($5::text[])
      AND coalesce(deliveries.state, 'none') <> 'pending'
      AND (NOT $6::boolean OR deliveries.state = 'failed')
    ORDER BY events.number LIMIT $7::int"""
)
_TEST: Final = """
WITH test AS (
    INSERT INTO events (tenant, recorded_at, type, endpoint_id)
    VALUES ($2::text, now(), $3::text, $1::uuid)
    RETURNING number
), delivery AS (
    INSERT INTO webhook_deliveries (endpoint_id, event, lane) SELECT $1::uuid, number, $1::uuid FROM test
), lane AS (
    INSERT INTO webhook_lanes (endpoint_id, lane) VALUES ($1::uuid, $1::uuid)
    ON CONFLICT (endpoint_id, lane) DO UPDATE
        SET due_at = CASE WHEN webhook_lanes.lease IS NULL THEN now() ELSE webhook_lanes.due_at END
)
SELECT number FROM test
"""
NEWEST: Final = 2**63 - 1
"""A number above that of every event."""
MAX_AGAIN: Final = 10_000
"""Most events that one request sends again; the next request sends the rest."""


class DeliveryUnknown(Exception):  # noqa: N818 - the name says what happened
    """The event was never addressed to the endpoint, or it has been deleted since."""


class DeliveryState(StrEnum):
    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """One event for one endpoint, and the attempts to send it."""

    number: int
    """Its place in the listing."""
    event_id: UUID
    event_type: str
    match_id: UUID | None
    recorded_at: datetime
    state: DeliveryState
    attempts: tuple[Attempt, ...]
    """The most recent ones, oldest first."""
    next_at: datetime | None
    """None: there is no further attempt, or an earlier delivery of its match comes first."""


_delivery_from: Final = Reader(
    Delivery,
    state=DeliveryState,
    attempts=lambda kept: msgspec.convert(kept, tuple[Attempt, ...]),
)


async def list_deliveries(
    connection: Connection,
    endpoint_id: UUID,
    *,
    state: DeliveryState | None = None,
    before: int = NEWEST,
    limit: int,
) -> list[Delivery]:
    """Return an endpoint's deliveries with numbers below `before`, newest first."""
    return [
        _delivery_from(row)
        for row in await named_rows(connection, _LIST, (endpoint_id, before, state, limit))
    ]


async def resend_one(connection: Connection, endpoint: Endpoint, event_id: UUID) -> None:
    """Send an event again to an endpoint. Raises DeliveryUnknown if it was never addressed to this endpoint."""
    cursor = await connection.execute(_ONE_AGAIN, (endpoint.id, endpoint.tenant, event_id))
    row = await cursor.fetchone()
    if row is None or row[0] == 0:
        raise DeliveryUnknown(f"event {event_id} was not sent to this endpoint")


async def resend_range(
    connection: Connection,
    endpoint: Endpoint,
    since: datetime,
    until: datetime | None = None,
    *,
    failed_only: bool = False,
) -> int:
    """Send again the events of a period that are of the endpoint's types; return how many, at most MAX_AGAIN.

    Stored events that were never addressed to the endpoint are sent as well, unless `failed_only`: it may be new.
    """
    values = (endpoint.id, endpoint.tenant, since, until, list(endpoint.types), failed_only, MAX_AGAIN)
    row = await (await connection.execute(_RANGE_AGAIN, values)).fetchone()
    count: int = row[0] if row is not None else 0
    return count


async def send_test(connection: Connection, endpoint: Endpoint) -> Delivery:
    """Send a test event; return its delivery."""
    cursor = await connection.execute(_TEST, (endpoint.id, endpoint.tenant, TEST))
    row = await cursor.fetchone()
    assert row is not None
    (delivery,) = await list_deliveries(connection, endpoint.id, before=row[0] + 1, limit=1)
    return delivery
