"""A whole match in one answer: pages of JSON, or all of it as NDJSON, a line for each version."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

import grpc
import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from foldtable.matches.v1 import history_pb2 as pb
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON
from gateway import messages
from gateway.audiences import audience
from gateway.auth import Caller
from gateway.context import Gateway, gateway_of, trace_of
from gateway.documented import Answer, documented
from gateway.headers import header
from gateway.json_answers import NO_STORE, json_answer
from gateway.problem_documents import malformed
from gateway.queries import match_id, read_query
from gateway.refusals import refused_call
from gateway.schemas.history import ReplayPage, ReplayStep
from gateway.schemas.requests import ReplayQuery
from gateway.stream_slots import Slot

NDJSON: Final = "application/x-ndjson"
USUAL_PAGE: Final = 100
WHOLE_SECONDS: Final = 300.0
"""How long a whole match may take to be sent; a client that reads more slowly loses the connection."""

_CONTENTS: Final = {
    "views": pb.REPLAY_CONTENT_VIEWS,
    "events": pb.REPLAY_CONTENT_EVENTS,
    "both": pb.REPLAY_CONTENT_BOTH,
}
_encode: Final = msgspec.json.Encoder().encode


async def replay_match(request: Request) -> Response:
    """Give every version of a match: what an audience saw after it, the move that led to it, or both.

    Pages of JSON, or with `Accept: application/x-ndjson` the whole match in one answer, a line for each version; an
    answer that was cut off ends without its last chunk. Once the match is over, everybody who may see it may look as
    any seat, as the public or as the referee: as each of them saw it then.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    trace.match_id = match = match_id(request)
    query = read_query(request, ReplayQuery)
    whole = _wants_lines(request)
    if whole and (query.page_size or query.page_token):
        name = "page_size" if query.page_size else "page_token"
        raise malformed("NDJSON has no pages", code="CONTRADICTION", parameter=name)
    wanted = pb.ReplayMatchRequest(
        match_id=match,
        audience=audience(caller, query.audience, query.seat),
        content=_CONTENTS[query.what],
        from_version=query.first,
        to_version=query.last,
        form=PAYLOAD_FORM_JSON,
        page_size=0 if whole else query.page_size or USUAL_PAGE,
        page_token=query.page_token,
    )
    server = await gateway.directory.server_of(match, caller, trace)
    seconds = WHOLE_SECONDS if whole else gateway.settings.read_deadline_seconds
    parts = server.matches.ReplayMatch(wanted, timeout=seconds, metadata=trace.metadata(caller.authorization))
    if whole:
        return await _lines(gateway, caller, parts)
    return json_answer(await _page(match, parts))


def _wants_lines(request: Request) -> bool:
    accepted = (header(request, b"accept") or "").lower()
    return NDJSON in {kind.partition(";")[0].strip() for kind in accepted.split(",")}


_Parts = grpc.aio.UnaryStreamCall[pb.ReplayMatchRequest, pb.ReplayMatchResponse]


async def _page(match: str, parts: _Parts) -> ReplayPage:
    """Collect a page, which is bounded by the rules server in versions and in bytes."""
    begun = pb.ReplayMatchResponse.Begun()
    steps: list[ReplayStep] = []
    more = ""
    try:
        async for part in parts:
            match part.WhichOneof("part"):
                case "begun":
                    begun = part.begun
                case "step":
                    steps.append(_step(part.step))
                case _:
                    more = part.finished.next_page_token
    except grpc.aio.AioRpcError as error:
        raise refused_call(error, in_query=True) from None
    return ReplayPage(
        match_id=match,
        audience=messages.audience(begun.audience),
        steps=steps,
        next_page_token=more,
        version=begun.version,
        status=messages.STATUSES[begun.status],
    )


async def _lines(gateway: Gateway, caller: Caller, parts: _Parts) -> Response:
    """Answer once the rules server has begun: until then a refusal is a refusal."""
    slot = gateway.slots.take(caller)
    try:
        await parts.read()
    except grpc.aio.AioRpcError as error:
        slot.free()
        raise refused_call(error, in_query=True) from None
    except BaseException:
        slot.free()
        raise
    return StreamingResponse(_each_line(parts, slot), headers=dict(NO_STORE), media_type=NDJSON)


async def _each_line(parts: _Parts, slot: Slot) -> AsyncIterator[bytes]:
    try:
        while isinstance(part := await parts.read(), pb.ReplayMatchResponse):  # else it is grpc's EOF
            if part.HasField("step"):
                yield _encode(_step(part.step)) + b"\n"
    finally:
        parts.cancel()
        slot.free()


def _step(step: pb.ReplayMatchResponse.Step) -> ReplayStep:
    return ReplayStep(
        version=step.version,
        move=messages.move(step.move) if step.HasField("move") else msgspec.UNSET,
        view=messages.raw(step.view) if step.HasField("view") else msgspec.UNSET,
    )


ROUTES: Final = (
    documented(
        "GET",
        "/v1/matches/{match_id}/replay",
        replay_match,
        operation_id="replayMatch",
        summary="Every version of a match",
        tag="views",
        query=ReplayQuery,
        answers={
            200: Answer(
                description="A page of versions; to `Accept: application/x-ndjson` all of them, a line (ReplayStep) for each.",
                shape=ReplayPage,
                also={NDJSON: {"type": "string", "description": "A ReplayStep in each line."}},
            )
        },
        problems=(400, 403, 404, 409),
    ),
)
