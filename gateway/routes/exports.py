"""A whole match as one document, and what checking it finds."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from foldtable.matches.v1.history_pb2 import VerifiedDraw as VerifiedDrawMessage
from foldtable.matches.v1.match_service_pb2 import ExportMatchRequest, VerifyMatchRequest
from gateway.audiences import audience
from gateway.clients import call
from gateway.context import gateway_of, trace_of
from gateway.documented import Answer, documented
from gateway.documented_parameters import SCHEMAS
from gateway.export_schema import EXPORT, EXPORT_SCHEMA
from gateway.json_answers import json_answer
from gateway.queries import match_id, read_query
from gateway.schemas.history import Verification, VerifiedDraw
from gateway.schemas.requests import ExportQuery, NoQuery, VerifyQuery

EXPORT_MEDIA_TYPE: Final = "application/vnd.foldtable.match+json"


async def export_match(request: Request) -> Response:
    """Give the whole match as one JSON document; of a running match only what the caller may know."""
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    trace.match_id = match = match_id(request)
    query = read_query(request, ExportQuery)
    wanted = audience(caller, query.audience, query.seat)
    server = await gateway.directory.server_of(match, caller, trace)
    response = await call(
        server.matches.ExportMatch,
        ExportMatchRequest(match_id=match, audience=wanted),
        seconds=gateway.settings.read_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
        in_query=True,
    )
    headers = {
        "cache-control": "no-store",
        "content-disposition": f'attachment; filename="{match}.match.json"',
    }
    return Response(response.document, headers=headers, media_type=EXPORT_MEDIA_TYPE)


async def verify_match(request: Request) -> Response:
    """Check hash chain, commitment and fold; once the match is over, decide every move again from its secret.

    The first difference is named: the move, the event, the place in the export, what should stand there and what
    does. With `draws_page_size` the draws of a match that is over are listed with what they were made from.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    trace.match_id = match = match_id(request)
    query = read_query(request, VerifyQuery)
    server = await gateway.directory.server_of(match, caller, trace)
    found = await call(
        server.matches.VerifyMatch,
        VerifyMatchRequest(
            match_id=match,
            draws_page_size=query.draws_page_size,
            draws_page_token=query.draws_page_token,
        ),
        seconds=gateway.settings.read_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
        in_query=True,
    )
    return json_answer(
        Verification(
            ok=found.ok,
            moves=found.moves,
            draws=found.draws,
            decided_again=found.decided_again,
            unchecked=found.unchecked,
            difference=found.difference,
            difference_version=found.difference_version,
            difference_event=found.difference_event if found.HasField("difference_event") else None,
            difference_pointer=found.difference_pointer,
            expected=found.expected,
            found=found.found,
            listed_draws=[_draw(draw) for draw in found.listed_draws],
            next_draws_page_token=found.next_draws_page_token,
            forked=found.forked,
        )
    )


def _draw(draw: VerifiedDrawMessage) -> VerifiedDraw:
    return VerifiedDraw(
        move=draw.move,
        number=draw.number,
        bound=draw.bound,
        value=draw.value,
        message=draw.message.hex(),
        digest=draw.digest.hex(),
    )


async def get_export_schema(request: Request) -> Response:
    """Give the JSON Schema (2020-12) of an export. Options, requests, events and outcome are the game's own."""
    read_query(request, NoQuery)
    return Response(
        EXPORT_SCHEMA, headers={"cache-control": "public, max-age=300"}, media_type="application/schema+json"
    )


ROUTES: Final = (
    documented(
        "GET",
        "/v1/matches/{match_id}/export",
        export_match,
        operation_id="exportMatch",
        summary="The match as one document",
        tag="exports",
        query=ExportQuery,
        answers={
            200: Answer(
                description="The document, format `foldtable.match.v1`.",
                media_type=EXPORT_MEDIA_TYPE,
                schema={"$ref": SCHEMAS.format(name=EXPORT)},
            )
        },
        problems=(400, 403, 404),
    ),
    documented(
        "GET",
        "/v1/matches/{match_id}/verify",
        verify_match,
        operation_id="verifyMatch",
        summary="Check the match",
        tag="exports",
        query=VerifyQuery,
        answers={200: Answer(description="What was found.", shape=Verification)},
        problems=(400, 403, 404),
    ),
    documented(
        "GET",
        "/v1/schemas/match-export",
        get_export_schema,
        operation_id="getExportSchema",
        summary="The schema of an export",
        tag="exports",
        answers={
            200: Answer(
                description="A JSON Schema.",
                media_type="application/schema+json",
                schema={"type": "object"},
            )
        },
        problems=(400,),
        public=True,
    ),
)
