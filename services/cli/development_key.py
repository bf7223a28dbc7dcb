"""The keys of a house on one machine: made at the first start, kept in the home, readable by their owner only."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from services.cli.home import read_secret, write_secret
from services.database import DatabaseSettings, open_pool
from services.platform.api_keys import issue_key
from services.platform.key_ring import KeyRing
from services.platform.scopes import Scope
from services.platform.tenants import create_tenant

TENANT: Final = "dev"
SCOPES: Final = frozenset(Scope)
"""Everything: a developer is the operator of the own house, too."""


async def ensure_development_key(database_url: str, place: Path) -> str:
    """Give the developer's key kept at `place`; it is good for everything."""
    return await ensure_key(database_url, place, SCOPES)


async def ensure_key(database_url: str, place: Path, scopes: frozenset[Scope]) -> str:
    """Give the key kept at `place` if it is good for all this; else make the tenant and a new key, and keep it."""
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
