"""The one mapping table: what a reason means, as a gRPC code and as an HTTP status.

Reasons come from the rules servers (`google.rpc.ErrorInfo.reason`, AIP-193) or from the gateway itself. A reason
that stands in no table and arrives as FAILED_PRECONDITION is a rule of a game: the gateway knows no game, so it
passes the code on and answers 422.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from grpc import StatusCode


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One row: a stable reason, where it stands on both borders, and what it tells a developer."""

    name: str
    code: StatusCode | None
    """None: the gateway's own; it never travels over gRPC."""
    status: HTTPStatus
    title: str
    """Constant per reason (RFC 9457 §3.1.3)."""
    meaning: str
    """What happened and what to do about it; shown under /problems/{reason}."""
    conditional_status: HTTPStatus | None = None
    """The status when the request carried If-Match (RFC 9110 §13.1.1), where that differs."""

    def status_for(self, *, conditional: bool) -> HTTPStatus:
        """Give the HTTP status; `conditional` says that If-Match was sent."""
        if conditional and self.conditional_status is not None:
            return self.conditional_status
        return self.status


def _row(
    name: str,
    code: StatusCode | None,
    status: int,
    title: str,
    meaning: str,
    *,
    conditional_status: HTTPStatus | None = None,
) -> Reason:
    return Reason(
        name=name,
        code=code,
        status=HTTPStatus(status),
        title=title,
        meaning=meaning,
        conditional_status=conditional_status,
    )


_INVALID: Final = StatusCode.INVALID_ARGUMENT
_PRECONDITION: Final = StatusCode.FAILED_PRECONDITION
_ROWS: Final = (
    # ── what cannot be read ──────────────────────────────────────────────────────────────────────
    _row(
        "MALFORMED_REQUEST",
        _INVALID,
        400,
        "The request cannot be read",
        "A part of the request is missing, unknown, of the wrong type or out of bounds. `errors` names each part.",
    ),
    _row(
        "MALFORMED_MOVE",
        _INVALID,
        400,
        "The action cannot be read",
        "`action` does not fit the game's action schema. `errors` points at the part that is wrong.",
    ),
    _row(
        "MALFORMED_OPTIONS",
        _INVALID,
        400,
        "The options cannot be read",
        "`options` does not fit the game's options schema. `errors` points at the part that is wrong.",
    ),
    _row(
        "MALFORMED_STATE",
        _INVALID,
        400,
        "The state cannot be read",
        "A state given to the pure rules service is not one of this game's.",
    ),
    _row(
        "STATE_MISMATCH",
        _INVALID,
        400,
        "State and hash differ",
        "A state given to the pure rules service does not have the hash given with it.",
    ),
    _row(
        "PAGE_TOKEN_INVALID",
        _INVALID,
        400,
        "The page token is not valid",
        "Page tokens belong to one listing with its arguments. Begin again without `page_token`.",
    ),
    _row(
        "GAME_UNKNOWN",
        _INVALID,
        400,
        "No such game is served here",
        "`game` is not in the catalogue. `GET /v1/games` lists what can be played.",
    ),
    _row(
        "VERSION_REQUIRED",
        _INVALID,
        428,
        "Say which version you decided on",
        "A move needs the version of the match it was decided on: `If-Match` or `expected_version`.",
    ),
    # ── what the rules or the state of the match forbid ───────────────────────────────────────────
    _row(
        "WRONG_DECISION",
        _PRECONDITION,
        422,
        "Another decision is open",
        "The seat must decide something else first. `pending` says what, `legal_actions` how.",
    ),
    _row(
        "SEAT_COUNT",
        _PRECONDITION,
        422,
        "The game is not for that many players",
        "`seats` must be one of the game's `seat_counts`.",
    ),
    _row(
        "SEAT_UNKNOWN",
        _PRECONDITION,
        422,
        "No such seat at this table",
        "Seats are counted from 0 to one less than the number of players.",
    ),
    _row(
        "NOT_YOUR_TURN",
        _PRECONDITION,
        409,
        "This seat has nothing to decide now",
        "Wait until `to_act` names the seat; the stream tells when.",
    ),
    _row(
        "MATCH_OVER",
        _PRECONDITION,
        409,
        "The match is over",
        "Nothing can be done any more. The export holds the whole match, its secret included.",
    ),
    _row(
        "MATCH_NOT_STARTED",
        _PRECONDITION,
        409,
        "The match waits for players",
        "Free seats must be taken first: `POST /v1/matches/{match_id}/join`.",
    ),
    _row("SEAT_TAKEN", _PRECONDITION, 409, "The seat is taken", "Ask for another seat, or for any free one."),
    _row(
        "NO_FREE_SEAT",
        _PRECONDITION,
        409,
        "Every seat is taken",
        "The match has started without this player.",
    ),
    _row(
        "RULES_VERSION_UNSUPPORTED",
        _PRECONDITION,
        409,
        "The match is played by rules that are not served here",
        "The match began with another version of the rules than the servers have now.",
    ),
    _row(
        "VERSION_CONFLICT",
        StatusCode.ABORTED,
        409,
        "The match has moved on",
        "Somebody moved first. `missed` holds the moves since; look again and decide again.",
        conditional_status=HTTPStatus.PRECONDITION_FAILED,
    ),
    _row(
        "REQUEST_ID_REUSED",
        StatusCode.ALREADY_EXISTS,
        422,
        "The request id was used for something else",
        "A request id repeats one request. Take a fresh one for every new request.",
    ),
    # ── who may do what ──────────────────────────────────────────────────────────────────────────
    _row(
        "TOKEN_MISSING",
        StatusCode.UNAUTHENTICATED,
        401,
        "No credential was sent",
        "Send `Authorization: Bearer <API key or seat token>`.",
    ),
    _row(
        "TOKEN_INVALID",
        StatusCode.UNAUTHENTICATED,
        401,
        "The credential is not valid",
        "The API key is unknown or revoked, or the seat token was not signed here.",
    ),
    _row(
        "TOKEN_EXPIRED",
        StatusCode.UNAUTHENTICATED,
        401,
        "The seat token has expired",
        "The tenant mints a fresh one: `POST /v1/matches/{match_id}/seats/{seat}/token`.",
    ),
    _row(
        "SEAT_FORBIDDEN",
        StatusCode.PERMISSION_DENIED,
        403,
        "Not with this seat token",
        "A seat token plays and looks as its own seat of its own match, or looks as the public.",
    ),
    _row(
        "TENANT_ONLY",
        StatusCode.PERMISSION_DENIED,
        403,
        "Only with an API key",
        "Creating matches and minting tokens is for the tenant, not for a seat.",
    ),
    _row(
        "SCOPE_MISSING",
        StatusCode.PERMISSION_DENIED,
        403,
        "The API key is not good for this",
        "The key lacks the scope that `metadata` names. Use a key that was issued with it.",
    ),
    # ── what does not exist ──────────────────────────────────────────────────────────────────────
    _row(
        "MATCH_NOT_FOUND",
        StatusCode.NOT_FOUND,
        404,
        "No such match",
        "The match does not exist, or belongs to somebody else; both are told alike.",
    ),
    _row(
        "GAME_NOT_FOUND",
        StatusCode.NOT_FOUND,
        404,
        "No such game",
        "`GET /v1/games` lists what can be played.",
    ),
    _row(
        "VERSION_NOT_FOUND",
        StatusCode.NOT_FOUND,
        404,
        "The match has no such version",
        "Versions are counted from 1, the start, to the match's `version`.",
    ),
    _row(
        "PROBLEM_NOT_FOUND",
        None,
        404,
        "No such problem type",
        "`GET /problems` lists every reason this interface gives.",
    ),
    _row(
        "ROUTE_NOT_FOUND",
        None,
        404,
        "Nothing is served under this path",
        "`GET /openapi.json` lists what is. Paths have no slash at their end.",
    ),
    # ── HTTP's own ───────────────────────────────────────────────────────────────────────────────
    _row(
        "NOT_HTTP",
        None,
        400,
        "Not an HTTP request",
        "What came over the connection is no HTTP/1.1. The connection is closed.",
    ),
    _row(
        "METHOD_NOT_ALLOWED",
        None,
        405,
        "Not with this method",
        "The header `Allow` lists the methods this path knows.",
    ),
    _row(
        "NOT_ACCEPTABLE",
        None,
        406,
        "Not in the form asked for",
        "`Accept` excludes the only form this resource has.",
    ),
    _row("BODY_TOO_LARGE", None, 413, "The body is too large", "A request body may have 64 KiB."),
    _row(
        "HEAD_TOO_LARGE",
        None,
        431,
        "The request's head is too large",
        "Request line and headers together may have 64 KiB. The connection is closed.",
    ),
    _row(
        "UNSUPPORTED_MEDIA_TYPE",
        None,
        415,
        "The body must be JSON",
        "Send `Content-Type: application/json`, UTF-8, without a content encoding.",
    ),
    # ── what went wrong on this side ─────────────────────────────────────────────────────────────
    _row(
        "RATE_LIMITED",
        StatusCode.RESOURCE_EXHAUSTED,
        429,
        "Too many requests",
        "Wait as long as `Retry-After` says.",
    ),
    _row(
        "INTERNAL",
        StatusCode.INTERNAL,
        500,
        "A fault on our side",
        "The fault has been logged under the `trace_id`; nothing more is told here.",
    ),
    _row(
        "REPLAY_MISMATCH",
        StatusCode.DATA_LOSS,
        500,
        "The log does not agree with itself",
        "The stored match does not fold to what was stored with it. It is not played on until somebody has looked.",
    ),
    _row(
        "RULES_UNAVAILABLE",
        StatusCode.UNAVAILABLE,
        503,
        "The game's rules server cannot be reached",
        "Try again after `Retry-After`. A move with a request id can be repeated safely.",
    ),
    _row(
        "LOG_UNAVAILABLE",
        StatusCode.UNAVAILABLE,
        503,
        "The log cannot be reached",
        "Try again after `Retry-After`. A move with a request id can be repeated safely.",
    ),
    _row(
        "RULES_TIMEOUT",
        StatusCode.DEADLINE_EXCEEDED,
        504,
        "No answer in time",
        "A move may or may not have been made. Repeat it with the same request id to find out.",
    ),
)

REASONS: Final[Mapping[str, Reason]] = {row.name: row for row in _ROWS}
"""Every reason but the rules of the games."""

GAME_RULE_TITLE: Final = "The rules of the game forbid this"
GAME_RULE_MEANING: Final = (
    "A rule of the game itself: `rule` names the paragraph, `field` the part of the action, `facts` why. "
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
"""What a status without ErrorInfo means. RESOURCE_EXHAUSTED is not here: gRPC itself says it of a message that is
too large, which is no fault of the caller's."""


def reason_for(name: str, code: StatusCode) -> Reason:
    """Give the row of a reason that came over gRPC; an empty or unknown `name` is judged by its code."""
    row = REASONS.get(name)
    if row is not None:
        return row
    if name and code is StatusCode.FAILED_PRECONDITION:
        return game_rule(name)
    return REASONS[_FALLBACKS.get(code, "INTERNAL")]


def game_rule(name: str) -> Reason:
    """Give the row of a game's own rule code."""
    return Reason(
        name=name,
        code=StatusCode.FAILED_PRECONDITION,
        status=HTTPStatus.UNPROCESSABLE_ENTITY,
        title=GAME_RULE_TITLE,
        meaning=GAME_RULE_MEANING,
    )


def reasons_with(status: int) -> tuple[Reason, ...]:
    """Give every reason that can answer with an HTTP status, the other way round through the table."""
    return tuple(row for row in _ROWS if status in (row.status, row.conditional_status))
