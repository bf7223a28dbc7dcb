"""Several of everything, in processes of their own: gateways, rules servers, a platform service, one Postgres.

For tests; used by name. `running_system` is the same as `foldtable up` starts it; here there are replicas, and each of
them can be killed and started again where it was.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final
from uuid import UUID, uuid4

import httpx
import psycopg
from psycopg.conninfo import make_conninfo

from engine.registry import GAMES
from migrations.migrate import migrate
from services.embedded_postgres import EmbeddedPostgres
from services.identity.api_keys import issue_key, revoke_key, rotate_key
from services.identity.match_tokens import MatchTokens
from services.identity.signing_keys import read_private_key
from services.identity.tenants import create_tenant
from services.postgres.database import DatabaseSettings, open_pool
from tests.support.deployment import GENEROUS, Deployment, free_addresses
from tests.support.own_databases import drop_database
from tests.support.processes import Process
from tests.support.ways import Ways

CONNECTED_SECONDS: Final = 110
TEMPLATE: Final = "foldtable_template"
OURS: Final = "ours"
THEIRS: Final = "theirs"
OPERATOR: Final = "system"
"""Three tenants; the last is whoever runs the system."""
KEYS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "tenant": (OURS, ("matches:write",)),
    "read_only": (OURS, ("matches:read",)),
    "manager": (OURS, ("keys:write", "webhooks:write")),
    "bots": (OURS, ("bots:play",)),
    "foreign": (THEIRS, ("matches:write",)),
    "foreign_read": (THEIRS, ("matches:read",)),
    "foreign_manager": (THEIRS, ("keys:write", "webhooks:write")),
    "operator": (OPERATOR, ("tenants:admin",)),
    "revoked_key": (OURS, ("matches:write", "keys:write")),
    "expired_key": (OURS, ("matches:write", "keys:write")),
}
"""A key of each kind: its tenant and its scopes. The last two are good no longer."""


@dataclass
class Several:
    """What runs, and whom it knows."""

    deployment: Deployment
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

    @property
    def folder(self) -> Path:
        """Keys and logs."""
        return self.deployment.folder

    @property
    def database_url(self) -> str:
        return self.deployment.database_url

    def client(self, credential: str | None, *, gateway: int = 0, **more: Any) -> httpx.Client:
        """Return a client of a gateway, with a credential or with none."""
        headers = {"authorization": f"Bearer {credential}"} if credential else {}
        # It is plain HTTP: loading certificates would take longer than most tests.
        more = {"timeout": 20, "verify": False, "trust_env": False} | more
        return httpx.Client(base_url=self.urls[gateway], headers=headers, **more)

    @property
    def key(self) -> str:
        """The key of a tenant that plays."""
        return self.keys["tenant"]

    @property
    def ways(self) -> Ways:
        """The ways that moves have taken through the processes that run now, since each of them started."""
        return Ways.of([one.metrics for one in (*self.gateways, *self.rules)])

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

    def start_what_ended(self) -> None:
        """Start whatever was stopped or killed, where it was, and wait until every gateway reaches the others."""
        ended = [one for one in (self.platform, *self.rules, *self.gateways) if not one.is_running]
        if ended:
            _start(ended)
            for number in range(len(self.gateways)):
                _wait_until_connected(self, number)

    def logs(self) -> dict[str, str]:
        """Return what the processes have logged, by name."""
        return {path.name: path.read_text() for path in sorted(self.folder.glob("*.log"))}


@contextmanager
def several_of_each(
    postgres_url: str,
    template_database: str,
    folder: Path,
    *,
    replicas: int = 2,
    games: Iterable[str] = tuple(GAMES),
    everywhere: Mapping[str, str] | None = None,
    rules_settings: Mapping[str, str] | None = None,
    reached: Callable[[str], AbstractContextManager[Mapping[str, str]]] | None = None,
    **gateway_settings: str,
) -> Iterator[Several]:
    """Start a platform service, and so many rules servers and gateways; stop them all in the end.

    `everywhere`: settings of all processes; `games`: what the gateways know; `reached` is given the database's address, and
    gives settings of all processes that say how it is reached.
    """
    name = f"foldtable_several_{uuid4().hex[:12]}"
    _run(postgres_url, f"CREATE DATABASE {name} TEMPLATE {template_database}")
    try:
        deployment = Deployment.new(folder, make_conninfo(postgres_url, dbname=name))
        with ExitStack() as stack:
            how = stack.enter_context(reached(deployment.database_url)) if reached else {}
            all_of_them = {**(everywhere or {}), **how}
            several = _on(
                deployment, replicas, games, all_of_them, {**(rules_settings or {})}, gateway_settings
            )
            yield stack.enter_context(several)
    finally:
        drop_database(postgres_url, name)


@contextmanager
def several_on(postgres: EmbeddedPostgres, folder: Path, **settings: Any) -> Iterator[Several]:
    """Start several of each on a Postgres that is not the tests' own, with generous rate limits."""
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {TEMPLATE}")
    migrate(make_conninfo(postgres.url, dbname=TEMPLATE))
    with several_of_each(postgres.url, TEMPLATE, folder, **{"rate_limits": GENEROUS, **settings}) as several:
        yield several


@contextmanager
def _on(
    deployment: Deployment,
    replicas: int,
    games: Iterable[str],
    everywhere: dict[str, str],
    rules_settings: dict[str, str],
    gateway_settings: dict[str, str],
) -> Iterator[Several]:
    platform_address, *addresses = free_addresses(1 + 2 * replicas)
    rules_addresses, http_addresses = addresses[:replicas], addresses[replicas:]
    gateway_settings = deployment.gateway(
        "|".join(rules_addresses), platform_address, games=games, **{**everywhere, **gateway_settings}
    )
    with ExitStack() as stack:

        def process(module: str, name: str, settings: dict[str, str]) -> Process:
            return stack.enter_context(Process(module, deployment.folder / f"{name}.log", **settings))

        platform = process(
            "services.platform", "platform", deployment.platform(**{**everywhere, "listen": platform_address})
        )
        rules = [
            process(
                "services.rules",
                f"rules_{n}",
                deployment.rules(**{**everywhere, **rules_settings, "listen": address}),
            )
            for n, address in enumerate(rules_addresses)
        ]
        gateways = [
            process("gateway", f"gateway_{n}", {**gateway_settings, "http_listen": address})
            for n, address in enumerate(http_addresses)
        ]
        _start([platform, *rules, *gateways])
        private = read_private_key(deployment.folder / "token_private.pem")
        several = Several(
            deployment=deployment,
            tokens=MatchTokens(private, lifetime=timedelta(hours=1)),
            keys=asyncio.run(_keys(deployment.database_url)),
            platform=platform,
            platform_address=platform_address,
            rules=rules,
            rules_addresses=rules_addresses,
            gateways=gateways,
            urls=[f"http://{address}" for address in http_addresses],
            gateway_settings=gateway_settings,
        )
        for number in range(replicas):
            _wait_until_connected(several, number)
        yield several


def _start(processes: list[Process]) -> None:
    """Start processes at once."""
    with ThreadPoolExecutor(len(processes)) as pool:
        list(pool.map(Process.start, processes))


def _wait_until_connected(several: Several, gateway: int) -> None:
    """Wait until a gateway reaches the others: one that started first tries again only a second later."""
    deadline = time.monotonic() + CONNECTED_SECONDS
    with several.client(several.keys["read_only"], gateway=gateway) as client:
        for path in ("/v1/games", "/v1/matches", f"/v1/matches/{UUID(int=0)}"):
            while (answer := client.get(path)).is_server_error:
                assert time.monotonic() < deadline, answer.text
                time.sleep(0.05)


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
