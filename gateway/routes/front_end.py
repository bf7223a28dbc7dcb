"""The files of the reference front end. Its page is what browsers get at `/` (index.py)."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response

from gateway.dependencies import GatewayParts
from gateway.http.header_parameters import sent_header
from gateway.http.pages.front_end import MEDIA_TYPES
from gateway.openapi.operation import Operation, answer, problems
from gateway.problems.document import ProblemError

router = APIRouter(tags=["documents"], route_class=Operation)
"""Not counted: a class of pupils may load the page at once from one address, and these files are sent from memory."""


@router.get(
    "/web/{file}",
    operation_id="getFrontEndFile",
    summary="Get a file of the front end",
    responses={
        200: answer(
            "The file.",
            content={kind.partition(";")[0]: {"type": "string"} for kind in MEDIA_TYPES.values()},
            headers={"ETag": "Changes with the file."},
        ),
        304: answer("The client has it.", headers={"ETag": "The same."}),
        **problems(404),
    },
)
async def get_front_end_file(
    gateway: GatewayParts,
    request: Request,
    file: Annotated[
        str,
        Path(
            description="A name that the page contains.",
            examples=["icon.svg"],
            json_schema_extra={"maxLength": 63},
        ),
    ],
    _known: Annotated[str | None, sent_header("If-None-Match", "The entity tag of the file the client has.")],
) -> Response:
    """Return a script, style or image of the page that browsers get at `/`, or LICENSES.txt.

    404 if the operator has switched the page off.
    """
    found = gateway.front_end.files.get(file)
    if found is None:
        raise ProblemError("ROUTE_NOT_FOUND")
    return found.answer(request)
