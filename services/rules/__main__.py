"""The rules server as a process: `python -m services.rules`. Settings come from the environment (settings.py)."""

from __future__ import annotations

from datetime import timedelta

import structlog

from services.database import DatabaseSettings, check_at_boot
from services.movelog.postgres import PostgresLog
from services.platform.key_ring import KeyRing
from services.platform.match_tokens import MatchTokens
from services.platform.signing_keys import read_private_key
from services.rpc.process import run, serve_until, told_to_stop
from services.rules.server import RulesServer
from services.rules.settings import RulesSettings


async def serve(settings: RulesSettings) -> None:
    """Serve until SIGTERM or SIGINT, then drain."""
    log = structlog.get_logger("foldtable.rules")
    tokens = MatchTokens(
        read_private_key(settings.token_private_key_file), lifetime=timedelta(hours=settings.seat_token_hours)
    )
    told = told_to_stop()
    async with await PostgresLog.open(DatabaseSettings(settings.database_url)) as movelog:
        await check_at_boot(movelog.pool)
        server = RulesServer(settings, movelog, KeyRing(movelog.pool), tokens)
        await serve_until(told, server, settings, log, games=settings.games)
    log.info("stopped")


def main() -> None:
    run(
        "services.rules",
        RulesSettings,  # type: ignore[arg-type]  # the environment gives what it needs
        serve,
        description="Serve the rules and the matches of one game or several over gRPC.",
        settings="FOLDTABLE_GAMES, FOLDTABLE_LISTEN, FOLDTABLE_DATABASE_URL, FOLDTABLE_TOKEN_PRIVATE_KEY_FILE",
    )


if __name__ == "__main__":
    main()
