"""Tenants: the platforms that use the service. They never see each other."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, Final

import msgspec

from services.postgres.database import Connection

TENANT_ID: Final = re.compile(r"[a-z][a-z0-9_-]{0,62}")
"""The form of a tenant's id: short and plain, since it appears in logs and metrics."""
_COLUMNS: Final = "id, created_at, anonymous_read, vacation_days"


class TenantUnknown(Exception):  # noqa: N818 - the name says what happened
    """No tenant has this id."""


class Tenant(msgspec.Struct, frozen=True, kw_only=True):
    """A platform."""

    id: str
    created_at: datetime
    anonymous_read: bool = False
    """Whether anybody may read its public matches, without a credential."""
    vacation_days: int = 0
    """For how many days of a calendar month (UTC) a player may announce vacations; 0: players may announce none themselves."""


async def create_tenant(connection: Connection, tenant: str) -> Tenant | None:
    """Create a tenant and return it; None if the id is taken. Raises ValueError if the id is invalid."""
    if TENANT_ID.fullmatch(tenant) is None:
        raise ValueError("a tenant id is a letter and up to 62 letters, digits, _ and -, all lower case")
    cursor = await connection.execute(
        "INSERT INTO tenants (id) VALUES ($1::text) ON CONFLICT DO NOTHING RETURNING created_at", (tenant,)
    )
    row = await cursor.fetchone()
    return None if row is None else Tenant(id=tenant, created_at=row[0])


async def list_tenants(connection: Connection, *, after: str = "", limit: int) -> list[Tenant]:
    """Return the tenants whose ids come after an id, in the order of their ids."""
    cursor = await connection.execute(
        f"SELECT {_COLUMNS} FROM tenants WHERE id > $1::text ORDER BY id LIMIT $2::int",  # noqa: S608 - only column names of ours
        (after, limit),
    )
    return [_tenant_of(row) for row in await cursor.fetchall()]


async def update_tenant(
    connection: Connection,
    tenant: str,
    *,
    anonymous_read: bool | None = None,
    vacation_days: int | None = None,
) -> Tenant:
    """Change a tenant's settings and return it; None leaves a setting unchanged. Raises TenantUnknown."""
    cursor = await connection.execute(
        "UPDATE tenants SET anonymous_read = coalesce($2::boolean, anonymous_read), "  # noqa: S608 - as above
        "vacation_days = coalesce($3::int2, vacation_days) "
        f"WHERE id = $1::text RETURNING {_COLUMNS}",
        (tenant, anonymous_read, vacation_days),
    )
    row = await cursor.fetchone()
    if row is None:
        raise TenantUnknown(f"no tenant {tenant!r}")
    return _tenant_of(row)


async def find_tenant(connection: Connection, tenant: str) -> Tenant:
    """Return a tenant. Raises TenantUnknown if there is none of that id."""
    cursor = await connection.execute(
        f"SELECT {_COLUMNS} FROM tenants WHERE id = $1::text",  # noqa: S608 - as above
        (tenant,),
    )
    row = await cursor.fetchone()
    if row is None:
        raise TenantUnknown(f"no tenant {tenant!r}")
    return _tenant_of(row)


def _tenant_of(row: tuple[Any, ...]) -> Tenant:
    tenant, created_at, anonymous_read, vacation_days = row
    return Tenant(
        id=tenant, created_at=created_at, anonymous_read=anonymous_read, vacation_days=vacation_days
    )


async def tenant_exists(connection: Connection, tenant: str) -> bool:
    """Return whether there is a tenant of that id."""
    cursor = await connection.execute("SELECT 1 FROM tenants WHERE id = $1::text", (tenant,))
    return await cursor.fetchone() is not None
