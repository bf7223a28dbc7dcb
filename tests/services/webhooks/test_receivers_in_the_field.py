"""Receivers as they are in the field: an event arrives at each of them, or the attempt says in a word what is wrong.

docs/play/webhooks.md lists what a receiver must offer.
"""

from __future__ import annotations

import asyncio
import gzip
import os
import shutil
import socket
import ssl
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import h2.config
import h2.connection
import h2.events
import pytest
from receivers import Receiver, ReceiverAnswer, receiving
from throwaway_ca import Certified, ThrowawayCa

from services.webhooks import connections
from services.webhooks.certificates import Trust
from services.webhooks.connections import PublicNetwork
from services.webhooks.posting import Posted, Poster
from services.webhooks.urls import check_url

NAME = "receiver.example"
LIVE = "127.0.0.1"
REFUSING = "127.0.0.2"
"""Nothing listens here."""
SILENT = "127.0.0.3"
"""Accepts no connection and refuses none."""
MUTE = "127.0.0.4"
"""Accepts connections, and never says a word."""
NODE = shutil.which("node")


def network(*addresses: str) -> PublicNetwork:
    async def resolve(host: str, port: int) -> list[str]:
        return list(addresses) or [LIVE]

    return PublicNetwork(loopback=True, resolve=resolve)


@pytest.fixture
def ca(tmp_path: Path) -> ThrowawayCa:
    return ThrowawayCa(tmp_path)


def trusting(ca: ThrowawayCa) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(ca.file))


def side_of_a_server(files: Certified, **more: Any) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(files.certificate, files.key)
    for name, value in more.items():
        setattr(context, name, value)
    return context


# ── several addresses ──────────────────────────────────────────────────────────────────────────────


@contextmanager
def dead_addresses(port: int) -> Iterator[None]:
    """SILENT and MUTE on a port."""
    with socket.socket() as silent, socket.socket() as mute:
        fillers = []
        silent.bind((SILENT, port))
        silent.listen(0)
        mute.bind((MUTE, port))
        mute.listen(100)
        for _ in range(2):  # once its queue is full, the kernel ignores who else wants to connect
            fillers.append(filler := socket.socket())
            filler.setblocking(False)
            filler.connect_ex((SILENT, port))
        try:
            yield
        finally:
            for filler in fillers:
                filler.close()


@pytest.mark.parametrize(
    "addresses",
    [
        [LIVE],
        [REFUSING, LIVE],
        [SILENT, LIVE],
        [MUTE, LIVE],
        ["::1", LIVE],
        ["::1", REFUSING, SILENT, MUTE, LIVE],
        [LIVE, MUTE, SILENT, REFUSING, "::1"],
    ],
    ids="+".join,
)
async def test_a_receiver_of_whose_addresses_some_are_dead(ca: ThrowawayCa, addresses: list[str]) -> None:
    async with receiving(side_of_a_server(ca.certify(NAME))) as receiver:
        with dead_addresses(receiver.port):
            for _ in range(3):  # the order is drawn
                poster = Poster(network(*addresses), trust=trusting(ca))
                posted = await poster.post(f"https://{NAME}:{receiver.port}/", {}, b"{}")
                assert (posted.status, posted.problem) == (204, "")
                assert posted.seconds < 4
        assert len(receiver.received) == 3


@pytest.mark.parametrize(
    ("address", "problem"),
    [(REFUSING, "connect_failed"), (SILENT, "connect_timeout"), (MUTE, "connect_timeout")],
)
async def test_a_receiver_all_of_whose_addresses_are_dead(
    ca: ThrowawayCa, receiver: Receiver, address: str, problem: str
) -> None:
    with dead_addresses(receiver.port):
        poster = Poster(network(address, address), trust=trusting(ca), connect_seconds=0.8)
        posted = await poster.post(f"https://{NAME}:{receiver.port}/", {}, b"{}")
    assert (posted.status, posted.problem) == (None, problem)
    assert posted.seconds < 2


async def test_an_address_that_never_answers_is_not_asked_every_time(ca: ThrowawayCa) -> None:
    """It takes the request and is silent, so only the next attempt may go elsewhere."""
    server = side_of_a_server(ca.certify(NAME))
    async with receiving(server) as receiver, receiving(server, host=MUTE, port=receiver.port) as mute:
        mute.answer = lambda _: ReceiverAnswer(after=60)
        poster = Poster(network(MUTE, LIVE), trust=trusting(ca), total_seconds=0.4)
        tries = [await poster.post(f"https://{NAME}:{receiver.port}/", {}, b"{}") for _ in range(20)]
    assert {one.status for one in tries} == {204, None}


async def test_every_address_of_many_is_checked_and_only_a_few_are_tried(receiver: Receiver) -> None:
    tried = []

    class Counting(PublicNetwork):
        async def _dial(self, address: str, *more: Any) -> Any:
            tried.append(address)
            return await super()._dial(address, *more)

    async def many(host: str, port: int) -> list[str]:
        return [f"127.1.0.{number}" for number in range(200)]

    async def many_and_a_private_one(host: str, port: int) -> list[str]:
        return [*await many(host, port), "10.0.0.1"]

    url = f"http://{NAME}:{receiver.port}/"
    refused = await Poster(Counting(loopback=True, resolve=many_and_a_private_one)).post(url, {}, b"{}")
    assert (refused.problem, tried) == ("private_address", [])
    failed = await Poster(Counting(loopback=True, resolve=many)).post(url, {}, b"{}")
    assert failed.problem == "connect_failed"
    assert len(tried) == connections.MAX_ADDRESSES


# ── names and URLs ─────────────────────────────────────────────────────────────────────────────────


async def test_a_name_that_takes_longer_than_a_connection_may(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the first name server is down; meanwhile others are served."""
    look_up = socket.getaddrinfo

    def slow(host: str, *others: Any, **more: Any) -> Any:
        if host == NAME:
            time.sleep(1.0)
        return look_up(LIVE, *others, **more)

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    poster = Poster(PublicNetwork(loopback=True), connect_seconds=0.3)
    began = time.monotonic()
    waiting = asyncio.create_task(poster.post(f"http://{NAME}:{receiver.port}/", {}, b"{}"))
    await asyncio.sleep(0)
    assert (await poster.post(f"http://other.example:{receiver.port}/", {}, b"{}")).arrived
    assert time.monotonic() - began < 0.9
    assert (await waiting).arrived


@pytest.mark.parametrize(
    "host",
    ["no-such-name.invalid", "a" * 64 + ".example", "xn--." + "a" * 70],
    ids=["unknown", "long", "odd"],
)
async def test_a_name_without_an_address(host: str) -> None:
    posted = await Poster(PublicNetwork(loopback=True)).post(f"https://{host}/", {}, b"{}")
    assert (posted.status, posted.problem) == (None, "name_not_found")


@pytest.mark.parametrize(
    ("host", "certified", "addresses"),
    [
        (NAME, NAME, [LIVE]),
        (f"{NAME}.", NAME, [LIVE]),
        (NAME.upper(), NAME, [LIVE]),
        ("xn--mnchen-3ya.example", "xn--mnchen-3ya.example", [LIVE]),
        ("a_b.example", "a_b.example", [LIVE]),
        (LIVE, "other.example", [LIVE]),
        ("[::1]", "other.example", ["::1"]),
        ("[0:0:0:0:0:0:0:1]", "other.example", ["::1"]),
    ],
)
async def test_a_host_as_people_write_it(
    ca: ThrowawayCa, host: str, certified: str, addresses: list[str]
) -> None:
    server = side_of_a_server(ca.certify(certified, LIVE, "::1"))
    async with receiving(server, host=addresses[0]) as receiver:
        url = f"https://{host}:{receiver.port}/hooks?key=a%20b"
        check_url(url, loopback=True)
        posted = await Poster(network(*addresses), trust=trusting(ca)).post(url, {}, b"{}")
        assert (posted.status, posted.problem) == (204, "")
        assert receiver.received[0].headers["host"] == f"{host}:{receiver.port}"
        assert receiver.received[0].path == "/hooks?key=a%20b"


def test_a_name_in_other_letters_is_refused_with_what_to_write() -> None:
    with pytest.raises(ValueError, match="xn--mnchen-3ya"):
        check_url("https://münchen.example/hooks", loopback=False)


# ── TLS ────────────────────────────────────────────────────────────────────────────────────────────


def of_another_authority(ca: ThrowawayCa, folder: Path) -> ssl.SSLContext:
    other = folder / "other"
    other.mkdir()
    return side_of_a_server(ThrowawayCa(other, "other").certify(NAME))


def wanting_a_certificate(ca: ThrowawayCa, folder: Path) -> ssl.SSLContext:
    """With TLS 1.2: with 1.3 it depends on the moment whether the reason arrives before the end."""
    context = side_of_a_server(
        ca.certify(NAME), verify_mode=ssl.CERT_REQUIRED, maximum_version=ssl.TLSVersion.TLSv1_2
    )
    context.load_verify_locations(ca.file)
    return context


SERVERS: dict[str, tuple[Callable[[ThrowawayCa, Path], ssl.SSLContext], int | None, str]] = {
    "TLS 1.3 only": (
        lambda ca, _: side_of_a_server(ca.certify(NAME), minimum_version=ssl.TLSVersion.TLSv1_3),
        204,
        "",
    ),
    "TLS 1.2 only": (
        lambda ca, _: side_of_a_server(ca.certify(NAME), maximum_version=ssl.TLSVersion.TLSv1_2),
        204,
        "",
    ),
    "expired": (
        lambda ca, _: side_of_a_server(ca.certify(NAME, ended=timedelta(hours=1))),
        None,
        "certificate_expired",
    ),
    "not valid yet": (
        lambda ca, _: side_of_a_server(ca.certify(NAME, ended=timedelta(days=-31))),
        None,
        "certificate_expired",
    ),
    "another name": (
        lambda ca, _: side_of_a_server(ca.certify("other.example")),
        None,
        "certificate_wrong_name",
    ),
    "unknown authority": (of_another_authority, None, "certificate_untrusted"),
    "wants a certificate": (wanting_a_certificate, None, "tls_failed"),
}


@pytest.mark.parametrize(("server", "status", "problem"), SERVERS.values(), ids=SERVERS)
async def test_a_receiver_with_a_certificate(
    ca: ThrowawayCa,
    tmp_path: Path,
    server: Callable[[ThrowawayCa, Path], ssl.SSLContext],
    status: int | None,
    problem: str,
) -> None:
    async with receiving(server(ca, tmp_path)) as receiver:
        poster = Poster(network(), trust=trusting(ca))
        posted = await poster.post(f"https://{NAME}:{receiver.port}/", {}, b"{}")
        assert (posted.status, posted.problem) == (status, problem)
        assert len(receiver.received) == (status is not None)


async def test_an_address_that_is_no_ip_of_the_certificate(ca: ThrowawayCa) -> None:
    async with receiving(side_of_a_server(ca.certify(NAME, "127.0.0.9"))) as receiver:
        poster = Poster(network(), trust=trusting(ca))
        posted = await poster.post(f"https://{LIVE}:{receiver.port}/", {}, b"{}")
    assert posted.problem == "certificate_wrong_name"


async def test_a_receiver_that_speaks_no_tls(receiver: Receiver, ca: ThrowawayCa) -> None:
    receiver.greeting = b"220 smtp.example ESMTP\r\n"
    posted = await Poster(network(), trust=trusting(ca)).post(f"https://{NAME}:{receiver.port}/", {}, b"{}")
    assert (posted.status, posted.problem) == (None, "tls_failed")


async def test_a_certificate_that_was_renewed_is_accepted_by_the_next_attempt(ca: ThrowawayCa) -> None:
    """And one that was replaced by a wrong one is noticed, though requests went through before."""
    files = ca.certify(NAME)
    server = side_of_a_server(files)
    poster = Poster(network(), trust=trusting(ca))
    async with receiving(server) as receiver:
        url = f"https://{NAME}:{receiver.port}/"
        said = []
        for ended in (timedelta(hours=1), timedelta(days=-1), timedelta(hours=2), timedelta(days=-2)):
            files = ca.certify(NAME, ended=ended, replacing=files)
            server.load_cert_chain(files.certificate, files.key)
            said.append((await poster.post(url, {}, b"{}")).problem)
    assert said == ["certificate_expired", "", "certificate_expired", ""]


async def test_authorities_of_the_machine_that_changed_are_read_again(
    ca: ThrowawayCa, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = tmp_path / "bundle.pem"
    (other := tmp_path / "other").mkdir()
    bundle.write_bytes(ThrowawayCa(other, "other").file.read_bytes())
    monkeypatch.setenv("SSL_CERT_FILE", str(bundle))
    poster = Poster(network())
    poster._trust = Trust(renew_seconds=0)
    async with receiving(side_of_a_server(ca.certify(NAME))) as receiver:
        url = f"https://{NAME}:{receiver.port}/"
        assert (await poster.post(url, {}, b"{}")).problem == "certificate_untrusted"
        bundle.write_bytes(ca.file.read_bytes())
        assert (await poster.post(url, {}, b"{}")).arrived


# ── HTTP/2 ─────────────────────────────────────────────────────────────────────────────────────────


class Http2Receiver(asyncio.Protocol):
    """Speaks HTTP/2, and nothing else."""

    received: list[tuple[dict[str, str], bytes]]
    misbehaves = ""

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self.spoken = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False))
        self.spoken.initiate_connection()
        self.head: dict[str, str] = {}
        self.body = b""
        transport.write(self.spoken.data_to_send())

    def data_received(self, data: bytes) -> None:
        for event in self.spoken.receive_data(data):
            match event:
                case h2.events.RequestReceived():
                    self.head = {name.decode(): value.decode() for name, value in event.headers or []}
                    if self.misbehaves == "GOAWAY":
                        self.spoken.close_connection(last_stream_id=0)
                case h2.events.DataReceived():
                    self.body += event.data or b""
                case h2.events.StreamEnded() if event.stream_id is not None:
                    self.received.append((self.head, self.body))
                    self.answer(event.stream_id)
        self.transport.write(self.spoken.data_to_send())

    def answer(self, stream: int) -> None:
        match self.misbehaves:
            case "reset":
                self.spoken.reset_stream(stream)
            case "GOAWAY":
                pass
            case "reset behind the answer":
                self.spoken.send_headers(stream, [(":status", "200")])
                self.spoken.reset_stream(stream, error_code=0)
            case _:
                self.spoken.send_headers(stream, [(":status", "204")], end_stream=True)


@asynccontextmanager
async def http2_only(ca: ThrowawayCa, misbehaves: str = "") -> AsyncIterator[tuple[str, list[Any]]]:
    received: list[Any] = []
    tls = side_of_a_server(ca.certify(NAME))
    tls.set_alpn_protocols(["h2"])
    kind = type("One", (Http2Receiver,), {"received": received, "misbehaves": misbehaves})
    server = await asyncio.get_running_loop().create_server(kind, LIVE, 0, ssl=tls)
    async with server:
        yield f"https://{NAME}:{server.sockets[0].getsockname()[1]}", received


async def test_a_front_end_that_speaks_http2_only(ca: ThrowawayCa) -> None:
    body = b'{"event":"' + b"x" * 20_000 + b'"}'
    async with http2_only(ca) as (url, received):
        posted = await Poster(network(), trust=trusting(ca)).post(f"{url}/hooks", {"webhook-id": "1"}, body)
    assert (posted.status, posted.problem) == (204, "")
    ((head, arrived),) = received
    assert (head[":method"], head[":path"], head["webhook-id"], arrived) == ("POST", "/hooks", "1", body)
    assert head[":authority"] == url.removeprefix("https://")


@pytest.mark.parametrize(
    ("misbehaves", "status", "problem"),
    [
        ("reset", None, "broken_answer"),
        ("GOAWAY", None, "broken_answer"),
        ("reset behind the answer", 200, ""),
    ],
)
async def test_a_front_end_that_breaks_http2_off(
    ca: ThrowawayCa, misbehaves: str, status: int | None, problem: str
) -> None:
    async with http2_only(ca, misbehaves) as (url, _):
        posted = await Poster(network(), trust=trusting(ca)).post(f"{url}/", {}, b"{}")
    assert (posted.status, posted.problem) == (status, problem)


@pytest.mark.skipif(NODE is None, reason="needs node")
async def test_node_with_http2_only(ca: ThrowawayCa) -> None:
    files = ca.certify(NAME)
    program = """
        const { readFileSync } = require("node:fs");
        const [cert, key] = process.argv.slice(1).map((name) => readFileSync(name));
        const server = require("node:http2").createSecureServer({ cert, key }, (request, response) => {
          const parts = [];
          request.on("data", (part) => parts.push(part));
          request.on("end", () => {
            response.writeHead(Buffer.concat(parts).toString() === '{"a":1}' ? 202 : 400).end("taken");
          });
        });
        server.listen(0, "127.0.0.1", () => console.log(server.address().port));
    """
    assert NODE is not None
    node = await asyncio.create_subprocess_exec(
        *(NODE, "-e", program, str(files.certificate), str(files.key)),
        stdout=asyncio.subprocess.PIPE,
        env={"PATH": os.environ["PATH"]},
    )
    try:
        assert node.stdout is not None
        port = int(await asyncio.wait_for(node.stdout.readline(), 20))
        poster = Poster(network(), trust=trusting(ca))
        posted = [await poster.post(f"https://{NAME}:{port}/", {}, b'{"a":1}') for _ in range(3)]
    finally:
        node.kill()
        await node.wait()
    assert [(one.status, one.problem) for one in posted] == [(202, "")] * 3


# ── HTTP/1.1 ───────────────────────────────────────────────────────────────────────────────────────


def raw(text: str, body: bytes = b"") -> ReceiverAnswer:
    return ReceiverAnswer(raw=text.replace("\n", "\r\n").encode() + body)


ANSWERS: dict[str, tuple[ReceiverAnswer, int | None, str]] = {
    "closes the connection": (ReceiverAnswer(200, {"connection": "close"}), 200, ""),
    "HTTP/1.0, until the end": (raw("HTTP/1.0 200 OK\n\nthanks"), 200, ""),
    "no length, until the end": (raw("HTTP/1.1 200 OK\n\nthanks"), 200, ""),
    "less than its length": (raw("HTTP/1.1 200 OK\ncontent-length: 99\n\nthanks"), 200, ""),
    "chunks and trailers": (
        raw("HTTP/1.1 200 OK\ntransfer-encoding: chunked\n\n2\nok\n0\nx-sum: 1\n\n"),
        200,
        "",
    ),
    "broken chunks": (raw("HTTP/1.1 200 OK\ntransfer-encoding: chunked\n\nzz\nok\n"), 200, ""),
    "gzip": (ReceiverAnswer(200, {"content-encoding": "gzip"}, body=gzip.compress(b"thanks" * 999)), 200, ""),
    "gzip that is none": (ReceiverAnswer(200, {"content-encoding": "gzip"}, body=b"thanks"), 200, ""),
    "100 first": (raw("HTTP/1.1 100 Continue\n\nHTTP/1.1 202 Accepted\n\n"), 202, ""),
    "103 first": (raw("HTTP/1.1 103 Early Hints\nlink: </a>\n\nHTTP/1.1 500 No\n\n"), 500, ""),
    "switches protocols": (raw("HTTP/1.1 101 Switching Protocols\nupgrade: x\n\n"), None, "broken_answer"),
    "interim answers only": (raw("HTTP/1.1 102 Processing\n\n" * 50), None, "broken_answer"),
    "204 with a body": (ReceiverAnswer(204, body=b"thanks"), 204, ""),
    "304 with a body": (ReceiverAnswer(304, body=b"thanks"), 304, ""),
    "205": (ReceiverAnswer(205), 205, ""),
    "50 kB of headers": (ReceiverAnswer(200, {"x": "y" * 50_000}), 200, ""),
    "500 kB of headers": (ReceiverAnswer(200, {"x": "y" * 500_000}), None, "broken_answer"),
    "a body that drips": (
        ReceiverAnswer(200, {"content-length": "9"}, behind=b"x", behind_after=30),
        200,
        "",
    ),
    "a redirect": (ReceiverAnswer(308, {"location": "https://elsewhere.example/"}), 308, ""),
    "no phrase": (raw("HTTP/1.1 204\n\n"), 204, ""),
    "HTTP/2 unasked": (raw("", b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"), None, "broken_answer"),
    "another protocol": (raw("SSH-2.0-OpenSSH_9.2\n"), None, "broken_answer"),
    "nothing": (raw("\n"), None, "broken_answer"),
}


@pytest.mark.parametrize(("answer", "status", "problem"), ANSWERS.values(), ids=ANSWERS)
async def test_an_answer_as_servers_give_it(
    receiver: Receiver, answer: ReceiverAnswer, status: int | None, problem: str
) -> None:
    receiver.answer = lambda _: answer
    poster = Poster(network(), total_seconds=3)
    posted: list[Posted] = [await poster.post(receiver.url, {}, b"{}") for _ in range(2)]
    assert [(one.status, one.problem) for one in posted] == [(status, problem)] * 2
    assert max(one.seconds for one in posted) < 2


async def test_a_receiver_that_answers_before_it_has_read_the_body() -> None:
    closed = asyncio.Event()

    async def hasty(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        await reader.read()
        writer.close()
        closed.set()

    async with await asyncio.start_server(hasty, LIVE, 0) as server:
        url = f"http://{LIVE}:{server.sockets[0].getsockname()[1]}/"
        posted = await Poster(network()).post(url, {}, b"x" * 20_000)
        await asyncio.wait_for(closed.wait(), 20)
    assert (posted.status, posted.problem) == (413, "")
