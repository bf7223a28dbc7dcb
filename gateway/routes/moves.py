"""Making moves, leaving, and reading what was played. The first is the hot path."""

from __future__ import annotations

from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from foldtable.matches.v1.match_service_pb2 import ListMovesRequest, ResignSeatRequest
from foldtable.matches.v1.play_pb2 import ActRequest, ActResponse
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON, Payload
from gateway import messages
from gateway.audiences import audience
from gateway.bodies import read_json
from gateway.clients import call
from gateway.context import gateway_of, trace_of
from gateway.documented import Answer, documented
from gateway.etags import etag, expected_version
from gateway.idempotency import HEADER, REPLAYED_HEADER, request_id
from gateway.json_answers import json_answer
from gateway.queries import match_id, read_query
from gateway.refusals import refused
from gateway.schemas.answers import MoveAnswer, MoveList
from gateway.schemas.requests import MoveRequest, MovesQuery, NoQuery, ResignRequest
from gateway.tracing import Trace

_MOVE: Final = msgspec.json.Decoder(MoveRequest)
_RESIGN: Final = msgspec.json.Decoder(ResignRequest)


async def make_move(request: Request) -> Response:
    """Make a move; the answer comes after it is durable.

    Say which version it was decided on: `If-Match` with the version's entity tag, or `expected_version`. With a
    request id (`Idempotency-Key`, or `request_id`) it can be repeated safely: a repeat gets the first answer and
    `Idempotent-Replayed: true`. A refusal tells the rule, what was missed, and what is legal now.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    trace.match_id = match = match_id(request)
    body = await read_json(request, _MOVE)
    expected, conditional = expected_version(request, body.expected_version)
    act = ActRequest(
        match_id=match,
        seat=body.seat,
        request_id=request_id(request, body.request_id),
        expected_version=expected,
        action=Payload(json=bytes(body.action)),
        form=PAYLOAD_FORM_JSON,
    )
    server = await gateway.directory.server_of(match, caller, trace)
    reply = await server.play.act(act, caller.authorization, seconds=gateway.settings.move_deadline_seconds)
    if reply.WhichOneof("result") != "accepted":
        raise refused(reply.refused, conditional=conditional)
    return _accepted(reply.accepted, trace)


async def resign_seat(request: Request) -> Response:
    """Leave the match for good, by the rules of the game. Without a version it counts whatever happened meanwhile."""
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    trace.match_id = match = match_id(request)
    body = await read_json(request, _RESIGN, optional=True)
    expected, conditional = expected_version(request, body.expected_version)
    server = await gateway.directory.server_of(match, caller, trace)
    response = await call(
        server.matches.ResignSeat,
        ResignSeatRequest(
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
    return _accepted(response.result, trace)


def _accepted(accepted: ActResponse, trace: Trace) -> Response:
    trace.version = accepted.version
    headers = {"cache-control": "no-store", "etag": etag(accepted.version)}
    if accepted.replayed:
        headers[REPLAYED_HEADER] = "true"
    return json_answer(messages.move_answer(accepted), headers=headers)


async def list_moves(request: Request) -> Response:
    """List moves as an audience may see them, oldest first, a page at a time."""
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    trace.match_id = match = match_id(request)
    query = read_query(request, MovesQuery)
    wanted = audience(caller, query.audience, query.seat)
    server = await gateway.directory.server_of(match, caller, trace)
    page = await call(
        server.matches.ListMoves,
        ListMovesRequest(
            match_id=match,
            audience=wanted,
            after_version=query.after,
            page_size=query.page_size,
            page_token=query.page_token,
            form=PAYLOAD_FORM_JSON,
        ),
        seconds=gateway.settings.read_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
        in_query=True,
    )
    moves = [messages.move(move) for move in page.moves]
    return json_answer(MoveList(match_id=match, moves=moves, next_page_token=page.next_page_token))


_REQUEST_HEADERS: Final = {
    "If-Match": 'The version the move was decided on, such as `"v:12"`; weak tags and `*` are refused.',
    HEADER: "A request id, quoted; the header's form of `request_id`.",
}
_ANSWERS: Final = {
    200: Answer(
        description="Accepted, and durable.",
        shape=MoveAnswer,
        headers={
            "ETag": "The match's version after the move.",
            "Idempotent-Replayed": "`true` when this is the first answer, given again.",
        },
    )
}
_REFUSALS: Final = (400, 403, 404, 409, 412, 413, 415, 422, 428, 429)

MAKE_MOVE: Final = documented(
    "POST",
    "/v1/matches/{match_id}/moves",
    make_move,
    operation_id="makeMove",
    summary="Make a move",
    tag="moves",
    body=MoveRequest,
    headers=_REQUEST_HEADERS,
    answers=_ANSWERS,
    problems=_REFUSALS,
)
ROUTES: Final = (
    documented(
        "GET",
        "/v1/matches/{match_id}/moves",
        list_moves,
        operation_id="listMoves",
        summary="List moves",
        tag="moves",
        query=MovesQuery,
        answers={200: Answer(description="A page of moves.", shape=MoveList)},
        problems=(400, 403, 404),
    ),
    documented(
        "POST",
        "/v1/matches/{match_id}/resign",
        resign_seat,
        operation_id="resignSeat",
        summary="Leave for good",
        tag="moves",
        body=ResignRequest,
        body_required=False,
        headers=_REQUEST_HEADERS,
        answers=_ANSWERS,
        problems=tuple(status for status in _REFUSALS if status != 428),
    ),
)
