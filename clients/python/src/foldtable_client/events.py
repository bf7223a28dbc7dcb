"""Server-sent events, cut out of bytes as they arrive (HTML standard §9.2)."""

from __future__ import annotations

from typing import NamedTuple


class ServerEvent(NamedTuple):
    """One event. `id` is the newest id the connection has named, which a client sends when it reconnects."""

    kind: str
    id: str
    data: str


class EventReader:
    """Reads the events of one connection."""

    def __init__(self) -> None:
        self._rest = b""
        self._kind, self._id, self._data = "", "", list[str]()

    def read(self, chunk: bytes) -> list[ServerEvent]:
        """Return the events that are complete with this chunk; comments and unknown fields are skipped.

        A line ends at LF or CR LF only: U+2028 and the like are ordinary characters.
        """
        *whole, self._rest = (self._rest + chunk).split(b"\n")
        read = (self._line(line.removesuffix(b"\r").decode()) for line in whole)
        return [event for event in read if event is not None]

    def _line(self, line: str) -> ServerEvent | None:
        if not line:
            event = ServerEvent(self._kind or "message", self._id, "\n".join(self._data))
            is_one = bool(self._data)
            self._kind, self._data = "", []
            return event if is_one else None
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        match name:
            case "event":
                self._kind = value
            case "id":
                self._id = value
            case "data":
                self._data.append(value)
        return None
