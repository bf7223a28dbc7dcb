"""The gateway with a fault planted: `FOLDTABLE_PLANTED` says which. Started by planted.py, and by nothing else."""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from typing import Any

import gateway.bodies
import gateway.http_protocol
import gateway.routes.moves
from gateway.__main__ import main
from gateway.http_protocol import BoundedHttpProtocol
from gateway.live.readers import EventReader
from gateway.problem_documents import ProblemError

ENDLESS = 1 << 40


def unbounded_body() -> None:
    """Bodies are read to their end, however far that is."""
    gateway.bodies.MAX_BODY_BYTES = ENDLESS  # type: ignore[misc]  # that is the fault


def surrogates() -> None:
    """Texts are written down before anybody has looked whether they can be."""
    sound = gateway.routes.moves.read_json

    async def read(request: Any, decoder: Any, **more: Any) -> Any:
        body = await request.body()
        with suppress(json.JSONDecodeError, RecursionError):  # told by the sound one
            json.dumps(json.loads(body), ensure_ascii=False).encode()
        return await sound(_again(request, body), decoder, **more)

    gateway.routes.moves.read_json = read


def _again(request: Any, body: bytes) -> Any:
    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    request._receive = receive
    return request


def leaked_stream() -> None:
    """A stream whose client has gone is not noticed."""
    EventReader.connection_lost = lambda self: None  # type: ignore[method-assign]  # that is the fault


def endless_patience() -> None:
    """Nobody looks at the clock."""
    BoundedHttpProtocol.lose_patience = lambda self: None  # type: ignore[method-assign]  # as above


def uncounted_heads() -> None:
    """Whatever is no body is taken, however much it is."""
    gateway.http_protocol.MAX_HEAD_BYTES = ENDLESS  # type: ignore[misc]  # as above


def unbounded_pipeline() -> None:
    """Whoever asks without waiting is queued."""
    gateway.http_protocol.MAX_PIPELINED = ENDLESS  # type: ignore[misc]  # as above


def stopped_loop() -> None:
    """Whoever sends too much is refused by work that stops everybody."""
    sound = gateway.routes.moves.read_json

    async def read(request: Any, decoder: Any, **more: Any) -> Any:
        try:
            return await sound(request, decoder, **more)
        except ProblemError as problem:
            if problem.status == 413:
                time.sleep(3)  # noqa: ASYNC251 - that is the fault
            raise

    gateway.routes.moves.read_json = read


FAULTS = {
    plant.__name__: plant
    for plant in (
        unbounded_body,
        surrogates,
        leaked_stream,
        endless_patience,
        uncounted_heads,
        unbounded_pipeline,
        stopped_loop,
    )
}

if __name__ == "__main__":
    FAULTS[os.environ["FOLDTABLE_PLANTED"]]()
    main()
