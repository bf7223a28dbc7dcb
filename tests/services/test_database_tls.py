"""The way to Postgres over TLS is libpq's: what the address asks for is what every connection of ours insists on."""

from __future__ import annotations

import select
import socket
import socketserver
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final
from urllib.parse import unquote

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from throwaway_ca import LOOPBACK, Certified, ThrowawayCa

from services.movelog.postgres.log import PostgresLog
from services.postgres.database import DatabaseSettings, connect

SSL_REQUEST_BYTES: Final = 8
YES: Final = b"S"
NO: Final = b"N"


@pytest.fixture
def ca(tmp_path: Path) -> ThrowawayCa:
    return ThrowawayCa(tmp_path)


@contextmanager
def guarded(database_url: str, shown: Certified | None) -> Iterator[int]:
    """Stand before the embedded Postgres, which has no TLS, and speak it in its stead; give the port.

    The client asks whether there is TLS before anything else (PostgreSQL documentation, 54.2.12).
    """
    given = conninfo_to_dict(database_url)
    path = str(Path(unquote(str(given["host"]))) / f".s.PGSQL.{given.get('port', 5432)}")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    if shown is not None:
        context.load_cert_chain(shown.certificate, shown.key)

    class Guard(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.recv(SSL_REQUEST_BYTES)
            if shown is None:
                self.request.sendall(NO)
                return
            self.request.sendall(YES)
            with (
                suppress(OSError),  # whoever does not trust us hangs up
                context.wrap_socket(self.request, server_side=True) as client,
                socket.socket(socket.AF_UNIX) as postgres,
            ):
                postgres.connect(path)
                pour(client, postgres)

    with socketserver.ThreadingTCPServer((LOOPBACK, 0), Guard) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,)).start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()


def pour(client: ssl.SSLSocket, postgres: socket.socket) -> None:
    """Pass on what either of them says, until one hangs up."""
    other: dict[socket.socket, socket.socket] = {client: postgres, postgres: client}
    while True:
        ready = [client] if client.pending() else select.select(list(other), [], [])[0]
        for one in ready:
            block = one.recv(65_536)
            if not block:
                return
            other[one].sendall(block)


def over_tls(database_url: str, port: int, ca: ThrowawayCa) -> DatabaseSettings:
    url = make_conninfo(
        database_url, host=LOOPBACK, port=port, sslmode="verify-full", sslrootcert=str(ca.file)
    )
    return DatabaseSettings(url, pool_seconds=0.5)


async def test_every_connection_is_encrypted_and_its_server_certified(
    database_url: str, ca: ThrowawayCa
) -> None:
    with guarded(database_url, ca.certify("postgres")) as port:
        settings = over_tls(database_url, port, ca)
        async with await connect(settings, name="test") as connection:
            assert connection.pgconn.ssl_in_use
        async with await PostgresLog.open(settings) as log:
            assert await log.requested("nobody", "nothing") is None


async def test_a_server_that_a_stranger_certified_is_not_spoken_to(
    database_url: str, ca: ThrowawayCa, tmp_path: Path
) -> None:
    stranger = ThrowawayCa(tmp_path, "stranger")
    with (
        guarded(database_url, stranger.certify("postgres")) as port,
        pytest.raises(psycopg.OperationalError, match="certificate verify failed"),
    ):
        await connect(over_tls(database_url, port, ca), name="test")


async def test_a_server_certified_for_another_host_is_not_spoken_to(
    database_url: str, ca: ThrowawayCa
) -> None:
    with (
        guarded(database_url, ca.certify("postgres", "10.0.0.5")) as port,
        pytest.raises(psycopg.OperationalError, match="does not match host name"),
    ):
        await connect(over_tls(database_url, port, ca), name="test")


async def test_a_server_without_tls_is_not_spoken_to(database_url: str, ca: ThrowawayCa) -> None:
    with (
        guarded(database_url, None) as port,
        pytest.raises(psycopg.OperationalError, match="does not support SSL"),
    ):
        await connect(over_tls(database_url, port, ca), name="test")
