"""A connection that is closed when it cannot be trusted: if a statement gets no response, if its caller is cancelled,
and if the server accepts no writes.

All three happen when a replica replaces a primary. A frozen machine neither responds nor closes connections. A primary
may be made read-only before it is replaced. And a
commit that waits for the replica must never be cancelled, see `PostgresConnection.wait`.
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
"""How much longer than the server's own limit a statement may take before the connection is given up."""
POLL_SECONDS: Final = 0.1
"""psycopg's own."""

_READ_ONLY: Final = (b"in_hot_standby", b"default_transaction_read_only")
"""What a server reports of itself without being asked, since Postgres 14."""

Answer = TypeVar("Answer")


class NotWritable(psycopg.OperationalError):
    """The server takes no writes: a replica, or a primary that is about to be replaced. Another one may."""

    sqlstate = ReadOnlySqlTransaction.sqlstate


class NoAnswer(psycopg.OperationalError):
    """The server has said nothing for longer than a statement may take."""


class PostgresConnection(AsyncConnection[TupleRow]):
    """A connection of ours; `services.postgres.database` opens it."""

    patience: float | None = None
    """Seconds a statement may take, answer included, before the connection is given up; None: any number."""

    async def wait(
        self,
        gen: PQGen[Answer],
        interval: float = POLL_SECONDS,
        timeout: float | None = None,  # noqa: ASYNC109 - psycopg's own parameter
    ) -> Answer:
        """Wait for the server; everything psycopg asks of it goes through here. NoAnswer, NotWritable.

        A caller who is cancelled closes the connection and sends the server no request to cancel the statement, as
        psycopg would. With synchronous replication such a request ends a commit's waiting for the replica: the server
        then counts as committed, and shows to everybody, what the replica may not have. Left alone, it waits on; a
        statement that has not come so far ends by its own time limit.
        """
        try:
            return await wait_async(
                gen, self.pgconn.socket, interval, self.patience if timeout is None else timeout
            )
        except ReadOnlySqlTransaction as refusal:
            self.pgconn.finish()
            raise NotWritable("the server takes no writes") from refusal
        except psycopg.errors._WaitTimeout:  # noqa: SLF001 - psycopg has no public name for it
            if timeout is not None:  # the caller's own, which psycopg understands
                raise
            self.pgconn.finish()
            raise NoAnswer("the server does not answer") from None
        except BaseException as end:
            if not isinstance(end, Exception):  # cancelled
                self.pgconn.finish()
            raise

    def must_take_writes(self) -> None:
        """Raise NotWritable, and close, if the server has said that it takes no writes. Costs no round trip."""
        if any(self.pgconn.parameter_status(name) == b"on" for name in _READ_ONLY):
            self.pgconn.finish()
            raise NotWritable("the server takes no writes")
