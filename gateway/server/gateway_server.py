"""uvicorn's server with what a gateway needs besides: deadlines of connections, and a drain before the end."""

from __future__ import annotations

import signal
from types import FrameType

import uvicorn
from fastapi import FastAPI

from gateway.server.protocol import BoundedHttpProtocol
from services.process.caught_errors import log_caught


class GatewayServer(uvicorn.Server):
    """Serves the application of a gateway."""

    def __init__(self, config: uvicorn.Config, app: FastAPI) -> None:
        super().__init__(config)
        self.app = app

    @property
    def address(self) -> str:
        """The address it listens on, once it has started."""
        host, port = self.servers[0].sockets[0].getsockname()[:2]
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    async def on_tick(self, counter: int) -> bool:
        """Called ten times a second; once a second, closes the connections that are over their deadline (server/deadlines)."""
        if counter % 10 == 0:
            for connection in tuple(self.server_state.connections):
                if isinstance(connection, BoundedHttpProtocol):
                    _time_out(connection)
        return await super().on_tick(counter)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """On SIGTERM or SIGINT: turn readiness off, close the event streams, finish open requests, then exit with 0.

        uvicorn's own handler would raise the signal again at the end, which makes an orderly stop look like a kill.
        """
        del frame
        gateway = getattr(self.app.state, "gateway", None)
        if gateway is not None:
            gateway.drain.begin()
        self.force_exit = self.should_exit and sig == signal.SIGINT  # a second Ctrl-C stops at once
        self.should_exit = True


def _time_out(connection: BoundedHttpProtocol) -> None:
    try:
        connection.time_out()
    except Exception as error:  # noqa: BLE001 - the server and its other connections go on; it is logged
        log_caught("deadline of a connection", error)
