"""Taking moves back, with or without the others' consent."""

from __future__ import annotations

from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from foldtable.matches.v1 import undo_pb2
from gateway import messages
from gateway.clients import call
from gateway.context import gateway_of, trace_of
from gateway.documented import Answer, documented
from gateway.json_answers import json_answer
from gateway.queries import match_id, read_query
from gateway.rate_limits import Bucket
from gateway.routes.house_requests import ask_house
from gateway.routes.moves import ANSWERS, REFUSALS, REQUEST_HEADERS
from gateway.schemas.undo import (
    RedoRequest,
    UndoAnswerRequest,
    UndoObstacle,
    UndoQuery,
    UndoRequest,
    UndoState,
)

_UNDO: Final = msgspec.json.Decoder(UndoRequest)
_REDO: Final = msgspec.json.Decoder(RedoRequest)
_ANSWER: Final = msgspec.json.Decoder(UndoAnswerRequest)


async def get_undo(request: Request) -> Response:
    """Say what a seat may take back now, how far by itself, why not further, and what others are asked."""
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    trace.match_id = match = match_id(request)
    query = read_query(request, UndoQuery)
    server = await gateway.directory.server_of(match, caller, trace)
    found = await call(
        server.matches.GetUndo,
        undo_pb2.GetUndoRequest(match_id=match, seat=query.seat),
        seconds=gateway.settings.read_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
        in_query=True,
    )
    trace.version = found.version
    return json_answer(_state(match, found), headers={"cache-control": "no-store"})


async def undo_moves(request: Request) -> Response:
    """Take moves back: at once where that is free (`move_undone`), else the other seats are asked (`undo_proposed`).

    An undo is a move of the log: versions go on, nothing is deleted. A move made again after an undo has the luck it had.
    """
    return await ask_house(
        request,
        _UNDO,
        lambda server: server.matches.Undo,
        lambda body, shared: undo_pb2.UndoRequest(**shared, to=body.to),
    )


async def redo_moves(request: Request) -> Response:
    """Put back what this seat took back last; possible until the next move."""
    return await ask_house(
        request,
        _REDO,
        lambda server: server.matches.Redo,
        lambda _, shared: undo_pb2.RedoRequest(**shared),
    )


async def answer_undo(request: Request) -> Response:
    """Answer the open proposal. One refusal ends it; once all have accepted, the moves are taken back."""
    return await ask_house(
        request,
        _ANSWER,
        lambda server: server.matches.AnswerUndo,
        lambda body, shared: undo_pb2.AnswerUndoRequest(**shared, accept=body.accept),
    )


def _state(match: str, found: undo_pb2.GetUndoResponse) -> UndoState:
    obstacle = UndoObstacle(reason=found.obstacle, version=found.obstacle_version or None)
    return UndoState(
        match_id=match,
        version=found.version,
        seat=found.seat,
        rule=messages.UNDO_RULES[found.rule],
        free_to=found.free_to,
        obstacle=obstacle if found.obstacle else None,
        earliest=found.earliest,
        refusal=found.refusal or None,
        redo=found.redo,
        proposal=messages.proposal(found.proposal) if found.HasField("proposal") else None,
    )


ROUTES: Final = (
    documented(
        "GET",
        "/v1/matches/{match_id}/undo",
        get_undo,
        operation_id="getUndo",
        summary="What may be taken back",
        tag="moves",
        query=UndoQuery,
        answers={200: Answer(description="What the seat may take back now.", shape=UndoState)},
        problems=(400, 403, 404, 409),
    ),
    documented(
        "POST",
        "/v1/matches/{match_id}/undo",
        undo_moves,
        operation_id="undoMoves",
        summary="Take moves back",
        tag="moves",
        body=UndoRequest,
        headers=REQUEST_HEADERS,
        answers=ANSWERS,
        problems=REFUSALS,
        bucket=Bucket.MOVES,
    ),
    documented(
        "POST",
        "/v1/matches/{match_id}/undo/answer",
        answer_undo,
        operation_id="answerUndo",
        summary="Answer a proposal",
        tag="moves",
        body=UndoAnswerRequest,
        headers=REQUEST_HEADERS,
        answers=ANSWERS,
        problems=REFUSALS,
        bucket=Bucket.MOVES,
    ),
    documented(
        "POST",
        "/v1/matches/{match_id}/redo",
        redo_moves,
        operation_id="redoMoves",
        summary="Put moves back",
        tag="moves",
        body=RedoRequest,
        headers=REQUEST_HEADERS,
        answers=ANSWERS,
        problems=REFUSALS,
        bucket=Bucket.MOVES,
    ),
)
