"""What a request to make a move asks for."""

from __future__ import annotations

from typing import Final, NamedTuple

import msgspec
from starlette.requests import Request

from foldtable.matches.v1.play_pb2 import ActRequest
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON, Payload
from gateway.http.bodies import decode_json
from gateway.http.idempotency import request_id
from gateway.http.languages import language_of
from gateway.http.preconditions import expected_version
from gateway.schemas.requests import MoveQuery, MoveRequest

_MOVE: Final = msgspec.json.Decoder(MoveRequest)


class AskedMove(NamedTuple):
    """A move to be made."""

    act: ActRequest
    conditional: bool
    """The version came from If-Match."""


def read_move(request: Request, match: str, query: MoveQuery, body: bytes) -> AskedMove:
    """Return what a request asks for. Raises ProblemError if a header or the body cannot be read."""
    sent = decode_json(request, body, _MOVE)
    expected, conditional = expected_version(request, sent.expected_version)
    act = ActRequest(
        match_id=match,
        seat=sent.seat,
        request_id=request_id(request, sent.request_id),
        expected_version=expected,
        action=Payload(json=bytes(sent.action)),
        form=PAYLOAD_FORM_JSON,
        language=language_of(request, query.lang),
        dry_run=query.dry_run,
    )
    return AskedMove(act, conditional)
