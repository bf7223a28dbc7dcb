"""The gateway as a process: `python -m gateway`. Settings come from the environment (settings.py)."""

from __future__ import annotations

import argparse
import gc
import signal
import socket
from types import FrameType
from typing import Final

import structlog
import uvicorn
from fastapi import FastAPI
from pydantic import ValidationError

from gateway.access.public_keys import KeysUnusable
from gateway.app import create_app
from gateway.server.fast_path import http_protocol
from gateway.server.open_files import make_room
from gateway.server.protocol import BoundedHttpProtocol
from gateway.settings import Settings
from gateway.telemetry.logs import cannot_start, configure_logs, settings_do_not_fit
from gateway.telemetry.metrics_port import serve_metrics
from gateway.upstream.tls import TlsUnusable

RARELY: Final = 50_000, 20, 50
"""Thresholds of the garbage collector, as in the services (services/rpc/process.py): nearly everything is freed without it."""


class GatewayServer(uvicorn.Server):
    """uvicorn's server; a signal also begins the drain, and the listening addresses are logged."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, *, metrics: str) -> None:
        """`metrics` is the address at which the process's metrics are served."""
        super().__init__(config)
        self._app = app
        self._metrics = metrics
        self._log = structlog.get_logger("gateway")

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then exclude every object built so far from garbage collection."""
        await super().startup(sockets)
        gc.collect()
        gc.set_threshold(*RARELY)
        gc.freeze()  # these objects live as long as the process; measured: this halves the slowest response times
        host, port = self.servers[0].sockets[0].getsockname()[:2]
        address = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
        games = list(self._app.state.gateway.servers.games)
        self._log.info("serving", address=address, metrics=self._metrics, games=games)

    async def on_tick(self, counter: int) -> bool:
        """Called ten times a second; once a second, closes the connections that are over their deadline (server/deadlines)."""
        if counter % 10 == 0:
            for connection in tuple(self.server_state.connections):
                if isinstance(connection, BoundedHttpProtocol):
                    connection.time_out()
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """On SIGTERM or SIGINT: turn readiness off, close the event streams, finish open requests, then exit with 0.

        uvicorn's own handler would raise the signal again at the end, which makes an orderly stop look like a kill.
        """
        del frame
        gateway = getattr(self._app.state, "gateway", None)
        if gateway is not None:
            gateway.drain.begin()
        self.force_exit = self.should_exit and sig == signal.SIGINT  # a second Ctrl-C stops at once
        self.should_exit = True


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
    configure_logs(settings.log_level, settings.log_format)
    try:
        app = create_app(settings)
    except (TlsUnusable, KeysUnusable) as error:
        cannot_start("cannot serve", why=str(error))
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        loop="uvloop",
        http=http_protocol(settings.times, app.state.fast_path),
        ws="none",
        log_config=None,
        access_log=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=list(settings.trusted_proxies),
        server_header=False,
        limit_concurrency=make_room(settings.max_connections),
        timeout_graceful_shutdown=max(1, round(settings.drain_seconds)),
    )
    try:
        metrics = serve_metrics(settings.metrics_listen)
    except OSError as error:
        cannot_start("cannot serve", why=f"FOLDTABLE_METRICS_LISTEN: {error}")
    GatewayServer(config, app, metrics=metrics).run()


if __name__ == "__main__":
    main()
