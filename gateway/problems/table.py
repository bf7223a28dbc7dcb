"""The one mapping table: the gRPC code, HTTP status and meaning of each reason.

Reasons come from the rules servers (`google.rpc.ErrorInfo.reason`, AIP-193) or from the gateway itself. A reason that is not
in the table and arrives as FAILED_PRECONDITION is a rule of a game. The gateway knows no games, so it passes the code
on and answers 422.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from grpc import StatusCode

from gateway.problems.rows import ROWS, Reason

REASONS: Final[Mapping[str, Reason]] = {row.name: row for row in ROWS}
"""Every reason except the games' own rule codes."""

GAME_RULE_TITLE: Final = "The rules of the game forbid this"
GAME_RULE_MEANING: Final = (
    "A rule of the game forbids it: `rule` names the paragraph, `field` the part of the action, `facts` says why. "
    "`legal_actions` lists what is allowed."
)

_FALLBACKS: Final[Mapping[StatusCode, str]] = {
    StatusCode.INVALID_ARGUMENT: "MALFORMED_REQUEST",
    StatusCode.ABORTED: "VERSION_CONFLICT",
    StatusCode.ALREADY_EXISTS: "REQUEST_ID_REUSED",
    StatusCode.UNAUTHENTICATED: "TOKEN_INVALID",
    StatusCode.PERMISSION_DENIED: "SEAT_FORBIDDEN",
    StatusCode.UNAVAILABLE: "RULES_UNAVAILABLE",
    StatusCode.CANCELLED: "RULES_UNAVAILABLE",
    StatusCode.DEADLINE_EXCEEDED: "RULES_TIMEOUT",
    StatusCode.DATA_LOSS: "REPLAY_MISMATCH",
}
"""The reason for a gRPC status without ErrorInfo. RESOURCE_EXHAUSTED is not listed: gRPC itself uses it for a message
that is too large, which is not the caller's fault."""


def reason_for(name: str, code: StatusCode) -> Reason:
    """Return the row of a reason that came over gRPC. If `name` is empty or unknown, its code decides."""
    row = REASONS.get(name)
    if row is not None:
        return row
    if name and code is StatusCode.FAILED_PRECONDITION:
        return game_rule(name)
    return REASONS[_FALLBACKS.get(code, "INTERNAL")]


def game_rule(name: str) -> Reason:
    """Return the row of a game's own rule code."""
    return Reason(
        name=name,
        code=StatusCode.FAILED_PRECONDITION,
        status=HTTPStatus.UNPROCESSABLE_ENTITY,
        title=GAME_RULE_TITLE,
        meaning=GAME_RULE_MEANING,
    )


def reasons_with(status: int) -> tuple[Reason, ...]:
    """Return every reason that can be answered with an HTTP status: the reverse lookup in the table."""
    return tuple(row for row in ROWS if status in (row.status, row.conditional_status))
