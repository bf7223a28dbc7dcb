"""Asking the table whether another player may have a seat. Routes of the lobby replace the player."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Body
from starlette.responses import Response

from foldtable.matches.v1 import replacing_pb2
from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.http.path_parameters import Seat
from gateway.openapi.operation import Operation
from gateway.routes.commands import ACCEPTED, ACCEPTED_WITH_VERSION, ToMatch, command_of
from gateway.schemas.commands import AskToReplaceRequest, ReplacementAnswerRequest

router = APIRouter(tags=["moves"], route_class=Operation, dependencies=[counted_for(Bucket.MOVES)])

_ASK: Final = command_of(replacing_pb2.AskToReplaceRequest, AskToReplaceRequest)
_ANSWER: Final = command_of(replacing_pb2.AnswerReplacementRequest, ReplacementAnswerRequest)


@router.post(
    "/v1/matches/{match_id}/seats/{seat:seat}/replace/ask",
    operation_id="askToReplace",
    summary="Ask the table for another player",
    responses={**ACCEPTED},
)
async def ask_to_replace(
    command: ToMatch,
    seat: Seat,
    body: Annotated[AskToReplaceRequest, Body()] = AskToReplaceRequest(),  # noqa: B008 - it is frozen
) -> Response:
    """Ask all other seats whether another player may have this seat (`replacement_proposed`). The tenant asks, or the seat itself.

    If there is nobody to ask, it is agreed at once (`replacement_agreed`). Nobody is replaced yet: the tenant does that.
    """
    return await command.send(lambda server: server.matches.AskToReplace, _ASK, body, seat=seat)


@router.post(
    "/v1/matches/{match_id}/replace/answer",
    operation_id="answerReplacement",
    summary="Answer a proposal to give a seat to another player",
    responses={**ACCEPTED_WITH_VERSION},
)
async def answer_replacement(command: ToMatch, body: Annotated[ReplacementAnswerRequest, Body()]) -> Response:
    """Answer the open proposal. One refusal ends the proposal; once all have accepted, the tenant may replace the player who has
    the seat now with `"consent": "table"` (`replacement_agreed`).
    """
    return await command.send(lambda server: server.matches.AnswerReplacement, _ANSWER, body)
