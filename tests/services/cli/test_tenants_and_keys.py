"""`foldtable tenants` and `foldtable keys`: accounts from a prompt."""

from __future__ import annotations

import asyncio
import os
import re
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from services.cli.up.home import Home, Part, Running, write_secret
from services.identity.api_keys import ApiKey
from services.identity.key_ring import KeyRing
from services.postgres.database import DatabaseSettings, open_pool


@pytest.fixture
def at_home(foldtable: Any, database_url: str) -> Any:
    """Call the command line with a database, and give what it prints."""

    def run(*words: str, fails: str = "") -> str:
        done = foldtable(*words, FOLDTABLE_DATABASE_URL=database_url)
        assert done.exit_code == (1 if fails else 0), done.stderr
        assert fails in done.stderr
        return done.stdout.strip()

    return run


@pytest.fixture
def acme(at_home: Any) -> str:
    at_home("tenants", "create", "acme")
    return "acme"


def record_of(database_url: str, key: str) -> ApiKey | None:
    async def look() -> ApiKey | None:
        pool = await open_pool(DatabaseSettings(database_url), name="test", most=1)
        async with pool:
            return await KeyRing(pool).lookup(key)

    return asyncio.run(look())


def ids(listed: str) -> list[str]:
    return re.findall(r"^[0-9a-f]{8}-[0-9a-f-]{27}", listed, flags=re.MULTILINE)


def test_a_tenant_is_created_once_and_listed(at_home: Any) -> None:
    assert "foldtable keys create acme" in at_home("tenants", "create", "acme")
    at_home("tenants", "create", "acme", fails="the tenant acme already exists")
    at_home("tenants", "create", "Not A Tenant", fails="tenant id")
    at_home("tenants", "create", "abc")
    assert [line.split("\t")[0] for line in at_home("tenants", "list").splitlines()] == ["abc", "acme"]


def test_a_key_stands_alone_on_standard_output(at_home: Any, acme: str, database_url: str) -> None:
    key = at_home("keys", "create", acme)
    assert re.fullmatch(r"ft_live_\w+", key)
    found = record_of(database_url, key)
    assert found is not None
    assert (found.tenant, found.scopes) == ("acme", {"matches:read", "matches:write"})


def test_a_key_has_the_scopes_the_label_and_the_life_it_was_asked_for(
    at_home: Any, acme: str, database_url: str
) -> None:
    wanted = ("--scope", "keys:write", "--scope", "matches:read", "--label", "lobby", "--days", "7")
    found = record_of(database_url, at_home("keys", "create", acme, *wanted, "--environment", "dev"))
    assert found is not None
    assert (found.scopes, found.label) == ({"keys:write", "matches:read"}, "lobby")
    assert found.expires_at is not None
    assert round((found.expires_at - found.created_at).total_seconds() / 3600) == 7 * 24
    assert found.prefix.startswith("ft_dev_")


def test_a_key_for_nobody_is_refused(at_home: Any) -> None:
    at_home("keys", "create", "nobody", fails="no tenant")


def test_a_key_for_a_new_tenant_creates_it(at_home: Any, database_url: str) -> None:
    keys = [at_home("keys", "create", "new", "--new-tenant") for _ in range(2)]
    assert len(set(keys)) == 2
    for key in keys:
        found = record_of(database_url, key)
        assert found is not None
        assert found.tenant == "new"
    at_home("keys", "create", "Not A Tenant", "--new-tenant", fails="tenant id")


def test_keys_are_listed_without_themselves(at_home: Any, acme: str) -> None:
    keys = [at_home("keys", "create", acme, "--label", f"number {number}") for number in range(2)]
    listed = at_home("keys", "list", acme)
    assert [line.split("\t")[3] for line in listed.splitlines()] == ["number 0", "number 1"]
    assert not any(key in listed for key in keys)


def test_a_rotated_key_goes_on_for_a_while(at_home: Any, acme: str, database_url: str) -> None:
    old = at_home("keys", "create", acme)
    (key_id,) = ids(at_home("keys", "list", acme))
    new = at_home("keys", "rotate", key_id, "--grace-hours", "1")
    found = record_of(database_url, new)
    assert found is not None
    assert str(found.replaces) == key_id
    before = record_of(database_url, old)
    assert before is not None
    assert before.expires_at is not None
    assert 0 < (before.expires_at - found.created_at).total_seconds() <= 3600


def test_a_revoked_key_is_over(at_home: Any, acme: str, database_url: str) -> None:
    key = at_home("keys", "create", acme)
    (key_id,) = ids(at_home("keys", "list", acme))
    assert "is revoked" in at_home("keys", "revoke", key_id)
    assert record_of(database_url, key) is None
    assert "revoked" in at_home("keys", "list", acme)
    at_home("keys", "rotate", key_id, fails="expired or was revoked")
    at_home("keys", "revoke", str(uuid4()), fails="no key")


def test_the_system_that_runs_here_is_meant_where_no_database_is_named(
    foldtable: Any, tmp_path: Path, database_url: str
) -> None:
    home = Home(tmp_path)
    home.write_running(Running(os.getpid(), "http://127.0.0.1:1", (Part("postgres", 1, database_url),)))
    done = foldtable("tenants", "create", "acme", "--home", tmp_path, FOLDTABLE_DATABASE_URL="")
    assert done.exit_code == 0, done.stderr


def test_the_development_key_is_shown_while_its_system_runs(foldtable: Any, tmp_path: Path) -> None:
    home = Home(tmp_path)
    write_secret(home.development_key, "ft_dev_x\n")
    stopped = foldtable("keys", "development", "--home", tmp_path)
    assert (stopped.exit_code, stopped.stdout) == (2, "")
    assert "no system runs" in stopped.stderr
    home.write_running(Running(os.getpid(), "http://127.0.0.1:1", ()))
    assert foldtable("keys", "development", "--home", tmp_path).stdout == "ft_dev_x\n"


def test_without_a_database_it_says_so(foldtable: Any, tmp_path: Path) -> None:
    for words in (("tenants", "list"), ("keys", "list", "acme")):
        done = foldtable(*words, "--home", tmp_path, FOLDTABLE_DATABASE_URL="")
        assert done.exit_code == 2
        assert "FOLDTABLE_DATABASE_URL" in done.stderr
