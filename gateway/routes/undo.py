"""Taking moves back, with or without the others' consent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from foldtable.matches.v1 import undo_pb2
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON
from gateway import messages
from gateway.auth import Caller
from gateway.bodies import read_json
from gateway.clients import RulesServer, call
from gateway.context import gateway_of, trace_of
from gateway.documented import Answer, documented
from gateway.etags import expected_version
from gateway.idempotency import request_id
from gateway.json_answers import json_answer
from gateway.queries import match_id, read_query
from gateway.rate_limits import Bucket
from gateway.routes.moves import ANSWERS, REFUSALS, REQUEST_HEADERS, accepted
from gateway.schemas.requests import NoQuery
from gateway.schemas.undo import (
    RedoRequest,
    UndoAnswerRequest,
    UndoObstacle,
    UndoProposal,
    UndoQuery,
    UndoRequest,
    UndoState,
)

_UNDO: Final = msgspec.json.Decoder(UndoRequest)
_REDO: Final = msgspec.json.Decoder(RedoRequest)
_ANSWER: Final = msgspec.json.Decoder(UndoAnswerRequest)

Body = TypeVar("Body", UndoRequest, RedoRequest, UndoAnswerRequest)
Reply = undo_pb2.UndoResponse | undo_pb2.RedoResponse | undo_pb2.AnswerUndoResponse


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

    async def send(
        server: RulesServer,
        caller: Caller,
        match: str,
        body: UndoRequest,
        expected: int | None,
        conditional: bool,
    ) -> undo_pb2.UndoResponse:
        asked = undo_pb2.UndoRequest(
            match_id=match,
            seat=body.seat,
            request_id=request_id(request, body.request_id),
            expected_version=expected,
            to=body.to,
            form=PAYLOAD_FORM_JSON,
        )
        return await call(
            server.matches.Undo,
            asked,
            seconds=gateway_of(request).settings.move_deadline_seconds,
            metadata=trace_of(request).metadata(caller.authorization),
            conditional=conditional,
        )

    return await _asked(request, _UNDO, send)


async def redo_moves(request: Request) -> Response:
    """Put back what this seat took back last; possible until the next move."""

    async def send(
        server: RulesServer,
        caller: Caller,
        match: str,
        body: RedoRequest,
        expected: int | None,
        conditional: bool,
    ) -> undo_pb2.RedoResponse:
        asked = undo_pb2.RedoRequest(
            match_id=match,
            seat=body.seat,
            request_id=request_id(request, body.request_id),
            expected_version=expected,
            form=PAYLOAD_FORM_JSON,
        )
        return await call(
            server.matches.Redo,
            asked,
            seconds=gateway_of(request).settings.move_deadline_seconds,
            metadata=trace_of(request).metadata(caller.authorization),
            conditional=conditional,
        )

    return await _asked(request, _REDO, send)


async def answer_undo(request: Request) -> Response:
    """Answer the open proposal. One refusal ends it; once all have accepted, the moves are taken back."""

    async def send(
        server: RulesServer,
        caller: Caller,
        match: str,
        body: UndoAnswerRequest,
        expected: int | None,
        conditional: bool,
    ) -> undo_pb2.AnswerUndoResponse:
        asked = undo_pb2.AnswerUndoRequest(
            match_id=match,
            seat=body.seat,
            request_id=request_id(request, body.request_id),
            expected_version=expected,
            accept=body.accept,
            form=PAYLOAD_FORM_JSON,
        )
        return await call(
            server.matches.AnswerUndo,
            asked,
            seconds=gateway_of(request).settings.move_deadline_seconds,
            metadata=trace_of(request).metadata(caller.authorization),
            conditional=conditional,
        )

    return await _asked(request, _ANSWER, send)


async def _asked(
    request: Request,
    decoder: msgspec.json.Decoder[Body],
    send: Callable[[RulesServer, Caller, str, Body, int | None, bool], Awaitable[Reply]],
) -> Response:
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    trace.match_id = match = match_id(request)
    body = await read_json(request, decoder)
    expected, conditional = expected_version(request, body.expected_version)
    server = await gateway.directory.server_of(match, caller, trace)
    reply = await send(server, caller, match, body, expected, conditional)
    return accepted(reply.result, trace)


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
        proposal=_proposal(found.proposal) if found.HasField("proposal") else None,
    )


def _proposal(message: undo_pb2.UndoProposal) -> UndoProposal:
    return UndoProposal(
        version=message.version,
        seat=message.seat,
        to=message.to,
        accepted=list(message.accepted),
        waiting=list(message.waiting),
        expires_at=messages.instant(message.expire_time),
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
