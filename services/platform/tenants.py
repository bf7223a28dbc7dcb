"""Tenants: the platforms that use the service. They never see each other."""

from __future__ import annotations

import re
from typing import Final

from services.database import Connection

TENANT_ID: Final = re.compile(r"[a-z][a-z0-9_-]{0,62}")
"""What a tenant may be called: it stands in logs and metrics, so it is short and plain."""


async def create_tenant(connection: Connection, tenant: str) -> bool:
    """Create a tenant; say whether it is new. ValueError for a name that cannot be one."""
    if TENANT_ID.fullmatch(tenant) is None:
        raise ValueError("a tenant id is a letter and up to 62 letters, digits, _ and -, all lower case")
    cursor = await connection.execute(
        "INSERT INTO tenants (id) VALUES ($1::text) ON CONFLICT DO NOTHING", (tenant,)
    )
    return cursor.rowcount == 1
