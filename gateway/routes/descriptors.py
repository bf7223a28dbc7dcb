"""The gRPC contracts as one file, for clients that generate or load stubs without our .proto files."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Final

from fastapi import APIRouter
from starlette.responses import Response

from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.http.files import WholeFile
from gateway.openapi.operation import Operation, answer

MEDIA_TYPE: Final = "application/protobuf"
_DESCRIPTORS: Final = Path(str(files("foldtable").joinpath("descriptors.binpb")))
_CACHED: Final = {"cache-control": "public, max-age=300"}

router = APIRouter(tags=["documents"], route_class=Operation, dependencies=[counted_for(Bucket.READS)])


@router.get(
    "/descriptors.binpb",
    operation_id="getDescriptors",
    summary="The gRPC contracts",
    responses={200: answer("A serialised FileDescriptorSet.", content={MEDIA_TYPE: {"type": "string"}})},
)
async def get_descriptors() -> Response:
    """Return all gRPC contracts, including the games' messages, as a `google.protobuf.FileDescriptorSet` with comments.

    The set includes all imports, so nothing else is needed to generate stubs.
    """
    return WholeFile(_DESCRIPTORS, headers=_CACHED, media_type=MEDIA_TYPE)
