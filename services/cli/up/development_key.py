"""The keys of a system on one machine: created at the first start, stored in the home, readable only by their owner."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from services.cli.up.home import read_secret, write_secret
from services.identity.api_keys import issue_key
from services.identity.key_ring import KeyRing
from services.identity.scopes import Scope
from services.identity.tenants import create_tenant
from services.postgres.database import DatabaseSettings, open_pool

TENANT: Final = "dev"
SCOPES: Final = frozenset(Scope)
"""All scopes: a developer also operates the local system."""


async def ensure_development_key(database_url: str, place: Path) -> str:
    """Return the developer's key stored at `place`; it has every scope."""
    return await ensure_key(database_url, place, SCOPES)


async def ensure_key(database_url: str, place: Path, scopes: frozenset[Scope]) -> str:
    """Return the key stored at `place` if it has these scopes; else create the tenant and a new key, and store it."""
    pool = await open_pool(DatabaseSettings(database_url), name="foldtable up", most=1)
    try:
        kept = read_secret(place)
        known = await KeyRing(pool).lookup(kept) if kept else None
        if known is not None and known.scopes >= scopes and not known.has_expired(datetime.now(UTC)):
            return kept
        async with pool.connection() as connection:
            await create_tenant(connection, TENANT)
            _, key = await issue_key(connection, TENANT, scopes, environment="dev")
        write_secret(place, key + "\n")
        return key
    finally:
        await pool.close()
