"""Calling a match off: by the tenant, or by the seats together."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Body
from starlette.responses import Response

from foldtable.matches.v1.abort_pb2 import AbortMatchRequest, AnswerAbortRequest
from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.openapi.operation import Operation
from gateway.routes.commands import ACCEPTED, ACCEPTED_WITH_VERSION, ToMatch, command_of
from gateway.schemas.commands import AbortAnswerRequest, AbortRequest

router = APIRouter(tags=["moves"], route_class=Operation, dependencies=[counted_for(Bucket.MOVES)])

_ABORT: Final = command_of(AbortMatchRequest, AbortRequest)
_ANSWER: Final = command_of(AnswerAbortRequest, AbortAnswerRequest)


@router.post(
    "/v1/matches/{match_id}/abort",
    operation_id="abortMatch",
    summary="Call a match off",
    responses={**ACCEPTED},
)
async def abort_match(
    command: ToMatch,
    body: Annotated[AbortRequest, Body()] = AbortRequest(),  # noqa: B008 - it is frozen
) -> Response:
    """Call a match off. With an API key and no `seat`, the tenant decides and the match ends at once (`match_aborted`), even
    before it has begun. A seat proposes it to the others (`abort_proposed`).

    The match ends without a winner, and its content becomes visible like that of any ended match. This cannot be undone.
    """
    return await command.send(lambda server: server.matches.AbortMatch, _ABORT, body)


@router.post(
    "/v1/matches/{match_id}/abort/answer",
    operation_id="answerAbort",
    summary="Answer a proposal to call a match off",
    responses={**ACCEPTED_WITH_VERSION},
)
async def answer_abort(command: ToMatch, body: Annotated[AbortAnswerRequest, Body()]) -> Response:
    """Answer the open proposal. One refusal ends the proposal; once all have accepted, the match ends."""
    return await command.send(lambda server: server.matches.AnswerAbort, _ANSWER, body)
