"""All refusals, as google.rpc.Status (AIP-193): one table from reason to gRPC code.

A refusal has exactly one ErrorInfo. Malformed input adds BadRequest. A broken rule adds a Refusal with its paragraph and
facts. A refused move adds the Standing of the match, so that the client can go on. What may work later adds RetryInfo.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

import grpc
from google.protobuf import any_pb2, duration_pb2
from google.rpc import code_pb2, error_details_pb2, status_pb2

from engine.kernel.errors import Fact, RuleViolation, TableCode, Unreadable
from foldtable.matches.v1 import play_pb2
from foldtable.rules.v1 import table_pb2, text_pb2

DOMAIN: Final = "foldtable"
MAX_TRAILER_BYTES: Final = 4_096
"""The details of a failed call are sent in HTTP/2 trailers, which peers limit to about 8 KiB, base64 included."""

MAX_QUOTED: Final = 300
"""Most characters of a message that quotes a caller's input."""


class Reason(StrEnum):
    """Reasons of the server itself; each game adds its own codes."""

    MALFORMED_REQUEST = "MALFORMED_REQUEST"
    MALFORMED_MOVE = "MALFORMED_MOVE"
    MALFORMED_OPTIONS = "MALFORMED_OPTIONS"
    MALFORMED_STATE = "MALFORMED_STATE"
    STATE_MISMATCH = "STATE_MISMATCH"
    PAGE_TOKEN_INVALID = "PAGE_TOKEN_INVALID"  # noqa: S105 - a code, not a secret
    GAME_UNKNOWN = "GAME_UNKNOWN"
    BOT_UNKNOWN = "BOT_UNKNOWN"
    VERSION_REQUIRED = "VERSION_REQUIRED"
    VERSION_CONFLICT = "VERSION_CONFLICT"
    REQUEST_ID_REUSED = "REQUEST_ID_REUSED"
    TIME_IS_UP = "TIME_IS_UP"
    MATCH_NOT_STARTED = "MATCH_NOT_STARTED"
    SEAT_TAKEN = "SEAT_TAKEN"
    NO_FREE_SEAT = "NO_FREE_SEAT"
    MATCH_STARTED = "MATCH_STARTED"
    NOT_JOINABLE = "NOT_JOINABLE"
    NOT_FULL = "NOT_FULL"
    TOO_MANY_FORKS = "TOO_MANY_FORKS"
    TOO_MANY_WAITING = "TOO_MANY_WAITING"
    TOO_MANY_LOGIN_CODES = "TOO_MANY_LOGIN_CODES"
    SEAT_GIVEN_UP = "SEAT_GIVEN_UP"
    MATCH_NOT_OVER = "MATCH_NOT_OVER"
    INVITE_INVALID = "INVITE_INVALID"
    NO_OPEN_MATCH = "NO_OPEN_MATCH"
    TOKEN_MISSING = "TOKEN_MISSING"  # noqa: S105
    TOKEN_INVALID = "TOKEN_INVALID"  # noqa: S105
    TOKEN_EXPIRED = "TOKEN_EXPIRED"  # noqa: S105
    TICKET_INVALID = "TICKET_INVALID"
    LOGIN_CODE_INVALID = "LOGIN_CODE_INVALID"
    SEAT_FORBIDDEN = "SEAT_FORBIDDEN"
    TENANT_ONLY = "TENANT_ONLY"
    SCOPE_MISSING = "SCOPE_MISSING"
    MATCH_NOT_FOUND = "MATCH_NOT_FOUND"
    GAME_NOT_FOUND = "GAME_NOT_FOUND"
    VERSION_NOT_FOUND = "VERSION_NOT_FOUND"
    RULES_VERSION_UNSUPPORTED = "RULES_VERSION_UNSUPPORTED"
    RULES_STUCK = "RULES_STUCK"
    IMPORT_BROKEN = "IMPORT_BROKEN"
    MATCH_ID_TAKEN = "MATCH_ID_TAKEN"
    TENANT_EXISTS = "TENANT_EXISTS"
    TENANT_NOT_FOUND = "TENANT_NOT_FOUND"
    KEY_NOT_FOUND = "KEY_NOT_FOUND"
    KEY_INACTIVE = "KEY_INACTIVE"
    ENDPOINT_NOT_FOUND = "ENDPOINT_NOT_FOUND"
    ENDPOINT_DISABLED = "ENDPOINT_DISABLED"
    TOO_MANY_ENDPOINTS = "TOO_MANY_ENDPOINTS"
    DELIVERY_NOT_FOUND = "DELIVERY_NOT_FOUND"
    FEED_OFF = "FEED_OFF"
    CURSOR_EXPIRED = "CURSOR_EXPIRED"
    RATE_LIMITED = "RATE_LIMITED"
    SERVER_BUSY = "SERVER_BUSY"
    LOG_UNAVAILABLE = "LOG_UNAVAILABLE"
    REPLAY_MISMATCH = "REPLAY_MISMATCH"
    INTERNAL = "INTERNAL"


CODES: Final[Mapping[str, grpc.StatusCode]] = {
    Reason.MALFORMED_REQUEST: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.MALFORMED_MOVE: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.MALFORMED_OPTIONS: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.MALFORMED_STATE: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.STATE_MISMATCH: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.PAGE_TOKEN_INVALID: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.BOT_UNKNOWN: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.GAME_UNKNOWN: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.VERSION_REQUIRED: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.VERSION_CONFLICT: grpc.StatusCode.ABORTED,
    Reason.REQUEST_ID_REUSED: grpc.StatusCode.ALREADY_EXISTS,
    Reason.TIME_IS_UP: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.MATCH_NOT_STARTED: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.SEAT_TAKEN: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.NO_FREE_SEAT: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.MATCH_STARTED: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.NOT_JOINABLE: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.NOT_FULL: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.TOO_MANY_FORKS: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.TOO_MANY_WAITING: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.TOO_MANY_LOGIN_CODES: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.SEAT_GIVEN_UP: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.MATCH_NOT_OVER: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.INVITE_INVALID: grpc.StatusCode.PERMISSION_DENIED,
    Reason.NO_OPEN_MATCH: grpc.StatusCode.NOT_FOUND,
    Reason.TOKEN_MISSING: grpc.StatusCode.UNAUTHENTICATED,
    Reason.TOKEN_INVALID: grpc.StatusCode.UNAUTHENTICATED,
    Reason.TOKEN_EXPIRED: grpc.StatusCode.UNAUTHENTICATED,
    Reason.TICKET_INVALID: grpc.StatusCode.UNAUTHENTICATED,
    Reason.LOGIN_CODE_INVALID: grpc.StatusCode.UNAUTHENTICATED,
    Reason.SEAT_FORBIDDEN: grpc.StatusCode.PERMISSION_DENIED,
    Reason.TENANT_ONLY: grpc.StatusCode.PERMISSION_DENIED,
    Reason.SCOPE_MISSING: grpc.StatusCode.PERMISSION_DENIED,
    Reason.MATCH_NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    Reason.GAME_NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    Reason.VERSION_NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    Reason.RULES_VERSION_UNSUPPORTED: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.RULES_STUCK: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.IMPORT_BROKEN: grpc.StatusCode.INVALID_ARGUMENT,
    Reason.MATCH_ID_TAKEN: grpc.StatusCode.ALREADY_EXISTS,
    Reason.TENANT_EXISTS: grpc.StatusCode.ALREADY_EXISTS,
    Reason.TENANT_NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    Reason.KEY_NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    Reason.KEY_INACTIVE: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.ENDPOINT_NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    Reason.ENDPOINT_DISABLED: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.TOO_MANY_ENDPOINTS: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.DELIVERY_NOT_FOUND: grpc.StatusCode.NOT_FOUND,
    Reason.FEED_OFF: grpc.StatusCode.FAILED_PRECONDITION,
    Reason.CURSOR_EXPIRED: grpc.StatusCode.OUT_OF_RANGE,
    Reason.RATE_LIMITED: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Reason.SERVER_BUSY: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Reason.LOG_UNAVAILABLE: grpc.StatusCode.UNAVAILABLE,
    Reason.REPLAY_MISMATCH: grpc.StatusCode.DATA_LOSS,
    Reason.INTERNAL: grpc.StatusCode.INTERNAL,
}
"""Any other code, of a game's rules or of TableCode, becomes FAILED_PRECONDITION."""


class Refused(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """A call is refused, for a reason the caller may know. Everything in it is sent to the caller."""

    def __init__(
        self,
        reason: Reason | StrEnum,
        message: str,
        *,
        field: str | None = None,
        description: str | None = None,
        domain: str = DOMAIN,
        metadata: Mapping[str, str | int] | None = None,
        violation: RuleViolation | None = None,
        standing: play_pb2.Standing | None = None,
        retry_after: int | None = None,
    ) -> None:
        """`field` is the JSON path of the malformed part, `description` what is wrong with it; by default, the message.

        `violation` is the broken rule, `standing` the match's standing, `retry_after` when to try again, in seconds.
        """
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.field = field
        self.description = description or message
        self.domain = domain
        self.metadata = dict(metadata or {})
        self.violation = violation
        self.standing = standing
        self.retry_after = retry_after
        self.text: text_pb2.Text | None = None
        """What is wrong, for the player, in the language that was asked for."""

    @property
    def code(self) -> grpc.StatusCode:
        return CODES.get(self.reason, grpc.StatusCode.FAILED_PRECONDITION)


def match_not_found() -> Refused:
    """Return the same refusal whether the match does not exist or belongs to another tenant."""
    return Refused(Reason.MATCH_NOT_FOUND, "there is no such match")


def malformed(field: str, message: str, *, reason: Reason = Reason.MALFORMED_REQUEST) -> Refused:
    """Return the refusal of a malformed part of the request; its message begins with the part."""
    return Refused(reason, f"{field} {message}", field=field, description=message)


def unreadable(error: Unreadable, *, reason: Reason, prefix: str) -> Refused:
    """Return the refusal of an unreadable part of a payload; `prefix` is the payload's name in the request.

    Detail and pointer quote the payload, so both are cut to MAX_QUOTED characters.
    """
    field = _shortened(prefix + error.pointer.removeprefix("$"))
    detail = _shortened(error.detail)
    return Refused(reason, f"{field} {detail}", field=field, description=detail)


def rule_broken(violation: RuleViolation, *, game: str, standing: play_pb2.Standing | None = None) -> Refused:
    """Return the refusal of a move, with the rule that forbids it."""
    domain = DOMAIN if isinstance(violation.code, TableCode) else game
    metadata: dict[str, str | int] = {"rule": violation.rule}
    metadata |= {name: _plain(value) for name, value in violation.facts.items()}
    return Refused(
        violation.code,
        str(violation),
        domain=domain,
        metadata=metadata,
        violation=violation,
        standing=standing,
    )


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_QUOTED else text[: MAX_QUOTED - 1] + "…"


def _plain(value: Fact) -> str | int:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else value


def _fact(name: str, value: Fact) -> table_pb2.Fact:
    match value:
        case str():
            return table_pb2.Fact(name=name, text=value)
        case int():
            return table_pb2.Fact(name=name, number=value)
        case _ if all(isinstance(item, int) for item in value):
            return table_pb2.Fact(
                name=name, numbers=table_pb2.Fact.Numbers(values=[int(item) for item in value])
            )
        case _:
            return table_pb2.Fact(name=name, texts=table_pb2.Fact.Texts(values=[str(item) for item in value]))


def _packed(message: object) -> any_pb2.Any:
    packed = any_pb2.Any()
    packed.Pack(message)  # type: ignore[arg-type]  # every detail is a message
    return packed


def to_status(refused: Refused) -> status_pb2.Status:
    """Return the complete status, as it is sent in a stream's messages."""
    info = error_details_pb2.ErrorInfo(
        reason=refused.reason.value,
        domain=refused.domain,
        metadata={name: str(value) for name, value in refused.metadata.items()},
    )
    details = [_packed(info)]
    if refused.field is not None:
        violation = error_details_pb2.BadRequest.FieldViolation(
            field=refused.field, description=refused.description, reason=refused.reason.value
        )
        details.append(_packed(error_details_pb2.BadRequest(field_violations=[violation])))
    if (broken := refused.violation) is not None:
        details.append(
            _packed(
                table_pb2.Refusal(
                    code=broken.code.value,
                    rule=broken.rule,
                    field=broken.field or "",
                    facts=[_fact(name, value) for name, value in broken.facts.items()],
                )
            )
        )
    if refused.text is not None:
        details.append(_packed(refused.text))
    if refused.standing is not None:
        details.append(_packed(refused.standing))
    if refused.retry_after is not None:
        delay = duration_pb2.Duration(seconds=refused.retry_after)
        details.append(_packed(error_details_pb2.RetryInfo(retry_delay=delay)))
    number = code_pb2.Code.Value(refused.code.name)
    return status_pb2.Status(code=number, message=refused.message, details=details)


def to_trailing_status(refused: Refused) -> status_pb2.Status:
    """Return the status as it fits into trailers: if it is too large, its Standing has only the version and who has to act."""
    status = to_status(refused)
    if status.ByteSize() > MAX_TRAILER_BYTES and refused.standing is not None:
        kept = [detail for detail in status.details if not detail.Is(play_pb2.Standing.DESCRIPTOR)]
        short = play_pb2.Standing(version=refused.standing.version)
        if refused.standing.HasField("pending"):
            short.pending.CopyFrom(refused.standing.pending)
        return status_pb2.Status(code=status.code, message=status.message, details=[*kept, _packed(short)])
    return status
