"""The gateway with a fault planted: `FOLDTABLE_PLANTED` says which. Started by planted.py, and by nothing else."""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from typing import Any

from httptools import HttpParserUpgrade, HttpRequestParser

import gateway.hot.asked_move
import gateway.http.bodies
import gateway.routes.moves
import gateway.server.protocol
from gateway.__main__ import main
from gateway.live.open_streams import OpenStream
from gateway.problems.document import ProblemError
from gateway.server.protocol import BoundedHttpProtocol

ENDLESS = 1 << 40


def unbounded_body() -> None:
    """Bodies are read to their end, however far that is."""
    gateway.http.bodies.MAX_BODY_BYTES = ENDLESS  # type: ignore[misc]  # that is the fault


def surrogates() -> None:
    """Texts are written down before anybody has looked whether they can be."""
    sound = gateway.hot.asked_move.decode_json

    def decode(request: Any, body: bytes, decoder: Any) -> Any:
        with suppress(json.JSONDecodeError, RecursionError):  # told by the sound one
            json.dumps(json.loads(body), ensure_ascii=False).encode()
        return sound(request, body, decoder)

    gateway.hot.asked_move.decode_json = decode


def leaked_stream() -> None:
    """A stream whose client has gone is not noticed."""
    OpenStream.connection_lost = lambda self: None  # type: ignore[method-assign]  # that is the fault


def endless_patience() -> None:
    """Nobody looks at the clock."""
    BoundedHttpProtocol.time_out = lambda self: None  # type: ignore[method-assign]  # as above


def uncounted_heads() -> None:
    """Whatever is no body is taken, however much it is."""
    gateway.server.protocol.MAX_HEAD_BYTES = ENDLESS  # type: ignore[misc]  # as above


def unbounded_pipeline() -> None:
    """Whoever asks without waiting is queued."""
    gateway.server.protocol.MAX_PIPELINED = ENDLESS  # type: ignore[misc]  # as above


def honoured_upgrades() -> None:
    """What asks for another protocol ends with its head, as the parser has it; what follows is read as requests."""
    sound = BoundedHttpProtocol._parse

    def parse(self: BoundedHttpProtocol, data: bytes) -> None:
        try:
            self.parser.feed_data(data)
        except HttpParserUpgrade as stopped:
            head, self._head_again = self._head_again, None
            if head is not None:
                self.parser = HttpRequestParser(self)
                self.parser.feed_data(_without_framing(head))
            sound(self, data[stopped.args[0] :])

    BoundedHttpProtocol._parse = parse  # type: ignore[method-assign]  # as above


def _without_framing(head: bytes) -> bytes:
    framing = (b"content-length", b"transfer-encoding")
    return b"\r\n".join(line for line in head.split(b"\r\n") if not line.lower().startswith(framing))


def stopped_loop() -> None:
    """Whoever sends too much is refused by work that stops everybody."""
    sound = gateway.routes.moves.read_body

    async def read(request: Any) -> bytes:
        try:
            return await sound(request)
        except ProblemError as problem:
            if problem.status == 413:
                time.sleep(3)  # noqa: ASYNC251 - that is the fault
            raise

    gateway.routes.moves.read_body = read


FAULTS = {
    plant.__name__: plant
    for plant in (
        unbounded_body,
        surrogates,
        leaked_stream,
        endless_patience,
        uncounted_heads,
        unbounded_pipeline,
        honoured_upgrades,
        stopped_loop,
    )
}

if __name__ == "__main__":
    FAULTS[os.environ["FOLDTABLE_PLANTED"]]()
    main()
