"""Requests that would rather speak another protocol. The server ignores that (RFC 9110 §7.8): one request, one answer.

Were the rest of such a connection read as anything but the request's body, whoever writes the body would write requests.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace

import psycopg
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.gateway.conftest import World
from tests.gateway.parsed_connections import answers_to, documents
from tests.gateway.server.test_http_protocol import connected, received
from tests.support.processes import Process

INNER = b"GET /inner HTTP/1.1\r\nHost: x\r\n\r\n"
"""What a body must never become."""
UPGRADE = (b"Connection: Upgrade", b"Upgrade: h2c")
UPGRADES = (
    UPGRADE,
    (b"Upgrade: foo", b"connection: keep-alive, UPGRADE"),
    (b"Upgrade: websocket", b"Connection: upgrade", b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="),
    (b"Connection: Upgrade, HTTP2-Settings", b"HTTP2-Settings: AAEAAEAAAAIAAAAB", b"Upgrade: h2c"),
    (b"Upgrade: foo", b"Upgrade: h2c, bar/1", b"Connection: Upgrade", b"Upgrade:"),
    (b"Connection: Upgrade",),
    (b"Upgrade: h2c",),
)
LAST = b"GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


@dataclass(frozen=True)
class Sent:
    """A request as it is written down."""

    method: bytes = b"POST"
    version: bytes = b"1.1"
    framing: str = "length"
    """`length`, `chunked` or `none`."""
    body: bytes = INNER
    chunk: int = 7
    trailers: tuple[bytes, ...] = ()
    upgrade: tuple[bytes, ...] = UPGRADE
    upgrade_first: bool = True

    @property
    def written(self) -> bytes:
        lines = [b"Host: x", b"X-Empty:"]
        if self.version == b"1.0":
            lines.append(b"X-Old: yes")
        body = b""
        if self.framing == "length":
            lines.append(b"Content-Length: %d" % len(self.body))
            body = self.body
        elif self.framing == "chunked":
            lines.append(b"Transfer-Encoding: chunked")
            body = b"".join(
                b"%x\r\n%b\r\n" % (len(piece), piece) for piece in _cut(self.body, self.chunk) if piece
            )
            body += b"0\r\n" + b"".join(line + b"\r\n" for line in self.trailers) + b"\r\n"
        lines = [*self.upgrade, *lines] if self.upgrade_first else [*lines, *self.upgrade]
        head = b"%b /outer?a=b HTTP/%b\r\n" % (self.method, self.version)
        return head + b"".join(line + b"\r\n" for line in lines) + b"\r\n" + body


def _cut(data: bytes, size: int) -> list[bytes]:
    return [data[start : start + size] for start in range(0, len(data), size)]


REQUESTS = st.builds(
    Sent,
    method=st.sampled_from([b"POST", b"PUT", b"GET", b"DELETE", b"OPTIONS"]),
    framing=st.sampled_from(["length", "chunked", "none"]),
    body=st.one_of(
        st.sampled_from([INNER, INNER * 3, b"", LAST, b"0\r\n\r\n" + INNER]), st.binary(max_size=80)
    ),
    chunk=st.integers(1, 50),
    trailers=st.sampled_from([(), (b"X-Trailer: a",), (b"Upgrade: h2c", b"Connection: upgrade")]),
    upgrade=st.sampled_from(UPGRADES),
    upgrade_first=st.booleans(),
)


@settings(max_examples=150, deadline=None)
@given(
    requests=st.lists(REQUESTS, min_size=1, max_size=5),
    cuts=st.one_of(st.just([]), st.just([1]), st.lists(st.integers(1, 60), min_size=1, max_size=20)),
    old=st.booleans(),
)
@example(requests=[Sent()], cuts=[], old=False)
@example(requests=[Sent()], cuts=[1], old=False)
@example(requests=[Sent(framing="chunked"), Sent(framing="chunked")], cuts=[], old=False)
@example(requests=[Sent(method=b"GET", framing="none")] * 5, cuts=[], old=False)
def test_the_answers_are_those_of_the_same_requests_without_upgrades(
    requests: list[Sent], cuts: list[int], old: bool
) -> None:
    """Whatever the framing, wherever the reads end, whatever follows on the connection."""
    if old:
        requests = [*requests[:-1], replace(requests[-1], version=b"1.0")]
    end = b"" if old else LAST
    plain = [answers_to([replace(one, upgrade=()).written for one in requests] + [end])]
    upgraded = b"".join(one.written for one in requests) + end
    pieces = list(_pieces(upgraded, cuts))
    answered = answers_to(pieces)
    assert answered == plain[0]
    bodies = [one["body"].encode("latin-1") for one in documents(answered)]
    expected = [b"" if one.framing == "none" else one.body for one in requests]
    assert bodies == (expected if old else [*expected, b""])


def _pieces(data: bytes, cuts: list[int]) -> Iterator[bytes]:
    """Cut data; the sizes are used again and again, none at all means one piece."""
    start, number = 0, 0
    while start < len(data):
        size = cuts[number % len(cuts)] if cuts else len(data)
        yield data[start : start + size]
        start, number = start + size, number + 1


def test_trailers_are_no_headers() -> None:
    """RFC 9110 §6.5.1: what filters heads has not seen them. They came with the head in one read."""
    sent = Sent(framing="chunked", trailers=(b"X-Mark: smuggled", b"Host: y"), upgrade=())
    for pieces in ([sent.written + LAST], list(_pieces(sent.written + LAST, [1]))):
        first, last = documents(answers_to(pieces))
        assert (first["mark"], first["body"]) == ([], INNER.decode())
        assert last["path"] == "/last"


@pytest.fixture
def gateway(world: World) -> Process:
    world.gateway.url = world.url  # type: ignore[attr-defined]  # for `connected`
    return world.gateway


@pytest.mark.parametrize("size", [0, 1, 97], ids=["in one write", "byte by byte", "in pieces"])
@pytest.mark.parametrize("framing", ["length", "chunked"])
def test_the_gateway_creates_one_match_and_reads_the_body_as_a_body(
    gateway: Process, world: World, framing: str, size: int
) -> None:
    """Over a socket, at the real gateway: the inner request is never answered, and what comes after it is."""
    body = b'{"game":"river_dragons","seats":2}'.ljust(200) + b"\r\n" * 3
    for upgrade in UPGRADES:
        head = [*upgrade, f"Authorization: Bearer {world.key}".encode(), b"Content-Type: application/json"]
        sent = Sent(framing=framing, body=body, upgrade=tuple(head)).written
        sent = sent.replace(b"/outer?a=b", b"/v1/matches") + LAST.replace(b"/last", b"/livez")
        with closing(connected(gateway)) as line:
            for piece in _pieces(sent, [size] if size else []):
                line.sendall(piece)
            answers = received(line)
        assert [answer[:3] for answer in answers.split(b"HTTP/1.1 ")[1:]] == [b"201", b"200"]


def test_an_inner_request_is_not_executed(gateway: Process, world: World) -> None:
    """The attack as it was made: a body that creates a match for whoever's key stands in it."""
    key = f"Authorization: Bearer {world.key}\r\n".encode()
    make = b'{"game":"river_dragons","seats":2}'
    inner = (
        b"POST /v1/matches HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
        + key
        + b"Content-Length: %d\r\n\r\n" % len(make)
        + make
    )
    with psycopg.connect(world.database_url, autocommit=True) as database:
        before = database.execute("SELECT count(*) FROM matches").fetchone()
        for framing in ("length", "chunked"):
            for upgrade in UPGRADES:
                sent = Sent(framing=framing, body=inner, upgrade=upgrade).written.replace(
                    b"/outer", b"/v1/nothing"
                )
                with closing(connected(gateway)) as line:
                    line.sendall(sent + LAST)
                    answers = received(line)
                assert answers.count(b"HTTP/1.1 ") == 2, upgrade
                assert answers.count(b"HTTP/1.1 404") == 2, upgrade
        assert database.execute("SELECT count(*) FROM matches").fetchone() == before
