"""Gives every Postgres session the settings that it needs, whether connections go to Postgres itself or through a pooler.

Straight to Postgres they are sent when the connection is opened, and cost no round trip. PgBouncer passes no such options on.
In session mode a connection has a server of its own until it is closed, so one statement sets them. In transaction mode each
transaction may get another server: what is set on one is gone in the next, so the role must have the settings, and a process
that finds others refuses to start.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, Protocol

_SET: Final = (
    "SELECT set_config(name, value, false) FROM unnest($1::text[], $2::text[]) AS wanted (name, value)"
)
_UNSUITED: Final = """
SELECT wanted.name, wanted.value, current_setting(wanted.name) AS found
FROM unnest($1::text[], $2::text[]) AS wanted (name, value)
WHERE lower(current_setting(wanted.name)) <> lower(wanted.value)
  AND NOT (wanted.name = 'statement_timeout' AND current_setting(wanted.name) <> '0')
  AND NOT (wanted.name = 'synchronous_commit' AND current_setting(wanted.name) = 'remote_apply')
"""
"""A limit of another length is the operator's choice; to have none is not. `remote_apply` waits for more than `on`."""


class Pooler(StrEnum):
    """What stands between a process and Postgres."""

    NONE = "none"
    SESSION = "session"
    """A pooler that gives a connection one server until it is closed."""
    TRANSACTION = "transaction"
    """A pooler that may give each transaction another server."""


class SessionUnsuited(Exception):  # noqa: N818 - the name says what happened
    """Sessions through the pooler have settings with which this code does not work. The message has the statement that mends it."""


class Executes(Protocol):
    """A connection, as far as it is needed here."""

    async def execute(self, query: str, params: Any = None, /) -> Any:
        """Run a statement."""
        ...


def session_settings(statement_seconds: float, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the settings that a session needs, by name."""
    return {
        "timezone": "UTC",
        "synchronous_commit": "on",  # what is answered is durable, whatever the server's default
        "statement_timeout": f"{round(statement_seconds * 1000)}",
        **(more or {}),
    }


def as_options(wanted: Mapping[str, str], given: str) -> str:
    """Return libpq's `options` with these settings, after those that the address has."""
    return " ".join((given, *(f"-c {name}={value}" for name, value in wanted.items()))).strip()


async def set_on(connection: Executes, wanted: Mapping[str, str]) -> None:
    """Give a connection its settings, for as long as it is open."""
    await connection.execute(_SET, (list(wanted), list(wanted.values())))


async def must_have(connection: Executes, wanted: Mapping[str, str]) -> None:
    """Raises SessionUnsuited if a connection has other settings."""
    cursor = await connection.execute(_UNSUITED, (list(wanted), list(wanted.values())))
    unsuited = await cursor.fetchall()
    if unsuited:
        found = ", ".join(f"{name} = {value}" for name, _, value in unsuited)
        needed = "; ".join(f"ALTER ROLE … SET {name} = '{value}'" for name, value, _ in unsuited)
        raise SessionUnsuited(
            f"sessions through the pooler have {found}; a pooler in transaction mode keeps no settings of ours, "
            f"so give them to the role that it connects as: {needed}"
        )
