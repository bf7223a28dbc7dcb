"""Translation of a service's `google.rpc.Status` to a problem document."""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import quote

import grpc
import structlog
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2

from foldtable.matches.v1 import play_pb2
from foldtable.rules.v1 import table_pb2, text_pb2
from gateway.http.bodies import json_pointer
from gateway.problems.document import ProblemError
from gateway.problems.reasons import reason_for
from gateway.schemas.answers import LegalActionsNow
from gateway.schemas.problem_types import FieldProblem
from gateway.translate import messages
from gateway.translate.texts import text, texts

STATUS_METADATA: Final = "grpc-status-details-bin"
"""Metadata key that carries a unary call's full status (gRPC's richer error model)."""

_CODES: Final = {code.value[0]: code for code in grpc.StatusCode}
_OWN_WORDS: Final = frozenset({"INTERNAL", "RULES_UNAVAILABLE", "RULES_TIMEOUT"})
"""Reasons whose detail comes from the mapping table; the transport's own message is only logged."""
_SHARED_DOMAIN: Final = "foldtable"
"""Of refusals that all games share; the domain of a game's own is the game."""
_PARAMETERS: Final = {
    "$.audience.seat": "seat",
    "$.audience.kind": "audience",
    "$.audience": "audience",
    "$.at_version": "at",
    "$.from_version": "from",
    "$.to_version": "to",
    "$.content": "what",
    "$.statuses": "status",
    "$.visibilities": "visibility",
}
"""Fields of requests that have another name in a query."""
_JSON_PARAMETERS: Final = {"metadata"}
"""Parameters whose value is JSON: whatever is wrong inside of one, it is the parameter that is named."""
_MEMBERS: Final = {
    "$.clock.time": "$.clock.seconds",
    "$.clock.increment": "$.clock.increment_seconds",
    "$.clock.abandoned_after": "$.clock.abandoned_after_seconds",
    "$.undo_timeout": "$.undo_timeout_seconds",
    "$.bot_pace": "$.bot_pace_seconds",
    "$.grace": "$.grace_seconds",
}
"""Fields of requests that have another name in a JSON body: durations name their unit there."""
_OF_A_BATCH: Final = re.compile(r"\$\.matches\[\d+\]")
"""Where a match of several is in the request."""

_log = structlog.get_logger("gateway.upstream.refusals")


def refused_call(
    error: grpc.aio.AioRpcError, *, conditional: bool = False, in_query: bool = False
) -> ProblemError:
    """Return the problem of a failed unary call or server stream."""
    for key, value in error.trailing_metadata() or ():
        if key == STATUS_METADATA and isinstance(value, bytes):
            try:
                status = status_pb2.Status.FromString(value)
            except DecodeError:
                break
            return refused(status, conditional=conditional, in_query=in_query)
    status = status_pb2.Status(code=error.code().value[0], message=error.details() or "")
    return refused(status, conditional=conditional, in_query=in_query)


def refused(status: status_pb2.Status, *, conditional: bool = False, in_query: bool = False) -> ProblemError:
    """Return the problem of a status.

    `conditional`: the request carried If-Match. `in_query`: its fields came as query parameters, not in a body.
    """
    details = _Details(status)
    code = _CODES.get(status.code, grpc.StatusCode.UNKNOWN)
    row = reason_for(details.info.reason, code)
    members: dict[str, Any] = {}
    if details.info.metadata and row.name != "INTERNAL":
        members["metadata"] = dict(details.info.metadata)
    _add_refusal(members, details.refusal, game=details.info.domain)
    if details.text.key:
        members["text"] = text(details.text)
    _add_standing(members, details.standing)
    if row.name in _OWN_WORDS:
        _log.warning("rules server failed", code=code.name, message=status.message[:500])
    detail = details.text.sentence or status.message
    return ProblemError(
        row,
        "" if row.name in _OWN_WORDS else detail,
        errors=[_field_problem(violation, in_query) for violation in details.malformed.field_violations],
        conditional=conditional,
        headers=_retry_after(details.retry),
        members=members,
    )


class _Details:
    """The details of a status that this gateway understands; others are ignored."""

    def __init__(self, status: status_pb2.Status) -> None:
        self.info = error_details_pb2.ErrorInfo()
        self.malformed = error_details_pb2.BadRequest()
        self.retry = error_details_pb2.RetryInfo()
        self.refusal = table_pb2.Refusal()
        self.text = text_pb2.Text()
        self.standing = play_pb2.Standing()
        known: dict[str, Message] = {
            message.DESCRIPTOR.full_name: message
            for message in (self.info, self.malformed, self.retry, self.refusal, self.text, self.standing)
        }
        for detail in status.details:
            message = known.get(detail.TypeName())
            if message is not None:
                detail.Unpack(message)


def _add_refusal(members: dict[str, Any], refusal: table_pb2.Refusal, *, game: str) -> None:
    if not refusal.code:
        return
    if refusal.rule:
        members["rule"] = refusal.rule
        if game != _SHARED_DOMAIN:
            members["rule_page"] = f"/v1/games/{quote(game)}/rules#{quote(refusal.rule)}"
    if refusal.field:
        members["field"] = refusal.field
    members["facts"] = messages.facts(refusal.facts)


def _add_standing(members: dict[str, Any], standing: play_pb2.Standing) -> None:
    if not standing.version:
        return
    members["current_version"] = standing.version
    members["missed"] = [messages.move(move) for move in standing.missed]
    members["pending"] = messages.pending(standing.pending) if standing.HasField("pending") else None
    if standing.HasField("actions") or standing.HasField("templates"):
        members["legal_actions"] = LegalActionsNow(
            actions=messages.raw_list(standing.actions),
            templates=messages.raw_list(standing.templates),
            action_texts=texts(standing.actions),
            template_texts=texts(standing.templates),
        )


def _field_problem(violation: error_details_pb2.BadRequest.FieldViolation, in_query: bool) -> FieldProblem:
    code = violation.reason or "MALFORMED_REQUEST"
    if in_query:
        return FieldProblem(code=code, detail=violation.description, parameter=_parameter(violation.field))
    place = found[0] if (found := _OF_A_BATCH.match(violation.field)) else "$"
    within = "$" + violation.field.removeprefix(place)
    member = place + _MEMBERS.get(within, within).removeprefix("$")
    pointer = json_pointer(member.removeprefix("$"))
    return FieldProblem(code=code, detail=violation.description, pointer=pointer)


def _parameter(field: str) -> str:
    """Return the parameter that a field of a request came from."""
    outermost = re.split(r"[.\[]", field.removeprefix("$."), maxsplit=1)[0]
    if outermost in _JSON_PARAMETERS:
        return outermost
    return _PARAMETERS.get(field) or field.rpartition(".")[2]


def _retry_after(retry: error_details_pb2.RetryInfo) -> dict[str, str]:
    """Return the header, rounded up: a client that retried too early would have to retry again."""
    delay = retry.retry_delay
    seconds = delay.seconds + (1 if delay.nanos > 0 else 0)
    return {"retry-after": str(seconds)} if seconds > 0 else {}
