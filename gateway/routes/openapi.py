"""The OpenAPI document, with the games' own schemas in it."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from gateway.context import gateway_of
from gateway.documented import Answer, documented
from gateway.json_answers import MEDIA_TYPE
from gateway.queries import read_query
from gateway.schemas.requests import NoQuery


async def get_openapi(request: Request) -> Response:
    """Give this document (OpenAPI 3.1)."""
    read_query(request, NoQuery)
    gateway = gateway_of(request)
    games = [await gateway.catalogue.describe(game.game) for game in await gateway.catalogue.games()]
    return Response(
        gateway.document.render(games), headers={"cache-control": "public, max-age=30"}, media_type=MEDIA_TYPE
    )


ROUTES: Final = (
    documented(
        "GET",
        "/openapi.json",
        get_openapi,
        operation_id="getOpenapi",
        summary="This document",
        tag="documents",
        answers={200: Answer(description="The document.", schema={"type": "object"})},
        problems=(400, 503, 504),
        public=True,
    ),
)
