"""The platform service as a process: `python -m services.platform`. Settings come from the environment (settings.py)."""

from __future__ import annotations

import structlog

from services.database import DatabaseSettings, check_schema
from services.movelog.postgres import PostgresLog
from services.platform.key_ring import KeyRing
from services.platform.match_tokens import TokenReader
from services.platform.server import PlatformServer
from services.platform.settings import PlatformSettings
from services.platform.signing_keys import read_public_key
from services.rpc.process import run, serve_until, told_to_stop


async def serve(settings: PlatformSettings) -> None:
    """Serve until SIGTERM or SIGINT, then drain."""
    log = structlog.get_logger("foldtable.platform")
    tokens = TokenReader(read_public_key(settings.token_public_key_file))
    told = told_to_stop()
    async with await PostgresLog.open(DatabaseSettings(settings.database_url)) as movelog:
        async with movelog.pool.connection() as connection:
            await check_schema(connection)
        server = PlatformServer(settings, movelog, KeyRing(movelog.pool), tokens)
        await serve_until(told, server, settings, log)
    log.info("stopped")


def main() -> None:
    run(
        "services.platform",
        PlatformSettings,  # type: ignore[arg-type]  # the environment gives what it needs
        serve,
        description="Serve accounts, the match directory and live feeds over gRPC.",
        settings="FOLDTABLE_LISTEN, FOLDTABLE_DATABASE_URL, FOLDTABLE_TOKEN_PUBLIC_KEY_FILE",
    )


if __name__ == "__main__":
    main()
