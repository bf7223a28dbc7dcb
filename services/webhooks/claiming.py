"""Which lanes a worker serves next: a fair choice between tenants, within the room that the worker has left.

Every tenant gets its first lane before any tenant gets its second. A tenant gets its n-th lane only if at least n lanes
are free, that one included. So a tenant alone takes about half of the lanes, and while a lane is free, a tenant that has
none yet can get it.

The statement steps through the index from endpoint to endpoint and reads the first lane of each. It reads more lanes only
of the endpoints that it chooses, so its cost does not grow with the number of lanes that wait at one endpoint.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final, NamedTuple
from uuid import UUID, uuid4

from services.postgres.database import Connection

CLAIM: Final = """
WITH RECURSIVE waiting AS (
    (SELECT endpoint_id, due_at FROM webhook_lanes ORDER BY endpoint_id, due_at LIMIT 1)
    UNION ALL
    SELECT next.endpoint_id, next.due_at
    FROM waiting
    CROSS JOIN LATERAL (
        SELECT endpoint_id, due_at FROM webhook_lanes
        WHERE endpoint_id > waiting.endpoint_id
        ORDER BY endpoint_id, due_at LIMIT 1
    ) AS next
), endpoints AS (
    SELECT endpoint.id, endpoint.tenant, coalesce(served.lanes, 0) AS served,
           CASE WHEN endpoint.paused_until IS NULL THEN $3::int ELSE 1 END - coalesce(served.lanes, 0) AS room
    FROM waiting
    JOIN webhook_endpoints AS endpoint ON endpoint.id = waiting.endpoint_id
    LEFT JOIN unnest($4::uuid[], $5::int[]) AS served (endpoint_id, lanes) ON served.endpoint_id = endpoint.id
    WHERE waiting.due_at <= now() AND endpoint.state = 'enabled'
      AND (endpoint.paused_until IS NULL OR endpoint.paused_until <= now())
), in_turn AS (
    SELECT endpoints.*, coalesce(of_tenant.lanes, 0) AS of_tenant,
           coalesce(of_tenant.lanes, 0)
               + row_number() OVER (PARTITION BY endpoints.tenant ORDER BY endpoints.served, random()) AS turn
    FROM endpoints
    LEFT JOIN unnest($6::text[], $7::int[]) AS of_tenant (tenant, lanes) ON of_tenant.tenant = endpoints.tenant
    WHERE endpoints.room > 0
), ready AS (
    SELECT * FROM in_turn ORDER BY turn, random() LIMIT $1::int
), due AS (
    SELECT ready.id AS endpoint_id, ready.tenant, ready.of_tenant, first.lane,
           ready.served + row_number() OVER (PARTITION BY ready.id ORDER BY first.due_at) AS of_endpoint
    FROM ready
    CROSS JOIN LATERAL (
        SELECT lane, due_at FROM webhook_lanes
        WHERE endpoint_id = ready.id AND due_at <= now()
        ORDER BY due_at LIMIT ready.room
    ) AS first
), levelled AS (
    SELECT endpoint_id, lane, tenant,
           of_tenant + row_number() OVER (PARTITION BY tenant ORDER BY of_endpoint, random()) AS level
    FROM due
), placed AS (
    SELECT *, row_number() OVER (ORDER BY level, random()) AS place FROM levelled
), chosen AS (
    SELECT endpoint_id, lane, tenant FROM placed
    WHERE level <= least($2::int, $1::int - place + 1)
), free AS (
    SELECT lanes.endpoint_id, lanes.lane
    FROM chosen JOIN webhook_lanes AS lanes ON lanes.endpoint_id = chosen.endpoint_id AND lanes.lane = chosen.lane
    WHERE lanes.due_at <= now()
    FOR UPDATE OF lanes SKIP LOCKED
), claimed AS (
    UPDATE webhook_lanes SET due_at = now() + $8::interval, lease = $9::uuid
    FROM free WHERE webhook_lanes.endpoint_id = free.endpoint_id AND webhook_lanes.lane = free.lane
    RETURNING webhook_lanes.endpoint_id, webhook_lanes.lane
)
SELECT chosen.endpoint_id, chosen.lane, chosen.tenant, claimed.lane IS NOT NULL
FROM chosen LEFT JOIN claimed ON claimed.endpoint_id = chosen.endpoint_id AND claimed.lane = chosen.lane
"""
"""An endpoint whose pause has ended is on trial, and gets one lane until a delivery has arrived. Lanes are chosen without
locks, at random among equals; a lane that another worker has locked by then is skipped, and reported as missed."""


@dataclass(frozen=True, kw_only=True)
class Room:
    """How many more lanes a worker may serve, and which it serves already."""

    lanes: int
    per_tenant: int
    per_endpoint: int
    tenants: Mapping[str, int] = field(default_factory=dict)
    """How many lanes of each tenant are served now."""
    endpoints: Mapping[UUID, int] = field(default_factory=dict)
    """How many lanes of each endpoint are served now."""


class Lane(NamedTuple):
    """A lane on which this worker has a lease."""

    endpoint_id: UUID
    id: UUID
    """The match of the lane's events; for events of no match, their endpoint or the event itself."""
    lease: UUID
    tenant: str

    @property
    def key(self) -> tuple[UUID, UUID, UUID]:
        """Return the first three parameters of every statement about a leased lane."""
        return self.endpoint_id, self.id, self.lease


class Claim(NamedTuple):
    """The result of an attempt to lease lanes."""

    lanes: list[Lane]
    missed: bool
    """Whether some lanes were skipped because other workers had locked them at that moment."""


async def claim(connection: Connection, room: Room, lease: timedelta) -> Claim:
    """Take leases on lanes with due deliveries."""
    name = uuid4()
    values = (
        *(room.lanes, room.per_tenant, room.per_endpoint),
        *(list(room.endpoints), list(room.endpoints.values())),
        *(list(room.tenants), list(room.tenants.values())),
        *(lease, name),
    )
    rows = await (await connection.execute(CLAIM, values)).fetchall()
    lanes = [Lane(endpoint_id, lane, name, tenant) for endpoint_id, lane, tenant, is_ours in rows if is_ours]
    return Claim(lanes, missed=len(lanes) < len(rows))
