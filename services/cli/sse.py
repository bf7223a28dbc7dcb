"""Server-sent events, read from a stream of bytes (WHATWG HTML §9.2)."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator

import msgspec


class ServerEvent(msgspec.Struct, frozen=True):
    """One event. `id` is the last id the stream has given, which is what a client comes back with."""

    event: str
    id: str
    data: str


async def lines_of(chunks: AsyncIterable[bytes]) -> AsyncIterator[str]:
    """Cut bytes into lines ended by LF or CR LF; the lone CR the standard also allows is not sent by our gateway."""
    rest = b""
    async for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line.removesuffix(b"\r").decode()


async def server_events(chunks: AsyncIterable[bytes]) -> AsyncIterator[ServerEvent]:
    """Give each event once it is complete; comments and unknown fields are passed over."""
    event, last_id, data = "", "", list[str]()
    async for line in lines_of(chunks):
        if not line:
            if data:
                yield ServerEvent(event or "message", last_id, "\n".join(data))
            event, data = "", []
            continue
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match name:
            case "event":
                event = value
            case "id":
                last_id = value
            case "data":
                data.append(value)
