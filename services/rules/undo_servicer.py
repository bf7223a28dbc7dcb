"""MatchService's half about taking back and coming back, and the making of any row that a seat asks for."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from typing import Any, Final, Protocol

import grpc

from engine.kernel.house import AnswerUndo, HouseRequest, Redo, ReturnToSeat, Undo
from engine.kernel.seats import Seat
from foldtable.matches.v1 import play_pb2, returning_pb2, undo_pb2
from foldtable.rules.v1 import payload_pb2
from services.rpc.callers import Caller, Context, authorization_of
from services.rpc.match_messages import UNDO_RULES
from services.rpc.refusals import Reason, Refused
from services.rules import looking, taking_back
from services.rules.acting import Request, act, rehearse
from services.rules.bot_consent import agree
from services.rules.door import request_id
from services.rules.lobby_servicer import LobbyServicer
from services.rules.messages import answer_message, proposal_message
from services.rules.permissions import acting_seat, may_change, seat_looked_at
from services.rules.tables import Table
from services.rules.timekeeping import clocks_at

_TELLS_STANDING: Final = grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.ABORTED
"""Refusals after which a player wants to know how the match stands."""


class Asked(Protocol):
    """What every request of a row has."""

    request_id: str
    form: payload_pb2.PayloadForm.ValueType


class Decided(Asked, Protocol):
    """What a request has that was decided on a version."""

    match_id: str
    seat: int
    expected_version: int

    def HasField(self, name: Any, /) -> bool: ...


class UndoServicer(LobbyServicer):
    """Undo, redo, consent, coming back."""

    async def GetUndo(self, request: undo_pb2.GetUndoRequest, context: Context) -> undo_pb2.GetUndoResponse:
        async with self._open(context, request.match_id) as (caller, table):
            seat = seat_looked_at(caller, table.match, request.seat if request.HasField("seat") else None)
            await self._tables.catch_up(table)
            found = await taking_back.look(self._tables, table, seat, datetime.now(UTC))
        return undo_message(seat, found)

    async def Undo(self, request: undo_pb2.UndoRequest, context: Context) -> undo_pb2.UndoResponse:
        return undo_pb2.UndoResponse(result=await self._of_the_house(request, Undo(to=request.to), context))

    async def Redo(self, request: undo_pb2.RedoRequest, context: Context) -> undo_pb2.RedoResponse:
        return undo_pb2.RedoResponse(result=await self._of_the_house(request, Redo(), context))

    async def AnswerUndo(
        self, request: undo_pb2.AnswerUndoRequest, context: Context
    ) -> undo_pb2.AnswerUndoResponse:
        body = AnswerUndo(accept=request.accept)
        return undo_pb2.AnswerUndoResponse(result=await self._of_the_house(request, body, context))

    async def ReturnToSeat(
        self, request: returning_pb2.ReturnToSeatRequest, context: Context
    ) -> returning_pb2.ReturnToSeatResponse:
        async with self._open(context, request.match_id) as (caller, table):
            may_change(caller)
            seat = acting_seat(caller, table.match, request.seat if request.HasField("seat") else None)
            expected = request.expected_version if request.HasField("expected_version") else None
            result = await self._make(table, seat, ReturnToSeat(), request, expected)
        return returning_pb2.ReturnToSeatResponse(result=result)

    async def _of_the_house(
        self,
        request: Decided,
        body: HouseRequest,
        context: Context,
    ) -> play_pb2.ActResponse:
        if not request.HasField("expected_version"):
            raise version_required()
        async with self._open(context, request.match_id) as (caller, table):
            may_change(caller)
            seat = acting_seat(caller, table.match, request.seat if request.HasField("seat") else None)
            return await self._make(table, seat, body, request, request.expected_version)

    async def _make(
        self,
        table: Table,
        seat: Seat | None,
        body: Any,
        request: Asked,
        expected: int | None,
        *,
        dry_run: bool = False,
    ) -> play_pb2.ActResponse:
        asked = Request(
            seat=seat, body=body, request_id=request_id(request.request_id), expected_version=expected
        )
        try:
            if dry_run:
                version = await rehearse(self._tables, table, asked)
                return play_pb2.ActResponse(match_id=str(table.match.id), version=version, dry_run=True)
            answer = await act(self._tables, table, asked)
        except Refused as refused:
            if seat is not None and refused.code in _TELLS_STANDING and table.state is not None:
                refused.standing = await looking.standing(self._tables, table, seat, expected, request.form)
            raise
        clocks = await clocks_at(self._tables, table, answer.version)
        message = answer_message(table, answer, request.form, clocks)
        if isinstance(body, HouseRequest):
            await agree(self._tables, table)
        return message

    # ── the door ───────────────────────────────────────────────────────────────────────────────────

    def _open(self, context: Context, match_id: str) -> AbstractAsyncContextManager[tuple[Caller, Table]]:
        return self._open_as(authorization_of(context), match_id)

    def _open_as(
        self, authorization: str | None, match_id: str
    ) -> AbstractAsyncContextManager[tuple[Caller, Table]]:
        """Let a caller in to a match's table, started if its seats are full."""
        return self._door.open(authorization, match_id)


def version_required() -> Refused:
    """Give the refusal of a move that does not say what it was decided on."""
    return Refused(
        Reason.VERSION_REQUIRED,
        "say which version of the match the move was decided on",
        field="$.expected_version",
    )


def undo_message(seat: Seat, found: taking_back.UndoState) -> undo_pb2.GetUndoResponse:
    """Give what a seat may take back."""
    message = undo_pb2.GetUndoResponse(
        version=found.version,
        seat=seat,
        free_to=found.version if found.free is None else found.free.to,
        earliest=found.earliest,
        refusal=found.refusal,
        redo=found.redo,
        rule=UNDO_RULES[found.rule],
    )
    if found.free is not None:
        message.obstacle = found.free.obstacle.reason.value
        message.obstacle_version = found.free.obstacle.seq or 0
    if found.proposal is not None:
        message.proposal.CopyFrom(proposal_message(found.proposal))
    return message
