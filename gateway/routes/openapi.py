"""The OpenAPI document, including the games' schemas."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from starlette.responses import Response

from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.dependencies import GatewayParts
from gateway.http.answers import MEDIA_TYPE
from gateway.openapi.operation import Operation, answer, problems

_CACHED: Final = {"cache-control": "public, max-age=30"}

router = APIRouter(tags=["documents"], route_class=Operation, dependencies=[counted_for(Bucket.READS)])


@router.get(
    "/openapi.json",
    operation_id="getOpenapi",
    summary="This document",
    responses={
        200: answer("The document.", content={MEDIA_TYPE: {"type": "object"}}),
        **problems(503, 504),
    },
)
async def get_openapi(gateway: GatewayParts) -> Response:
    """Return this document (OpenAPI 3.1)."""
    games = await gateway.catalogue.descriptions()
    return Response(gateway.document.render(games), headers=_CACHED, media_type=MEDIA_TYPE)
