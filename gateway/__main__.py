"""The gateway as a process: `python -m gateway`. Settings come from the environment (settings.py)."""

from __future__ import annotations

import argparse
import gc
import signal
import socket
import sys
from types import FrameType

import structlog
import uvicorn
from fastapi import FastAPI
from pydantic import ValidationError

from gateway.app import create_app
from gateway.http_protocol import BoundedHttpProtocol, bounded_http
from gateway.logs import configure_logs
from gateway.open_files import make_room
from gateway.patience import KEEP_ALIVE_SECONDS
from gateway.settings import Settings
from gateway.tls import TlsUnusable


class GatewayServer(uvicorn.Server):
    """uvicorn, which tells our drain about signals, and the log where it listens."""

    def __init__(self, config: uvicorn.Config, app: FastAPI) -> None:
        super().__init__(config)
        self._app = app
        self._log = structlog.get_logger("gateway")

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then keep what was built so far out of the garbage collector's way."""
        await super().startup(sockets)
        gc.collect()
        gc.freeze()  # what was built at the start lives to the end; measured: it halves the slowest answers
        host, port = self.servers[0].sockets[0].getsockname()[:2]
        address = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
        self._log.info("serving", address=address, games=list(self._app.state.gateway.servers.games))

    async def on_tick(self, counter: int) -> bool:
        """Ten times a second; once a second, look which connections keep us waiting too long (patience.py)."""
        if counter % 10 == 0:
            for connection in tuple(self.server_state.connections):
                if isinstance(connection, BoundedHttpProtocol):
                    connection.lose_patience()
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """On SIGTERM or SIGINT: readiness off, streams say good-bye, open requests are finished, then exit 0.

        uvicorn's own handler would raise the signal again at the end, so that an orderly stop looks like a kill.
        """
        del frame
        gateway = getattr(self._app.state, "gateway", None)
        if gateway is not None:
            gateway.drain.begin()
        self.force_exit = self.should_exit and sig == signal.SIGINT  # Ctrl-C again: now
        self.should_exit = True


def main() -> None:
    argparse.ArgumentParser(
        prog="python -m gateway",
        description="Serve matches over HTTP.",
        epilog="Settings are environment variables: FOLDTABLE_RULES, FOLDTABLE_TOKEN_PUBLIC_KEY_FILE, "
        "FOLDTABLE_HTTP_LISTEN, and more in gateway/settings.py.",
    ).parse_args()
    try:
        settings = Settings()  # type: ignore[call-arg]  # the environment gives the rest
    except ValidationError as error:
        sys.exit(f"the settings do not fit:\n{error}")
    configure_logs(settings.log_level, settings.log_format)
    try:
        app = create_app(settings)
    except TlsUnusable as error:
        sys.exit(str(error))
    except (OSError, ValueError) as error:
        sys.exit(f"FOLDTABLE_TOKEN_PUBLIC_KEY_FILE: {error}")
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        loop="uvloop",
        http=bounded_http(settings.times),
        ws="none",
        log_config=None,
        access_log=False,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=list(settings.trusted_proxies),
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        limit_concurrency=make_room(settings.max_connections),
        timeout_graceful_shutdown=max(1, round(settings.drain_seconds)),
    )
    GatewayServer(config, app).run()


if __name__ == "__main__":
    main()
