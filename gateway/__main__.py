"""The gateway as a process: `python -m gateway`. Settings come from the environment (settings.py)."""

from __future__ import annotations

import services.process.rare_collection  # noqa: F401 - before the imports that it makes cheaper

# isort: split
import argparse
import socket

import structlog
import uvicorn
from fastapi import FastAPI
from pydantic import ValidationError

from gateway.access.public_keys import KeysUnusable
from gateway.app import create_app, serving_config
from gateway.server.gateway_server import GatewayServer
from gateway.settings import Settings
from gateway.telemetry.tracing import add_trace
from gateway.upstream.tls import TlsUnusable
from services.process.metrics_port import serve_metrics
from services.process.rare_collection import exclude_what_exists
from services.process.structured_logs import cannot_start, configure_logs, settings_do_not_fit


class GatewayProcess(GatewayServer):
    """The server of this process, which is tuned once it listens."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, *, metrics: str) -> None:
        """`metrics` is the address at which the process's metrics are served."""
        super().__init__(config, app)
        self._metrics = metrics

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then exclude every object built so far from garbage collection."""
        await super().startup(sockets)
        exclude_what_exists()
        games = list(self.app.state.gateway.servers.games)
        structlog.get_logger("gateway").info(
            "serving", address=self.address, metrics=self._metrics, games=games
        )


def main() -> None:
    argparse.ArgumentParser(
        prog="python -m gateway",
        description="Serve matches over HTTP.",
        epilog="Settings are environment variables: FOLDTABLE_RULES, FOLDTABLE_TOKEN_PUBLIC_KEY_FILE, "
        "FOLDTABLE_HTTP_LISTEN, and more in gateway/settings.py.",
    ).parse_args()
    try:
        settings = Settings()  # type: ignore[call-arg]  # the rest comes from the environment
    except ValidationError as error:
        settings_do_not_fit(error)
    configure_logs(settings.log_level, settings.log_format, ids=add_trace)
    try:
        app = create_app(settings)
    except (TlsUnusable, KeysUnusable) as error:
        cannot_start("cannot serve", why=str(error))
    try:
        metrics = serve_metrics(settings.metrics_listen)
    except OSError as error:
        cannot_start("cannot serve", why=f"FOLDTABLE_METRICS_LISTEN: {error}")
    GatewayProcess(serving_config(app, settings), app, metrics=metrics).run()


if __name__ == "__main__":
    main()
