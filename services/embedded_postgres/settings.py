"""The settings the embedded Postgres runs with; whatever is not named here keeps Postgres's default."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

SOCKET_PORT: Final = 5432
"""Only a part of the socket's name; nothing listens on the network."""

SETTINGS: Final = {
    # Durable. These are the defaults; they are stated so that no configuration file can change them.
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    # Private.
    "listen_addresses": "",
    "port": str(SOCKET_PORT),
    "unix_socket_permissions": "0700",
    "max_connections": "200",
    # What a log of moves needs: short statements, many small commits, no analytics.
    "shared_buffers": "256MB",
    "max_wal_size": "2GB",
    "checkpoint_timeout": "15min",
    "jit": "off",
    # The log names statements and constraints but never a row's content: rows contain hidden information.
    "log_error_verbosity": "terse",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "log_checkpoints": "off",
    "log_line_prefix": "%m [%p] ",
    "log_timezone": "UTC",
    "timezone": "UTC",
}


def arguments(data: Path, socket: Path, other: Mapping[str, str]) -> tuple[str, ...]:
    """Return the arguments of the `postgres` command; `other` settings replace those above."""
    settings = {**SETTINGS, **other, "unix_socket_directories": _quoted(socket)}
    options = (part for name, value in settings.items() for part in ("-c", f"{name}={value}"))
    return ("-D", str(data), *options)


def _quoted(socket: Path) -> str:
    """Quote a directory, since lists of directories are read as SQL identifiers: spaces and commas are then part of the name."""
    return '"' + str(socket).replace('"', '""') + '"'
