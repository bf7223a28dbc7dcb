"""What is done to the gateway over bare sockets, and how each of it must end."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Final

from tests.proofs.hostile.strategies import NASTY_VALUES
from tests.proofs.hostile.wire import CLOSED, STILL_OPEN, Line, Target, Told, all_at_once, connect

Attack = Callable[[Target], Awaitable[Told]]

DRIP_SECONDS: Final = 0.3
_JSON: Final = b"Content-Type: application/json\r\n"
_BLOCK: Final = 64 * 1024
_MAX_BLOCKS: Final = 160
"""Of one endless sender: ten megabytes."""


def _post(target: Target, *lines: bytes) -> bytes:
    path = f"/v1/matches/{target.match_id}/moves".encode()
    return (
        b"POST "
        + path
        + b" HTTP/1.1\r\nHost: x\r\n"
        + target.authorization
        + _JSON
        + b"".join(lines)
        + b"\r\n"
    )


# ── slowly ─────────────────────────────────────────────────────────────────────────────────────────


async def silence(target: Target) -> Told:
    """Connect and say nothing."""

    async def send(line: Line) -> None:
        await asyncio.sleep(target.wait_seconds)

    return (await all_at_once(target, target.size, send)).expect(CLOSED)


async def slow_heads(target: Target) -> Told:
    """Send a head one byte at a time, for ever (slowloris)."""

    async def send(line: Line) -> None:
        await line.trickle(b"GET /v1/games HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 10_000, DRIP_SECONDS)

    return (await all_at_once(target, target.size, send)).expect("408", CLOSED)


async def slow_bodies(target: Target) -> Told:
    """Send a body one byte at a time, for ever, with a good credential."""

    async def send(line: Line) -> None:
        await line.send(_post(target, b"Content-Length: 60000\r\n"))
        await line.trickle(b" " * 10_000, DRIP_SECONDS)

    return (await all_at_once(target, target.size, send)).expect("408", CLOSED)


async def deaf_readers(target: Target) -> Told:
    """Ask for a large document again and again, and never read an answer."""
    told = Told()
    ask = b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"

    async def one() -> None:
        line = await connect(target.host, target.port, small_buffer=True)
        line.writer.transport.pause_reading()  # type: ignore[attr-defined]  # sockets' transports can
        begun = time.monotonic()
        try:
            async with asyncio.timeout(target.wait_seconds):
                while True:
                    line.writer.write(ask * 8)
                    await line.writer.drain()
                    await asyncio.sleep(DRIP_SECONDS)
        except TimeoutError:
            told.answers[STILL_OPEN] += 1
        except OSError:
            told.answers[CLOSED] += 1
        told.worst = max(told.worst, time.monotonic() - begun)
        line.hang_up()

    await asyncio.gather(*(one() for _ in range(max(4, target.size // 8))))
    return told.expect(CLOSED)


# ── without end ────────────────────────────────────────────────────────────────────────────────────


async def _for_ever(line: Line, block: bytes) -> None:
    for _ in range(_MAX_BLOCKS):
        await line.send(block)


async def endless_bodies(target: Target) -> Told:
    """Send chunks without end; the connection must not be held for it."""

    async def send(line: Line) -> None:
        await line.send(_post(target, b"Transfer-Encoding: chunked\r\n"))
        await line.send(b"%x\r\n%b\r\n" % (_BLOCK, b" " * _BLOCK))
        while True:
            await line.send(b"%x\r\n%b\r\n" % (1_024, b" " * 1_024))
            await asyncio.sleep(0.05)

    told = await all_at_once(target, max(4, target.size // 8), send, whole=True)
    return told.expect("413", CLOSED)  # the answer may be lost with the connection


async def large_bodies(target: Target) -> Told:
    """Announce ten megabytes, and send them."""

    async def send(line: Line) -> None:
        await line.send(_post(target, b"Content-Length: %d\r\n" % (_BLOCK * _MAX_BLOCKS)))
        await _for_ever(line, b" " * _BLOCK)

    return (await all_at_once(target, max(4, target.size // 8), send)).expect("413")


async def floods_of_headers(target: Target) -> Told:
    """Send headers without end."""

    async def send(line: Line) -> None:
        await line.send(b"GET /v1/games HTTP/1.1\r\nHost: x\r\n")
        await _for_ever(line, b"".join(b"X-%d: a\r\n" % number for number in range(2_000)))

    return (await all_at_once(target, target.size, send)).expect("431", CLOSED)


async def endless_trailers(target: Target) -> Told:
    """End a body, and send trailers without end."""

    async def send(line: Line) -> None:
        await line.send(b"POST /v1/matches HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n")
        await _for_ever(line, b"X-Trailer: " + b"a" * 8_000 + b"\r\n")

    return (await all_at_once(target, target.size, send, whole=True)).expect("401", "431", CLOSED)


async def endless_pipelines(target: Target) -> Told:
    """Ask ten thousand times without waiting for an answer."""

    async def send(line: Line) -> None:
        await _for_ever(line, b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n" * 1_000)

    return (await all_at_once(target, max(4, target.size // 4), send, whole=True)).expect("200", CLOSED)


# ── many ───────────────────────────────────────────────────────────────────────────────────────────


async def connections_without_end(target: Target) -> Told:
    """Open more connections than there may be. Those beyond are told so at once.

    Where others go away meanwhile one more may be let in; it is silent, and closed in time.
    """
    told = Told()
    begun = time.monotonic()
    lines = [await connect(target.host, target.port) for _ in range(target.refused_beyond + 50)]
    refused = [asyncio.create_task(line.first_status()) for line in lines[-20:]]
    done, waiting = await asyncio.wait(refused, timeout=target.wait_seconds)
    for answered in done:
        told.answers[answered.result()] += 1
    for task in waiting:
        task.cancel()
        told.answers[STILL_OPEN] += 1
    told.worst = time.monotonic() - begun
    for line in lines:
        line.hang_up()
    if not told.answers["503"]:
        told.violations.append("nobody was refused")
    return told.expect("503", CLOSED)


async def idle_streams(target: Target) -> Told:
    """Follow a match many times over at once, do nothing, and go away without a word."""
    told = Told()
    head = f"GET /v1/matches/{target.match_id}/stream HTTP/1.1\r\nHost: x\r\n".encode()
    lines: list[Line] = []
    turnstile = asyncio.Semaphore(50)

    async def one() -> None:
        async with turnstile:
            line = await connect(target.host, target.port)
            lines.append(line)
            begun = time.monotonic()
            await line.send(head + target.authorization + b"\r\n")
            told.answers[await line.first_status()] += 1
            told.worst = max(told.worst, time.monotonic() - begun)

    await asyncio.gather(*(one() for _ in range(target.size * 6)))
    await asyncio.sleep(min(5.0, target.seconds))
    for line in lines:
        line.hang_up()
    return told.expect("200", "429")


# ── wrong ──────────────────────────────────────────────────────────────────────────────────────────

_TWO_READINGS: Final = (
    b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
    b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
    b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
    b"Transfer-Encoding: identity\r\n",
    b"Transfer-Encoding : chunked\r\n",
    b"Transfer-Encoding: xchunked\r\n",
    b"Transfer-Encoding:\x0bchunked\r\n",
    b"Content-Length: 5\r\nContent-Length: 6\r\n",
    b"Content-Length: +5\r\n",
    b"Content-Length: 0x5\r\n",
    b"Content-Length: 5, 5\r\n",
    b"Content-Length: -1\r\n",
    b"Content-Length: 99999999999999999999999\r\n",
    b"X: a\r\n b\r\n",
    b"X: a\x00b\r\n",
    b"Host: y\r\n",
    b": nothing\r\n",
)
_AFTER_IT: Final = b"\r\n0\r\n\r\nGET /livez HTTP/1.1\r\nHost: x\r\n\r\n"
SHAPES: Final[tuple[bytes, ...]] = (
    *(b"POST /v1/matches HTTP/1.1\r\nHost: x\r\n" + lines + _AFTER_IT for lines in _TWO_READINGS),
    b"GET /livez HTTP/1.1\r\n\r\n",
    b"GET /livez\r\n\r\n",
    b"GET /livez HTTP/9.9\r\nHost: x\r\n\r\n",
    b"GET /livez HTTP/1.1\nHost: x\n\n",
    b"GET /\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"CONNECT host:443 HTTP/1.1\r\nHost: x\r\n\r\nGET /livez HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET ftp://host/livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    b"GET foo:bar HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET http://host:99999/livez HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET * HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /v1%2fgames HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"\x00" * 100,
    b"\r\n" * 40_000,
)
"""What a proxy and a server might read differently (request smuggling), and what is no request at all."""


async def ambiguous_requests(target: Target) -> Told:
    """Send what can be read in two ways. One answer, 4xx, and the connection is closed: nothing is read after it."""
    told = Told()
    for shape in SHAPES:
        line = await connect(target.host, target.port)
        begun = time.monotonic()
        await line.send(shape)
        try:
            async with asyncio.timeout(target.wait_seconds):
                received = await line.until_closed()
        except TimeoutError:
            received = b"HTTP/1.1 " + STILL_OPEN.encode()
        told.worst = max(told.worst, time.monotonic() - begun)
        status = received[9:12].decode("latin-1") or CLOSED
        told.answers[status] += 1
        if received.count(b"HTTP/1.1 ") > 1:
            told.violations.append(f"two answers to {shape[:120]!r}")
        elif status not in {"400", "404", "405", "421", "431", CLOSED}:
            told.violations.append(f"{status} to {shape[:120]!r}")
        line.hang_up()
    return told


_INNER: Final = b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n"
_UPGRADES: Final = (
    b"Connection: Upgrade\r\nUpgrade: h2c\r\n",
    b"Upgrade: foo\r\nConnection: keep-alive, upgrade\r\n",
    b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n",
    b"Connection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAEAAEAAAAIAAAAB\r\nUpgrade: h2c\r\nUpgrade: h2\r\n",
)
_NO_LENGTH: Final = b"GET /livez HTTP/1.1\r\nHost: x\r\n%b\r\n"
_LENGTH: Final = (
    b"POST /v1/matches HTTP/1.1\r\nHost: x\r\n%bContent-Length: %d\r\n\r\n" % (b"%b", len(_INNER)) + _INNER
)
_CHUNKED: Final = (
    b"POST /v1/matches HTTP/1.1\r\nHost: x\r\n%bTransfer-Encoding: chunked\r\n\r\n"
    b"%x\r\n%b\r\n0\r\n\r\n" % (b"%b", len(_INNER), _INNER)
)
_LAST: Final = b"GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


async def upgrades(target: Target) -> Told:
    """Ask for another protocol, with a body that looks like a request. Each request has one answer, and no body has any.

    In one write, and with the body after the head: both are parsed otherwise.
    """
    told = Told()
    for outer, upgrade, parts in itertools.product((_NO_LENGTH, _LENGTH, _CHUNKED), _UPGRADES, (1, 3)):
        request = outer % upgrade
        line = await connect(target.host, target.port)
        begun = time.monotonic()
        for start in range(0, len(request), -(-len(request) // parts)):
            await line.send(request[start : start + -(-len(request) // parts)])
            await asyncio.sleep(0.02 if parts > 1 else 0)
        await line.send(request + _LAST)
        try:
            async with asyncio.timeout(target.wait_seconds):
                received = await line.until_closed()
        except TimeoutError:
            told.answers[STILL_OPEN] += 1
            received = b""
        told.worst = max(told.worst, time.monotonic() - begun)
        statuses = [answer[:3].decode("latin-1") for answer in received.split(b"HTTP/1.1 ")[1:]]
        told.answers.update(statuses)
        first = "200" if outer is _NO_LENGTH else "401"
        if statuses != [first, first, "200"]:
            told.violations.append(f"{statuses} to two requests with {upgrade!r}, and one without")
        line.hang_up()
    return told.expect("200", "401")


async def nasty_moves(target: Target) -> Told:
    """Send moves that are no moves, as fast as they are answered."""
    told = Told()
    until = time.monotonic() + target.seconds
    counted: Counter[str] = told.answers

    async def one(number: int) -> None:
        line = await connect(target.host, target.port)
        while time.monotonic() < until:
            value = NASTY_VALUES[number % len(NASTY_VALUES)]
            number += 1
            body = b'{"expected_version":1,"action":{"type":' + value + b"}}"
            begun = time.monotonic()
            await line.send(_post(target, b"Content-Length: %d\r\n" % len(body)) + body)
            head = await line.reader.readuntil(b"\r\n\r\n")
            length = next(
                int(text[15:]) for text in head.lower().split(b"\r\n") if text.startswith(b"content-length:")
            )
            await line.reader.readexactly(length)
            counted[head.split(b" ")[1].decode()] += 1
            told.worst = max(told.worst, time.monotonic() - begun)
        line.hang_up()

    await asyncio.gather(*(one(number * 7) for number in range(8)))
    return told.expect("400", "422", "409")


ATTACKS: Final[tuple[Attack, ...]] = (
    silence,
    slow_heads,
    slow_bodies,
    deaf_readers,
    endless_bodies,
    large_bodies,
    floods_of_headers,
    endless_trailers,
    endless_pipelines,
    connections_without_end,
    idle_streams,
    ambiguous_requests,
    upgrades,
    nasty_moves,
)
