"""The platform service as a process: `python -m services.platform`. Settings come from the environment (settings.py)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import structlog

from services.database import DatabaseSettings, check_at_boot
from services.movelog.postgres import PostgresLog
from services.platform.key_ring import KeyRing
from services.platform.match_tokens import TokenReader
from services.platform.server import PlatformServer
from services.platform.settings import PlatformSettings
from services.platform.signing_keys import read_public_key
from services.rpc.process import run, serve_until, told_to_stop
from services.webhooks.connections import PublicNetwork
from services.webhooks.service import delivering
from services.webhooks.vault import Vault, read_vault
from services.webhooks.worker import WorkerSettings


async def serve(settings: PlatformSettings) -> None:
    """Serve until SIGTERM or SIGINT, then drain."""
    log = structlog.get_logger("foldtable.platform")
    tokens = TokenReader(read_public_key(settings.token_public_key_file))
    vault = read_vault(settings.webhook_key_file)
    told = told_to_stop()
    async with await PostgresLog.open(DatabaseSettings(settings.database_url)) as movelog:
        await check_at_boot(movelog.pool)
        server = PlatformServer(settings, movelog, KeyRing(movelog.pool), tokens, vault)
        async with _delivering(settings, movelog, vault):
            await serve_until(told, server, settings, log)
    log.info("stopped")


@asynccontextmanager
async def _delivering(settings: PlatformSettings, movelog: PostgresLog, vault: Vault) -> AsyncIterator[None]:
    """Send webhooks meanwhile, unless others do."""
    if settings.webhook_lanes == 0:
        yield
        return
    async with delivering(
        movelog,
        vault,
        WorkerSettings(at_once=settings.webhook_lanes),
        lease=timedelta(seconds=settings.webhook_lease_seconds),
        network=PublicNetwork(loopback=settings.webhook_loopback),
        keep=timedelta(days=settings.event_days),
        drain_seconds=settings.drain_seconds,
    ):
        yield


def main() -> None:
    run(
        "services.platform",
        PlatformSettings,  # type: ignore[arg-type]  # the environment gives what it needs
        serve,
        description="Serve accounts, the match directory, live feeds and webhooks over gRPC, and send webhooks.",
        settings="FOLDTABLE_LISTEN, FOLDTABLE_DATABASE_URL, FOLDTABLE_TOKEN_PUBLIC_KEY_FILE, FOLDTABLE_WEBHOOK_KEY_FILE",
    )


if __name__ == "__main__":
    main()
