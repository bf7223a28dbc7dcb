"""The metrics port of a process, for operators: separate from any public port, and opened only if the settings name it."""

from __future__ import annotations

import sys
from typing import Any, Final

import structlog
from prometheus_client import start_http_server

from services.process.structured_logs import without_message

_log: Final = structlog.get_logger("foldtable.metrics")


def serve_metrics(listen: str) -> str:
    """Serve the metrics of this process in a thread, at `host:port`. Return their URL, or "" if no address is given.

    Port 0 means any free one. Raises OSError if the address cannot be listened on.
    """
    if not listen:
        return ""
    host, _, port = listen.rpartition(":")
    server, _ = start_http_server(int(port), host.strip("[]"))
    server.handle_error = _log_error  # type: ignore[assignment,method-assign]  # its own prints a traceback beside the log
    return f"http://{host}:{server.server_port}/metrics"


def _log_error(_request: Any, _address: Any) -> None:
    error = sys.exception()
    if error is not None and not isinstance(error, OSError):  # OSError: the client has hung up
        _log.error("internal error", what="metrics", **without_message(error))
