"""Connections that misbehave, over bare sockets: each is answered, bounded and closed, and nothing is kept for it."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from gateway.server.protocol import MAX_PIPELINED
from tests.gateway.conftest import World
from tests.support.processes import Process

LIVEZ = b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n"
CHUNKED = b"POST /v1/matches HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
SECONDS = 6.0
"""The clock goes round once a second, on a busy machine a little later."""


@pytest.fixture(scope="module")
def impatient(world: World, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A gateway with little patience, and room for few."""
    log = tmp_path_factory.mktemp("impatient") / "gateway.log"
    settings = world.gateway_settings(world.rules_address) | {
        "head_seconds": "1",
        "body_seconds": "1",
        "stall_seconds": "1",
        "max_connections": "20",
    }
    with Process("gateway", log, **settings) as gateway:
        gateway.url = gateway.start()  # type: ignore[attr-defined]  # for `connected`
        yield gateway
        assert [line for line in gateway.lines() if line["level"] == "error" or "exception" in line] == []
        assert gateway.stop() == 0


def connected(gateway: Process, *, small_buffer: bool = False) -> socket.socket:
    url = httpx.URL(gateway.url)  # type: ignore[attr-defined]  # as above
    line = socket.socket()
    if small_buffer:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    line.settimeout(SECONDS)
    line.connect((url.host, url.port))
    return line


def received(line: socket.socket) -> bytes:
    """Everything until the other end closes."""
    data = b""
    try:
        while more := line.recv(65_536):
            data += more
    except ConnectionResetError:
        pass  # closed with something of ours unread
    return data


def problem(answer: bytes) -> tuple[int, str]:
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"content-type: application/problem+json" in head
    assert b"connection: close" in head
    return int(head.split(b" ")[1]), json.loads(body)["reason"]


def until_refused(line: socket.socket, piece: bytes, *, pause: float = 0) -> int:
    """Send the same again and again until the other end will not have it; give how many bytes that took."""
    sent, until = 0, time.monotonic() + 20
    while time.monotonic() < until:
        try:
            line.sendall(piece)
        except OSError:
            return sent
        sent += len(piece)
        time.sleep(pause)
    raise AssertionError(f"{sent} bytes were taken, and there is no end of it")


def test_a_head_that_never_ends_is_told_so(impatient: Process) -> None:
    with connected(impatient) as line:
        line.sendall(b"GET /livez HTTP/1.1\r\nX: ")
        assert problem(received(line)) == (408, "TOO_SLOW")


def test_a_body_that_never_ends_is_told_so(impatient: Process, world: World) -> None:
    head = f"POST /v1/matches HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {world.key}\r\n".encode()
    with connected(impatient) as line:
        line.sendall(head + b"Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{")
        assert problem(received(line)) == (408, "TOO_SLOW")


def test_who_says_nothing_is_not_waited_for(impatient: Process) -> None:
    with connected(impatient) as line:
        assert received(line) == b""


def test_after_the_rest_of_a_refused_body_the_connection_goes_on(impatient: Process) -> None:
    with connected(impatient) as line:
        line.sendall(CHUNKED)
        assert line.recv(65_536).startswith(b"HTTP/1.1 401")
        line.sendall(b"0\r\n\r\n" + LIVEZ)
        assert line.recv(65_536).startswith(b"HTTP/1.1 200")


def test_trailers_without_end_are_bounded_like_a_head(impatient: Process) -> None:
    with connected(impatient) as line:
        line.sendall(CHUNKED + b"0\r\n")
        assert until_refused(line, b"X-Trailer: " + b"a" * 8_000 + b"\r\n") < 8_000_000


def test_who_does_not_read_answers_is_given_up(impatient: Process) -> None:
    with connected(impatient, small_buffer=True) as line:
        assert until_refused(line, b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n", pause=0.02) < 100_000


def test_requests_that_wait_are_answered_up_to_a_number_and_the_rest_is_not_kept(impatient: Process) -> None:
    with connected(impatient) as line:
        line.sendall(LIVEZ * (MAX_PIPELINED * 10))
        answers = received(line)
    assert 0 < answers.count(b"HTTP/1.1 200") <= MAX_PIPELINED + 1
    assert answers.count(b"connection: close") == 1
    assert answers.endswith(b"}")


def test_some_requests_at_once_are_all_answered(impatient: Process) -> None:
    with connected(impatient) as line:
        line.sendall(LIVEZ * MAX_PIPELINED)
        answers = b""
        while answers.count(b"HTTP/1.1 200") < MAX_PIPELINED:
            answers += line.recv(65_536)
    assert b"connection: close" not in answers


def test_what_is_no_request_is_told_after_the_answers_that_are_due(impatient: Process) -> None:
    """Not before them: it would be taken for the first one's answer."""
    with connected(impatient) as line:
        line.sendall(LIVEZ * 2 + b"NONSENSE\r\n\r\n")
        answers = received(line)
    assert answers.count(b"HTTP/1.1 200") == 2
    assert b"NOT_HTTP" not in answers.partition(b"\r\n\r\n")[0]


@pytest.mark.parametrize(
    "head",
    [
        pytest.param(b"GET /livez HTTP/1.1\r\n\r\n", id="no host"),
        pytest.param(b"GET /livez HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", id="two hosts"),
        pytest.param(b"GET /livez\r\n\r\n", id="HTTP/0.9"),
    ],
)
def test_a_request_names_one_host(impatient: Process, head: bytes) -> None:
    with connected(impatient) as line:
        line.sendall(head)
        assert problem(received(line)) == (400, "NOT_HTTP")


def test_http_1_0_needs_no_host(impatient: Process) -> None:
    with connected(impatient) as line:
        line.sendall(b"GET /livez HTTP/1.0\r\n\r\n")
        assert received(line).startswith(b"HTTP/1.1 200")


def test_one_connection_too_many_is_told_to_come_again(impatient: Process) -> None:
    lines = [connected(impatient) for _ in range(21)]
    try:
        answer = received(lines[-1])
        assert problem(answer) == (503, "TOO_MANY_CONNECTIONS")
        assert b"retry-after: " in answer
    finally:
        for line in lines:
            line.close()
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        with connected(impatient) as line:
            line.sendall(LIVEZ)
            if line.recv(65_536).startswith(b"HTTP/1.1 200"):
                return
    raise AssertionError("there is no room, though everybody has gone")


def test_nothing_is_left_of_them(impatient: Process) -> None:
    """Runs last in this file: no socket is held for anybody."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        held = [link for link in Path(f"/proc/{impatient.pid}/fd").iterdir() if _is_socket(link)]
        if len(held) < 12:  # the listening one, and those to the services
            return
        time.sleep(0.1)
    raise AssertionError(f"{len(held)} sockets are open")


def _is_socket(link: Path) -> bool:
    try:
        return str(link.readlink()).startswith("socket:")
    except FileNotFoundError:
        return False
