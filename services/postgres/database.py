"""Opens connections to Postgres, and checks that this code can work with the schema."""

from __future__ import annotations

import asyncio
import os
import select
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final, Self, TypeAlias

import psycopg
from psycopg import AsyncRawCursor
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import AsyncConnectionPool

from services.postgres.connection import GRACE_SECONDS, PostgresConnection
from services.postgres.reach import ReachingPool
from services.postgres.sessions import Pooler, as_options, must_have, session_settings, set_on

REVISION: Final = "0025"
"""The migration this code was written for."""

UNREADABLE_ADDRESS: Final = (
    "the database's address cannot be read: it should look like postgresql://user:password@host:5432/name, "
    "with special characters of the password percent-encoded"
)

NEEDS_DIRECT: Final = (
    "a pooler in transaction mode cannot pass on LISTEN and what else needs a session of its own: "
    "FOLDTABLE_DATABASE_DIRECT_URL must be the address of Postgres itself"
)

NOTIFYING: Final = 2
"""Connections of a process for notifications: one sends, one receives."""

RECONNECT_SECONDS: Final = 2.0
"""The pool tries again after one second and gives up after this; the next request that needs a connection starts afresh."""

BOOT_SECONDS: Final = 10.0
"""How long a service waits for its first connection: each host of the address is tried, and some may be switched off."""
BOOT_PAUSE_SECONDS: Final = 0.5
"""Pause between two attempts."""

Connection: TypeAlias = PostgresConnection
Pool: TypeAlias = AsyncConnectionPool[Connection]


class SchemaMismatch(Exception):  # noqa: N818 - the name says what happened
    """The database is at a revision this code cannot work with. The message says which of the two to upgrade."""


class DatabaseUnreachable(Exception):  # noqa: N818
    """No connection could be opened at the start. The message says what happened; nothing in the error contains a password."""

    def __init__(self, database: str, why: str) -> None:
        """`database` names the hosts and ports that were tried; `why` is libpq's message about the last attempt."""
        refused = "FATAL:" in why  # Postgres responded, and refused the connection
        super().__init__(
            "the database refuses the connection" if refused else "the database cannot be reached"
        )
        self.database = database
        self.why = why


class DatabaseUnavailable(Exception):  # noqa: N818
    """The database cannot be reached now; try again."""


@dataclass(frozen=True)
class DatabaseSettings:
    """How to reach the database, and how long to wait for it."""

    url: str = field(repr=False)
    """An address for libpq, possibly with several hosts; may contain a password. If libpq cannot read it, ValueError is raised."""
    direct_url: str = field(default="", repr=False)
    """Address of Postgres itself, if `url` is a pooler's. What needs a session of its own is connected there: appends, which keep
    prepared statements and the settings of their plans, and LISTEN. Empty: `url`."""
    pooler: Pooler = Pooler.NONE
    """What answers at `url`. With `TRANSACTION` and without `direct_url`, ValueError is raised."""
    readers: int = 8
    """Most connections for everything but appends."""
    writers: int = 2
    """Most connections for appends, which is how many batches can be written at once."""
    statement_seconds: float = 5.0
    """A statement that takes longer is cancelled by the server."""
    pool_seconds: float = 1.5
    """How long a request waits for a connection. It must be less than callers wait for an answer (the gateway waits 2 seconds for
    a request that changes something): otherwise they would see a time-out, and not that the database is unavailable."""
    connect_seconds: int = 3
    """How long to try each host of the address before the next one."""

    @property
    def response_seconds(self) -> float:
        """Seconds to wait for the response to a statement."""
        return self.statement_seconds + GRACE_SECONDS

    @property
    def most_connections(self) -> int:
        """Most connections that a log opens: readers, writers, and those that send and receive notifications."""
        return self.readers + self.writers + NOTIFYING

    @property
    def direct(self) -> Self:
        """Settings for connections that need a session of their own."""
        return (
            replace(self, url=self.direct_url, direct_url="", pooler=Pooler.NONE) if self.direct_url else self
        )

    def __post_init__(self) -> None:
        try:
            conninfo_to_dict(self.url)
            conninfo_to_dict(self.direct_url)
        except psycopg.ProgrammingError:  # its text quotes the address, password and all
            raise ValueError(UNREADABLE_ADDRESS) from None
        if self.pooler is Pooler.TRANSACTION and not self.direct_url:
            raise ValueError(NEEDS_DIRECT)


def connect_arguments(
    settings: DatabaseSettings, *, name: str, session: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return the arguments with which every connection is opened.

    `name` is shown in `pg_stat_activity`. `session` are settings of the session, sent with the others when the connection is
    opened; a pooler gets none, see sessions.py.
    """
    given = conninfo_to_dict(settings.url)
    arguments = {
        "autocommit": True,
        "prepare_threshold": 0,
        "cursor_factory": AsyncRawCursor,
        "application_name": f"foldtable {name}",
        **{key: value for key, value in _unless_said(settings).items() if key not in given},
    }
    if settings.pooler is Pooler.NONE:
        wanted = session_settings(settings.statement_seconds, session)
        arguments["options"] = as_options(wanted, str(given.get("options") or ""))
    return arguments


def _unless_said(settings: DatabaseSettings) -> dict[str, str | int]:
    """Return the arguments that apply unless the address sets them."""
    return {
        # Choose the host that accepts writes; if there is only a replica, the connection fails.
        "target_session_attrs": "read-write",
        "connect_timeout": settings.connect_seconds,
        # Notice within half a minute if the server has vanished without closing the connection.
        "tcp_user_timeout": round(settings.statement_seconds * 2000),
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
    }


async def connect(
    settings: DatabaseSettings, *, name: str, session: Mapping[str, str] | None = None
) -> Connection:
    """Open a connection outside of any pool. Raise psycopg.OperationalError if no host of the address accepts it."""
    arguments = connect_arguments(settings, name=name, session=session)
    connection = await PostgresConnection.connect(settings.url, **arguments)
    await _set_up(connection, settings, session)
    return connection


async def _set_up(
    connection: Connection, settings: DatabaseSettings, session: Mapping[str, str] | None
) -> None:
    """Give a new connection its limit, and through a pooler in session mode its settings."""
    connection.response_seconds = settings.response_seconds
    if settings.pooler is Pooler.SESSION:
        await set_on(connection, session_settings(settings.statement_seconds, session))


async def open_pool(
    settings: DatabaseSettings,
    *,
    name: str,
    most: int,
    session: Mapping[str, str] | None = None,
) -> Pool:
    """Open a pool, without waiting for the database. The pool reconnects when the database is back after an outage."""

    async def configure(connection: Connection) -> None:
        await _set_up(connection, settings, session)

    async def check(connection: Connection) -> None:
        try:
            await must_be_open(connection)
        except psycopg.OperationalError:
            await pool.check()  # the other connections are most likely broken too: replace them all at once
            raise

    pool: Pool = ReachingPool(
        settings.url,
        kwargs=connect_arguments(settings, name=name, session=session),
        min_size=1,
        max_size=most,
        timeout=settings.pool_seconds,
        reconnect_timeout=RECONNECT_SECONDS,
        configure=configure,
        check=check,
        name=name,
        open=False,
    )
    await pool.open()
    return pool


@asynccontextmanager
async def connected(pool: Pool) -> AsyncIterator[Connection]:
    """Yield a connection of a pool. Raises DatabaseUnavailable if the database cannot be reached or the connection breaks."""
    try:
        async with pool.connection() as connection:
            yield connection
    except psycopg.OperationalError as problem:
        raise DatabaseUnavailable("the database does not answer") from problem


async def must_be_open(connection: Connection) -> None:
    """Raises OperationalError if the server has closed an idle connection, or accepts no more writes.

    For a healthy connection this costs no round trip.
    """
    poll = select.poll()
    poll.register(connection.pgconn.socket, select.POLLIN)
    if poll.poll(0):  # an idle server hardly ever sends anything unless it shuts down or changes: check
        await AsyncConnectionPool.check_connection(connection)
    connection.must_take_writes()


async def check_at_boot(settings: DatabaseSettings, *, session: Mapping[str, str] | None = None) -> None:
    """Wait for the first connection, longer than a request would, and check the schema.

    `session` are settings that the pool of this process will need, which a pooler in transaction mode cannot be sent.
    Raises DatabaseUnreachable if there is no connection within BOOT_SECONDS, SchemaMismatch if this code does not work with
    the schema, SessionUnsuited if a pooler in transaction mode leads to sessions with other settings.
    """
    why = "no answer"
    try:
        async with asyncio.timeout(BOOT_SECONDS):
            while True:
                try:
                    async with await connect(settings, name="start") as connection:
                        if settings.pooler is Pooler.TRANSACTION:
                            await must_have(connection, session_settings(settings.statement_seconds, session))
                        return await check_schema(connection)
                except psycopg.OperationalError as problem:
                    why = " ".join(str(problem).split())
                await asyncio.sleep(BOOT_PAUSE_SECONDS)
    except TimeoutError:
        raise DatabaseUnreachable(places(settings.url), f"{why} (for {BOOT_SECONDS:.0f} s)") from None


def places(url: str) -> str:
    """Return the hosts and ports of an address, as `host:port`, with commas between several."""
    given = conninfo_to_dict(url)
    hosts = str(given.get("host") or given.get("hostaddr") or os.environ.get("PGHOST") or "localhost")
    ports = str(given.get("port") or os.environ.get("PGPORT") or "5432").split(",")
    all_ports = ports * len(hosts.split(",")) if len(ports) == 1 else ports
    return ",".join(f"{host}:{port}" for host, port in zip(hosts.split(","), all_ports, strict=False))


async def check_schema(connection: Connection) -> None:
    """Raises SchemaMismatch unless this code works with the database's schema.

    A newer schema is accepted if it records that code of our revision still works with it. So the schema can be
    migrated while processes of the old release still run.
    """
    try:
        cursor = await connection.execute(
            "SELECT version_num, oldest_code FROM alembic_version, schema_support"
        )
        row = await cursor.fetchone()
    except psycopg.errors.UndefinedTable:
        row = None
    if row is None:
        raise SchemaMismatch(
            f"the database has no schema yet; migrate it to {REVISION}: python -m migrations"
        )
    found, oldest_code = row
    if found < REVISION:
        raise SchemaMismatch(
            f"the database is at revision {found}, this code needs {REVISION}; migrate it: python -m migrations"
        )
    if oldest_code > REVISION:
        raise SchemaMismatch(
            f"the database is at revision {found} and works with code of {oldest_code} and newer; "
            f"this code is of {REVISION}: deploy the newer release"
        )
