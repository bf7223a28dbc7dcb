"""MatchService's part about calling a match off."""

from __future__ import annotations

from engine.kernel.house import Abort, AnswerAbort
from foldtable.matches.v1 import abort_pb2
from services.rpc.callers import Context, TenantCaller
from services.rules.permissions import acting_seat, may_change
from services.rules.undo_servicer import UndoServicer


class AbortServicer(UndoServicer):
    """Abort, and the answers to it."""

    async def AbortMatch(
        self, request: abort_pb2.AbortMatchRequest, context: Context
    ) -> abort_pb2.AbortMatchResponse:
        async with self._open(context, request.match_id) as (caller, table):
            may_change(caller)
            asked_seat = request.seat if request.HasField("seat") else None
            by_tenant = isinstance(caller, TenantCaller) and asked_seat is None
            seat = None if by_tenant else acting_seat(caller, table.match, asked_seat)
            expected = request.expected_version if request.HasField("expected_version") else None
            result = await self._make(table, seat, Abort(), request, expected)
        return abort_pb2.AbortMatchResponse(result=result)

    async def AnswerAbort(
        self, request: abort_pb2.AnswerAbortRequest, context: Context
    ) -> abort_pb2.AnswerAbortResponse:
        body = AnswerAbort(accept=request.accept)
        return abort_pb2.AnswerAbortResponse(result=await self._of_the_house(request, body, context))
