"""The start page: links for a client that knows only the address."""

from __future__ import annotations

from importlib.metadata import version
from typing import Final

from fastapi import APIRouter
from starlette.responses import Response

from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.http.answers import json_answer
from gateway.openapi.operation import Operation, answer
from gateway.schemas.answers import Index, IndexLinks

_CACHED: Final = {"cache-control": "public, max-age=300"}


router = APIRouter(tags=["games"], route_class=Operation, dependencies=[counted_for(Bucket.READS)])


@router.get(
    "/",
    operation_id="getIndex",
    summary="Get the start page of the API",
    responses={200: answer("Links to the main resources.", Index)},
)
async def get_index() -> Response:
    """Return the name and version of this server and links to its main resources."""
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
                signing_keys="/.well-known/jwks.json",
            ),
        ),
        headers=_CACHED,
    )
