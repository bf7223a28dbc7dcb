"""What every reason means: where the `type` of a problem document leads."""

from __future__ import annotations

import re
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from gateway.context import gateway_of
from gateway.documented import Answer, documented
from gateway.error_catalogue import every_problem, problem
from gateway.json_answers import json_answer
from gateway.problem_documents import ProblemError
from gateway.problem_pages import page
from gateway.queries import read_query
from gateway.schemas.problem_types import ProblemType, ProblemTypeList
from gateway.schemas.requests import NoQuery

_WELL_FORMED: Final = re.compile(r"[A-Z][A-Z0-9_]{1,61}[A-Z0-9]")
"""AIP-193: what can be a reason at all."""
_HEADERS: Final = {"cache-control": "public, max-age=300", "vary": "Accept"}


async def list_problems(request: Request) -> Response:
    """List every reason: the house's own, then the rules of the games. A browser is given a page to read."""
    read_query(request, NoQuery)
    problems = await every_problem(gateway_of(request).catalogue)
    if _wants_a_page(request):
        return HTMLResponse(page("Problems", problems), headers=_HEADERS)
    return json_answer(ProblemTypeList(problems=problems), headers=_HEADERS)


async def get_problem(request: Request) -> Response:
    """Explain a reason. A browser is given a page to read."""
    read_query(request, NoQuery)
    name: str = request.path_params["reason"]
    found = None
    if _WELL_FORMED.fullmatch(name) is not None:
        found = await problem(gateway_of(request).catalogue, name)
    if found is None:
        raise ProblemError("PROBLEM_NOT_FOUND")
    if _wants_a_page(request):
        return HTMLResponse(page(found.reason, [found]), headers=_HEADERS)
    return json_answer(found, headers=_HEADERS)


def _wants_a_page(request: Request) -> bool:
    """Tell a browser from a program: only the one asks for HTML, and it never asks for JSON."""
    accept = request.headers.get("accept", "")
    return "text/html" in accept and "json" not in accept


ROUTES: Final = (
    documented(
        "GET",
        "/problems",
        list_problems,
        operation_id="listProblems",
        summary="Every reason",
        tag="problems",
        answers={200: Answer(description="The reasons.", shape=ProblemTypeList)},
        problems=(400,),
        public=True,
    ),
    documented(
        "GET",
        "/problems/{reason}",
        get_problem,
        operation_id="getProblem",
        summary="What a reason means",
        tag="problems",
        answers={200: Answer(description="The reason.", shape=ProblemType)},
        problems=(400, 404),
        public=True,
    ),
)
