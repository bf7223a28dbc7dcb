"""Webhook endpoints in the database: found and listed. endpoint_changes.py changes them."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

import msgspec

from services.database import Connection

ENDPOINT_COLUMNS: Final = (
    "id, tenant, url, description, types, state, disabled_reason, disabled_at, created_at, failing_since, "
    "CASE WHEN old_secret_until > now() THEN old_secret_until END"
)
"""In the order of `endpoint_from`."""


class EndpointUnknown(Exception):  # noqa: N818 - the name says what happened
    """No endpoint has this id, or it is another tenant's."""


class EndpointState(StrEnum):
    ENABLED = "enabled"
    DISABLED = "disabled"
    """By its tenant."""
    FAILED = "failed"
    """Given up, because nothing arrived for too long."""


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """An endpoint, without its secrets."""

    id: UUID
    tenant: str
    url: str
    description: str
    types: tuple[str, ...]
    state: EndpointState
    disabled_reason: str
    """Why it was given up."""
    disabled_at: datetime | None
    created_at: datetime
    failing_since: datetime | None
    """None: what was sent last has arrived."""
    old_secret_until: datetime | None
    """None: there is one secret only."""


def endpoint_from(row: tuple[Any, ...]) -> Endpoint:
    """Read a row of ENDPOINT_COLUMNS."""
    return Endpoint(
        id=row[0],
        tenant=row[1],
        url=row[2],
        description=row[3],
        types=tuple(row[4]),
        state=EndpointState(row[5]),
        disabled_reason=row[6],
        disabled_at=row[7],
        created_at=row[8],
        failing_since=row[9],
        old_secret_until=row[10],
    )


async def find_endpoint(connection: Connection, tenant: str, endpoint_id: UUID) -> Endpoint:
    """Give an endpoint; EndpointUnknown."""
    cursor = await connection.execute(
        f"SELECT {ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE id = $1::uuid AND tenant = $2::text",  # noqa: S608 - columns of our own
        (endpoint_id, tenant),
    )
    row = await cursor.fetchone()
    if row is None:
        raise EndpointUnknown(f"no endpoint {endpoint_id}")
    return endpoint_from(row)


async def list_endpoints(connection: Connection, tenant: str) -> list[Endpoint]:
    """Give a tenant's endpoints, oldest first; there are never many."""
    cursor = await connection.execute(
        f"SELECT {ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE tenant = $1::text ORDER BY created_at, id",  # noqa: S608 - as above
        (tenant,),
    )
    return [endpoint_from(row) for row in await cursor.fetchall()]
