"""Several of everything, in processes of their own: gateways, rules servers, a platform service, one Postgres.

For tests; used by name. `running_house` is the same as `foldtable up` starts it; here there are replicas, and each of
them can be killed and started again where it was.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import httpx
import psycopg
from psycopg.conninfo import make_conninfo

from engine.registry import GAMES
from services.database import DatabaseSettings, open_pool
from services.platform.api_keys import issue_key, revoke_key, rotate_key
from services.platform.match_tokens import MatchTokens
from services.platform.signing_keys import read_private_key, write_key_pair
from services.platform.tenants import create_tenant
from services.webhooks.vault import write_webhook_key
from tests.gateway.processes import Process
from tests.support.own_databases import drop_database

OURS: Final = "ours"
THEIRS: Final = "theirs"
HOUSE: Final = "house"
"""Three tenants; the last is whoever runs the house."""
KEYS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "tenant": (OURS, ("matches:write",)),
    "read_only": (OURS, ("matches:read",)),
    "manager": (OURS, ("keys:write", "webhooks:write")),
    "bots": (OURS, ("bots:play",)),
    "foreign": (THEIRS, ("matches:write",)),
    "foreign_read": (THEIRS, ("matches:read",)),
    "foreign_manager": (THEIRS, ("keys:write", "webhooks:write")),
    "operator": (HOUSE, ("tenants:admin",)),
    "revoked_key": (OURS, ("matches:write", "keys:write")),
    "expired_key": (OURS, ("matches:write", "keys:write")),
}
"""A key of each kind: its tenant and its scopes. The last two are good no longer."""


@dataclass
class Several:
    """What runs, and whom it knows."""

    folder: Path
    database_url: str
    tokens: MatchTokens
    """Mints with the rules servers' own private key."""
    keys: dict[str, str]
    platform: Process
    platform_address: str
    rules: list[Process]
    rules_addresses: list[str]
    gateways: list[Process]
    urls: list[str]
    gateway_settings: dict[str, str]

    def client(self, credential: str | None, *, gateway: int = 0, **more: Any) -> httpx.Client:
        """Give a client of a gateway, with a credential or with none."""
        headers = {"authorization": f"Bearer {credential}"} if credential else {}
        # It is plain HTTP: loading certificates would take longer than most tests.
        more = {"timeout": 20, "verify": False, "trust_env": False} | more
        return httpx.Client(base_url=self.urls[gateway], headers=headers, **more)

    @property
    def key(self) -> str:
        """The key of a tenant that plays."""
        return self.keys["tenant"]

    @contextmanager
    def another_gateway(self, name: str, **settings: str) -> Iterator[str]:
        """Start one more gateway, with settings of its own; give its address."""
        settings = {**self.gateway_settings, "http_listen": "127.0.0.1:0", **settings}
        with Process("gateway", self.folder / f"{name}.log", **settings) as gateway:
            yield gateway.start()
            assert gateway.stop() == 0

    def start_gateway_again(self, number: int) -> None:
        """Start a gateway that was killed, on the port it had."""
        self.gateways[number].start()

    def start_rules_again(self, number: int) -> None:
        """Start a rules server that was killed, on the port it had."""
        self.rules[number].start()

    def logs(self) -> dict[str, str]:
        """Give what the processes have logged, by name."""
        return {path.name: path.read_text() for path in sorted(self.folder.glob("*.log"))}


@contextmanager
def several_of_each(
    postgres_url: str, template_database: str, folder: Path, *, replicas: int = 2, **gateway_settings: str
) -> Iterator[Several]:
    """Start a platform service, and so many rules servers and gateways; stop them all in the end."""
    name = f"foldtable_several_{uuid4().hex[:12]}"
    _run(postgres_url, f"CREATE DATABASE {name} TEMPLATE {template_database}")
    try:
        with _on(make_conninfo(postgres_url, dbname=name), folder, replicas, gateway_settings) as several:
            yield several
    finally:
        drop_database(postgres_url, name)


@contextmanager
def _on(
    database_url: str, folder: Path, replicas: int, gateway_settings: dict[str, str]
) -> Iterator[Several]:
    public, private = folder / "token_public.pem", folder / "token_private.pem"
    write_key_pair(private, public)
    webhook_key = folder / "webhook_key"
    write_webhook_key(webhook_key)
    platform_address, *addresses = _free_addresses(1 + 2 * replicas)
    rules_addresses, http_addresses = addresses[:replicas], addresses[replicas:]
    shared = {"database_url": database_url, "drain_seconds": "2"}
    everywhere = "|".join(rules_addresses)
    gateway_settings = {
        "rules": ",".join(f"{game}={everywhere}" for game in GAMES),
        "platform": platform_address,
        "token_public_key_file": str(public),
        "drain_seconds": "2",
        **gateway_settings,
    }
    with ExitStack() as stack:

        def process(module: str, name: str, **settings: str) -> Process:
            return stack.enter_context(Process(module, folder / f"{name}.log", **settings))

        platform = process(
            "services.platform",
            "platform",
            listen=platform_address,
            token_public_key_file=str(public),
            webhook_key_file=str(webhook_key),
            webhook_loopback="true",
            webhook_lease_seconds="2",
            **shared,
        )
        rules = [
            process(
                "services.rules", f"rules_{n}", listen=address, token_private_key_file=str(private), **shared
            )
            for n, address in enumerate(rules_addresses)
        ]
        gateways = [
            process("gateway", f"gateway_{n}", http_listen=address, **gateway_settings)
            for n, address in enumerate(http_addresses)
        ]
        everything = [platform, *rules, *gateways]
        with ThreadPoolExecutor(len(everything)) as pool:
            list(pool.map(Process.start, everything))
        yield Several(
            folder=folder,
            database_url=database_url,
            tokens=MatchTokens(read_private_key(private), lifetime=timedelta(hours=1)),
            keys=asyncio.run(_keys(database_url)),
            platform=platform,
            platform_address=platform_address,
            rules=rules,
            rules_addresses=rules_addresses,
            gateways=gateways,
            urls=[f"http://{address}" for address in http_addresses],
            gateway_settings=gateway_settings,
        )


def _free_addresses(count: int) -> list[str]:
    """Give addresses nobody listens on, all of them different: a process that starts again keeps its own."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [f"127.0.0.1:{one.getsockname()[1]}" for one in sockets]


async def _keys(database_url: str) -> dict[str, str]:
    """Issue a key of each kind; revoke one, and let the time of another run out."""
    pool = await open_pool(DatabaseSettings(database_url), name="tests", most=1)
    async with pool, pool.connection() as connection:
        keys = {}
        for name, (tenant, scopes) in KEYS.items():
            await create_tenant(connection, tenant)
            record, keys[name] = await issue_key(connection, tenant, scopes, environment="test", label=name)
            if name == "revoked_key":
                await revoke_key(connection, record.id)
            if name == "expired_key":
                await rotate_key(connection, record.id, grace=timedelta(0))
    return keys


def _run(url: str, statement: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement)
