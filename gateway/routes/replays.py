"""Replaying a match: pages of JSON, or the whole match as NDJSON with a line for each version."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Annotated, Final

import grpc
import msgspec
from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from foldtable.matches.v1 import history_pb2 as pb
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON
from gateway.access.admission import counted_for
from gateway.access.auth import Caller
from gateway.access.rate_limits import Bucket
from gateway.access.stream_slots import Slot
from gateway.context import Gateway
from gateway.dependencies import GatewayParts, ReadMatch
from gateway.headers import NO_STORE, header
from gateway.http.answers import MEDIA_TYPE, json_answer
from gateway.http.languages import ACCEPT_LANGUAGE, language_of
from gateway.http.pages.accept import NEGOTIATED
from gateway.openapi.operation import Operation, answer, problems
from gateway.openapi.parameters import SCHEMAS
from gateway.problems.document import malformed
from gateway.schemas.history import ReplayPage, ReplayQuery, ReplayStep
from gateway.translate import history_messages
from gateway.translate.audiences import audience
from gateway.translate.replayed_tables import TableSteps
from gateway.upstream.refusals import refused_call

NDJSON: Final = "application/x-ndjson"
USUAL_PAGE: Final = 100
WHOLE_SECONDS: Final = 300.0
"""How long sending a whole match may take. A client that reads more slowly loses the connection."""

_CONTENTS: Final = {
    "views": pb.REPLAY_CONTENT_VIEWS,
    "events": pb.REPLAY_CONTENT_EVENTS,
    "both": pb.REPLAY_CONTENT_BOTH,
    "tables": pb.REPLAY_CONTENT_TABLES,
}
_encode: Final = msgspec.json.Encoder().encode

router = APIRouter(tags=["views"], route_class=Operation, dependencies=[counted_for(Bucket.READS)])


@router.get(
    "/v1/matches/{match_id}/replay",
    operation_id="replayMatch",
    summary="List every version of a match",
    responses={
        200: answer(
            "A page of versions; with `Accept: application/x-ndjson` all versions, a line (ReplayStep) for each.",
            content={
                MEDIA_TYPE: {"$ref": SCHEMAS.format(name=ReplayPage.__name__)},
                NDJSON: {
                    "type": "string",
                    "description": "A ReplayStep in each line.",
                    "contentMediaType": NDJSON,
                    "contentSchema": {"$ref": SCHEMAS.format(name=ReplayStep.__name__)},
                },
            },
        ),
        **problems(403, 404, 409),
    },
    dependencies=[NEGOTIATED, ACCEPT_LANGUAGE],
)
async def replay_match(
    match: ReadMatch, gateway: GatewayParts, request: Request, query: Annotated[ReplayQuery, Query()]
) -> Response:
    """Return every version of a match: what an audience saw at it, the move that led to it, or both.

    With `what=tables` a step has the move and all that a page draws: the first step of the response a `table`, each later one
    a `patch` of the table before.

    The response is a page of JSON, or with `Accept: application/x-ndjson` the whole match, a line for each version; a
    response that was cut off ends without its last chunk. Once the match has ended, everybody who may see it may view it as
    any seat, as the public or as the referee saw it.
    """
    whole = _wants_lines(request)
    if whole and (query.page_size or query.page_token):
        name = "page_size" if query.page_size else "page_token"
        raise malformed("NDJSON has no pages", code="CONTRADICTION", parameter=name)
    wanted = pb.ReplayMatchRequest(
        match_id=match.match_id,
        audience=audience(match.caller, query.audience, query.seat),
        content=_CONTENTS[query.what],
        from_version=query.first,
        to_version=query.last,
        form=PAYLOAD_FORM_JSON,
        language=language_of(request, query.lang),
        page_size=0 if whole else query.page_size or USUAL_PAGE,
        page_token=query.page_token,
    )
    to_step = TableSteps().next if query.what == "tables" else history_messages.replay_step
    server = await match.server()
    seconds = WHOLE_SECONDS if whole else gateway.settings.heavy_read_deadline_seconds
    with gateway.heavy.taken(match.caller):
        parts = server.matches.ReplayMatch(wanted, timeout=seconds, metadata=match.metadata)
        if whole:  # by then it has begun and holds a stream's slot
            return await _lines(gateway, match.caller, parts, to_step)
        return json_answer(await _page(match.match_id, parts, to_step))


def _wants_lines(request: Request) -> bool:
    accepted = (header(request, b"accept") or "").lower()
    return NDJSON in {kind.partition(";")[0].strip() for kind in accepted.split(",")}


_Parts = grpc.aio.UnaryStreamCall[pb.ReplayMatchRequest, pb.ReplayMatchResponse]
_ToStep = Callable[[pb.ReplayMatchResponse.Step], ReplayStep]


async def _page(match: str, parts: _Parts, to_step: _ToStep) -> ReplayPage:
    """Return a page. The rules server bounds its versions and bytes."""
    begun = pb.ReplayMatchResponse.Begun()
    steps: list[ReplayStep] = []
    more = ""
    try:
        async for part in parts:
            match part.WhichOneof("part"):
                case "begun":
                    begun = part.begun
                case "step":
                    steps.append(to_step(part.step))
                case _:
                    more = part.finished.next_page_token
    except grpc.aio.AioRpcError as error:
        raise refused_call(error, in_query=True) from None
    return history_messages.replay_page(begun, match_id=match, steps=steps, next_page_token=more)


async def _lines(gateway: Gateway, caller: Caller, parts: _Parts, to_step: _ToStep) -> Response:
    """Return the response once the rules server has begun to send: until then a refusal is answered as a problem."""
    slot = gateway.slots.take(caller)
    try:
        await parts.read()
    except grpc.aio.AioRpcError as error:
        slot.free()
        raise refused_call(error, in_query=True) from None
    except BaseException:
        slot.free()
        raise
    return StreamingResponse(_each_line(parts, slot, to_step), headers=dict(NO_STORE), media_type=NDJSON)


async def _each_line(parts: _Parts, slot: Slot, to_step: _ToStep) -> AsyncIterator[bytes]:
    try:
        while isinstance(part := await parts.read(), pb.ReplayMatchResponse):  # otherwise it is grpc's EOF
            if part.HasField("step"):
                yield _encode(to_step(part.step)) + b"\n"
    finally:
        parts.cancel()
        slot.free()
