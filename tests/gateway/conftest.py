"""A rules server, a gateway before it, and callers of both kinds. Everything is real: processes, sockets, Postgres."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

import httpx
import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from services.database import DatabaseSettings, open_pool
from services.platform.api_keys import issue_key
from services.platform.signing_keys import write_key_pair
from services.platform.tenants import create_tenant
from services.webhooks.vault import write_webhook_key
from tests.gateway.processes import Process
from tests.gateway.small_server import SmallServer
from tests.gateway.table import Platform, Player, Table
from tests.support.own_databases import drop_database


@dataclass(frozen=True)
class World:
    """What the tests of this folder share."""

    database_url: str
    folder: Path
    rules: Process
    rules_address: str
    gateway: Process
    url: str
    key: str
    foreign_key: str
    operator_key: str
    platform_address: str

    def gateway_settings(self, rules_address: str) -> dict[str, str]:
        """Settings of one more gateway."""
        return {
            "rules": f"river_dragons={rules_address}",
            "platform": self.platform_address,
            "token_public_key_file": str(self.folder / "token_public.pem"),
            "http_listen": "127.0.0.1:0",
            "drain_seconds": "5",
        }

    def platform_settings(self) -> dict[str, str]:
        """Settings of one more platform service on the same database."""
        return {
            "database_url": self.database_url,
            "listen": "127.0.0.1:0",
            "token_public_key_file": str(self.folder / "token_public.pem"),
            "webhook_key_file": str(self.folder / "webhook_key"),
            "webhook_loopback": "true",
            "drain_seconds": "2",
        }

    def rules_settings(self, listen: str = "127.0.0.1:0") -> dict[str, str]:
        """Settings of one more rules server on the same database."""
        return {
            "database_url": self.database_url,
            "listen": listen,
            "token_private_key_file": str(self.folder / "token_private.pem"),
            "drain_seconds": "2",
        }


@pytest.fixture(scope="package")
def world(
    postgres_url: str, template_database: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[World]:
    """One rules server and one gateway for all tests of this folder; every test makes matches of its own."""
    folder = tmp_path_factory.mktemp("gateway")
    write_key_pair(folder / "token_private.pem", folder / "token_public.pem")
    write_webhook_key(folder / "webhook_key")
    name = f"foldtable_gateway_{uuid4().hex[:12]}"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template_database}")
    database_url = make_conninfo(postgres_url, dbname=name)
    key, foreign_key, operator_key = asyncio.run(_keys(database_url))
    made = World(database_url, folder, None, "", None, "", key, foreign_key, operator_key, "")  # type: ignore[arg-type]
    with (
        Process("services.rules", folder / "rules.log", **made.rules_settings()) as rules,
        Process("services.platform", folder / "platform.log", **made.platform_settings()) as platform_service,
    ):
        rules_address = rules.start()
        made = replace(made, platform_address=platform_service.start())
        with Process(
            "gateway",
            folder / "gateway.log",
            cors_origins="https://play.example",
            log_level="debug",
            **made.gateway_settings(rules_address),
        ) as gateway:
            url = gateway.start()
            yield replace(made, rules=rules, rules_address=rules_address, gateway=gateway, url=url)
            assert gateway.stop() == 0
            assert platform_service.stop() == 0
            assert rules.stop() == 0
    drop_database(postgres_url, name)


async def _keys(database_url: str) -> list[str]:
    pool = await open_pool(DatabaseSettings(database_url), name="tests", most=1)
    async with pool, pool.connection() as connection:
        keys = []
        for tenant, scopes in (
            ("ours", ["matches:write"]),
            ("theirs", ["matches:write"]),
            ("house", ["tenants:admin"]),
        ):
            await create_tenant(connection, tenant)
            keys.append((await issue_key(connection, tenant, scopes, environment="dev"))[1])
    return keys


@pytest.fixture(scope="package")
def anybody(world: World) -> Iterator[httpx.Client]:
    """A caller without a credential."""
    with httpx.Client(base_url=world.url, timeout=10) as client:
        yield client


@pytest.fixture(scope="package")
def platform(world: World) -> Iterator[Platform]:
    """A tenant with its API key."""
    with Platform(world.url, world.key) as tenant:
        yield tenant


@pytest.fixture(scope="package")
def foreign_platform(world: World) -> Iterator[Platform]:
    """Another tenant."""
    with Platform(world.url, world.foreign_key) as tenant:
        yield tenant


@pytest.fixture(scope="package")
def operator(world: World) -> Iterator[Platform]:
    """Whoever runs the house."""
    with Platform(world.url, world.operator_key) as house:
        yield house


@pytest.fixture
async def server() -> AsyncIterator[SmallServer]:
    """A server that breaks, stalls and stays silent on demand."""
    small = SmallServer()
    await small.start()
    yield small
    await small.stop()


@pytest.fixture
def table(platform: Platform) -> Iterator[Table]:
    """A fresh match of two, with a client for each seat."""
    with platform.new_table() as fresh:
        yield fresh


@pytest.fixture
def player(table: Table) -> Player:
    """The player in seat 0 of a fresh match."""
    return table.players[0]
