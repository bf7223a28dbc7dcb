"""Making moves, and listing them. Both operations are hot (`gateway/hot`)."""

from __future__ import annotations

from typing import Final

import structlog
from fastapi import APIRouter
from msgspec import UNSET, UnsetType
from starlette.requests import Request
from starlette.responses import Response

from foldtable.matches.v1.match_pb2 import MATCH_STATUS_ENDED
from foldtable.matches.v1.match_service_pb2 import ListMovesRequest, ListMovesResponse
from foldtable.matches.v1.play_pb2 import ActRequest
from foldtable.matches.v1.table_pb2 import GetTableRequest
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON
from foldtable.rules.v1.table_pb2 import Audience
from gateway.access.admission import counted_for
from gateway.access.auth import Caller
from gateway.access.rate_limits import Bucket
from gateway.context import gateway_of, trace_of
from gateway.dependencies import MATCH, READ_MATCH
from gateway.hot.answered_move import accepted
from gateway.hot.asked_move import read_move
from gateway.http.answers import MEDIA_TYPE, json_answer
from gateway.http.bodies import read_body
from gateway.http.idempotency import idempotency_key
from gateway.http.languages import ACCEPT_LANGUAGE, language_of
from gateway.http.path_parameters import match_id
from gateway.http.preconditions import if_match
from gateway.http.queries import read_query
from gateway.live.waiting import wait_for_move
from gateway.openapi.hot import HotRoute, query_of
from gateway.openapi.operation import answer, problems
from gateway.openapi.parameters import reference
from gateway.problems.document import ProblemError
from gateway.schemas.moves import MoveAnswer, MoveList, MoveRehearsed
from gateway.schemas.requests import MoveQuery, MoveRequest, MovesQuery
from gateway.schemas.tables.table import Table
from gateway.telemetry.tracing import Trace
from gateway.translate import messages
from gateway.translate.audiences import audience
from gateway.translate.table import table
from gateway.upstream.refusals import refused
from gateway.upstream.rules import RulesServer, call

LARGE_PAGE: Final = 100
"""A longer page counts as a heavy read (gateway/access/heavy_reads.py)."""
PATH: Final = "/v1/matches/{match_id}/moves"
_log = structlog.get_logger("gateway.moves")

IF_MATCH: Final = if_match(
    'The version the move was decided on, such as `"v:12"`, or any entity tag of the match as it came; `*` is refused.'
)
IDEMPOTENCY_KEY: Final = idempotency_key("A request id, quoted; equivalent to `request_id`.")
ANSWER_HEADERS: Final = {
    "ETag": "The match's version after the move.",
    "Idempotent-Replayed": "`true` when this is the first answer, given again.",
}

router = APIRouter(tags=["moves"], route_class=HotRoute)


@router.post(
    PATH,
    operation_id="makeMove",
    summary="Make a move",
    dependencies=[
        counted_for(Bucket.MOVES),
        MATCH,
        query_of(MoveQuery),
        IF_MATCH,
        IDEMPOTENCY_KEY,
        ACCEPT_LANGUAGE,
    ],
    openapi_extra={
        "requestBody": {"required": True, "content": {MEDIA_TYPE: {"schema": reference(MoveRequest)}}}
    },
    responses={
        200: answer(
            "Accepted and durable; with `dry_run` only checked.",
            content={MEDIA_TYPE: {"anyOf": [reference(MoveAnswer), reference(MoveRehearsed)]}},
            headers=ANSWER_HEADERS,
        ),
        **problems(403, 404, 409, 412, 422, 428),
    },
)
async def make_move(request: Request) -> Response:
    """Make a move. The response is sent after the move is durable.

    Name the version that the move is based on: `If-Match` with the version's entity tag, or `expected_version`. With a
    request id (`Idempotency-Key`, or `request_id`) the request can be repeated safely: a repeated request gets the first
    response and `Idempotent-Replayed: true`. A refusal names the rule, the moves since that version, and the legal actions.
    With `dry_run` the move is checked but not made.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    query = read_query(request, MoveQuery)
    trace.match_id = match = match_id(request)
    act, conditional = read_move(request, match, query, await read_body(request))
    server = await gateway.directory.server_of(match, caller, trace)
    reply = await server.play.act(act, caller.authorization, seconds=gateway.settings.move_deadline_seconds)
    if reply.WhichOneof("result") != "accepted":
        raise refused(reply.refused, conditional=conditional)
    if reply.accepted.dry_run:
        trace.version = reply.accepted.version
        version = reply.accepted.version
        return json_answer(MoveRehearsed(match_id=match, version=version, dry_run=True, legal=True))
    shown: Table | UnsetType | None = UNSET
    if query.include is not None:
        shown = await _table_after(server, act, caller, trace, gateway.settings.read_deadline_seconds)
    return accepted(reply.accepted, trace, caller, shown)


async def _table_after(
    server: RulesServer, act: ActRequest, caller: Caller, trace: Trace, seconds: float
) -> Table | None:
    """Return the table as the acting seat sees it now; None if it cannot be read. The move stands in any case."""
    of_seat = Audience(kind=Audience.KIND_SEAT, seat=act.seat) if act.HasField("seat") else None
    asked = GetTableRequest(
        match_id=act.match_id, audience=of_seat, form=PAYLOAD_FORM_JSON, language=act.language
    )
    try:
        found = await call(
            server.matches.GetTable, asked, seconds=seconds, metadata=trace.metadata(caller.authorization)
        )
    except ProblemError as problem:
        _log.warning("no table after a move", reason=problem.reason.name)
        return None
    return table(found)


@router.get(
    PATH,
    operation_id="listMoves",
    summary="List moves",
    dependencies=[counted_for(Bucket.READS), READ_MATCH, query_of(MovesQuery), ACCEPT_LANGUAGE],
    responses={200: answer("A page of moves.", MoveList), **problems(403, 404)},
)
async def list_moves(request: Request) -> Response:
    """List moves as an audience may see them, oldest first, page by page.

    With `wait` this is a long poll: if there is no such move yet, the response comes with the next one. It is empty if the
    time is over, the match has ended or this server stops.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.reader(request)
    trace.match_id = match = match_id(request)
    query = read_query(request, MovesQuery)
    wanted = ListMovesRequest(
        match_id=match,
        audience=audience(caller, query.audience, query.seat),
        after_version=query.after,
        page_size=query.page_size,
        page_token=query.page_token,
        form=PAYLOAD_FORM_JSON,
        language=language_of(request, query.lang),
    )
    server = await gateway.directory.server_of(match, caller, trace)
    page = await _page(request, server, caller, wanted)
    if query.wait is not None and not page.moves and page.status != MATCH_STATUS_ENDED:
        with gateway.slots.taken(caller):
            await wait_for_move(
                server.subscriptions.of(match),
                wanted,
                caller.authorization,
                gateway.open_streams,
                wait_seconds=int(query.wait.removesuffix("s")),
                seconds=gateway.settings.read_deadline_seconds,
            )
        page = await _page(request, server, caller, wanted)
    return json_answer(messages.move_list(page, match_id=match))


async def _page(
    request: Request, server: RulesServer, caller: Caller, wanted: ListMovesRequest
) -> ListMovesResponse:
    gateway = gateway_of(request)
    with gateway.heavy.taken(caller, if_heavy=wanted.page_size > LARGE_PAGE):
        return await call(
            server.matches.ListMoves,
            wanted,
            seconds=gateway.settings.read_deadline_seconds,
            metadata=trace_of(request).metadata(caller.authorization),
            in_query=True,
        )
