"""gzip for event streams: what a client can decode when, and what the streams hold in memory."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator

import pytest

from gateway.http.compression.allowance import Allowance
from gateway.http.compression.event_streams import EventCompression, EventEncoder
from gateway.http.sse import chunk, events_in

EVENT = b"".join(
    b'{"op":"replace","path":"/seats/%d/coins","value":%d}' % (seat, seat * 7) for seat in range(40)
)


class Reader:
    """A client that decodes what it has received so far."""

    def __init__(self, encoder: EventEncoder) -> None:
        self.encoder = encoder
        self.bytes = b""
        self._decoder = zlib.decompressobj(16 + zlib.MAX_WBITS)

    def read(self, *events: bytes) -> tuple[bytes, int]:
        """Send events in one write; return what can be decoded at once, and how many bytes came."""
        received = b"".join(events_in(self.encoder.encoded(b"".join(map(chunk, events)))))
        self.bytes += received
        return self._decoder.decompress(received), len(received)

    def end(self) -> bytes:
        """End the stream; return all of it, as a decoder that checks length and checksum sees it."""
        self.encoder.close()
        return gzip.decompress(self.bytes + b"".join(events_in(self.encoder.finish())))


def compression(*, share: float = 1, histories: int = 2) -> EventCompression:
    return EventCompression(Allowance(share), max_histories=histories)


def readers(of: EventCompression) -> Iterator[Reader]:
    while True:
        encoder = of.encoder_for(b"gzip")
        assert encoder is not None
        yield Reader(encoder)


def test_each_write_can_be_decoded_when_it_arrives_and_later_ones_are_shorter() -> None:
    reader = next(readers(compression()))
    first, first_bytes = reader.read(EVENT)
    second, second_bytes = reader.read(EVENT[:-10], b"id: 4\n")
    assert (first, second) == (EVENT, EVENT[:-10] + b"id: 4\n")
    assert second_bytes < first_bytes / 4, "it refers to the first"
    assert reader.end() == EVENT + second


def test_the_stream_that_was_silent_longest_loses_its_history_and_goes_on() -> None:
    of = compression(histories=2)
    ada, bob, cleo = (reader for reader, _ in zip(readers(of), range(3), strict=False))
    for reader in (ada, bob, ada, cleo):  # with the third history, Bob's is the oldest
        reader.read(EVENT)
    assert len(of) == 2
    by_itself = next(readers(compression())).read(EVENT)[1]
    assert ada.read(EVENT)[1] < by_itself / 4
    assert bob.read(EVENT)[1] > by_itself / 2, "it was forgotten what he has"
    assert [reader.end() for reader in (ada, bob, cleo)] == [EVENT * 3, EVENT * 2, EVENT]
    assert len(of) == 0, "streams that have ended hold nothing"


def test_heartbeats_take_no_history_and_are_no_sign_of_life() -> None:
    of = compression(histories=1)
    ada, bob = (reader for reader, _ in zip(readers(of), range(2), strict=False))
    ada.read(EVENT)
    assert bob.read(b": ping\n\n")[0] == b": ping\n\n"
    assert ada.read(b": ping\n\n")[0] == b": ping\n\n"
    by_itself = next(readers(compression())).read(EVENT)[1]
    assert ada.read(EVENT)[1] < by_itself / 4, "it is still known what she has"
    assert [reader.end() for reader in (ada, bob)] == [EVENT + b": ping\n\n" + EVENT, b": ping\n\n"]


def test_without_processor_time_a_stream_goes_on_uncompressed_and_holds_nothing() -> None:
    now = 0.0
    of = EventCompression(allowance := Allowance(0.25, lambda: now), max_histories=2)
    reader = next(readers(of))
    reader.read(EVENT)
    allowance.settle(0, 100)
    decoded, length = reader.read(EVENT)
    assert decoded == EVENT
    assert length > len(EVENT)
    assert len(of) == 0
    now = 1_000.0
    assert reader.read(EVENT)[1] < len(EVENT) / 2, "there is time again"
    assert reader.end() == EVENT * 3


@pytest.mark.parametrize(
    ("accepted", "share", "histories"),
    [
        (None, 1, 2),
        (b"identity", 1, 2),
        (b"br, zstd", 1, 2),
        (b"gzip;q=0", 1, 2),
        (b"gzip", 0, 2),
        (b"gzip", 1, 0),
    ],
)
def test_who_does_not_want_it_and_gateways_without_it_get_plain_streams(
    accepted: bytes | None, share: float, histories: int
) -> None:
    assert compression(share=share, histories=histories).encoder_for(accepted) is None


def test_nothing_to_say_takes_no_bytes() -> None:
    reader = next(readers(compression()))
    assert reader.read() == (b"", 0)
    assert reader.end() == b""
