"""`foldtable key`: a key for a platform, shown once."""

from __future__ import annotations

import asyncio
from typing import Any

from services.database import DatabaseSettings, open_pool
from services.platform.key_ring import KeyRing


async def tenant_of(database_url: str, key: str) -> str | None:
    pool = await open_pool(DatabaseSettings(database_url), name="test", most=1)
    try:
        found = await KeyRing(pool).lookup(key)
    finally:
        await pool.close()
    return found.tenant if found else None


def test_a_key_is_good_for_its_tenant(foldtable: Any, database_url: str) -> None:
    done = foldtable("key", "acme", FOLDTABLE_DATABASE_URL=database_url)
    assert done.exit_code == 0
    key = done.stdout.strip()
    assert key.startswith("ft_live_")
    assert asyncio.run(tenant_of(database_url, key)) == "acme"


def test_a_second_key_of_a_tenant_is_another_one(foldtable: Any, database_url: str) -> None:
    keys = {foldtable("key", "acme", FOLDTABLE_DATABASE_URL=database_url).stdout for _ in range(2)}
    assert len(keys) == 2


def test_a_tenant_that_cannot_be_one_is_refused(foldtable: Any, database_url: str) -> None:
    done = foldtable("key", "Not A Tenant", FOLDTABLE_DATABASE_URL=database_url)
    assert done.exit_code == 1
    assert "tenant id" in done.stderr


def test_without_a_database_it_says_so(foldtable: Any) -> None:
    done = foldtable("key", "acme", FOLDTABLE_DATABASE_URL="")
    assert done.exit_code == 2
    assert "FOLDTABLE_DATABASE_URL" in done.stderr
