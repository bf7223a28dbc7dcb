"""The whole system in one process: rules server, platform service with webhooks, gateway, over sockets and a real Postgres.

In one process, so that luck can be pinned, log lines be read as they are written, and a leak be planted anywhere. Servers, HTTP
protocol and caches are put together by the functions that processes call (`RulesServer.on`, `serving_config`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import httpx
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from engine.registry import GAMES
from gateway.app import create_app, serving_config
from gateway.server.gateway_server import GatewayServer
from gateway.settings import Settings
from services.identity.api_keys import issue_key
from services.identity.key_ring import KeyRing
from services.identity.match_tokens import MatchTokens
from services.identity.tenants import create_tenant
from services.movelog.export.signature import ExportSigner
from services.movelog.postgres.log import PostgresLog
from services.platform.server import PlatformServer
from services.platform.settings import PlatformSettings
from services.postgres.database import DatabaseSettings
from services.rules.server import RulesServer
from services.rules.settings import RulesSettings
from services.webhooks.connections import PublicNetwork
from services.webhooks.service import delivering
from services.webhooks.worker import WorkerSettings
from tests.support.receivers import Receiver, receiving
from tests.support.vaults import new_vault

TENANT: Final = "tenant"
PLENTY: Final = ",".join(
    f"{quota}=1000000/60"
    for quota in (
        "key.moves",
        "key.reads",
        "key.lobby",
        "token.moves",
        "token.reads",
        "token.lobby",
        "token.streams",
    )
)

READY: Final = "/readyz"
EXPORT_KEY: Final = Ed25519PrivateKey.from_private_bytes(bytes(32))
"""The same in every run: its id is told."""
WAIT_SECONDS: Final = 60
"""Seconds: on a busy machine nothing may be late in one run and not in the other."""


@dataclass(frozen=True)
class System:
    """What runs, and who may use it."""

    url: str
    rules_address: str
    platform_address: str
    tokens: MatchTokens
    key: str
    """Of the tenant: plays, and manages webhooks."""
    receiver: Receiver
    """Where its webhooks arrive."""


class _Server(GatewayServer):
    """Leaves signals to whoever runs it."""

    def capture_signals(self) -> AbstractContextManager[None]:
        return nullcontext()


@asynccontextmanager
async def running(database_url: str, folder: Path) -> AsyncIterator[System]:
    """Start everything on a fresh database; stop it all in the end."""
    private = Ed25519PrivateKey.generate()
    public = folder / "token_public.pem"
    public.write_bytes(private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    tokens = MatchTokens(private, lifetime=timedelta(hours=1))
    common = {"listen": "127.0.0.1:0", "database_url": database_url, "drain_seconds": 1, "reflection": False}
    async with AsyncExitStack() as stack:
        log, platform_log = [
            await stack.enter_async_context(await PostgresLog.open(DatabaseSettings(database_url)))
            for _ in "12"
        ]
        receiver = await stack.enter_async_context(receiving())
        key = await _key(log)
        rules = RulesServer.on(
            RulesSettings(token_private_key_file=folder / "unused", **common),
            log,
            tokens,
            ExportSigner(EXPORT_KEY),
        )
        rules_address = await rules.start()
        stack.push_async_callback(rules.stop)
        settings = PlatformSettings(
            token_public_key_file=public, webhook_key_file=folder / "unused", webhook_loopback=True, **common
        )
        vault = new_vault()
        platform = PlatformServer(settings, platform_log, KeyRing(platform_log.pool), tokens, vault)
        platform_address = await platform.start()
        stack.push_async_callback(platform.stop)
        await stack.enter_async_context(_webhooks(platform_log, vault))
        url = await stack.enter_async_context(_gateway(rules_address, platform_address, public))
        yield System(url, rules_address, platform_address, tokens, key, receiver)


def _webhooks(log: PostgresLog, vault: Any) -> Any:
    return delivering(
        log,
        vault,
        WorkerSettings(at_once=1),
        lease=timedelta(seconds=60),
        network=PublicNetwork(loopback=True),
        keep=timedelta(days=1),
        drain_seconds=1,
    )


async def _key(log: PostgresLog) -> str:
    async with log.pool.connection() as connection:
        await create_tenant(connection, TENANT)
        scopes = ["matches:write", "webhooks:write", "bots:play"]
        return (await issue_key(connection, TENANT, scopes, environment="test"))[1]


@asynccontextmanager
async def _gateway(rules_address: str, platform_address: str, public: Path) -> AsyncIterator[str]:
    settings = Settings(
        rules=dict.fromkeys(GAMES, rules_address),
        platform=platform_address,
        token_public_key_file=public,
        http_listen="127.0.0.1:0",
        cors_origins=("*",),
        rate_limits=PLENTY,
        rules_streams=1,
        move_deadline_seconds=WAIT_SECONDS,
        read_deadline_seconds=WAIT_SECONDS,
        drain_seconds=1,
    )
    app = create_app(settings)
    server = _Server(serving_config(app, settings), app)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.005)
        if serving.done():
            serving.result()
    try:
        await _until_ready(server.address)
        yield server.address
    finally:
        server.should_exit = True
        await serving


async def _until_ready(url: str) -> None:
    """Wait until the gateway has reached the services behind it."""
    async with asyncio.timeout(WAIT_SECONDS), httpx.AsyncClient(verify=False, trust_env=False) as http:
        while (await http.get(url + READY)).status_code != 200:  # noqa: ASYNC110 - readiness rings no bell
            await asyncio.sleep(0.01)


def http_client(system: System) -> httpx.AsyncClient:
    """Return a client without a credential: every request brings its own."""
    # It is plain HTTP: loading certificates would take longer than most tests.
    # How long a body is when compressed depends on the hashes in it, which differ between the runs and say nothing.
    plain = {"accept-encoding": "identity"}
    return httpx.AsyncClient(
        base_url=system.url, timeout=WAIT_SECONDS, verify=False, trust_env=False, headers=plain
    )
