"""A connection that is closed when it cannot be trusted: if a statement gets no response, if its caller is cancelled,
and if the server accepts no writes.

All three happen when a replica replaces a primary: a frozen machine neither responds nor closes connections, and a primary
may be made read-only before it is replaced. A commit that waits for the replica must never be cancelled, see
`PostgresConnection.wait`.
"""

from __future__ import annotations

from typing import Final, TypeVar

import psycopg
from psycopg import AsyncConnection
from psycopg.abc import PQGen
from psycopg.errors import ReadOnlySqlTransaction
from psycopg.rows import TupleRow
from psycopg.waiting import wait_async

GRACE_SECONDS: Final = 2.0
"""How much longer than the server's time limit a statement may take before its connection is closed."""
POLL_SECONDS: Final = 0.1
"""psycopg's default."""

_READ_ONLY: Final = (b"in_hot_standby", b"default_transaction_read_only")
"""Parameters that a server reports by itself, without a query, since Postgres 14."""

Result = TypeVar("Result")


class NotWritable(psycopg.OperationalError):
    """The server accepts no writes: it is a replica, or a primary that is about to be replaced."""

    sqlstate = ReadOnlySqlTransaction.sqlstate


class NoAnswer(psycopg.OperationalError):
    """The server has not responded for longer than a statement may take."""


class PostgresConnection(AsyncConnection[TupleRow]):
    """A connection as `services.postgres.database` opens it."""

    response_seconds: float | None = None
    """Seconds a statement may take, response included, before the connection is closed; None: no limit."""

    async def wait(
        self,
        gen: PQGen[Result],
        interval: float = POLL_SECONDS,
        timeout: float | None = None,  # noqa: ASYNC109 - psycopg's own parameter
    ) -> Result:
        """Wait for the server; psycopg calls this for everything it sends.

        If the caller is cancelled, the connection is closed. Unlike psycopg, this sends no request to cancel the statement:
        with synchronous replication such a request ends a commit's wait for the replica, and the server then shows everybody
        a commit that the replica may not have. Without the request the server goes on waiting. Other statements end at the
        server's time limit.
        Raises NoAnswer if the server does not respond in time, NotWritable if it accepts no writes.
        """
        try:
            return await wait_async(
                gen, self.pgconn.socket, interval, self.response_seconds if timeout is None else timeout
            )
        except ReadOnlySqlTransaction as refusal:
            self.pgconn.finish()
            raise NotWritable("the server takes no writes") from refusal
        except psycopg.errors._WaitTimeout:  # noqa: SLF001 - psycopg has no public name for it
            if timeout is not None:  # psycopg set this time limit, and handles it
                raise
            self.pgconn.finish()
            raise NoAnswer("the server does not answer") from None
        except BaseException as end:
            if not isinstance(end, Exception):  # cancelled
                self.pgconn.finish()
            raise

    def must_take_writes(self) -> None:
        """Close the connection and raise NotWritable if the server has reported that it accepts no writes. It costs no round trip."""
        if any(self.pgconn.parameter_status(name) == b"on" for name in _READ_ONLY):
            self.pgconn.finish()
            raise NotWritable("the server takes no writes")
