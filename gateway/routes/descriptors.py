"""The gRPC contracts as one file, for clients that generate or load stubs without our .proto files."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter
from starlette.responses import Response

from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.dependencies import GatewayParts
from gateway.http.entity_tags import not_modified
from gateway.http.header_parameters import sent_header
from gateway.openapi.operation import Operation, answer, problems

MEDIA_TYPE: Final = "application/protobuf"
_HEADERS: Final = {"cache-control": "public, max-age=30", "accept-ranges": "none"}

router = APIRouter(tags=["documents"], route_class=Operation, dependencies=[counted_for(Bucket.READS)])


@router.get(
    "/descriptors.binpb",
    operation_id="getDescriptors",
    summary="The gRPC contracts",
    responses={
        200: answer(
            "A serialised FileDescriptorSet.",
            content={MEDIA_TYPE: {"type": "string"}},
            headers={"ETag": "Changes with the contracts."},
        ),
        304: answer("The client has them.", headers={"ETag": "The same."}),
        **problems(503, 504),
    },
)
async def get_descriptors(
    gateway: GatewayParts,
    known: Annotated[
        str | None, sent_header("If-None-Match", "The entity tag of the contracts the client has.")
    ],
) -> Response:
    """Return all gRPC contracts, including the messages of every game, as a `google.protobuf.FileDescriptorSet` with comments.

    The set includes all imports, so nothing else is needed to generate stubs.
    """
    games = await gateway.catalogue.descriptions()
    document = gateway.contracts.with_games(games)
    headers = {**_HEADERS, "etag": document.etag}
    return not_modified(known, headers) or Response(document.body, headers=headers, media_type=MEDIA_TYPE)
