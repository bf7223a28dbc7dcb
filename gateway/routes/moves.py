"""Making moves, leaving, and reading what was played. The first is the hot path."""

from __future__ import annotations

from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from foldtable.matches.v1.match_pb2 import MATCH_STATUS_ENDED
from foldtable.matches.v1.match_service_pb2 import ListMovesRequest, ListMovesResponse, ResignSeatRequest
from foldtable.matches.v1.play_pb2 import ActRequest, ActResponse
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON, Payload
from gateway import messages
from gateway.audiences import audience
from gateway.auth import Caller
from gateway.bodies import read_json
from gateway.clients import RulesServer, call
from gateway.context import gateway_of, trace_of
from gateway.documented import Answer, documented
from gateway.documented_parameters import SCHEMAS
from gateway.etags import etag, expected_version
from gateway.idempotency import HEADER, REPLAYED_HEADER, request_id
from gateway.json_answers import json_answer
from gateway.live.waiting import wait_for_move
from gateway.queries import match_id, read_query
from gateway.rate_limits import Bucket
from gateway.refusals import refused
from gateway.schemas.answers import MoveAnswer, MoveList, MoveRehearsed
from gateway.schemas.requests import MoveQuery, MoveRequest, MovesQuery, NoQuery, ResignRequest
from gateway.tracing import Trace

_MOVE: Final = msgspec.json.Decoder(MoveRequest)
_RESIGN: Final = msgspec.json.Decoder(ResignRequest)


async def make_move(request: Request) -> Response:
    """Make a move; the answer comes after it is durable.

    Say which version it was decided on: `If-Match` with the version's entity tag, or `expected_version`. With a
    request id (`Idempotency-Key`, or `request_id`) it can be repeated safely: a repeat gets the first answer and
    `Idempotent-Replayed: true`. A refusal tells the rule, what was missed, and what is legal now. With `dry_run` the move
    is judged like any other and nothing comes of it.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    query = read_query(request, MoveQuery)
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
        dry_run=query.dry_run,
    )
    server = await gateway.directory.server_of(match, caller, trace)
    reply = await server.play.act(act, caller.authorization, seconds=gateway.settings.move_deadline_seconds)
    if reply.WhichOneof("result") != "accepted":
        raise refused(reply.refused, conditional=conditional)
    if reply.accepted.dry_run:
        trace.version = reply.accepted.version
        version = reply.accepted.version
        return json_answer(MoveRehearsed(match_id=match, version=version, dry_run=True, legal=True))
    return accepted(reply.accepted, trace)


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
    return accepted(response.result, trace)


def accepted(answer: ActResponse, trace: Trace) -> Response:
    """Answer with an accepted move."""
    trace.version = answer.version
    headers = {"cache-control": "no-store", "etag": etag(answer.version)}
    if answer.replayed:
        headers[REPLAYED_HEADER] = "true"
    return json_answer(messages.move_answer(answer), headers=headers)


async def list_moves(request: Request) -> Response:
    """List moves as an audience may see them, oldest first, a page at a time.

    With `wait` this is a long poll: where there is no such move yet, the answer comes with the next one, or is empty
    after that time, when the match is over, or when this server stops.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    trace.match_id = match = match_id(request)
    query = read_query(request, MovesQuery)
    wanted = ListMovesRequest(
        match_id=match,
        audience=audience(caller, query.audience, query.seat),
        after_version=query.after,
        page_size=query.page_size,
        page_token=query.page_token,
        form=PAYLOAD_FORM_JSON,
    )
    server = await gateway.directory.server_of(match, caller, trace)
    page = await _page(request, server, caller, wanted)
    if query.wait is not None and not page.moves and page.status != MATCH_STATUS_ENDED:
        with gateway.slots.taken(caller):
            await wait_for_move(
                server.follows.of(match),
                wanted,
                caller.authorization,
                gateway.readers,
                wait_seconds=int(query.wait.removesuffix("s")),
                seconds=gateway.settings.read_deadline_seconds,
            )
        page = await _page(request, server, caller, wanted)
    return json_answer(
        MoveList(
            match_id=match,
            moves=[messages.move(move) for move in page.moves],
            next_page_token=page.next_page_token,
            version=page.version,
            status=messages.STATUSES[page.status],
        )
    )


async def _page(
    request: Request, server: RulesServer, caller: Caller, wanted: ListMovesRequest
) -> ListMovesResponse:
    return await call(
        server.matches.ListMoves,
        wanted,
        seconds=gateway_of(request).settings.read_deadline_seconds,
        metadata=trace_of(request).metadata(caller.authorization),
        in_query=True,
    )


REQUEST_HEADERS: Final = {
    "If-Match": 'The version the move was decided on, such as `"v:12"`; weak tags and `*` are refused.',
    HEADER: "A request id, quoted; the header's form of `request_id`.",
}
_ANSWER_HEADERS: Final = {
    "ETag": "The match's version after the move.",
    "Idempotent-Replayed": "`true` when this is the first answer, given again.",
}
ANSWERS: Final = {
    200: Answer(description="Accepted, and durable.", shape=MoveAnswer, headers=_ANSWER_HEADERS)
}
REFUSALS: Final = (400, 403, 404, 409, 412, 413, 415, 422, 428, 429)

MAKE_MOVE: Final = documented(
    "POST",
    "/v1/matches/{match_id}/moves",
    make_move,
    operation_id="makeMove",
    summary="Make a move",
    tag="moves",
    query=MoveQuery,
    body=MoveRequest,
    headers=REQUEST_HEADERS,
    answers={
        200: Answer(
            description="Accepted, and durable; with `dry_run` only judged.",
            schema={
                "oneOf": [
                    {"$ref": SCHEMAS.format(name="MoveAnswer")},
                    {"$ref": SCHEMAS.format(name="MoveRehearsed")},
                ]
            },
            headers=_ANSWER_HEADERS,
        )
    },
    problems=REFUSALS,
    bucket=Bucket.MOVES,
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
        headers=REQUEST_HEADERS,
        answers=ANSWERS,
        problems=tuple(status for status in REFUSALS if status != 428),
        bucket=Bucket.MOVES,
    ),
)
