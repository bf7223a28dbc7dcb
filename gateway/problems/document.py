"""Problem documents (RFC 9457): the form of every error response.

`ProblemError` is raised anywhere in the gateway; `problem_response` turns it into `application/problem+json`. No
document carries a traceback, a credential or anything else the caller may not know.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final

import msgspec
from msgspec import UNSET, Meta, UnsetType
from starlette.responses import Response
from starlette.types import Scope

from gateway.headers import NO_STORE
from gateway.problems.reasons import REASONS, ProblemReason
from gateway.schemas.answers import LegalActionsNow, PendingDecision
from gateway.schemas.moves import Move
from gateway.schemas.texts import Text
from gateway.telemetry.tracing import SCOPE_KEY, Trace

MEDIA_TYPE: Final = "application/problem+json"
RETRY_AFTER_SECONDS: Final = 1
"""Sent with 503 and 429 if the rules server does not name a time."""

_RETRIABLE: Final = frozenset({429, 503})


class FieldProblem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One part of a request that is wrong. One of `pointer`, `parameter` and `header` names it."""

    code: Annotated[str, Meta(description="A stable code, such as `UNKNOWN_FIELD`.")]
    detail: Annotated[str, Meta(description="In words, for people; they may change.")]
    pointer: (
        Annotated[
            str, Meta(description="JSON pointer into the body (RFC 6901); empty for the body as a whole.")
        ]
        | UnsetType
    ) = UNSET
    parameter: Annotated[str, Meta(description="Name of the query parameter.")] | UnsetType = UNSET
    header: Annotated[str, Meta(description="Name of the request header.")] | UnsetType = UNSET


class Problem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What went wrong (RFC 9457). Program against `reason`; `detail` is for people and may change."""

    type: Annotated[str, Meta(description="Where the reason is explained, relative to this API.")]
    title: Annotated[str, Meta(description="In a few words; the same for every problem of its reason.")]
    status: Annotated[int, Meta(description="The HTTP status.")]
    detail: Annotated[str, Meta(description="In words, for people; they may change.")]
    instance: Annotated[str, Meta(description="The path of the request.")]
    reason: Annotated[str, Meta(description="Stable code.")]
    metadata: (
        Annotated[dict[str, str], Meta(description="Every value that `detail` was made from.")] | UnsetType
    ) = UNSET
    errors: (
        Annotated[list[FieldProblem], Meta(description="What is wrong with a malformed request.")] | UnsetType
    ) = UNSET
    rule: (
        Annotated[str, Meta(description="Paragraph of the rules that forbids the move, such as `7.2`.")]
        | UnsetType
    ) = UNSET
    rule_page: (
        Annotated[str, Meta(description="Where one can read what that paragraph says, relative to this API.")]
        | UnsetType
    ) = UNSET
    field: Annotated[str, Meta(description="The part of the action that is wrong.")] | UnsetType = UNSET
    text: (
        Annotated[
            Text,
            Meta(
                description="What is wrong, for the player; only if a language is asked for. `detail` is its sentence."
            ),
        ]
        | UnsetType
    ) = UNSET
    facts: (
        Annotated[dict[str, Any], Meta(description="Why, as far as the caller's seat may know.")] | UnsetType
    ) = UNSET
    current_version: Annotated[int, Meta(description="The match's version.")] | UnsetType = UNSET
    missed: (
        Annotated[list[Move], Meta(description="The moves since the version that the request was based on.")]
        | UnsetType
    ) = UNSET
    pending: Annotated[
        PendingDecision | UnsetType | None, Meta(description="The seat's open decision, if it has one.")
    ] = UNSET
    legal_actions: Annotated[LegalActionsNow, Meta(description="What the seat may do now.")] | UnsetType = (
        UNSET
    )
    trace_id: Annotated[str, Meta(description="Quote it when you ask for help.")] | UnsetType = UNSET


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


def problem_response(error: ProblemError, scope: Scope) -> Response:
    """Return the HTTP response for a problem."""
    trace: Trace | None = scope.get(SCOPE_KEY)
    reason = error.reason.name
    if trace is not None:
        trace.reason = reason
    document = Problem(
        type=f"/problems/{reason}",
        title=error.reason.title,
        status=error.status,
        detail=error.detail,
        instance=scope["path"],
        reason=reason,
        trace_id=UNSET if trace is None else trace.trace_id,
        **error.members,
    )
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
