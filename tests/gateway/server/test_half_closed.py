"""Clients that close their half of the connection once they have sent their request, as `nc -N` does, and read on."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from tests.gateway.conftest import World
from tests.gateway.live.test_streams import open_streams, soon
from tests.gateway.table import PROGRAM, Table

MOVE = {"action": PROGRAM, "expected_version": 1}


@contextmanager
def half_closed(world: World, data: bytes) -> Iterator[socket.socket]:
    """A connection on which this was sent, and nothing more will be."""
    url = httpx.URL(world.url)
    with socket.create_connection((url.host, url.port or 80), timeout=20) as line:
        line.sendall(data)
        line.shutdown(socket.SHUT_WR)
        yield line


def everything(line: socket.socket) -> bytes:
    data = b""
    while more := line.recv(65_536):
        data += more
    return data


def until(line: socket.socket, wanted: bytes) -> bytes:
    data = b""
    while wanted not in data:
        more = line.recv(65_536)
        assert more, data
        data += more
    return data


def request(table: Table, method: str, target: str, body: bytes = b"", *, seat: int = 0) -> bytes:
    lines = [
        f"{method} {target} HTTP/1.1",
        "host: x",
        f"authorization: Bearer {table.players[seat].token}",
        "accept: */*",
        *([f"content-length: {len(body)}", "content-type: application/json"] if body else []),
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body


@pytest.mark.parametrize("whole", [True, False], ids=["as a whole", "in parts"])
def test_a_move_is_answered(world: World, table: Table, whole: bool) -> None:
    """However it arrives. The end of what the client sends may be known only after the answer, which then does not announce it."""
    body = json.dumps(MOVE).encode()
    move = request(table, "POST", f"{table.path}/moves", body)
    if not whole:
        head = move.removesuffix(body).replace(
            b"content-length: %d" % len(body), b"transfer-encoding: chunked"
        )
        move = head + b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    with half_closed(world, move) as line:
        head, _, body = everything(line).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 ")
    assert json.loads(body)["version"] == 2
    assert table.match()["version"] == 2


@pytest.mark.parametrize("target", ["/view", "/moves", "/replay", ""])
def test_a_read_is_answered(world: World, table: Table, target: str) -> None:
    with half_closed(world, request(table, "GET", table.path + target)) as line:
        head, _, body = everything(line).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 ")
    assert body


def test_requests_that_were_sent_together_are_all_answered_in_order(world: World, table: Table) -> None:
    """And the half of one that follows them is not."""
    move = request(table, "POST", f"{table.path}/moves", json.dumps(MOVE).encode())
    view = request(table, "GET", f"{table.path}/view")
    with half_closed(world, view + move + view + move[:-5]) as line:
        answers = everything(line)
    assert answers.count(b"HTTP/1.1 200 ") == answers.count(b"HTTP/1.1 ") == 3
    assert answers.count(b'"version":2') >= 2


@pytest.mark.parametrize("sent", [b"", b"GET /livez HT", b"GET /livez HTTP/1.1\r\nhost: x\r\n"])
def test_half_a_request_is_closed_at_once(world: World, sent: bytes) -> None:
    began = time.monotonic()
    with half_closed(world, sent) as line:
        assert everything(line) == b""
    assert time.monotonic() - began < 3


def test_half_a_body_is_closed_at_once(world: World, table: Table) -> None:
    move = request(table, "POST", f"{table.path}/moves", json.dumps(MOVE).encode())
    began = time.monotonic()
    with half_closed(world, move[:-5]) as line:
        assert b"200" not in everything(line)
    assert time.monotonic() - began < 3
    assert table.match()["version"] == 1


def test_a_stream_goes_on(world: World, table: Table) -> None:
    with half_closed(world, request(table, "GET", f"{table.path}/stream")) as line:
        until(line, b"id: 1\n")
        time.sleep(2)  # longer than it takes to find out that a client has gone
        table.play_on(1)
        assert b"id: 2\n" in until(line, b"id: 2\n")


def test_a_stream_whose_client_has_gone_altogether_is_freed_soon(world: World, table: Table) -> None:
    """At first it looks the same."""
    url = httpx.URL(world.url)
    assert soon(lambda: open_streams(world) == 0, 45)  # those of earlier tests
    before = 0
    with socket.create_connection((url.host, url.port or 80), timeout=20) as line:
        line.sendall(request(table, "GET", f"{table.path}/stream"))
        until(line, b"id: 1\n")
        assert open_streams(world) == before + 1
    assert soon(lambda: open_streams(world) <= before)


def test_a_long_poll_is_given_up(world: World, table: Table) -> None:
    """Whether anybody reads there cannot be known before there is something to write."""
    began = time.monotonic()
    with half_closed(world, request(table, "GET", f"{table.path}/moves?after=1&wait=20s")) as line:
        assert everything(line) == b""
    assert 4 < time.monotonic() - began < 15
