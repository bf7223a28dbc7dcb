"""API keys in the database: issued, revoked. Their look-up is `key_ring.KeyRing`."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec
from psycopg.errors import ForeignKeyViolation

from services.database import Connection
from services.platform.key_format import hash_of, new_key, shown_prefix

SCOPE: Final = re.compile(r"[a-z]+(?::[a-z]+)?")
"""What a key is good for, such as `matches:write`."""


class TenantUnknown(Exception):  # noqa: N818 - the name says what happened
    """No tenant has this id."""


class ApiKey(msgspec.Struct, frozen=True, kw_only=True):
    """A key, as far as we know it: never the key itself."""

    id: UUID
    tenant: str
    prefix: str
    """Its first characters, to tell keys apart."""
    scopes: frozenset[str]
    created_at: datetime
    revoked_at: datetime | None = None


async def issue_key(
    connection: Connection, tenant: str, scopes: Collection[str], *, environment: str = "live"
) -> tuple[ApiKey, str]:
    """Issue a key; give its record and the key, which is shown this once and stored nowhere.

    Raises TenantUnknown; ValueError for a scope or an environment that cannot be one.
    """
    if not scopes or not all(SCOPE.fullmatch(scope) for scope in scopes):
        raise ValueError("a key has at least one scope, each like `matches` or `matches:write`")
    key = new_key(environment)
    prefix = shown_prefix(key)
    try:
        cursor = await connection.execute(
            "INSERT INTO api_keys (tenant, prefix, hash, scopes) "
            "VALUES ($1::text, $2::text, $3::bytea, $4::text[]) RETURNING id, created_at",
            (tenant, prefix, hash_of(key), sorted(set(scopes))),
        )
    except ForeignKeyViolation:
        raise TenantUnknown(f"no tenant {tenant!r}") from None
    row = await cursor.fetchone()
    assert row is not None
    record = ApiKey(id=row[0], tenant=tenant, prefix=prefix, scopes=frozenset(scopes), created_at=row[1])
    return record, key


async def revoke_key(connection: Connection, key_id: UUID) -> bool:
    """Revoke a key for good; say whether it was valid until now. Key rings forget it within their time to live."""
    cursor = await connection.execute(
        "UPDATE api_keys SET revoked_at = now() WHERE id = $1::uuid AND revoked_at IS NULL", (key_id,)
    )
    return cursor.rowcount == 1
