"""What is done to the gRPC servers: by a client that means no good, and below it, frame by frame (RFC 9113)."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from contextlib import suppress
from typing import Final

import grpc

from foldtable.matches.v1.match_service_pb2 import GetMatchRequest
from services.rpc.server import MAX_MESSAGE_BYTES
from tests.proofs.hostile.attacks_on_http import Attack
from tests.proofs.hostile.wire import CLOSED, STILL_OPEN, Line, Target, Told, all_at_once, connect

PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
_DATA, _HEADERS, _RST_STREAM, _SETTINGS, _PING, _CONTINUATION = 0, 1, 3, 4, 6, 9
_END_HEADERS: Final = 4
_METHOD: Final = "/foldtable.matches.v1.MatchService/GetMatch"
_FRAMES: Final = 20_000


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    """Return a frame (RFC 9113 §4.1)."""
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def _literal(name: bytes, value: bytes) -> bytes:
    """Return a header field that no table remembers (RFC 7541 §6.2.2), of less than 127 bytes."""
    return b"\x00" + bytes([len(name)]) + name + bytes([len(value)]) + value


_HEADER_BLOCK: Final = b"".join(
    _literal(name, value)
    for name, value in (
        (b":method", b"POST"),
        (b":scheme", b"http"),
        (b":path", _METHOD.encode()),
        (b":authority", b"x"),
        (b"content-type", b"application/grpc"),
        (b"te", b"trailers"),
    )
)


async def _over(target: Target, count: int, send: object) -> Told:
    """Do the same to every server of gRPC."""
    told = Told()
    for port in target.grpc_ports:
        one = await all_at_once(target, count, send, port=port, whole=True)  # type: ignore[arg-type]  # as it takes
        told.answers += one.answers
        told.worst = max(told.worst, one.worst)
    still_open = told.answers[STILL_OPEN]
    closed = told.answers.total() - still_open  # whatever was said before, in frames
    told.answers = +Counter({CLOSED: closed, STILL_OPEN: still_open})
    return told


async def half_open(target: Target) -> Told:
    """Connect, and never begin to speak HTTP/2."""

    async def send(line: Line) -> None:
        await asyncio.sleep(target.wait_seconds)

    return (await _over(target, target.size // 4, send)).expect(CLOSED)


async def garbage(target: Target) -> Told:
    """Speak something else."""

    async def send(line: Line) -> None:
        await line.send(b"\x16\x03\x01" * 5_000)

    return (await _over(target, target.size // 4, send)).expect(CLOSED)


async def _flood(target: Target, blocks: bytes) -> Told:
    told = Told()
    for port in target.grpc_ports:
        line = await connect(target.host, port)
        begun = time.monotonic()
        reading = asyncio.create_task(line.until_closed())
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(target.wait_seconds):
                await line.send(PREFACE + frame(_SETTINGS, 0, 0, b""))
                for start in range(0, len(blocks), 65_536):
                    await line.send(blocks[start : start + 65_536])
                await asyncio.wait((reading,), timeout=min(2.0, target.wait_seconds))
        told.answers[CLOSED if reading.done() else STILL_OPEN] += 1
        told.worst = max(told.worst, time.monotonic() - begun)
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
        line.hang_up()
    return told


async def rapid_resets(target: Target) -> Told:
    """Begin calls and take each back at once (CVE-2023-44487). Meanwhile others may be told to come again."""
    calls = b"".join(
        frame(_HEADERS, _END_HEADERS, number, _HEADER_BLOCK) + frame(_RST_STREAM, 0, number, b"\0\0\0\x08")
        for number in range(1, 2 * _FRAMES, 2)
    )
    return await _flood(target, calls)


async def floods_of_pings(target: Target) -> Told:
    """Ping without end."""
    return (await _flood(target, frame(_PING, 0, 0, b"12345678") * _FRAMES)).expect(CLOSED)


async def endless_continuations(target: Target) -> Told:
    """Begin a head and never end it (CVE-2024-27316). It may go on, if nothing of it is kept."""
    more = frame(_CONTINUATION, 0, 1, _literal(b"x", b"a" * 120) * 100)
    return await _flood(target, frame(_HEADERS, 0, 1, _HEADER_BLOCK) + more * (target.size * 10))


async def oversized_messages(target: Target) -> Told:
    """Send messages larger than any may be, and bytes that are no message."""
    told = Told()
    for port in target.grpc_ports[:1]:
        async with grpc.aio.insecure_channel(f"{target.host}:{port}") as channel:
            call = channel.unary_unary(_METHOD)
            for data in (b"\x0a" + b"\xff" * MAX_MESSAGE_BYTES, b"\xff" * 1_000) * 8:
                begun = time.monotonic()
                try:
                    await call(data, timeout=target.wait_seconds)
                except grpc.aio.AioRpcError as error:
                    told.answers[error.code().name] += 1
                told.worst = max(told.worst, time.monotonic() - begun)
    return told.expect("RESOURCE_EXHAUSTED", "INVALID_ARGUMENT")


async def many_calls(target: Target) -> Told:
    """Call many times at once without a credential, and follow streams that are given up at once."""
    told = Told()
    begun = time.monotonic()
    async with grpc.aio.insecure_channel(f"{target.host}:{target.grpc_ports[0]}") as channel:
        ask = channel.unary_unary(_METHOD, request_serializer=GetMatchRequest.SerializeToString)
        watch = channel.unary_stream(_METHOD.replace("GetMatch", "WatchMatch"))

        async def one() -> None:
            try:
                await ask(GetMatchRequest(match_id=target.match_id), timeout=target.wait_seconds)
            except grpc.aio.AioRpcError as error:
                told.answers[error.code().name] += 1

        streams = [watch(b"", timeout=target.wait_seconds) for _ in range(target.size * 2)]
        await asyncio.gather(*(one() for _ in range(target.size * 4)))
        for stream in streams:
            stream.cancel()
    told.worst = time.monotonic() - begun
    return told.expect("UNAUTHENTICATED", "CANCELLED", "UNAVAILABLE")  # its queue may be full


ATTACKS: Final[tuple[Attack, ...]] = (
    half_open,
    garbage,
    rapid_resets,
    floods_of_pings,
    endless_continuations,
    oversized_messages,
    many_calls,
)
