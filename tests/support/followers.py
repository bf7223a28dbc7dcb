"""Reading a stream of server-sent events as a client does. For tests; used by name."""

from __future__ import annotations

from collections.abc import Iterator

import httpx

Event = tuple[str, str, str]
"""Name, id, data."""


class EventLines:
    """Server-sent events out of the lines of a stream (WHATWG HTML §9.2); one that was cut off is not given."""

    def __init__(self) -> None:
        self._name = self._id = self._data = ""

    def take(self, line: str) -> Event | None:
        """Read a line; give the event it ends."""
        field, _, value = line.partition(": ")
        if field == "event":
            self._name = value
        elif field == "id":
            self._id = value
        elif field == "data":
            self._data = value
        if line:
            return None
        ended = (self._name, self._id, self._data)
        self._name = self._data = ""
        return ended if ended[2] else None


def events_of(response: httpx.Response) -> Iterator[Event]:
    """Yield server-sent events as they come."""
    lines = EventLines()
    yield from filter(None, map(lines.take, response.iter_lines()))
