"""The rules server as a process: `python -m services.rules`. Settings come from the environment (settings.py)."""

from __future__ import annotations

import services.process.rare_collection  # noqa: F401 - before the imports that it makes cheaper

# isort: split
from datetime import timedelta

import structlog

from services.identity.match_tokens import MatchTokens
from services.identity.signing_keys import EXPORT_SETTING, TOKEN_SETTING, keep_apart, read_pair
from services.movelog.export.signature import ExportSigner
from services.movelog.postgres.log import READER_SESSION, PostgresLog
from services.postgres.database import check_at_boot
from services.process.compiled import is_compiled
from services.rpc.process import run, serve_until, stop_signal
from services.rules.server import RulesServer
from services.rules.settings import RulesSettings
from services.rules.watchdog.keeping import WatchdogKeeper


async def serve(settings: RulesSettings) -> None:
    """Serve until SIGTERM or SIGINT, then drain."""
    log = structlog.get_logger("foldtable.rules")
    tokens, exports = read_signing_keys(settings)
    stop = stop_signal()
    database = settings.database
    await check_at_boot(database, session=READER_SESSION)
    async with await PostgresLog.open(database) as movelog:
        server = RulesServer.on(settings, movelog, tokens, exports)
        watchdog = watchdog_of(server, settings)
        if watchdog is not None:
            await watchdog.start()
        try:
            await serve_until(stop, server, settings, log, games=server.games, compiled=is_compiled())
        finally:
            if watchdog is not None:
                await watchdog.stop()
    log.info("stopped")


def watchdog_of(server: RulesServer, settings: RulesSettings) -> WatchdogKeeper | None:
    """Return what watches the rules that a server calls; None if the settings ask for nothing of the kind."""
    if settings.rules_seconds == 0:
        return None
    return WatchdogKeeper(
        settings.rules_seconds,
        distributions=server.distributions,
        database_url=settings.database.direct.url,
        log_level=settings.log_level,
        log_format=settings.log_format,
    )


def read_signing_keys(settings: RulesSettings) -> tuple[MatchTokens, ExportSigner | None]:
    """Return the signers of tokens and, if configured, of exports. Raises KeysUnusable for key files that cannot be used."""
    private, known = read_pair(
        settings.token_private_key_file, settings.token_public_key_file, setting=TOKEN_SETTING
    )
    tokens = MatchTokens(private, lifetime=timedelta(hours=settings.seat_token_hours), known=known)
    if settings.export_private_key_file is None:
        return tokens, None
    private, keys = read_pair(
        settings.export_private_key_file, settings.export_public_key_file, setting=EXPORT_SETTING
    )
    keep_apart(known, keys)
    return tokens, ExportSigner(private, issuer=settings.export_issuer, known=keys)


def main() -> None:
    run(
        "services.rules",
        RulesSettings,  # type: ignore[arg-type]  # the environment provides the fields
        serve,
        description="Serve the rules and the matches of one game or several over gRPC.",
        settings="FOLDTABLE_GAMES, FOLDTABLE_LISTEN, FOLDTABLE_DATABASE_URL, FOLDTABLE_TOKEN_PRIVATE_KEY_FILE",
    )


if __name__ == "__main__":
    main()
