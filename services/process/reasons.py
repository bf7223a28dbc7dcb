"""Every reason for which a request is refused, with its gRPC code and its HTTP status: declared here and nowhere else.

Rules servers send reasons as `google.rpc.ErrorInfo.reason` (AIP-193), the gateway as `reason` of its problem documents. What
each means is in reasons.toml; a game adds codes of its own, which are FAILED_PRECONDITION and 422.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple, Self

from grpc import StatusCode

WORDS: Final = Path(__file__).with_name("reasons.toml")


class Reason(StrEnum):
    """A stable code."""

    code: StatusCode | None
    """None: a reason of the gateway itself, which is never sent over gRPC."""
    status: int
    """The HTTP status."""
    conditional_status: int | None
    """The HTTP status of a request that carried If-Match (RFC 9110 §13.1.1), where that differs."""

    def __new__(cls, name: str, code: StatusCode | None, status: int, conditional: int | None = None) -> Self:
        reason = str.__new__(cls, name)
        reason._value_ = name
        reason.code, reason.status, reason.conditional_status = code, status, conditional
        return reason

    # ── requests that cannot be read
    MALFORMED_REQUEST = "MALFORMED_REQUEST", StatusCode.INVALID_ARGUMENT, 400
    MALFORMED_MOVE = "MALFORMED_MOVE", StatusCode.INVALID_ARGUMENT, 400
    MALFORMED_OPTIONS = "MALFORMED_OPTIONS", StatusCode.INVALID_ARGUMENT, 400
    MALFORMED_STATE = "MALFORMED_STATE", StatusCode.INVALID_ARGUMENT, 400
    STATE_MISMATCH = "STATE_MISMATCH", StatusCode.INVALID_ARGUMENT, 400
    PAGE_TOKEN_INVALID = "PAGE_TOKEN_INVALID", StatusCode.INVALID_ARGUMENT, 400
    IMPORT_BROKEN = "IMPORT_BROKEN", StatusCode.INVALID_ARGUMENT, 422
    GAME_UNKNOWN = "GAME_UNKNOWN", StatusCode.INVALID_ARGUMENT, 400
    BOT_UNKNOWN = "BOT_UNKNOWN", StatusCode.INVALID_ARGUMENT, 400
    VERSION_REQUIRED = "VERSION_REQUIRED", StatusCode.INVALID_ARGUMENT, 428

    # ── what the rules or the state of a match forbid
    WRONG_DECISION = "WRONG_DECISION", StatusCode.FAILED_PRECONDITION, 422
    SEAT_COUNT = "SEAT_COUNT", StatusCode.FAILED_PRECONDITION, 422
    SEAT_UNKNOWN = "SEAT_UNKNOWN", StatusCode.FAILED_PRECONDITION, 422
    NOT_YOUR_TURN = "NOT_YOUR_TURN", StatusCode.FAILED_PRECONDITION, 409
    MATCH_OVER = "MATCH_OVER", StatusCode.FAILED_PRECONDITION, 409
    TOO_MANY_FORKS = "TOO_MANY_FORKS", StatusCode.FAILED_PRECONDITION, 409
    TOO_MANY_WAITING = "TOO_MANY_WAITING", StatusCode.FAILED_PRECONDITION, 409
    TOO_MANY_LOGIN_CODES = "TOO_MANY_LOGIN_CODES", StatusCode.FAILED_PRECONDITION, 409
    UNDO_NOT_ALLOWED = "UNDO_NOT_ALLOWED", StatusCode.FAILED_PRECONDITION, 422
    NOTHING_TO_UNDO = "NOTHING_TO_UNDO", StatusCode.FAILED_PRECONDITION, 422
    NOTHING_TO_REDO = "NOTHING_TO_REDO", StatusCode.FAILED_PRECONDITION, 422
    PAUSE_NOT_ALLOWED = "PAUSE_NOT_ALLOWED", StatusCode.FAILED_PRECONDITION, 422
    MATCH_PAUSED = "MATCH_PAUSED", StatusCode.FAILED_PRECONDITION, 409
    NOT_PAUSED = "NOT_PAUSED", StatusCode.FAILED_PRECONDITION, 409
    TIME_NOT_ADDED = "TIME_NOT_ADDED", StatusCode.FAILED_PRECONDITION, 422
    REPLACEMENT_NOT_ALLOWED = "REPLACEMENT_NOT_ALLOWED", StatusCode.FAILED_PRECONDITION, 422
    PROPOSAL_OPEN = "PROPOSAL_OPEN", StatusCode.FAILED_PRECONDITION, 409
    ABORT_NOT_ALLOWED = "ABORT_NOT_ALLOWED", StatusCode.FAILED_PRECONDITION, 422
    NO_PROPOSAL = "NO_PROPOSAL", StatusCode.FAILED_PRECONDITION, 409
    NOTHING_TO_PLAY = "NOTHING_TO_PLAY", StatusCode.FAILED_PRECONDITION, 422
    NO_CERTAIN_END = "NO_CERTAIN_END", StatusCode.FAILED_PRECONDITION, 422
    TIME_IS_UP = "TIME_IS_UP", StatusCode.FAILED_PRECONDITION, 409
    NOT_AWAY = "NOT_AWAY", StatusCode.FAILED_PRECONDITION, 409
    MATCH_NOT_STARTED = "MATCH_NOT_STARTED", StatusCode.FAILED_PRECONDITION, 409
    SEAT_TAKEN = "SEAT_TAKEN", StatusCode.FAILED_PRECONDITION, 409
    NO_FREE_SEAT = "NO_FREE_SEAT", StatusCode.FAILED_PRECONDITION, 409
    NOT_JOINABLE = "NOT_JOINABLE", StatusCode.FAILED_PRECONDITION, 409
    CONSENT_MISSING = "CONSENT_MISSING", StatusCode.FAILED_PRECONDITION, 409
    SEAT_GIVEN_UP = "SEAT_GIVEN_UP", StatusCode.FAILED_PRECONDITION, 409
    MATCH_STARTED = "MATCH_STARTED", StatusCode.FAILED_PRECONDITION, 409
    NOT_FULL = "NOT_FULL", StatusCode.FAILED_PRECONDITION, 409
    MATCH_NOT_OVER = "MATCH_NOT_OVER", StatusCode.FAILED_PRECONDITION, 409
    MATCH_ID_TAKEN = "MATCH_ID_TAKEN", StatusCode.ALREADY_EXISTS, 409
    REFERENCE_TAKEN = "REFERENCE_TAKEN", StatusCode.ALREADY_EXISTS, 409
    RULES_VERSION_UNSUPPORTED = "RULES_VERSION_UNSUPPORTED", StatusCode.FAILED_PRECONDITION, 409
    RULES_STUCK = "RULES_STUCK", StatusCode.FAILED_PRECONDITION, 409
    VERSION_CONFLICT = "VERSION_CONFLICT", StatusCode.ABORTED, 409, 412
    REQUEST_ID_REUSED = "REQUEST_ID_REUSED", StatusCode.ALREADY_EXISTS, 422

    # ── who may do what
    TOKEN_MISSING = "TOKEN_MISSING", StatusCode.UNAUTHENTICATED, 401
    TOKEN_INVALID = "TOKEN_INVALID", StatusCode.UNAUTHENTICATED, 401
    TOKEN_EXPIRED = "TOKEN_EXPIRED", StatusCode.UNAUTHENTICATED, 401
    TICKET_INVALID = "TICKET_INVALID", StatusCode.UNAUTHENTICATED, 401
    LOGIN_CODE_INVALID = "LOGIN_CODE_INVALID", StatusCode.UNAUTHENTICATED, 401
    SEAT_FORBIDDEN = "SEAT_FORBIDDEN", StatusCode.PERMISSION_DENIED, 403
    INVITE_INVALID = "INVITE_INVALID", StatusCode.PERMISSION_DENIED, 403
    TENANT_ONLY = "TENANT_ONLY", StatusCode.PERMISSION_DENIED, 403
    SCOPE_MISSING = "SCOPE_MISSING", StatusCode.PERMISSION_DENIED, 403

    # ── accounts
    TENANT_EXISTS = "TENANT_EXISTS", StatusCode.ALREADY_EXISTS, 409
    KEY_INACTIVE = "KEY_INACTIVE", StatusCode.FAILED_PRECONDITION, 409
    TENANT_NOT_FOUND = "TENANT_NOT_FOUND", StatusCode.NOT_FOUND, 404
    KEY_NOT_FOUND = "KEY_NOT_FOUND", StatusCode.NOT_FOUND, 404

    # ── vacations
    VACATION_NOT_ALLOWED = "VACATION_NOT_ALLOWED", StatusCode.PERMISSION_DENIED, 403
    VACATION_DAYS_USED = "VACATION_DAYS_USED", StatusCode.FAILED_PRECONDITION, 409
    VACATION_OVERLAPS = "VACATION_OVERLAPS", StatusCode.FAILED_PRECONDITION, 409
    VACATION_OVER = "VACATION_OVER", StatusCode.FAILED_PRECONDITION, 409
    TOO_MANY_VACATIONS = "TOO_MANY_VACATIONS", StatusCode.FAILED_PRECONDITION, 409
    VACATION_NOT_FOUND = "VACATION_NOT_FOUND", StatusCode.NOT_FOUND, 404

    # ── what does not exist
    MATCH_NOT_FOUND = "MATCH_NOT_FOUND", StatusCode.NOT_FOUND, 404
    GAME_NOT_FOUND = "GAME_NOT_FOUND", StatusCode.NOT_FOUND, 404
    NO_OPEN_MATCH = "NO_OPEN_MATCH", StatusCode.NOT_FOUND, 404
    VERSION_NOT_FOUND = "VERSION_NOT_FOUND", StatusCode.NOT_FOUND, 404
    PROBLEM_NOT_FOUND = "PROBLEM_NOT_FOUND", None, 404
    ROUTE_NOT_FOUND = "ROUTE_NOT_FOUND", None, 404

    # ── webhooks and feeds
    ENDPOINT_NOT_FOUND = "ENDPOINT_NOT_FOUND", StatusCode.NOT_FOUND, 404
    DELIVERY_NOT_FOUND = "DELIVERY_NOT_FOUND", StatusCode.NOT_FOUND, 404
    ENDPOINT_DISABLED = "ENDPOINT_DISABLED", StatusCode.FAILED_PRECONDITION, 409
    TOO_MANY_ENDPOINTS = "TOO_MANY_ENDPOINTS", StatusCode.FAILED_PRECONDITION, 409
    FEED_OFF = "FEED_OFF", StatusCode.FAILED_PRECONDITION, 409
    CURSOR_EXPIRED = "CURSOR_EXPIRED", StatusCode.OUT_OF_RANGE, 410

    # ── HTTP itself
    NOT_HTTP = "NOT_HTTP", None, 400
    METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED", None, 405
    MISDIRECTED_REQUEST = "MISDIRECTED_REQUEST", None, 421
    NOT_ACCEPTABLE = "NOT_ACCEPTABLE", None, 406
    BODY_TOO_LARGE = "BODY_TOO_LARGE", None, 413
    HEAD_TOO_LARGE = "HEAD_TOO_LARGE", None, 431
    TOO_SLOW = "TOO_SLOW", None, 408
    TOO_MANY_CONNECTIONS = "TOO_MANY_CONNECTIONS", None, 503
    UNSUPPORTED_MEDIA_TYPE = "UNSUPPORTED_MEDIA_TYPE", None, 415

    # ── failures and overload of the servers
    RATE_LIMITED = "RATE_LIMITED", StatusCode.RESOURCE_EXHAUSTED, 429
    SERVER_BUSY = "SERVER_BUSY", StatusCode.RESOURCE_EXHAUSTED, 503
    INTERNAL = "INTERNAL", StatusCode.INTERNAL, 500
    REPLAY_MISMATCH = "REPLAY_MISMATCH", StatusCode.DATA_LOSS, 500
    RULES_UNAVAILABLE = "RULES_UNAVAILABLE", StatusCode.UNAVAILABLE, 503
    LOG_UNAVAILABLE = "LOG_UNAVAILABLE", StatusCode.UNAVAILABLE, 503
    PLATFORM_UNAVAILABLE = "PLATFORM_UNAVAILABLE", None, 503
    PLATFORM_TIMEOUT = "PLATFORM_TIMEOUT", None, 504
    RULES_TIMEOUT = "RULES_TIMEOUT", StatusCode.DEADLINE_EXCEEDED, 504


class Words(NamedTuple):
    """What a reason means, for developers."""

    title: str
    meaning: str


def read_words() -> Mapping[Reason, Words]:
    """Return the words of every reason. Raises ValueError if one has none, or if there are words without a reason."""
    said = tomllib.loads(WORDS.read_text(encoding="utf-8"))
    if different := said.keys() ^ set(Reason):
        raise ValueError(f"{WORDS.name} and reasons.py differ: {', '.join(sorted(different))}")
    return {reason: Words(**said[reason]) for reason in Reason}
