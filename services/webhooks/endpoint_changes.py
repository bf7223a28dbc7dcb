"""Creating, changing, deleting and disabling endpoints, each with an update of the tenant's recorded event types.

Each of these changes first locks the tenant's recorded event types, and computes them again at the end, so that two
simultaneous changes both count.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from services.movelog.events import EventType
from services.movelog.postgres.events import GATHER, LOCK
from services.postgres.database import Connection
from services.postgres.records import named_rows
from services.process.bounds import MAX_SECRET_GRACE
from services.webhooks.endpoints import ENDPOINT_COLUMNS, Endpoint, EndpointUnknown, endpoint_from
from services.webhooks.vault import Vault, new_secret

MAX_ENDPOINTS: Final = 20
"""Most endpoints of one tenant."""
DEFAULT_GRACE: Final = timedelta(hours=24)

_INSERT: Final = f"""
INSERT INTO webhook_endpoints (tenant, url, description, types, secret)
SELECT $1::text, $2::text, $3::text, $4::text[], $5::bytea
WHERE (SELECT count(*) FROM webhook_endpoints WHERE tenant = $1::text) < $6::int
RETURNING {ENDPOINT_COLUMNS}
"""  # noqa: S608 - columns of our own
_UPDATE: Final = f"""
UPDATE webhook_endpoints
SET url = coalesce($3::text, url), description = coalesce($4::text, description),
    types = coalesce($5::text[], types),
    state = CASE WHEN $6::boolean THEN 'enabled' WHEN NOT $6::boolean AND state = 'enabled' THEN 'disabled' ELSE state END,
    disabled_reason = CASE WHEN $6::boolean THEN '' ELSE disabled_reason END,
    disabled_at = CASE WHEN $6::boolean THEN NULL WHEN NOT $6::boolean THEN coalesce(disabled_at, now()) ELSE disabled_at END,
    failing_since = CASE WHEN $6::boolean OR $3::text <> url THEN NULL ELSE failing_since END,
    paused_until = CASE WHEN $6::boolean OR $3::text <> url THEN NULL ELSE paused_until END
WHERE id = $1::uuid AND tenant = $2::text
RETURNING {ENDPOINT_COLUMNS}
"""  # noqa: S608 - as above
_RESUME: Final = """
UPDATE webhook_lanes SET due_at = now() WHERE endpoint_id = $1::uuid AND lease IS NULL
"""
_ROTATE: Final = f"""
UPDATE webhook_endpoints SET secret = $3::bytea, old_secret = secret, old_secret_until = now() + $4::interval
WHERE id = $1::uuid AND tenant = $2::text
RETURNING {ENDPOINT_COLUMNS}
"""  # noqa: S608 - as above
_DELETE: Final = (
    "DELETE FROM webhook_endpoints WHERE id = $1::uuid AND tenant = $2::text RETURNING id",
    "DELETE FROM webhook_lanes WHERE endpoint_id = $1::uuid",
    "DELETE FROM webhook_deliveries WHERE endpoint_id = $1::uuid",
)
_GIVE_UP: Final = """
WITH given_up AS (
    UPDATE webhook_endpoints SET state = 'failed', disabled_reason = $3::text, disabled_at = now()
    WHERE id = $1::uuid AND tenant = $2::text AND state = 'enabled'
      AND ($5::timestamptz IS NULL OR failing_since <= $5::timestamptz) AND ($6::text IS NULL OR url = $6::text)
      AND ($7::int = 0 OR $7::int <= (
          SELECT sum(tries) FROM webhook_deliveries WHERE endpoint_id = $1::uuid AND state = 'pending'
      ))
    RETURNING id, tenant
), outbox AS (
    INSERT INTO events (tenant, recorded_at, type, endpoint_id)
    SELECT given_up.tenant, now(), $4::text, given_up.id
    FROM given_up JOIN recorded_events AS wanted ON wanted.tenant = given_up.tenant
    WHERE $4::text = ANY (wanted.types)
)
SELECT id FROM given_up
"""


class TooManyEndpoints(Exception):  # noqa: N818 - the name says what happened
    """The tenant already has MAX_ENDPOINTS endpoints."""


async def create_endpoint(
    connection: Connection,
    vault: Vault,
    tenant: str,
    url: str,
    types: Collection[EventType],
    *,
    description: str = "",
) -> tuple[Endpoint, str]:
    """Create an endpoint; return it and its secret, which is shown only this once.

    Raises TooManyEndpoints if the tenant has MAX_ENDPOINTS already.
    """
    secret = new_secret()
    async with _changing(connection, tenant):
        values = (tenant, url, description, sorted(types), vault.seal(secret), MAX_ENDPOINTS)
        rows = await named_rows(connection, _INSERT, values)
        if not rows:
            raise TooManyEndpoints(f"a tenant has at most {MAX_ENDPOINTS} endpoints")
    return endpoint_from(rows[0]), secret


async def update_endpoint(
    connection: Connection,
    tenant: str,
    endpoint_id: UUID,
    *,
    url: str | None = None,
    types: Collection[EventType] | None = None,
    description: str | None = None,
    enabled: bool | None = None,
) -> Endpoint:
    """Change what is given. If the endpoint is enabled or gets a URL, its pending deliveries are due at once.

    Raises EndpointUnknown if the tenant has no such endpoint.
    """
    wanted = None if types is None else sorted(types)
    async with _changing(connection, tenant):
        values = (endpoint_id, tenant, url, description, wanted, enabled)
        rows = await named_rows(connection, _UPDATE, values)
        if not rows:
            raise EndpointUnknown(f"no endpoint {endpoint_id}")
        if enabled or url is not None:
            await connection.execute(_RESUME, (endpoint_id,))
    return endpoint_from(rows[0])


async def rotate_secret(
    connection: Connection, vault: Vault, tenant: str, endpoint_id: UUID, *, grace: timedelta = DEFAULT_GRACE
) -> tuple[Endpoint, str]:
    """Give an endpoint a new secret; return both. The secret is shown only this once; the old one also signs for `grace`.

    Raises EndpointUnknown if the tenant has no such endpoint, ValueError if `grace` is out of range.
    """
    if not timedelta(0) <= grace <= MAX_SECRET_GRACE:
        raise ValueError(f"an old secret goes on for 0 to {MAX_SECRET_GRACE.days} days")
    secret = new_secret()
    values = (endpoint_id, tenant, vault.seal(secret), grace)
    rows = await named_rows(connection, _ROTATE, values)
    if not rows:
        raise EndpointUnknown(f"no endpoint {endpoint_id}")
    return endpoint_from(rows[0]), secret


async def delete_endpoint(connection: Connection, tenant: str, endpoint_id: UUID) -> None:
    """Delete an endpoint and its deliveries. Raises EndpointUnknown if the tenant has no such endpoint."""
    first, *rest = _DELETE
    async with _changing(connection, tenant):
        if await (await connection.execute(first, (endpoint_id, tenant))).fetchone() is None:
            raise EndpointUnknown(f"no endpoint {endpoint_id}")
        for statement in rest:
            await connection.execute(statement, (endpoint_id,))


async def give_up(
    connection: Connection,
    tenant: str,
    endpoint_id: UUID,
    reason: str,
    *,
    failing_since: datetime | None = None,
    url: str | None = None,
    tries: int = 0,
) -> bool:
    """Disable a failing endpoint and record an event of that for the tenant's others; return whether it was disabled.

    It must be enabled, and meet the given conditions. `failing_since`: nothing has arrived since then. `url`: this is
    still its URL. `tries`: its pending deliveries have failed that often in total.
    """
    async with _changing(connection, tenant):
        values = (endpoint_id, tenant, reason, EventType.ENDPOINT_DISABLED.value, failing_since, url, tries)
        return await (await connection.execute(_GIVE_UP, values)).fetchone() is not None


@asynccontextmanager
async def _changing(connection: Connection, tenant: str) -> AsyncIterator[None]:
    async with connection.transaction():
        await connection.execute(LOCK, (tenant,))
        yield
        await connection.execute(GATHER, (tenant,))
