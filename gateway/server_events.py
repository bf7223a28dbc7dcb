"""The text of server-sent events (WHATWG HTML §9.2.5), as chunks of an HTTP answer (RFC 9112 §7.1).

An event is framed once, however many connections it is then written to.
"""

from __future__ import annotations

from typing import Final

import msgspec

RETRY: Final = b"retry: 3000\n"
"""A client that lost the stream waits three seconds. The first event follows in the same block: some clients take a
block of its own for an event without data."""

_encode: Final = msgspec.json.Encoder().encode


def chunk(data: bytes) -> bytes:
    """Frame a piece of an answer; it must not be empty, for that would be the end."""
    return b"%x\r\n%b\r\n" % (len(data), data)


def server_event(name: str, data: msgspec.Struct, event_id: int | str | None = None) -> bytes:
    """Give one event. A match's event has the match's version as its id, the same for every audience."""
    line = _encode(data).translate(_ONE_LINE)
    head = b"" if event_id is None else f"id: {event_id}\n".encode("ascii")
    return b"%bevent: %b\ndata: %b\n\n" % (head, name.encode("ascii"), line)


PING: Final = chunk(b": ping\n\n")
"""A comment: it keeps the connection from looking idle, and no client takes it for an event."""

_ONE_LINE: Final = bytes.maketrans(b"\r\n", b"  ")
"""A line break would end the `data` field. In JSON text it only ever stands between tokens."""
