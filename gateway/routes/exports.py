"""Exporting a whole match as one document, and verifying it."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Query
from starlette.responses import Response

from foldtable.matches.v1.match_service_pb2 import ExportMatchRequest, VerifyMatchRequest
from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.dependencies import GatewayParts, Match
from gateway.headers import NO_STORE
from gateway.http.answers import json_answer
from gateway.openapi.export_schema import EXPORT, EXPORT_SCHEMA
from gateway.openapi.operation import Operation, answer, problems
from gateway.openapi.parameters import SCHEMAS
from gateway.schemas.history import ExportQuery, Verification, VerifyQuery
from gateway.translate import history_messages
from gateway.translate.audiences import audience
from gateway.upstream.rules import call

EXPORT_MEDIA_TYPE: Final = "application/vnd.foldtable.match+json"
_SCHEMA_MEDIA_TYPE: Final = "application/schema+json"

router = APIRouter(tags=["exports"], route_class=Operation, dependencies=[counted_for(Bucket.READS)])


@router.get(
    "/v1/matches/{match_id}/export",
    operation_id="exportMatch",
    summary="Export a match",
    responses={
        200: answer(
            "The document, format `foldtable.match.v1`.",
            content={EXPORT_MEDIA_TYPE: {"$ref": SCHEMAS.format(name=EXPORT)}},
        ),
        **problems(403, 404),
    },
)
async def export_match(
    match: Match, gateway: GatewayParts, query: Annotated[ExportQuery, Query()]
) -> Response:
    """Return the whole match as one JSON document; of a running match only what the caller may see."""
    wanted = audience(match.caller, query.audience, query.seat)
    server = await match.server()
    with gateway.heavy.taken(match.caller):
        response = await call(
            server.matches.ExportMatch,
            ExportMatchRequest(match_id=match.match_id, audience=wanted),
            seconds=gateway.settings.heavy_read_deadline_seconds,
            metadata=match.metadata,
            in_query=True,
        )
    headers = {
        **NO_STORE,
        "content-disposition": f'attachment; filename="{match.match_id}.match.json"',
    }
    return Response(response.document, headers=headers, media_type=EXPORT_MEDIA_TYPE)


@router.get(
    "/v1/matches/{match_id}/verify",
    operation_id="verifyMatch",
    summary="Verify a match",
    responses={200: answer("The result of the verification.", Verification), **problems(403, 404)},
)
async def verify_match(
    match: Match, gateway: GatewayParts, query: Annotated[VerifyQuery, Query()]
) -> Response:
    """Verify hash chain, commitment and replayed state. Once the match has ended, every move is also replayed with its secret.

    The response names the first difference: the move, the event, the place in the export, the expected value and the value
    found. With `draws_page_size` it lists the random draws of an ended match with everything they were computed from.
    """
    server = await match.server()
    wanted = VerifyMatchRequest(
        match_id=match.match_id,
        draws_page_size=query.draws_page_size,
        draws_page_token=query.draws_page_token,
    )
    with gateway.heavy.taken(match.caller):
        found = await call(
            server.matches.VerifyMatch,
            wanted,
            seconds=gateway.settings.heavy_read_deadline_seconds,
            metadata=match.metadata,
            in_query=True,
        )
    return json_answer(history_messages.verification(found))


@router.get(
    "/v1/schemas/match-export",
    operation_id="getExportSchema",
    summary="Get the schema of an export",
    responses={200: answer("A JSON Schema.", content={_SCHEMA_MEDIA_TYPE: {"type": "object"}})},
)
async def get_export_schema() -> Response:
    """Return the JSON Schema (2020-12) of an export. It leaves options, requests, events and outcome to the game's schemas."""
    return Response(
        EXPORT_SCHEMA, headers={"cache-control": "public, max-age=300"}, media_type=_SCHEMA_MEDIA_TYPE
    )
