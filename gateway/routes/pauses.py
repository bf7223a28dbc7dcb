"""Pausing a match and resuming it, and adding time to its clocks."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Body
from starlette.responses import Response

from foldtable.matches.v1 import added_time_pb2, pause_pb2
from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.openapi.operation import Operation
from gateway.routes.commands import ACCEPTED, ACCEPTED_WITH_VERSION, ToMatch, command_of
from gateway.schemas.commands import AddTimeRequest, PauseAnswerRequest, PauseRequest, ResumeRequest

router = APIRouter(tags=["moves"], route_class=Operation, dependencies=[counted_for(Bucket.MOVES)])

_PAUSE: Final = command_of(pause_pb2.PauseMatchRequest, PauseRequest)
_ANSWER: Final = command_of(pause_pb2.AnswerPauseRequest, PauseAnswerRequest)
_RESUME: Final = command_of(pause_pb2.ResumeMatchRequest, ResumeRequest)
_ADD_TIME: Final = command_of(added_time_pb2.AddTimeRequest, AddTimeRequest)


@router.post(
    "/v1/matches/{match_id}/pause",
    operation_id="pauseMatch",
    summary="Pause a match",
    responses={**ACCEPTED},
)
async def pause_match(
    command: ToMatch,
    body: Annotated[PauseRequest, Body()] = PauseRequest(),  # noqa: B008 - it is frozen
) -> Response:
    """Pause a match: nobody moves, and all clocks stand. With an API key and no `seat`, the tenant decides (`match_paused`), and
    only the tenant ends that pause. A seat proposes it to the others (`pause_proposed`).
    """
    return await command.send(lambda server: server.matches.PauseMatch, _PAUSE, body)


@router.post(
    "/v1/matches/{match_id}/pause/answer",
    operation_id="answerPause",
    summary="Answer a proposal to pause a match",
    responses={**ACCEPTED_WITH_VERSION},
)
async def answer_pause(command: ToMatch, body: Annotated[PauseAnswerRequest, Body()]) -> Response:
    """Answer the open proposal. One refusal ends the proposal; once all have accepted, the match is paused."""
    return await command.send(lambda server: server.matches.AnswerPause, _ANSWER, body)


@router.post(
    "/v1/matches/{match_id}/resume",
    operation_id="resumeMatch",
    summary="Resume a match",
    responses={**ACCEPTED},
)
async def resume_match(
    command: ToMatch,
    body: Annotated[ResumeRequest, Body()] = ResumeRequest(),  # noqa: B008 - it is frozen
) -> Response:
    """End a pause: the tenant any, a seat one that the seats agreed on. Every open decision has the time that was left."""
    return await command.send(lambda server: server.matches.ResumeMatch, _RESUME, body)


@router.post(
    "/v1/matches/{match_id}/add-time",
    operation_id="addTime",
    summary="Add time to clocks",
    responses={**ACCEPTED},
)
async def add_time(command: ToMatch, body: Annotated[AddTimeRequest, Body()]) -> Response:
    """Give each of the `seats` that much more time: the tenant any seats, with an API key and no `seat`; a seat only others."""
    return await command.send(lambda server: server.matches.AddTime, _ADD_TIME, body)
