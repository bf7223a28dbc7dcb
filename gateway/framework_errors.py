"""What the framework raises, as the problem documents everything else is answered with."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import Scope

from gateway.admission import admission_of
from gateway.problem_documents import ProblemError, problem_response
from gateway.rate_limits import Bucket


async def answer_problem(request: Request, error: Exception) -> Response:
    """Answer a ProblemError."""
    assert isinstance(error, ProblemError)
    return problem_response(error, request.scope)


async def answer_http_exception(request: Request, error: Exception) -> Response:
    """Answer what the router raises: no such route, or not with this method."""
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        allow = ", ".join(allowed_methods(request.scope))
        problem = ProblemError("METHOD_NOT_ALLOWED", f"this path knows {allow}", headers={"allow": allow})
    elif error.status_code == 404:
        problem = ProblemError("ROUTE_NOT_FOUND")
    else:
        problem = ProblemError("INTERNAL")
    try:
        admission_of(request.scope).admit(request, Bucket.READS)
    except ProblemError as limited:
        problem = limited
    return problem_response(problem, request.scope)


def allowed_methods(scope: Scope) -> list[str]:
    """Give every method some route has for this path, in alphabetical order (RFC 9110 §10.2.1)."""
    methods: set[str] = set()
    for route in scope["app"].routes:
        matched, _ = route.matches(scope)
        if matched is not Match.NONE:
            methods |= route.allowed
    return sorted(methods)
