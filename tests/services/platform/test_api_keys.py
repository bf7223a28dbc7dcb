"""Keys: issued once, looked up quickly, revoked for good, and never stored."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from services.identity.api_keys import KeyUnknown, TenantUnknown, issue_key, revoke_key
from services.identity.key_format import is_well_formed, new_key, shown_prefix
from services.identity.key_ring import REMEMBER_SECONDS, KeyRing
from services.identity.tenants import create_tenant
from services.postgres.database import Connection, DatabaseSettings, DatabaseUnavailable, Pool, open_pool


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
async def tenant(connection: Connection) -> str:
    await create_tenant(connection, "harbour")
    return "harbour"


@pytest.fixture
def queries(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How many look-ups have asked the database."""
    asked: list[bytes] = []
    original = KeyRing._ask

    async def counting(self: KeyRing, digest: bytes) -> object:
        asked.append(digest)
        return await original(self, digest)

    monkeypatch.setattr(KeyRing, "_ask", counting)
    return lambda: len(asked)


async def test_a_tenant_is_created_once(connection: Connection) -> None:
    assert await create_tenant(connection, "harbour")
    assert not await create_tenant(connection, "harbour")


@pytest.mark.parametrize("name", ["", "Harbour", "1st", "a b", "x" * 64, "a\0", "\N{DRAGON}", "harbour\n"])
async def test_a_tenant_has_a_plain_name(connection: Connection, name: str) -> None:
    with pytest.raises(ValueError, match="tenant id"):
        await create_tenant(connection, name)


async def test_an_issued_key_opens_the_door(connection: Connection, pool: Pool, tenant: str) -> None:
    record, key = await issue_key(connection, tenant, ["matches:write", "matches:read"])
    found = await KeyRing(pool).lookup(key)
    assert found == record
    assert found is not None
    assert (found.tenant, found.scopes) == ("harbour", {"matches:read", "matches:write"})


async def test_a_key_looks_like_a_key(connection: Connection, tenant: str) -> None:
    record, key = await issue_key(connection, tenant, ["matches:read"], environment="dev")
    assert re.fullmatch(r"ft_dev_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}", key)
    assert key.startswith(record.prefix)
    assert len(record.prefix) == len("ft_dev_") + 6


async def test_the_key_itself_is_stored_nowhere(connection: Connection, tenant: str) -> None:
    record, key = await issue_key(connection, tenant, ["matches:read"])
    cursor = await connection.execute("SELECT api_keys::text, encode(hash, 'escape') FROM api_keys")
    stored = str(await cursor.fetchall())
    assert key not in stored
    assert key.split("_")[2] not in stored
    assert key not in repr(record)


async def test_a_key_for_an_unknown_tenant_is_refused(connection: Connection) -> None:
    with pytest.raises(TenantUnknown):
        await issue_key(connection, "nobody", ["matches:read"])


@pytest.mark.parametrize(
    "scopes", [[], [""], ["matches"], ["Matches:read"], ["matches:"], ["matches:read", "*"]]
)
async def test_a_key_has_sensible_scopes(connection: Connection, tenant: str, scopes: list[str]) -> None:
    with pytest.raises(ValueError, match="scope"):
        await issue_key(connection, tenant, scopes)


@pytest.mark.parametrize("environment", ["", "l", "LIVE", "live!", "a_b", "waytoolong"])
def test_an_environment_is_a_short_word(environment: str) -> None:
    with pytest.raises(ValueError, match="environment"):
        new_key(environment)


async def test_a_stranger_s_key_is_not_found(pool: Pool, queries: Callable[[], int]) -> None:
    ring = KeyRing(pool)
    stranger = new_key("live")
    assert await ring.lookup(stranger) is None
    assert await ring.lookup(stranger) is None
    assert queries() == 1, "the second time it is remembered"


@pytest.mark.parametrize(
    "garbage",
    [
        "",
        "ft_live_",
        "x" * 10_000,
        "ft_live_" + "0" * 32 + "_000000",
        "\N{DRAGON}" * 40,
        "ft_live_" + "\N{ARABIC-INDIC DIGIT ONE}" * 32 + "_000000",
        "\0",
        "\ud800",
    ],
)
async def test_garbage_is_turned_away_without_a_query(
    pool: Pool, queries: Callable[[], int], garbage: str
) -> None:
    assert await KeyRing(pool).lookup(garbage) is None
    assert queries() == 0


def test_any_changed_character_spoils_the_checksum() -> None:
    key = new_key("live")
    assert is_well_formed(key)
    for place, character in enumerate(key):
        other = "x" if character != "x" else "y"
        assert not is_well_formed(key[:place] + other + key[place + 1 :]), place
    for wrong in (key + "\n", key + " ", " " + key, key[:-1], key.upper()):
        assert not is_well_formed(wrong)


def test_keys_differ_and_only_their_beginning_is_shown() -> None:
    keys = {new_key("test") for _ in range(100)}
    assert len(keys) == 100
    key = keys.pop()
    assert shown_prefix(key) == key[: len("ft_test_") + 6]


async def test_a_found_key_is_remembered_for_a_while(
    connection: Connection, pool: Pool, tenant: str, queries: Callable[[], int]
) -> None:
    _, key = await issue_key(connection, tenant, ["matches:read"])
    clock = Clock()
    ring = KeyRing(pool, clock=clock)
    for _ in range(3):
        assert await ring.lookup(key) is not None
    assert queries() == 1
    clock.now = REMEMBER_SECONDS
    assert await ring.lookup(key) is not None
    assert queries() == 2


async def test_a_revoked_key_is_good_no_longer_than_it_is_remembered(
    connection: Connection, pool: Pool, tenant: str
) -> None:
    record, key = await issue_key(connection, tenant, ["matches:read"])
    clock = Clock()
    ring = KeyRing(pool, clock=clock)
    assert await ring.lookup(key) is not None
    revoked = await revoke_key(connection, record.id)
    assert revoked.revoked_at is not None
    assert await revoke_key(connection, record.id) == revoked
    with pytest.raises(KeyUnknown):
        await revoke_key(connection, uuid4())
    assert await KeyRing(pool).lookup(key) is None
    clock.now = REMEMBER_SECONDS
    assert await ring.lookup(key) is None


async def test_the_memory_is_bounded_and_guesses_push_out_no_good_key(
    connection: Connection, pool: Pool, tenant: str, queries: Callable[[], int]
) -> None:
    _, key = await issue_key(connection, tenant, ["matches:read"])
    ring = KeyRing(pool, most=5)
    assert await ring.lookup(key) is not None
    for _ in range(20):
        assert await ring.lookup(new_key("live")) is None
    assert len(ring._not_found) == 5
    before = queries()
    assert await ring.lookup(key) is not None
    assert queries() == before


async def test_without_a_database_the_ring_says_so_and_remembers_nothing(tmp_path: Path) -> None:
    nowhere = DatabaseSettings(f"host={tmp_path} dbname=nothing", pool_seconds=0.2)
    pool = await open_pool(nowhere, name="test", most=1)
    ring = KeyRing(pool)
    with pytest.raises(DatabaseUnavailable):
        await ring.lookup(new_key("live"))
    assert len(ring._not_found) == 0
    await pool.close()


async def test_a_hash_belongs_to_one_key(connection: Connection, tenant: str) -> None:
    await issue_key(connection, tenant, ["matches:read"])
    with pytest.raises(psycopg.errors.UniqueViolation):
        await connection.execute(
            "INSERT INTO api_keys (tenant, prefix, hash, scopes) SELECT tenant, prefix, hash, scopes FROM api_keys"
        )
