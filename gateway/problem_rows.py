"""The rows of the one mapping table (problems.py): what a reason means, as a gRPC code and as an HTTP status."""

from __future__ import annotations

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
ROWS: Final = (
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
        "UNDO_NOT_ALLOWED",
        _PRECONDITION,
        422,
        "The match cannot go back so far",
        "`facts.reason` says why, `facts.seq` which move is in the way. `GET …/undo` says how far the seat may go.",
    ),
    _row(
        "NOTHING_TO_UNDO",
        _PRECONDITION,
        422,
        "Nothing would be taken back",
        "The match stands as at that version already. Name an earlier one.",
    ),
    _row(
        "NOTHING_TO_REDO",
        _PRECONDITION,
        422,
        "Nothing was taken back",
        "A redo puts back what the last undo took back, until the next move.",
    ),
    _row(
        "UNDO_ALREADY_PROPOSED",
        _PRECONDITION,
        409,
        "A proposal is open already",
        "It ends with its answers, with the next move, or when its time is up; `GET …/undo` shows it.",
    ),
    _row(
        "NO_UNDO_PROPOSED",
        _PRECONDITION,
        409,
        "No proposal waits for this seat",
        "It was answered, a move came first, or its time is up.",
    ),
    _row(
        "MATCH_NOT_STARTED",
        _PRECONDITION,
        409,
        "The match waits for players",
        "Free seats must be taken first: `POST /v1/matches/{match_id}/join`.",
    ),
    _row("SEAT_TAKEN", _PRECONDITION, 409, "The seat is taken", "Ask for another seat, or for any free one."),
    _row("NO_FREE_SEAT", _PRECONDITION, 409, "No seat is open", "All seats are taken, or kept for somebody."),
    _row(
        "NOT_JOINABLE",
        _PRECONDITION,
        409,
        "The seat is kept for somebody else",
        "An invited seat is for its invite, a reserved one for its player.",
    ),
    _row(
        "SEAT_GIVEN_UP",
        _PRECONDITION,
        409,
        "The seat has been given up since",
        "This request to join was granted once, and the seat was left. Join with a fresh request id.",
    ),
    _row(
        "MATCH_STARTED",
        _PRECONDITION,
        409,
        "The match has begun",
        "Seats change hands before the start only. Who wants to stop playing resigns.",
    ),
    _row(
        "NOT_FULL",
        _PRECONDITION,
        409,
        "The match cannot start with these seats",
        "Free seats must be the last ones, and the game for as many players as are there. `metadata` names them.",
    ),
    _row(
        "MATCH_NOT_OVER",
        _PRECONDITION,
        409,
        "The match is not over",
        "A rematch follows a match that has ended.",
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
        "Send `Authorization: Bearer <API key or match token>`.",
    ),
    _row(
        "TOKEN_INVALID",
        StatusCode.UNAUTHENTICATED,
        401,
        "The credential is not valid",
        "The API key is unknown or revoked, or the match token was revoked or not signed here.",
    ),
    _row(
        "TOKEN_EXPIRED",
        StatusCode.UNAUTHENTICATED,
        401,
        "The credential has expired",
        "For a match the tenant mints a fresh token: `POST /v1/matches/{match_id}/seats/{seat}/token`. "
        "An API key is replaced by another one of its tenant.",
    ),
    _row(
        "TICKET_INVALID",
        StatusCode.UNAUTHENTICATED,
        401,
        "The stream ticket is not valid",
        "A ticket opens one stream, once, within a minute. Get another one: "
        "`POST /v1/matches/{match_id}/stream-tickets`, or `POST /v1/feed/stream-tickets`.",
    ),
    _row(
        "SEAT_FORBIDDEN",
        StatusCode.PERMISSION_DENIED,
        403,
        "Not with this token",
        "A seat token plays and looks as its own seat of its own match, or looks as the public; a spectator looks as "
        "the public, a referee as anybody. A token that was revoked does none of it.",
    ),
    _row(
        "INVITE_INVALID",
        StatusCode.PERMISSION_DENIED,
        403,
        "The invite is no longer good",
        "Another invite for the seat was made since, or it was revoked. Ask whoever sent it for a fresh one.",
    ),
    _row(
        "TENANT_ONLY",
        StatusCode.PERMISSION_DENIED,
        403,
        "Only with an API key",
        "Creating matches, minting tokens and administering accounts is for the tenant, not for somebody at a match.",
    ),
    _row(
        "SCOPE_MISSING",
        StatusCode.PERMISSION_DENIED,
        403,
        "The API key is not good for this",
        "The key lacks the scope that `metadata` names. Use a key that was issued with it.",
    ),
    # ── accounts ─────────────────────────────────────────────────────────────────────────────────
    _row(
        "TENANT_EXISTS",
        StatusCode.ALREADY_EXISTS,
        409,
        "There is such a tenant already",
        "Tenant ids are given once. Take another one, or go on with the tenant there is.",
    ),
    _row(
        "KEY_INACTIVE",
        _PRECONDITION,
        409,
        "The API key is good no longer",
        "A key that has expired or was revoked cannot be replaced. Create a new one.",
    ),
    _row(
        "TENANT_NOT_FOUND",
        StatusCode.NOT_FOUND,
        404,
        "No such tenant",
        "The tenant does not exist, or is not yours; both are told alike.",
    ),
    _row(
        "KEY_NOT_FOUND",
        StatusCode.NOT_FOUND,
        404,
        "No such API key",
        "The key does not exist, or belongs to another tenant; both are told alike.",
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
        "NO_OPEN_MATCH",
        StatusCode.NOT_FOUND,
        404,
        "No match waits for such a player",
        "Try again later, ask for less, or let a match be made: `create_if_none`.",
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
        "PLATFORM_UNAVAILABLE",
        None,
        503,
        "The platform service cannot be reached",
        "Accounts, listings and feeds are away for the moment; matches go on. Try again after `Retry-After`.",
    ),
    _row(
        "PLATFORM_TIMEOUT",
        None,
        504,
        "No answer in time from the platform service",
        "What was asked for may or may not have been done. Look before you repeat it.",
    ),
    _row(
        "RULES_TIMEOUT",
        StatusCode.DEADLINE_EXCEEDED,
        504,
        "No answer in time",
        "A move may or may not have been made. Repeat it with the same request id to find out.",
    ),
)
