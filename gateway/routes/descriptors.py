"""The gRPC contracts as one file, for clients that generate or load their stubs without our .proto files."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from gateway.documented import Answer, documented
from gateway.queries import read_query
from gateway.schemas.requests import NoQuery
from gateway.whole_files import WholeFile

MEDIA_TYPE: Final = "application/protobuf"
_DESCRIPTORS: Final = Path(str(files("foldtable").joinpath("descriptors.binpb")))
_CACHED: Final = {"cache-control": "public, max-age=300"}


async def get_descriptors(request: Request) -> Response:
    """Give every gRPC contract, the games' typed messages included, as a `google.protobuf.FileDescriptorSet` with comments.

    Their imports stand in it as well: nothing else is needed to make stubs.
    """
    read_query(request, NoQuery)
    return WholeFile(_DESCRIPTORS, headers=_CACHED, media_type=MEDIA_TYPE)


ROUTES: Final = (
    documented(
        "GET",
        "/descriptors.binpb",
        get_descriptors,
        operation_id="getDescriptors",
        summary="The gRPC contracts",
        tag="documents",
        answers={
            200: Answer(
                description="A serialised FileDescriptorSet.",
                media_type=MEDIA_TYPE,
                schema={"type": "string"},
            )
        },
        problems=(400,),
        public=True,
    ),
)
