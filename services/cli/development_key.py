"""The key a developer works with: made at the first start, kept in the home, readable by its owner only."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from services.cli.home import read_secret, write_secret
from services.database import DatabaseSettings, open_pool
from services.platform.api_keys import issue_key
from services.platform.key_ring import KeyRing
from services.platform.tenants import create_tenant

TENANT: Final = "dev"
SCOPES: Final = frozenset({"matches:read", "matches:write"})


async def ensure_development_key(database_url: str, place: Path) -> str:
    """Give the key kept at `place` if this database knows it; else make the tenant and a new key, and keep it."""
    pool = await open_pool(DatabaseSettings(database_url), name="foldtable up", most=1)
    try:
        kept = read_secret(place)
        if kept and await KeyRing(pool).lookup(kept) is not None:
            return kept
        async with pool.connection() as connection:
            await create_tenant(connection, TENANT)
            _, key = await issue_key(connection, TENANT, SCOPES, environment="dev")
        write_secret(place, key + "\n")
        return key
    finally:
        await pool.close()
