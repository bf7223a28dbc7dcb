"""Commands to a match other than moves, from a seat or a tenant. All are read and sent in the same way, and answered like a move."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Protocol, TypeVar

from fastapi import Depends
from google.protobuf.message import Message
from starlette.responses import Response

from foldtable.matches.v1.play_pb2 import ActResponse
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON
from gateway.dependencies import AskedMatch, Match, RequestTrace
from gateway.hot.answered_move import accepted
from gateway.http.idempotency import SentKey
from gateway.http.languages import AskedLanguage
from gateway.http.preconditions import SentVersion
from gateway.openapi.operation import answer, problems
from gateway.openapi.parameters import JSONObject
from gateway.routes.moves import ANSWER_HEADERS, IDEMPOTENCY_KEY, IF_MATCH
from gateway.schemas.commands import Command, CommandOfSeat
from gateway.schemas.moves import MoveAnswer
from gateway.telemetry.tracing import Trace
from gateway.translate.message_of import message_of
from gateway.upstream.rules import Method, RulesServer


class Reply(Protocol):
    """The fields of every response to a command."""

    @property
    def result(self) -> ActResponse: ...


Asked = TypeVar("Asked", bound=Message)
Replied = TypeVar("Replied", bound=Reply)

ACCEPTED: Final[Mapping[int | str, JSONObject]] = {
    200: answer("Accepted, and durable.", MoveAnswer, headers=ANSWER_HEADERS),
    **problems(403, 404, 409, 412, 422),
}
ACCEPTED_WITH_VERSION: Final[Mapping[int | str, JSONObject]] = {**ACCEPTED, **problems(428)}
"""The same for commands that require the version they are based on."""


def command_of(message: type[Asked], model: type[Command | CommandOfSeat]) -> Callable[..., Asked]:
    """Return a function that makes a message of a body, for `SentCommand.send`."""
    return message_of(message, model, besides=("expected_version", "request_id"))


@dataclass(frozen=True)
class SentCommand:
    """The match in the path, and the headers of a command."""

    match: AskedMatch
    trace: Trace
    version: SentVersion
    key: SentKey
    language: str

    async def send(
        self,
        method: Callable[[RulesServer], Method[Asked, Replied]],
        message: Callable[..., Asked],
        body: Command | CommandOfSeat,
        *,
        seat: int | None = None,
    ) -> Response:
        """Send a command and respond as to a move. `method` is a method of the match's server, `message` comes from `command_of`;
        `seat` is that of the path, if it names one.
        """
        expected, conditional = self.version.or_in_body(body.expected_version)
        shared: dict[str, Any] = {
            "match_id": self.match.match_id,
            "expected_version": expected,
            "request_id": self.key.or_in_body(body.request_id),
            "form": PAYLOAD_FORM_JSON,
            "language": self.language,
        }
        if seat is not None:
            shared["seat"] = seat
        server = await self.match.server()
        reply = await self.match.write(method(server), message(body, **shared), conditional=conditional)
        return accepted(reply.result, self.trace, self.match.caller)


async def _command(
    match: Match,
    trace: RequestTrace,
    version: Annotated[SentVersion, IF_MATCH],
    key: Annotated[SentKey, IDEMPOTENCY_KEY],
    language: AskedLanguage,
) -> SentCommand:
    return SentCommand(match, trace, version, key, language)


ToMatch = Annotated[SentCommand, Depends(_command, scope="function")]
"""A command to the match that `{match_id}` names."""
