"""A connection for appends: prepared statements, binary in both directions, and as little overhead as possible.

psycopg opens it; then its libpq connection is driven directly. An append through psycopg's cursors took
230 µs, this way 155, most of it the commit itself (one client, medians, PostgreSQL 18 on the same
machine): the socket stays registered with the event loop, and nothing is adapted that is binary already.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, Self

import psycopg
from psycopg.errors import ReadOnlySqlTransaction, error_from_result
from psycopg.pq import ExecStatus, Format
from psycopg.pq.abc import PGresult

from services.postgres.connection import NoAnswer, NotWritable
from services.postgres.database import Connection, DatabaseSettings, connect

SHUTDOWN_CLASS: Final = "57P"
"""SQLSTATEs of a server that shuts down; a lost connection has none."""


class Statement(NamedTuple):
    """A statement and the types of its parameters."""

    name: bytes
    sql: bytes
    parameters: tuple[int, ...]
    """Type oids."""


class Lane:
    """One connection, one statement at a time. Belongs to one event loop."""

    def __init__(self, connection: Connection, response_seconds: float) -> None:
        """Use `open`."""
        self._connection = connection
        self._pgconn = connection.pgconn
        self._response_seconds = response_seconds
        self._loop = asyncio.get_running_loop()
        self._prepared: set[bytes] = set()
        self._answer: asyncio.Future[PGresult] | None = None
        self._result: PGresult | None = None
        self._socket = self._pgconn.socket
        self.is_open = True
        self._loop.add_reader(self._socket, self._on_readable)

    @classmethod
    async def open(cls, settings: DatabaseSettings, session: Mapping[str, str]) -> Self:
        """Open a connection. Raise psycopg.OperationalError."""
        return cls(await connect(settings, name="appends", session=session), settings.response_seconds)

    async def run(self, statement: Statement, values: Sequence[bytes | None]) -> PGresult:
        """Run a statement and return its binary result. Raise psycopg's errors: by SQLSTATE, or OperationalError.

        If the caller is cancelled meanwhile, the connection is closed and the outcome unknown.
        """
        try:
            if statement.name not in self._prepared:
                self._pgconn.send_prepare(statement.name, statement.sql, statement.parameters)
                await self._finish()
                self._prepared.add(statement.name)
            formats = [Format.BINARY] * len(values)
            self._pgconn.send_query_prepared(statement.name, values, formats, Format.BINARY)
            return await self._finish()
        except psycopg.OperationalError as problem:
            if (problem.sqlstate or SHUTDOWN_CLASS).startswith(SHUTDOWN_CLASS):
                self._break(problem)
            raise
        except ReadOnlySqlTransaction as refusal:
            elsewhere = NotWritable("the server takes no writes")
            self._break(elsewhere)
            raise elsewhere from refusal

    async def close(self) -> None:
        """Close the connection."""
        self._break(psycopg.OperationalError("the connection was closed"))
        await self._connection.close()

    async def _finish(self) -> PGresult:
        """Send the pending data and wait for the response."""
        self._answer = answer = self._loop.create_future()
        self._flush()
        timer = self._loop.call_later(self._response_seconds, self._give_up)
        try:
            result: PGresult = await answer
        except asyncio.CancelledError:
            self._break(psycopg.OperationalError("the statement was abandoned"))
            raise
        finally:
            timer.cancel()
            self._answer = None
        if result.status in {ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK}:
            return result
        raise error_from_result(result)

    def _flush(self) -> None:
        try:
            if self._pgconn.flush():  # more than the socket accepts at once
                self._loop.add_writer(self._socket, self._on_writable)
        except psycopg.OperationalError as problem:
            self._break(problem)

    def _on_writable(self) -> None:
        self._loop.remove_writer(self._socket)
        self._flush()

    def _on_readable(self) -> None:
        """Also called when no statement is pending: then the server closes the connection."""
        try:
            self._pgconn.consume_input()
            while not self._pgconn.is_busy():
                result = self._pgconn.get_result()
                if result is None:
                    break
                self._result = result
            else:
                return  # the response is not complete yet
        except psycopg.OperationalError as problem:
            self._break(problem)
            return
        complete, self._result = self._result, None
        if complete is not None and self._answer is not None and not self._answer.done():
            self._answer.set_result(complete)

    def _give_up(self) -> None:
        self._break(NoAnswer("the server does not answer"))

    def _break(self, problem: psycopg.OperationalError) -> None:
        """Close the lost connection and raise the error in the waiting caller."""
        if not self.is_open:
            return
        self.is_open = False
        self._loop.remove_reader(self._socket)
        self._loop.remove_writer(self._socket)
        self._pgconn.finish()
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(problem)
