"""The reasons of problem documents: those of all servers (services/process/reasons.py), and the games' own rule codes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from grpc import StatusCode

from services.process.reasons import Reason, read_words


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemReason:
    """A stable reason, its gRPC code and HTTP status, and its explanation for developers."""

    name: str
    code: StatusCode | None
    """None: a reason of the gateway itself, never sent over gRPC."""
    status: HTTPStatus
    title: str
    """Constant per reason (RFC 9457 §3.1.3)."""
    meaning: str
    """What happened and what to do about it; shown under /problems/{reason}."""
    conditional_status: HTTPStatus | None = None
    """The status when the request carried If-Match (RFC 9110 §13.1.1), where that differs."""

    def status_for(self, *, conditional: bool) -> HTTPStatus:
        """Return the HTTP status; `conditional`: If-Match was sent."""
        if conditional and self.conditional_status is not None:
            return self.conditional_status
        return self.status


REASONS: Final[Mapping[str, ProblemReason]] = {
    reason.value: ProblemReason(
        name=reason.value,
        code=reason.code,
        status=HTTPStatus(reason.status),
        title=words.title,
        meaning=words.meaning,
        conditional_status=None
        if reason.conditional_status is None
        else HTTPStatus(reason.conditional_status),
    )
    for reason, words in read_words().items()
}
"""Every reason except the games' own rule codes."""

GAME_RULE_TITLE: Final = "The rules of the game forbid this"
GAME_RULE_MEANING: Final = (
    "A rule of the game forbids it: `rule` names the paragraph, `field` the part of the action, `facts` says why. "
    "`legal_actions` lists what is allowed."
)

_FALLBACKS: Final[Mapping[StatusCode, Reason]] = {
    StatusCode.INVALID_ARGUMENT: Reason.MALFORMED_REQUEST,
    StatusCode.ABORTED: Reason.VERSION_CONFLICT,
    StatusCode.ALREADY_EXISTS: Reason.REQUEST_ID_REUSED,
    StatusCode.UNAUTHENTICATED: Reason.TOKEN_INVALID,
    StatusCode.PERMISSION_DENIED: Reason.SEAT_FORBIDDEN,
    StatusCode.UNAVAILABLE: Reason.RULES_UNAVAILABLE,
    StatusCode.CANCELLED: Reason.RULES_UNAVAILABLE,
    StatusCode.DEADLINE_EXCEEDED: Reason.RULES_TIMEOUT,
    StatusCode.DATA_LOSS: Reason.REPLAY_MISMATCH,
}
"""The reason for a gRPC status without ErrorInfo. RESOURCE_EXHAUSTED is not listed: gRPC itself uses it for a message
that is too large, which is not the caller's fault."""


def reason_for(name: str, code: StatusCode) -> ProblemReason:
    """Return the reason that came over gRPC. If `name` is empty or unknown, its code decides.

    An unknown one that arrives as FAILED_PRECONDITION is a rule of a game. The gateway knows no games, so it passes the code
    on and answers 422.
    """
    known = REASONS.get(name)
    if known is not None:
        return known
    if name and code is StatusCode.FAILED_PRECONDITION:
        return game_rule(name)
    return REASONS[_FALLBACKS.get(code, Reason.INTERNAL)]


def game_rule(name: str) -> ProblemReason:
    """Return the reason for a game's own rule code."""
    return ProblemReason(
        name=name,
        code=StatusCode.FAILED_PRECONDITION,
        status=HTTPStatus.UNPROCESSABLE_ENTITY,
        title=GAME_RULE_TITLE,
        meaning=GAME_RULE_MEANING,
    )


def reasons_with(status: int) -> tuple[ProblemReason, ...]:
    """Return every reason that can be answered with an HTTP status."""
    return tuple(known for known in REASONS.values() if status in (known.status, known.conditional_status))
