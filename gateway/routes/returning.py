"""Coming back to a seat for which the house has decided."""

from __future__ import annotations

from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from foldtable.matches.v1.returning_pb2 import ReturnToSeatRequest
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON
from gateway.bodies import read_json
from gateway.clients import call
from gateway.context import gateway_of, trace_of
from gateway.documented import documented
from gateway.etags import expected_version
from gateway.idempotency import request_id
from gateway.queries import match_id, read_query
from gateway.rate_limits import Bucket
from gateway.routes.moves import ANSWERS, REFUSALS, REQUEST_HEADERS, accepted
from gateway.schemas.requests import NoQuery, ReturnRequest

_RETURN: Final = msgspec.json.Decoder(ReturnRequest)


async def return_to_seat(request: Request) -> Response:
    """Say that the player of a seat that is `away` is back. Its open decision, if it has one, gets its time again.

    Coming back is a row of the log (`seat_returned`); what the house has decided meanwhile stands.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    trace.match_id = match = match_id(request)
    body = await read_json(request, _RETURN, optional=True)
    expected, conditional = expected_version(request, body.expected_version)
    server = await gateway.directory.server_of(match, caller, trace)
    reply = await call(
        server.matches.ReturnToSeat,
        ReturnToSeatRequest(
            match_id=match,
            seat=body.seat,
            request_id=request_id(request, body.request_id),
            expected_version=expected,
            form=PAYLOAD_FORM_JSON,
        ),
        seconds=gateway.settings.move_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
        conditional=conditional,
    )
    return accepted(reply.result, trace)


ROUTES: Final = (
    documented(
        "POST",
        "/v1/matches/{match_id}/return",
        return_to_seat,
        operation_id="returnToSeat",
        summary="Come back to a seat",
        tag="moves",
        body=ReturnRequest,
        body_required=False,
        headers=REQUEST_HEADERS,
        answers=ANSWERS,
        problems=tuple(status for status in REFUSALS if status != 428),
        bucket=Bucket.MOVES,
    ),
)
