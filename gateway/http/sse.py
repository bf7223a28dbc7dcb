"""The text of server-sent events (WHATWG HTML §9.2.5), as chunks of an HTTP answer (RFC 9112 §7.1).

An event is framed once, no matter how many connections it is written to.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

RETRY: Final = b"retry: 3000\n"
"""A client that lost the stream waits three seconds. The first event follows in the same block, because some clients
interpret a separate block as an event without data."""

_encode: Final = msgspec.json.Encoder().encode


def chunk(data: bytes) -> bytes:
    """Frame a piece of a response. It must not be empty: an empty chunk ends the response."""
    return b"%x\r\n%b\r\n" % (len(data), data)


def events_in(chunks: bytes) -> Iterator[bytes]:
    """Yield the pieces that were framed as chunks."""
    start = 0
    while start < len(chunks):
        line = chunks.index(b"\r\n", start)
        length = int(chunks[start:line], 16)
        yield chunks[line + 2 : line + 2 + length]
        start = line + 4 + length


def server_event(name: str, data: msgspec.Struct | msgspec.Raw, event_id: int | str | None = None) -> bytes:
    """Return one framed event. The id of a match's event is the match's version, the same for every audience."""
    line = _encode(data).translate(_ONE_LINE)
    head = b"" if event_id is None else f"id: {event_id}\n".encode("ascii")
    return b"%bevent: %b\ndata: %b\n\n" % (head, name.encode("ascii"), line)


PING: Final = chunk(b": ping\n\n")
"""A comment. It keeps the connection from looking idle, and clients ignore it."""

_ONE_LINE: Final = bytes.maketrans(b"\r\n", b"  ")
"""A line break would end the `data` field. In JSON it occurs only between tokens, so spaces may replace it."""
