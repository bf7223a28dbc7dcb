"""The metrics port for operators, separate from the public port. It is opened only if the settings name it."""

from __future__ import annotations

import sys
from typing import Any, Final

import structlog
from prometheus_client import start_http_server

from gateway.telemetry.logs import without_message

_log: Final = structlog.get_logger("gateway.telemetry.metrics_port")


def serve_metrics(listen: str) -> str:
    """Serve metrics at an address, in a separate thread. Return the address served, or "" if none is given.

    Port 0 means any free one. Raises OSError if the address cannot be listened on.
    """
    if not listen:
        return ""
    host, _, port = listen.rpartition(":")
    server, _ = start_http_server(int(port), host.strip("[]"))
    server.handle_error = _log_error  # type: ignore[assignment,method-assign]  # the default prints a traceback next to the log
    return f"http://{host}:{server.server_port}/metrics"


def _log_error(_request: Any, _address: Any) -> None:
    error = sys.exception()
    if error is not None and not isinstance(error, OSError):  # an OSError means that the client has hung up
        _log.error("internal error", what="metrics", **without_message(error))
