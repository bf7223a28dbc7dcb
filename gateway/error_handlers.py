"""Exception handlers: turn everything that the framework raises into problem documents."""

from __future__ import annotations

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import Scope

from gateway.access.admission import admission_of
from gateway.access.rate_limits import Bucket
from gateway.http.languages import without_texts
from gateway.http.validation import request_problem
from gateway.problems.document import ProblemError, problem_response
from gateway.server.request_targets import ASTERISK, NOWHERE


async def answer_problem(request: Request, error: Exception) -> Response:
    """Answer a ProblemError."""
    assert isinstance(error, ProblemError)
    return response_to(error, request.scope)


def response_to(problem: ProblemError, scope: Scope) -> Response:
    """Return the response of an operation that could not be carried out."""
    if "text" not in problem.members:
        without_texts(scope)
    return problem_response(problem, scope)


async def answer_validation_error(request: Request, error: Exception) -> Response:
    """Answer a validation error of a query, a path or a header; `http/bodies` handles those of bodies."""
    assert isinstance(error, RequestValidationError)
    return problem_response(request_problem(error.errors()), request.scope)


async def answer_http_exception(request: Request, error: Exception) -> Response:
    """Answer the router's errors: no such route, or the route does not have this method."""
    assert isinstance(error, HTTPException)
    try:
        admission_of(request.scope).admit(request, Bucket.READS)
    except ProblemError as limited:
        return problem_response(limited, request.scope)
    if request.scope["path"] == ASTERISK:
        return _about_the_server(request.scope)
    return problem_response(_unrouted(request.scope, error.status_code), request.scope)


def _unrouted(scope: Scope, status: int) -> ProblemError:
    """Return the problem of a request that no route matches."""
    if scope["path"] == NOWHERE:
        if scope["method"] == "CONNECT":
            return ProblemError("METHOD_NOT_ALLOWED", "this server opens no tunnels", headers={"allow": ""})
        return ProblemError("MISDIRECTED_REQUEST")
    if status == 405:
        allow = ", ".join(allowed_methods(scope))
        return ProblemError("METHOD_NOT_ALLOWED", f"this path allows {allow}", headers={"allow": allow})
    return ProblemError("ROUTE_NOT_FOUND" if status == 404 else "INTERNAL")


def _about_the_server(scope: Scope) -> Response:
    """Answer `OPTIONS *` with every method that the server has (RFC 9110 §9.3.7)."""
    methods = {method for route in scope["app"].routes for method in route.allowed}
    return Response(status_code=204, headers={"allow": ", ".join(sorted({*methods, "OPTIONS"}))})


def allowed_methods(scope: Scope) -> list[str]:
    """Return every method that some route has for this path, in alphabetical order (RFC 9110 §10.2.1)."""
    methods: set[str] = set()
    for route in scope["app"].routes:
        matched, _ = route.matches(scope)
        if matched is not Match.NONE:
            methods |= route.allowed
    return sorted(methods)
