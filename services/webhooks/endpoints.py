"""Reads webhook endpoints from the database; endpoint_changes.py changes them."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final
from uuid import UUID

import msgspec

from services.postgres.database import Connection
from services.postgres.records import Reader, named_rows

ENDPOINT_COLUMNS: Final = (
    "id, tenant, url, description, types, state, disabled_reason, disabled_at, created_at, failing_since, "
    "CASE WHEN old_secret_until > now() THEN old_secret_until END AS old_secret_until"
)
"""Named as the fields of Endpoint; `endpoint_from` reads them."""


class EndpointUnknown(Exception):  # noqa: N818 - the name says what happened
    """No endpoint has this id, or it is another tenant's."""


class EndpointState(StrEnum):
    ENABLED = "enabled"
    DISABLED = "disabled"
    """Disabled by its tenant."""
    FAILED = "failed"
    """Disabled by the worker, because nothing arrived for too long, or because it answered 410 Gone."""


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """An endpoint, without its secrets."""

    id: UUID
    tenant: str
    url: str
    description: str
    types: tuple[str, ...]
    state: EndpointState
    disabled_reason: str
    """Why the worker gave it up; empty if it did not."""
    disabled_at: datetime | None
    created_at: datetime
    failing_since: datetime | None
    """Since when nothing has arrived; None: it is not failing."""
    old_secret_until: datetime | None
    """How long requests are also signed with the old secret; None: only with the present one."""


endpoint_from: Final = Reader(Endpoint, types=tuple, state=EndpointState)
"""Reads a row of ENDPOINT_COLUMNS."""


async def find_endpoint(connection: Connection, tenant: str, endpoint_id: UUID) -> Endpoint:
    """Return an endpoint. Raises EndpointUnknown if the tenant has no such endpoint."""
    rows = await named_rows(
        connection,
        f"SELECT {ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE id = $1::uuid AND tenant = $2::text",  # noqa: S608 - columns of our own
        (endpoint_id, tenant),
    )
    if not rows:
        raise EndpointUnknown(f"no endpoint {endpoint_id}")
    return endpoint_from(rows[0])


async def list_endpoints(connection: Connection, tenant: str) -> list[Endpoint]:
    """Return a tenant's endpoints, oldest first; there are never many."""
    rows = await named_rows(
        connection,
        f"SELECT {ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE tenant = $1::text ORDER BY created_at, id",  # noqa: S608 - as above
        (tenant,),
    )
    return [endpoint_from(row) for row in rows]
