"""The platform service as a process: `python -m services.platform`. Settings come from the environment (settings.py)."""

from __future__ import annotations

import services.process.rare_collection  # noqa: F401 - before the imports that it makes cheaper

# isort: split
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import structlog

from services.identity.key_ring import KeyRing
from services.identity.match_tokens import TokenReader
from services.identity.signing_keys import TOKEN_SETTING, read_keys
from services.movelog.postgres.log import READER_SESSION, PostgresLog
from services.platform.server import PlatformServer
from services.platform.settings import PlatformSettings
from services.postgres.database import check_at_boot
from services.rpc.process import run, serve_until, stop_signal
from services.webhooks.connections import PublicNetwork
from services.webhooks.service import delivering
from services.webhooks.vault import Vault, read_vault
from services.webhooks.worker import WorkerSettings


async def serve(settings: PlatformSettings) -> None:
    """Serve until SIGTERM or SIGINT, then drain."""
    log = structlog.get_logger("foldtable.platform")
    tokens = TokenReader(*read_keys(settings.token_public_key_file, setting=TOKEN_SETTING))
    vault = read_vault(settings.webhook_key_file)
    stop = stop_signal()
    database = settings.database
    await check_at_boot(database, session=READER_SESSION)
    async with await PostgresLog.open(database) as movelog:
        server = PlatformServer(settings, movelog, KeyRing(movelog.pool), tokens, vault)
        async with _delivering(settings, movelog, vault):
            await serve_until(stop, server, settings, log)
    log.info("stopped")


@asynccontextmanager
async def _delivering(settings: PlatformSettings, movelog: PostgresLog, vault: Vault) -> AsyncIterator[None]:
    """Send webhooks while the context is open, unless the settings leave that to other processes."""
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
