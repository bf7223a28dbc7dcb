"""The front door: where everything is, for somebody who knows the address only."""

from __future__ import annotations

from importlib.metadata import version
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from gateway.documented import Answer, documented
from gateway.json_answers import json_answer
from gateway.queries import read_query
from gateway.schemas.answers import Index, IndexLinks
from gateway.schemas.requests import NoQuery

_CACHED: Final = {"cache-control": "public, max-age=300"}


async def get_index(request: Request) -> Response:
    """Say what this is and where to go from here."""
    read_query(request, NoQuery)
    return json_answer(
        Index(
            name="Foldtable",
            version=version("foldtable"),
            links=IndexLinks(
                games="/v1/games",
                matches="/v1/matches",
                openapi="/openapi.json",
                descriptors="/descriptors.binpb",
                problems="/problems",
                reference="/docs",
            ),
        ),
        headers=_CACHED,
    )


ROUTES: Final = (
    documented(
        "GET",
        "/",
        get_index,
        operation_id="getIndex",
        summary="The front door",
        tag="games",
        answers={200: Answer(description="Where everything is.", shape=Index)},
        problems=(400,),
        public=True,
    ),
)
