"""A rules server, a gateway before it, and callers of both kinds. Everything is real: processes, sockets, Postgres."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tests.gateway.small_server import SmallServer
from tests.gateway.table import Platform, Player, Table
from tests.support.deployment import ANY_PORT
from tests.support.processes import Process
from tests.support.several_of_each import Several, several_of_each

GAMES = ("river_dragons",)
OF_RULES_SERVERS = {"export_issuer": "https://play.example"}


@dataclass(frozen=True)
class World:
    """What the tests of this folder share."""

    several: Several

    @property
    def database_url(self) -> str:
        return self.several.database_url

    @property
    def folder(self) -> Path:
        return self.several.folder

    @property
    def rules(self) -> Process:
        return self.several.rules[0]

    @property
    def rules_address(self) -> str:
        return self.several.rules_addresses[0]

    @property
    def gateway(self) -> Process:
        return self.several.gateways[0]

    @property
    def url(self) -> str:
        return self.several.urls[0]

    @property
    def key(self) -> str:
        return self.several.keys["tenant"]

    @property
    def foreign_key(self) -> str:
        return self.several.keys["foreign"]

    @property
    def operator_key(self) -> str:
        return self.several.keys["operator"]

    @property
    def platform_address(self) -> str:
        return self.several.platform_address

    def gateway_settings(self, rules_address: str) -> dict[str, str]:
        """Settings of one more gateway."""
        return self.several.deployment.gateway(
            rules_address, self.platform_address, games=GAMES, drain_seconds="5"
        )

    def platform_settings(self) -> dict[str, str]:
        """Settings of one more platform service on the same database."""
        return self.several.deployment.platform()

    def rules_settings(self, listen: str = ANY_PORT) -> dict[str, str]:
        """Settings of one more rules server on the same database."""
        return self.several.deployment.rules(listen=listen, **OF_RULES_SERVERS)


@pytest.fixture(scope="package")
def world(
    postgres_url: str, template_database: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[World]:
    """One rules server and one gateway for all tests of this folder; every test makes matches of its own."""
    folder = tmp_path_factory.mktemp("gateway")
    with several_of_each(
        postgres_url,
        template_database,
        folder,
        replicas=1,
        games=GAMES,
        rules_settings=OF_RULES_SERVERS,
        cors_origins="https://play.example",
    ) as several:
        yield World(several)
        for process in (*several.gateways, several.platform, *several.rules):
            assert process.stop() == 0


@pytest.fixture(scope="package")
def anybody(world: World) -> Iterator[httpx.Client]:
    """A caller without a credential."""
    with httpx.Client(base_url=world.url, timeout=30) as client:
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
    """Whoever runs the system."""
    with Platform(world.url, world.operator_key) as system:
        yield system


@pytest.fixture
async def server() -> AsyncIterator[SmallServer]:
    """A server that breaks, stalls and stays silent on demand."""
    small = SmallServer()
    await small.start()
    yield small
    await small.stop()


@pytest.fixture
def table(platform: Platform) -> Iterator[Table]:
    """A fresh match of two, with a client for each seat, who has looked at the table, as clients do before they move."""
    with platform.new_table() as fresh:
        for one in fresh.players:
            assert one.look("view").status_code == 200
        yield fresh


@pytest.fixture
def player(table: Table) -> Player:
    """The player in seat 0 of a fresh match."""
    return table.players[0]
