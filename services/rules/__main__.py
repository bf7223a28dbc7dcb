"""The rules server as a process: `python -m services.rules`. Settings come from the environment (settings.py)."""

from __future__ import annotations

import argparse
import asyncio
import gc
import signal
import sys
from datetime import timedelta

import psycopg
import structlog
import uvloop
from prometheus_client import start_http_server
from pydantic import ValidationError

from services.database import DatabaseSettings, SchemaMismatch, check_schema
from services.movelog.postgres import PostgresLog
from services.platform.key_ring import KeyRing
from services.platform.seat_tokens import SeatTokens, read_private_key
from services.rules.server import RulesServer
from services.rules.settings import RulesSettings
from services.structured_logs import configure_logs


async def serve(settings: RulesSettings) -> None:
    """Serve until SIGTERM or SIGINT, then drain."""
    log = structlog.get_logger("foldtable.rules")
    tokens = SeatTokens(
        read_private_key(settings.token_private_key_file), lifetime=timedelta(hours=settings.seat_token_hours)
    )
    told_to_stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, told_to_stop.set)
    async with await PostgresLog.open(DatabaseSettings(settings.database_url)) as movelog:
        async with movelog.pool.connection() as connection:
            await check_schema(connection)
        server = RulesServer(settings, movelog, KeyRing(movelog.pool), tokens)
        address = await server.start()
        if settings.metrics_listen:
            host, _, port = settings.metrics_listen.rpartition(":")
            start_http_server(int(port), host)
        gc.collect()
        gc.freeze()  # what was built at the start lives to the end; measured: it halves the slowest answers
        log.info("serving", address=address, games=settings.games)
        await told_to_stop.wait()
        log.info("draining", seconds=settings.drain_seconds)
        await server.stop()
    log.info("stopped")


def main() -> None:
    argparse.ArgumentParser(
        prog="python -m services.rules",
        description="Serve the rules and the matches of one game or several over gRPC.",
        epilog="Settings are environment variables: FOLDTABLE_GAMES, FOLDTABLE_LISTEN, FOLDTABLE_DATABASE_URL, "
        "FOLDTABLE_TOKEN_PRIVATE_KEY_FILE, and more in services/rules/settings.py.",
    ).parse_args()
    try:
        settings = RulesSettings()  # type: ignore[call-arg]  # the environment gives the rest
    except ValidationError as error:
        sys.exit(f"the settings do not fit:\n{error}")
    configure_logs(settings.log_level, settings.log_format)
    try:
        uvloop.run(serve(settings))
    except (SchemaMismatch, psycopg.OperationalError) as error:
        sys.exit(f"the database does not fit: {error}")
    except (OSError, ValueError, RuntimeError) as error:  # a key that cannot be read, a port that is taken
        sys.exit(f"cannot serve: {error}")


if __name__ == "__main__":
    main()
