"""All refusals, as google.rpc.Status (AIP-193).

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
from services.process.reasons import Reason

DOMAIN: Final = "foldtable"
MAX_TRAILER_BYTES: Final = 4_096
"""The details of a failed call are sent in HTTP/2 trailers, which peers limit to about 8 KiB, base64 included."""

MAX_QUOTED: Final = 300
"""Most characters of a message that quotes a caller's input."""


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
        """The code of the reason; FAILED_PRECONDITION for one of a game's rules, and for a TableCode."""
        own = self.reason.code if isinstance(self.reason, Reason) else None
        return own or grpc.StatusCode.FAILED_PRECONDITION


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
