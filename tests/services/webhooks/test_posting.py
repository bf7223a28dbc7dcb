"""One request to a receiver that behaves, and to those that do not."""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from receivers import Receiver, ReceiverAnswer, receiving
from throwaway_ca import ThrowawayCa

from services.webhooks.connections import PublicNetwork
from services.webhooks.posting import Posted, Poster

NAME = "receiver.example"


async def post(receiver: Receiver, **poster: Any) -> Posted:
    sender = Poster(PublicNetwork(loopback=True), **{"total_seconds": 2.0} | poster)
    return await sender.post(receiver.url, {"webhook-id": "1"}, b"{}")


def resolving(*addresses: str) -> Callable[[str, int], Any]:
    async def resolve(host: str, port: int) -> list[str]:
        return list(addresses)

    return resolve


@pytest.mark.parametrize(
    ("status", "arrived"), [(200, True), (204, True), (299, True), (404, False), (500, False)]
)
async def test_only_a_status_of_success_means_arrived(receiver: Receiver, status: int, arrived: bool) -> None:
    receiver.answer = lambda _: ReceiverAnswer(status)
    posted = await post(receiver)
    assert (posted.status, posted.arrived, posted.problem) == (status, arrived, "")
    assert receiver.received[0].headers["webhook-id"] == "1"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_not_followed(receiver: Receiver, status: int) -> None:
    async with receiving() as elsewhere:
        receiver.answer = lambda _: ReceiverAnswer(status, {"location": elsewhere.url})
        posted = await post(receiver)
        assert (posted.status, posted.arrived) == (status, False)
        assert elsewhere.received == []


async def test_a_receiver_that_hangs_is_left(receiver: Receiver) -> None:
    receiver.answer = lambda _: ReceiverAnswer(after=60)
    began = time.monotonic()
    posted = await post(receiver, total_seconds=0.3)
    assert (posted.status, posted.problem) == (None, "timeout")
    assert time.monotonic() - began < 2


async def test_an_answer_without_an_end_is_cut_off_and_its_status_counts(receiver: Receiver) -> None:
    receiver.answer = lambda _: ReceiverAnswer(200, endless=True)
    began = time.monotonic()
    posted = await post(receiver)
    assert (posted.status, posted.arrived) == (200, True)
    assert time.monotonic() - began < 1.9


async def test_a_huge_answer_is_not_read(receiver: Receiver) -> None:
    receiver.answer = lambda _: ReceiverAnswer(200, body=b"x" * 50_000_000)
    began = time.monotonic()
    assert (await post(receiver)).arrived
    assert time.monotonic() - began < 1.9


@pytest.mark.parametrize(
    "raw", [b"not HTTP at all\r\n\r\n", b"HTTP/1.1 200 OK\r\nx: " + b"y" * 200_000, b"HTTP/1.1 ", b""]
)
async def test_an_answer_that_is_none(receiver: Receiver, raw: bytes) -> None:
    receiver.answer = lambda _: ReceiverAnswer(raw=raw or b"\r\n")
    posted = await post(receiver)
    assert (posted.status, posted.problem) == (None, "broken_answer")


async def test_nobody_listens() -> None:
    async with receiving() as gone:
        pass
    posted = await post(gone)
    assert (posted.status, posted.problem) == (None, "connect_failed")


@pytest.mark.parametrize(
    "addresses",
    [
        pytest.param(["10.0.0.1"], id="a private one"),
        pytest.param(["169.254.169.254"], id="the cloud's metadata"),
        pytest.param(["::ffff:127.0.0.1"], id="this machine, in IPv6"),
        pytest.param(["1.1.1.1", "10.0.0.1"], id="a public and a private one"),
        pytest.param(["2606:4700:4700::1111", "::1"], id="a public one and this machine, in IPv6"),
    ],
)
async def test_a_name_that_leads_into_a_private_network_is_not_connected_to(
    receiver: Receiver, addresses: list[str]
) -> None:
    poster = Poster(PublicNetwork(resolve=resolving(*addresses)))
    posted = await poster.post(f"https://{NAME}:{receiver.port}/", {}, b"{}")
    assert (posted.status, posted.problem) == (None, "private_address")
    assert receiver.received == []


async def test_loopback_needs_the_development_switch(receiver: Receiver) -> None:
    posted = await Poster(PublicNetwork()).post(receiver.url, {}, b"{}")
    assert posted.problem == "private_address"
    assert receiver.received == []


async def test_every_connection_goes_to_an_address_that_was_checked_for_it(tmp_path: Path) -> None:
    """Between the look-up and the connection nobody gets a chance to answer differently (DNS rebinding)."""
    server, client = certificates(tmp_path)
    answers = [["127.0.0.1"], ["127.0.0.1", "10.0.0.1"]]
    asked: list[str] = []

    async def resolve(host: str, port: int) -> list[str]:
        asked.append(host)
        return answers.pop(0)

    async with receiving(server) as receiver:
        poster = Poster(PublicNetwork(loopback=True, resolve=resolve), trust=client)
        url = f"https://{NAME}:{receiver.port}/hooks"
        first = await poster.post(url, {}, b"{}")
        rebound = await poster.post(url, {}, b"{}")
        assert first.arrived
        assert rebound.problem == "private_address"
        assert asked == [NAME] * 2
        assert [one.headers["host"] for one in receiver.received] == [f"{NAME}:{receiver.port}"]


async def test_names_that_hang_keep_nobody_elses_from_being_looked_up(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long the servers of some names take, and however often these are tried."""
    look_up, over = socket.getaddrinfo, threading.Event()
    asked: Counter[str] = Counter()

    def hanging(host: str, *others: Any, **more: Any) -> Any:
        asked[host] += 1
        if host.endswith(".hangs.example"):
            over.wait(60)
        return look_up("127.0.0.1", *others, **more)

    monkeypatch.setattr(socket, "getaddrinfo", hanging)
    try:
        poster = Poster(PublicNetwork(loopback=True, lookup_seconds=0.5))
        urls = [f"http://{number}.hangs.example:{receiver.port}/" for number in range(40)]
        for _ in range(2):
            posted = await asyncio.gather(*(poster.post(url, {}, b"{}") for url in urls))
            assert {one.problem for one in posted} == {"connect_timeout"}
        assert (await poster.post(f"http://{NAME}:{receiver.port}/", {}, b"{}")).arrived
    finally:
        over.set()
    assert set(asked.values()) == {1}


async def test_a_name_that_has_no_address_is_said_to_everybody_who_waits_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def nothing(*_: Any, **__: Any) -> Any:
        time.sleep(0.2)
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    monkeypatch.setattr(socket, "getaddrinfo", nothing)
    poster = Poster(PublicNetwork())
    posted = await asyncio.gather(*(poster.post(f"https://{NAME}/", {}, b"{}") for _ in range(3)))
    assert [one.problem for one in posted] == ["name_not_found"] * 3


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("120", 120),
        ("0", 0),
        ("soon", None),
        ("-1", None),
        ("Fri, 31 Dec 1999 23:59:59 GMT", 0),
        ("Fri, 2147483648 Dec 1999 23:59:59 GMT", None),
        ("Fri, 31 Dec 1999 23:59:59 +99999999999999999999", None),
    ],
)
async def test_retry_after_is_read(receiver: Receiver, header: str, seconds: int | None) -> None:
    receiver.answer = lambda _: ReceiverAnswer(503, {"retry-after": header})
    posted = await post(receiver)
    assert posted.retry_after == (None if seconds is None else timedelta(seconds=seconds))


def certificates(folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """A server's side and a client's, who trust each other and call the server NAME."""
    ca = ThrowawayCa(folder)
    files = ca.certify(NAME)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(files.certificate, files.key)
    return server, ssl.create_default_context(cafile=str(ca.file))
