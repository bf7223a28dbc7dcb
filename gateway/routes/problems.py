"""The catalogue of errors, to which the `type` of a problem document points."""

from __future__ import annotations

import re
from typing import Annotated, Final

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response

from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.dependencies import GatewayParts
from gateway.http.answers import json_answer
from gateway.http.pages.accept import ALSO_A_PAGE, wants_a_page
from gateway.http.pages.html import html_answer
from gateway.http.pages.problems import page
from gateway.openapi.operation import Operation, answer, problems
from gateway.problems.document import ProblemError
from gateway.schemas.problem_types import ProblemType, ProblemTypeList
from gateway.upstream.error_catalogue import every_problem, problem

_WELL_FORMED: Final = re.compile(r"[A-Z][A-Z0-9_]{1,61}[A-Z0-9]")
"""The form of a reason (AIP-193)."""
ReasonName = Annotated[
    str,
    Path(description="A reason.", examples=["VERSION_CONFLICT"], json_schema_extra={"maxLength": 63}),
]
_HEADERS: Final = {"cache-control": "public, max-age=300"}


router = APIRouter(
    tags=["problems"], route_class=Operation, dependencies=[counted_for(Bucket.READS), ALSO_A_PAGE]
)


@router.get(
    "/problems",
    operation_id="listProblems",
    summary="Every reason",
    responses={200: answer("The reasons.", ProblemTypeList)},
)
async def list_problems(gateway: GatewayParts, request: Request) -> Response:
    """List every reason: the server's own, then the rules of the games. Browsers get an HTML page."""
    every = await every_problem(gateway.catalogue)
    if wants_a_page(request):
        return html_answer(page("Problems", every), headers=_HEADERS)
    return json_answer(ProblemTypeList(problems=every), headers=_HEADERS)


@router.get(
    "/problems/{reason}",
    operation_id="getProblem",
    summary="Explain a reason",
    responses={200: answer("The reason.", ProblemType), **problems(404)},
)
async def get_problem(gateway: GatewayParts, request: Request, reason: ReasonName) -> Response:
    """Explain a reason. Browsers get an HTML page."""
    found = None
    if _WELL_FORMED.fullmatch(reason) is not None:
        found = await problem(gateway.catalogue, reason)
    if found is None:
        raise ProblemError("PROBLEM_NOT_FOUND")
    if wants_a_page(request):
        return html_answer(page(found.reason, [found]), headers=_HEADERS)
    return json_answer(found, headers=_HEADERS)
