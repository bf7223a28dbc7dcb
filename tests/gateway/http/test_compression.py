"""The middleware that compresses, and its parts: which bodies, for whom, with which tag, for how much processor time."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import Callable
from typing import Any

import pytest

from gateway.http.compression.allowance import MAX_SAVED_SECONDS, Allowance
from gateway.http.compression.gzip_stream import MAX_PADDING, GzipStream
from gateway.http.compression.middleware import Compression
from gateway.http.compression.negotiation import Wish, gzip_wish

LONG = b'{"cards":[' + b'"stone1",' * 400 + b'"jump"]}'


@pytest.mark.parametrize(
    ("accepted", "wish"),
    [
        ("gzip", Wish.WELCOME),
        ("GZip", Wish.WELCOME),
        ("x-gzip", Wish.WELCOME),
        ("gzip, deflate, br, zstd", Wish.WELCOME),
        ("br;q=1.0, gzip;q=0.001", Wish.WELCOME),
        ("*", Wish.WELCOME),
        ("identity;q=0.5, gzip;q=0.5", Wish.WELCOME),
        ("", Wish.REFUSED),
        ("identity", Wish.REFUSED),
        ("br", Wish.REFUSED),
        ("gzip;q=0", Wish.REFUSED),
        ("gzip;q=0, *", Wish.REFUSED),
        ("gzip; q=0.0, deflate", Wish.REFUSED),
        ("identity, gzip;q=0.5", Wish.REFUSED),
        ("gzip;q=nan", Wish.REFUSED),
        ("gzip;q=2", Wish.REFUSED),
        ("gzip;level=9", Wish.REFUSED),
        ("identity;q=0, gzip;q=0", Wish.REFUSED),
        ("gzip, identity;q=0", Wish.REQUIRED),
        ("gzip, *;q=0", Wish.REQUIRED),
    ],
)
def test_weights_decide(accepted: str, wish: Wish) -> None:
    assert gzip_wish(accepted.encode()) is wish


def test_pieces_are_decoded_as_they_come_compressed_or_stored() -> None:
    stream, decoder = GzipStream(), zlib.decompressobj(16 + zlib.MAX_WBITS)
    long = LONG * 50  # more than a stored block holds
    for encode, piece in (
        (stream.compress, LONG),
        (stream.compress, LONG),
        (stream.store, long),
        (stream.store, b""),
        (stream.compress, LONG),
    ):
        assert decoder.decompress(encode(piece)) == piece
    assert decoder.decompress(stream.finish()) == b""
    assert decoder.eof, "the checksum and the length are right"


def test_an_empty_file_is_one_too() -> None:
    assert gzip.decompress(GzipStream().finish()) == b""


def test_bodies_of_one_length_have_many_lengths_and_the_same_body_always_the_same() -> None:
    """BREACH: whoever measures lengths learns little of what is in the body, however often the same is asked."""
    lengths = set()
    for number in range(1_000, 1_300):
        body = LONG + str(number).encode()
        stream, again = GzipStream(), GzipStream()
        encoded = stream.compress(body) + stream.finish()
        assert gzip.decompress(encoded) == body
        assert encoded == again.compress(body) + again.finish()
        lengths.add(len(encoded))
    assert len(lengths) > MAX_PADDING / 2


def test_processor_time_is_saved_up_to_a_bound_and_then_used_up() -> None:
    now = 0.0
    allowance = Allowance(0.25, lambda: now)
    assert allowance.is_left()
    allowance.settle(0, MAX_SAVED_SECONDS)
    assert not allowance.is_left()
    allowance.settle(0, 0.5)  # a compression that had begun before
    now = 1.9
    assert not allowance.is_left(), "the debt is paid first"
    now = 2.1
    assert allowance.is_left()
    now = 1_000_000.0
    assert allowance.is_left()
    allowance.settle(0, MAX_SAVED_SECONDS)
    assert not allowance.is_left()


def test_what_is_being_compressed_is_charged_before_it_is_done() -> None:
    allowance = Allowance(0.25, lambda: 0.0)
    estimate = allowance.reserve(200_000_000)
    assert not allowance.is_left()
    allowance.settle(estimate, 0.1)
    assert allowance.is_left()


def answered(
    pieces: list[bytes],
    *,
    accepted: str = "gzip",
    method: str = "GET",
    share: float = 1,
    spend: Callable[[Compression], None] = lambda _: None,
    **headers: str,
) -> tuple[dict[str, str], list[bytes]]:
    """Return the headers and the parts of the body that an application's pieces become."""
    given = {
        "content-type": "application/json",
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }

    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        raw = [(name.encode(), value.encode()) for name, value in given.items()]
        await send({"type": "http.response.start", "status": 200, "headers": raw})
        for number, piece in enumerate(pieces):
            await send({"type": "http.response.body", "body": piece, "more_body": number < len(pieces) - 1})
            spend(middleware)

    middleware = Compression(app, Allowance(share))
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": method, "headers": [(b"accept-encoding", accepted.encode())]}
    asyncio.run(middleware(scope, None, send))  # type: ignore[arg-type]  # nothing is received
    start, *parts = sent
    return {name.decode(): value.decode() for name, value in start["headers"]}, [
        part["body"] for part in parts
    ]


def test_a_body_is_compressed_with_its_new_length_and_tag() -> None:
    headers, (body,) = answered([LONG], etag='"v:12;it"', content_length=str(len(LONG)))
    assert gzip.decompress(body) == LONG
    assert (headers["content-encoding"], headers["content-length"]) == ("gzip", str(len(body)))
    assert headers["etag"] == '"v:12;it-gzip"'


@pytest.mark.parametrize(
    ("pieces", "more"),
    [
        pytest.param([b"{}"], {}, id="a short one"),
        pytest.param([LONG], {"content_type": "text/event-stream"}, id="an event stream"),
        pytest.param([LONG, LONG], {"content_type": "text/event-stream; charset=utf-8"}, id="a longer one"),
        pytest.param([LONG], {"content_type": "text/html"}, id="a page"),
        pytest.param([LONG], {"content_encoding": "br"}, id="one that is encoded already"),
        pytest.param([LONG], {"share": 0}, id="switched off"),
        pytest.param([LONG], {"accepted": "gzip;q=0"}, id="not wanted"),
    ],
)
def test_other_bodies_are_sent_as_they_are(pieces: list[bytes], more: dict[str, Any]) -> None:
    headers, parts = answered(pieces, etag='"v:12"', **more)
    assert (parts, headers["etag"]) == (pieces, '"v:12"')
    assert headers.get("content-encoding") == more.get("content_encoding")


def test_who_refuses_it_as_it_is_gets_short_ones_encoded_too() -> None:
    headers, (body,) = answered([b"{}"], accepted="gzip, identity;q=0")
    assert (headers["content-encoding"], gzip.decompress(body)) == ("gzip", b"{}")


def test_a_weak_tag_and_that_of_a_write_stay() -> None:
    assert answered([LONG], etag='W/"7"')[0]["etag"] == 'W/"7"'
    assert answered([LONG], etag='"v:12"', method="POST")[0]["etag"] == '"v:12"'


def test_every_line_of_a_stream_can_be_read_when_it_is_sent() -> None:
    lines = [LONG + b"\n"] * 5
    headers, parts = answered(lines, content_type="application/x-ndjson")
    assert "content-length" not in headers
    decoder = zlib.decompressobj(16 + zlib.MAX_WBITS)
    assert [decoder.decompress(part) for part in parts] == lines
    assert decoder.eof
    assert sum(map(len, parts)) < sum(map(len, lines)) / 10


def test_a_long_body_is_compressed_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[int] = []
    to_thread = asyncio.to_thread

    async def counted(*given: Any) -> Any:
        threads.append(len(given[-1]))
        return await to_thread(*given)

    monkeypatch.setattr(asyncio, "to_thread", counted)
    _, (body,) = answered([LONG * 100])
    assert (gzip.decompress(body), threads) == (LONG * 100, [len(LONG) * 100])


def test_without_processor_time_left_a_body_is_sent_as_it_is_and_a_stream_goes_on() -> None:
    def used_up(middleware: Compression) -> None:
        middleware._allowance.settle(0, 100 * MAX_SAVED_SECONDS)

    lines = [LONG] * 3
    headers, parts = answered(lines, spend=used_up)
    assert headers["content-encoding"] == "gzip"
    assert gzip.decompress(b"".join(parts)) == LONG * 3
    assert len(parts[0]) < len(LONG) < len(parts[1]), "the later pieces are stored"

    async def twice() -> list[Any]:
        sent: list[Any] = []

        async def app(_scope: Any, _receive: Any, send: Any) -> None:
            raw = [(b"content-type", b"application/json")]
            await send({"type": "http.response.start", "status": 200, "headers": raw})
            await send({"type": "http.response.body", "body": LONG})

        async def send(message: Any) -> None:
            sent.append(message)

        middleware = Compression(app, Allowance(1e-9))
        used_up(middleware)
        scope = {"type": "http", "method": "GET", "headers": [(b"accept-encoding", b"gzip")]}
        await middleware(scope, None, send)  # type: ignore[arg-type]
        return sent

    assert asyncio.run(twice())[1]["body"] == LONG
