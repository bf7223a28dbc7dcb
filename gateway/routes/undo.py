"""Undo and redo: taking moves back, with or without the others' consent."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Body, Query
from starlette.responses import Response

from foldtable.matches.v1 import undo_pb2 as pb
from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.dependencies import Match, RequestTrace
from gateway.http.answers import json_answer
from gateway.openapi.operation import Operation, answer, problems
from gateway.routes.commands import ACCEPTED_WITH_VERSION, ToMatch, command_of
from gateway.schemas.commands import RedoRequest, UndoAnswerRequest, UndoRequest
from gateway.schemas.undo import UndoQuery, UndoState
from gateway.translate import messages

router = APIRouter(tags=["moves"], route_class=Operation)

_UNDO: Final = command_of(pb.UndoRequest, UndoRequest)
_REDO: Final = command_of(pb.RedoRequest, RedoRequest)
_ANSWER: Final = command_of(pb.AnswerUndoRequest, UndoAnswerRequest)


@router.get(
    "/v1/matches/{match_id}/undo",
    operation_id="getUndo",
    summary="Show which moves may be taken back",
    responses={200: answer("Which moves the seat may take back now.", UndoState), **problems(403, 404, 409)},
    dependencies=[counted_for(Bucket.READS)],
)
async def get_undo(match: Match, trace: RequestTrace, query: Annotated[UndoQuery, Query()]) -> Response:
    """Return how far a seat may go back on its own, why not further, how far with the others' consent, and the open proposal."""
    server = await match.server()
    found = await match.read(
        server.matches.GetUndo, pb.GetUndoRequest(match_id=match.match_id, seat=query.seat)
    )
    trace.version = found.version
    return json_answer(messages.undo_state(found, match_id=match.match_id))


@router.post(
    "/v1/matches/{match_id}/undo",
    operation_id="undoMoves",
    summary="Take moves back",
    responses={**ACCEPTED_WITH_VERSION},
    dependencies=[counted_for(Bucket.MOVES)],
)
async def undo_moves(command: ToMatch, body: Annotated[UndoRequest, Body()]) -> Response:
    """Take moves back: at once where no consent is needed (`move_undone`), otherwise by a proposal to the other seats
    (`undo_proposed`).

    An undo is itself recorded as a move: the version increases, and nothing is deleted. A move that is made again after an
    undo gets the same random draws as before.
    """
    return await command.send(lambda server: server.matches.Undo, _UNDO, body)


@router.post(
    "/v1/matches/{match_id}/undo/answer",
    operation_id="answerUndo",
    summary="Answer a proposal",
    responses={**ACCEPTED_WITH_VERSION},
    dependencies=[counted_for(Bucket.MOVES)],
)
async def answer_undo(command: ToMatch, body: Annotated[UndoAnswerRequest, Body()]) -> Response:
    """Answer the open proposal. One refusal ends the proposal; once all have accepted, the moves are taken back."""
    return await command.send(lambda server: server.matches.AnswerUndo, _ANSWER, body)


@router.post(
    "/v1/matches/{match_id}/redo",
    operation_id="redoMoves",
    summary="Redo moves",
    responses={**ACCEPTED_WITH_VERSION},
    dependencies=[counted_for(Bucket.MOVES)],
)
async def redo_moves(command: ToMatch, body: Annotated[RedoRequest, Body()]) -> Response:
    """Restore the moves that this seat took back last. Possible until the next move."""
    return await command.send(lambda server: server.matches.Redo, _REDO, body)
