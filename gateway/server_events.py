"""The text of server-sent events (WHATWG HTML §9.2.5)."""

from __future__ import annotations

from typing import Final

import msgspec

RETRY: Final = b"retry: 3000\n"
"""A client that lost the stream waits three seconds. The first event follows in the same block: some clients take a
block of its own for an event without data."""

_encode: Final = msgspec.json.Encoder().encode


def server_event(name: str, data: msgspec.Struct, version: int | None = None) -> bytes:
    """Give one event. Its id is the match's version, the same for every audience."""
    line = _encode(data).translate(_ONE_LINE)
    head = b"" if version is None else b"id: %d\n" % version
    return b"%bevent: %b\ndata: %b\n\n" % (head, name.encode("ascii"), line)


_ONE_LINE: Final = bytes.maketrans(b"\r\n", b"  ")
"""A line break would end the `data` field. In JSON text it only ever stands between tokens."""
