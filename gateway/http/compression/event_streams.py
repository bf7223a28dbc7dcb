"""gzip for event streams: each event is flushed, so that a client can decode it as soon as it arrives.

What was sent before makes the next event short: a patch repeats names and values of the patches before it. That history is
memory, so only so many streams have one at a time. The stream that was silent longest loses its own to one that has none, and
goes on: its next event is compressed by itself, and begins another history. So an idle stream costs no more than one without
compression, and no stream is refused.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import Final

from gateway.http.compression.allowance import Allowance
from gateway.http.compression.gzip_stream import GzipStream
from gateway.http.compression.negotiation import Wish, gzip_wish
from gateway.http.sse import chunk, events_in
from gateway.telemetry.metrics import COMPRESSED_BYTES, COMPRESSION_SECONDS, UNCOMPRESSED_BYTES

WINDOW_BITS: Final = 13
"""A history goes back 8 KiB. Streams with tables of the three games, 60 versions each: 292 bytes a version; with 12 bits 338, with 15
bits, which take four times the memory, 230. Each event takes 20 µs of the processor, whatever the bits."""
COMMENT: Final = b":"
"""How a piece begins that is no event (WHATWG HTML §9.2.5)."""
MEMORY_LEVEL: Final = 4
"""More changes nothing for pieces as short as events. With both a history takes 40 KiB."""


class EventCompression:
    """Compresses the event streams of a process."""

    def __init__(self, allowance: Allowance, max_histories: int) -> None:
        """`max_histories`: how many streams may have a history at a time."""
        self._allowance = allowance
        self._max_histories = max_histories
        self._histories: OrderedDict[EventEncoder, None] = OrderedDict()
        """The streams that have one; the one that was silent longest comes first."""

    def encoder_for(self, accepted: bytes | None) -> EventEncoder | None:
        """Return what encodes a stream for a client that sent this `Accept-Encoding`; None: it is sent as it is."""
        if accepted is None or not self._allowance.is_on or self._max_histories == 0:
            return None
        return None if gzip_wish(accepted) is Wish.REFUSED else EventEncoder(self)

    def __len__(self) -> int:
        return len(self._histories)

    def encode(self, encoder: EventEncoder, gzip: GzipStream, piece: bytes) -> bytes:
        """Return a piece of a stream, compressed if there is processor time left."""
        if not self._allowance.is_left():
            self.forget(encoder)
            return gzip.store(piece)
        if piece.startswith(COMMENT):  # a heartbeat: the stream is as silent as before
            return gzip.compress(piece) if encoder in self._histories else gzip.store(piece)
        self._make_room(encoder)
        begun = time.thread_time()
        encoded = gzip.compress(piece)
        seconds = time.thread_time() - begun
        self._allowance.settle(0.0, seconds)
        COMPRESSION_SECONDS.inc(seconds)
        UNCOMPRESSED_BYTES.inc(len(piece))
        COMPRESSED_BYTES.inc(len(encoded))
        return encoded

    def forget(self, encoder: EventEncoder) -> None:
        """Note that a stream has no history any more."""
        self._histories.pop(encoder, None)

    def _make_room(self, encoder: EventEncoder) -> None:
        """Count a stream among those with a history, as the one that spoke last."""
        self._histories[encoder] = None
        self._histories.move_to_end(encoder)
        if len(self._histories) > self._max_histories:
            silent, _ = self._histories.popitem(last=False)
            silent.forget()


class EventEncoder:
    """Encodes one stream. It takes and returns chunks of an HTTP response, as the connection writes them."""

    __slots__ = ("_compression", "_gzip")

    def __init__(self, compression: EventCompression) -> None:
        self._compression = compression
        self._gzip = GzipStream(window_bits=WINDOW_BITS, memory_level=MEMORY_LEVEL)

    def encoded(self, chunks: bytes) -> bytes:
        """Return the chunks as one, compressed and flushed."""
        piece = b"".join(events_in(chunks))
        return chunk(self._compression.encode(self, self._gzip, piece)) if piece else b""

    def finish(self) -> bytes:
        """Return the chunk that ends the gzip file."""
        return chunk(self._gzip.finish())

    def forget(self) -> None:
        """Give the history up. Later events do not refer to those before."""
        self._gzip.forget()

    def close(self) -> None:
        """Release the history; the stream has ended."""
        self._compression.forget(self)
        self.forget()
