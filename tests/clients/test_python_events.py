"""Server-sent events, as the standard writes them."""

from __future__ import annotations

import pytest

from foldtable_client.events import EventReader, ServerEvent

STREAM = (
    b"retry: 3000\r\n\r\n"
    b'event: snapshot\r\nid: 4\r\ndata: {"version":4}\r\n\r\n'
    b": ping\r\n\r\n"
    b"event:move.applied\nid:5\ndata:one\ndata: two\n\n"
    b"data: \xe2\x80\xa8 is no end of line\n\n"
    b"event: cut off\ndata: never seen"
)


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_events_are_read_however_the_bytes_arrive(size: int) -> None:
    reader = EventReader()
    chunks = (STREAM[start : start + size] for start in range(0, len(STREAM), size))
    assert [event for chunk in chunks for event in reader.read(chunk)] == [
        ServerEvent("snapshot", "4", '{"version":4}'),
        ServerEvent("move.applied", "5", "one\ntwo"),
        ServerEvent("message", "5", "\u2028 is no end of line"),
    ]
