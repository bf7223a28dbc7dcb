"""Requests that are answered as a whole are answered as all others, however they are cut and mixed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from uvicorn import Config
from uvicorn.server import ServerState

from gateway.server.deadlines import Times
from gateway.server.whole_requests import (
    MAX_BODY_BYTES,
    Exchange,
    WholeHttpProtocol,
    WholeRequests,
    http_protocol,
)
from tests.gateway.parsed_connections import answers_to, documents, echo

LAST = b"GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


class Echo:
    """Answers as the application `echo` does, in a later turn of the loop."""

    def __init__(self) -> None:
        self.served: list[bytes] = []

    def takes(self, method: bytes, target: bytes) -> str | None:
        return "found" if method in {b"POST", b"GET"} and target.startswith(b"/whole") else None

    def serve(self, exchange: Exchange, found: str) -> None:
        assert found == "found"
        self.served.append(exchange.body)
        asyncio.get_running_loop().call_soon(self._answer, exchange)

    @staticmethod
    def _answer(exchange: Exchange) -> None:
        path = exchange.target.decode()
        understood = msgspec.json.encode(
            {
                "method": exchange.method,
                "path": path,
                "raw_path": path,
                "query": "",
                "version": "1.1",
                "mark": [value.decode() for name, value in exchange.scope["headers"] if name == b"x-mark"],
                "body": exchange.body.decode("latin-1"),
            }
        )
        exchange.respond(200, [(b"content-length", b"%d" % len(understood))], understood)


def answered(pieces: Sequence[bytes], path: Echo | None = None) -> bytes:
    return answers_to(pieces, http_protocol(Times(), path or Echo()))


def post(body: bytes, target: bytes = b"/whole", headers: bytes = b"") -> bytes:
    return b"POST %b HTTP/1.1\r\nHost: x\r\nX-Mark: m\r\n%bContent-Length: %d\r\n\r\n%b" % (
        target,
        headers,
        len(body),
        body,
    )


@pytest.mark.parametrize(
    ("request_", "body"),
    [
        (post(b"hello"), "hello"),
        (post(b""), ""),
        (b"GET /whole HTTP/1.1\r\nHost: x\r\n\r\n", ""),
        (b"GET /whole HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi", "hi"),
    ],
)
def test_a_plain_request_is_answered_as_a_whole(request_: bytes, body: str) -> None:
    path = Echo()
    first, last = documents(answered([request_, LAST], path))
    assert path.served == [body.encode()]
    assert (first["body"], first["path"], last["path"]) == (body, "/whole", "/last")
    assert (first["method"], first["path"]) == (request_.split(b" ")[0].decode(), "/whole")


@pytest.mark.parametrize(
    "request_",
    [
        pytest.param(post(b"x", target=b"/other"), id="another path"),
        pytest.param(post(b"x", headers=b"Expect: 100-continue\r\n"), id="expects something"),
        pytest.param(post(b"x", headers=b"Connection: close\r\n"), id="closes the connection"),
        pytest.param(post(b"x").replace(b"HTTP/1.1", b"HTTP/1.0"), id="an older version"),
        pytest.param(post(b"x").replace(b"Host: x\r\n", b""), id="no host"),
        pytest.param(
            b"POST /whole HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
            id="chunks",
        ),
        pytest.param(post(b"x" * (MAX_BODY_BYTES + 1)), id="a long body"),
        pytest.param(post(b"x").replace(b"POST", b"PUT"), id="another method"),
        pytest.param(b"POST /whole HTTP/1.1\r\nHost: x\r\n\r\n", id="a body of unknown length"),
    ],
)
def test_any_other_request_is_the_applications(request_: bytes) -> None:
    path = Echo()
    assert answered([request_, LAST], path) == answers_to([request_, LAST])
    assert path.served == []


def test_an_upgrade_is_ignored_and_the_request_served() -> None:
    request = post(b"x", headers=b"Upgrade: h2c\r\nConnection: upgrade\r\n")
    path = Echo()
    assert documents(answered([request, LAST], path)) == documents(answers_to([request, LAST]))
    assert path.served == [b"x"]


@given(
    requests=st.lists(
        st.tuples(st.sampled_from([b"/whole", b"/slow"]), st.sampled_from([b"", b"a", b"b" * 300])),
        max_size=6,
    ),
    cuts=st.lists(st.integers(0, 2_000), max_size=6),
)
def test_pipelined_requests_are_answered_alike_and_in_order_wherever_they_are_cut(
    requests: list[tuple[bytes, bytes]], cuts: list[int]
) -> None:
    data = b"".join([post(body, target) for target, body in requests] + [LAST])
    places = [0, *sorted(cut % len(data) for cut in cuts), len(data)]
    pieces = [data[begin:end] for begin, end in pairwise(places) if begin < end]
    found = documents(answered(pieces))
    assert [one["body"].encode() for one in found] == [body for _, body in requests] + [b""]
    assert [one["path"].encode() for one in found] == [target for target, _ in requests] + [b"/last"]


class Speechless(Echo):
    """Begins to serve requests, and finds nothing to answer."""

    @staticmethod
    def _answer(exchange: Exchange) -> None:
        exchange.abandon()


def test_a_client_that_cannot_be_answered_is_not_left_waiting() -> None:
    assert answered([post(b"hello")], Speechless()) == b""


class Sink(asyncio.Transport):
    """Where a connection writes to."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.is_closed = False

    def write(self, data: Any) -> None:
        self.written += data

    def close(self) -> None:
        self.is_closed = True

    def is_closing(self) -> bool:
        return self.is_closed

    def get_write_buffer_size(self) -> int:
        return 0


def connected(requests: WholeRequests) -> tuple[WholeHttpProtocol, Sink]:
    config = Config(echo, ws="none", log_config=None, access_log=False)
    protocol, sink = http_protocol(Times(), requests)(config, ServerState(), app_state={}), Sink()
    protocol.connection_made(sink)
    return protocol, sink


async def test_a_request_that_is_arriving_when_the_server_stops_is_answered_and_the_last() -> None:
    protocol, sink = connected(Echo())
    request = post(b"hello")
    protocol.data_received(request[:-3])
    protocol.shutdown()
    assert not sink.is_closed
    protocol.data_received(request[-3:])
    await asyncio.sleep(0.01)
    assert b"connection: close" in sink.written
    assert documents(sink.written)[0]["body"] == "hello"
    assert sink.is_closed


async def test_a_connection_without_a_request_is_closed_when_the_server_stops() -> None:
    protocol, sink = connected(Echo())
    protocol.shutdown()
    assert sink.is_closed


class Waiting(Echo):
    """Answers in a task, which waits for ever."""

    def serve(self, exchange: Exchange, found: str) -> None:
        async def answer() -> None:
            try:
                await asyncio.Event().wait()
            finally:
                exchange.abandon()

        exchange.run(answer())


async def test_the_server_knows_the_tasks_that_answer_and_whoever_ends_them_leaves_no_client_waiting() -> (
    None
):
    protocol, sink = connected(Waiting())
    protocol.data_received(post(b"hello"))
    (task,) = protocol.server_state.tasks
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait((task,))
    await asyncio.sleep(0)
    assert sink.is_closed
    assert protocol.server_state.tasks == set()
