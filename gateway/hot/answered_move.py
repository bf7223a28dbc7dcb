"""The response to an accepted move."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import UNSET, UnsetType
from starlette.responses import Response

from foldtable.matches.v1.play_pb2 import ActResponse
from gateway.access.audience_marks import audience_mark
from gateway.access.auth import Caller
from gateway.headers import NO_STORE
from gateway.http.answers import JsonAnswer
from gateway.http.idempotency import REPLAYED_HEADER
from gateway.http.preconditions import etag
from gateway.schemas.tables.table import Table
from gateway.telemetry.tracing import Trace
from gateway.translate import messages

_NO_STORE: Final = (b"cache-control", NO_STORE["cache-control"].encode())
_REPLAYED: Final = (REPLAYED_HEADER.encode(), b"true")
_encode: Final = msgspec.json.Encoder().encode


def accepted(
    answer: ActResponse, trace: Trace, caller: Caller, shown: Table | UnsetType | None = UNSET
) -> Response:
    """Return the response to an accepted move or command, with the table if it was asked for."""
    version = trace.version = answer.version
    tag = etag(version, audience_mark(caller, "move", answer.match_id))
    lines = [_NO_STORE, (b"etag", tag.encode())]
    if answer.replayed:
        lines.append(_REPLAYED)
    return JsonAnswer(_encode(messages.move_answer(answer, table=shown)), 200, lines)
