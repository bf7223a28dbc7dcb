"""The start page: links for a client that knows only the address, and the front end for a browser."""

from __future__ import annotations

from hashlib import sha256
from importlib.metadata import version
from typing import Annotated, Final

import msgspec
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.dependencies import GatewayParts
from gateway.http.answers import MEDIA_TYPE
from gateway.http.entity_tags import not_modified
from gateway.http.header_parameters import sent_header
from gateway.http.pages.accept import ALSO_A_PAGE, wants_a_page
from gateway.openapi.operation import Operation, answer
from gateway.schemas.answers import Index, IndexLinks

_INDEX: Final = msgspec.json.encode(
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
    )
)
_ETAG: Final = f'"{sha256(_INDEX).hexdigest()[:32]}"'
_HEADERS: Final = {"cache-control": "public, max-age=300", "etag": _ETAG}


router = APIRouter(tags=["games"], route_class=Operation, dependencies=[counted_for(Bucket.READS)])


@router.get(
    "/",
    operation_id="getIndex",
    summary="Get the start page of the API",
    responses={
        200: answer("Links to the main resources.", Index, headers={"ETag": "Changes with the release."}),
        304: answer("The client has them.", headers={"ETag": "The same."}),
    },
    dependencies=[
        ALSO_A_PAGE
    ],  # it varies also while there is no page: caches keep it past a restart with one
)
async def get_index(
    gateway: GatewayParts,
    request: Request,
    known: Annotated[str | None, sent_header("If-None-Match", "The entity tag of what the client has.")],
) -> Response:
    """Return the name and version of this server and links to its main resources.

    Browsers, which prefer HTML, get a page to play at instead, unless the operator has switched it off.
    """
    page = gateway.front_end.page
    if page is not None and wants_a_page(request):
        return page.answer(request)
    return not_modified(known, _HEADERS) or Response(_INDEX, headers=_HEADERS, media_type=MEDIA_TYPE)
