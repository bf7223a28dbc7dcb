"""What every reason means: where the `type` of a problem document leads."""

from __future__ import annotations

import re
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from gateway.documented import Answer, documented
from gateway.json_answers import json_answer
from gateway.problem_documents import ProblemError
from gateway.problem_rows import Reason
from gateway.problems import REASONS, game_rule
from gateway.queries import read_query
from gateway.schemas.answers import ProblemType, ProblemTypeList
from gateway.schemas.requests import NoQuery

_WELL_FORMED: Final = re.compile(r"[A-Z][A-Z0-9_]{1,61}[A-Z0-9]")
"""AIP-193: what can be a reason at all."""
_CACHED: Final = {"cache-control": "public, max-age=3600"}


async def list_problems(request: Request) -> Response:
    """List every reason but the rules of the games."""
    read_query(request, NoQuery)
    return json_answer(ProblemTypeList(problems=[_told(row) for row in REASONS.values()]), headers=_CACHED)


async def get_problem(request: Request) -> Response:
    """Explain a reason. A well-formed one that is not listed can only be the code of a game's rule."""
    read_query(request, NoQuery)
    name: str = request.path_params["reason"]
    row = REASONS.get(name)
    if row is None:
        if _WELL_FORMED.fullmatch(name) is None:
            raise ProblemError("PROBLEM_NOT_FOUND")
        row = game_rule(name)
    return json_answer(_told(row), headers=_CACHED)


def _told(row: Reason) -> ProblemType:
    return ProblemType(
        reason=row.name,
        type=f"/problems/{row.name}",
        status=int(row.status),
        conditional_status=None if row.conditional_status is None else int(row.conditional_status),
        grpc_code=None if row.code is None else row.code.name,
        title=row.title,
        meaning=row.meaning,
    )


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
