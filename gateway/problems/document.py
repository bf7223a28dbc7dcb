"""Problem documents (RFC 9457): the form of every error response.

`ProblemError` is raised anywhere in the gateway; `problem_response` turns it into `application/problem+json`. No
document carries a traceback, a credential or anything else the caller may not know.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType
from starlette.responses import Response
from starlette.types import Scope

from gateway.headers import NO_STORE
from gateway.problems.reasons import REASONS, ProblemReason
from gateway.schemas.problem_types import FieldProblem, Problem
from gateway.telemetry.tracing import SCOPE_KEY, Trace

MEDIA_TYPE: Final = "application/problem+json"
RETRY_AFTER_SECONDS: Final = 1
"""Sent with 503 and 429 if the rules server does not name a time."""

_RETRIABLE: Final = frozenset({429, 503})


class ProblemError(Exception):
    """A request cannot be fulfilled. Everything in it is sent to the caller."""

    def __init__(
        self,
        reason: ProblemReason | str,
        detail: str = "",
        *,
        errors: list[FieldProblem] | None = None,
        conditional: bool = False,
        headers: Mapping[str, str] | None = None,
        members: Mapping[str, Any] | None = None,
    ) -> None:
        """`members` are further members of the document; `conditional`: If-Match was sent."""
        row = REASONS[reason] if isinstance(reason, str) else reason
        super().__init__(row.name)
        self.reason = row
        self.status = int(row.status_for(conditional=conditional))
        self.detail = detail or row.meaning
        self.headers = dict(headers or {})
        self.members = dict(members or {})
        if errors:
            self.members["errors"] = errors


def malformed(
    detail: str,
    *,
    code: str,
    pointer: str | UnsetType = UNSET,
    parameter: str | UnsetType = UNSET,
    header: str | UnsetType = UNSET,
) -> ProblemError:
    """Return the problem of a request with one part that cannot be read."""
    part = FieldProblem(code=code, detail=detail, pointer=pointer, parameter=parameter, header=header)
    text = f"{pointer} {detail}" if isinstance(pointer, str) and pointer else detail
    return ProblemError("MALFORMED_REQUEST", text, errors=[part])


def problem_document(error: ProblemError, scope: Scope) -> Problem:
    """Return the document of a problem with a request."""
    trace: Trace | None = scope.get(SCOPE_KEY)
    reason = error.reason.name
    return Problem(
        type=f"/problems/{reason}",
        title=error.reason.title,
        status=error.status,
        detail=error.detail,
        instance=scope["path"],
        reason=reason,
        trace_id=UNSET if trace is None else trace.trace_id,
        **error.members,
    )


def problem_response(error: ProblemError, scope: Scope) -> Response:
    """Return the HTTP response for a problem."""
    trace: Trace | None = scope.get(SCOPE_KEY)
    reason = error.reason.name
    if trace is not None:
        trace.reason = reason
    document = problem_document(error, scope)
    headers = {**NO_STORE, **error.headers}
    if error.status in _RETRIABLE:
        headers.setdefault("retry-after", str(RETRY_AFTER_SECONDS))
    if error.status == 401:
        headers["www-authenticate"] = _challenge(reason)
    return Response(msgspec.json.encode(document), error.status, headers, MEDIA_TYPE)


def _challenge(reason: str) -> str:
    """Return the `WWW-Authenticate` value (RFC 6750 §3); without an error code if no credential was sent."""
    challenge = 'Bearer realm="foldtable"'
    return challenge if reason == "TOKEN_MISSING" else f'{challenge}, error="invalid_token"'
