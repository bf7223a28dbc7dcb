"""Undo: what may be undone, undo, redo, and the consent of the other seats."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from engine.match import commands
from foldtable.matches.v1 import undo_pb2
from services.rpc.message_from import message_from
from services.rules.api.commands import Commands
from services.rules.match.access import MatchAccess
from services.rules.match.match_cache import MatchCache
from services.rules.match.permissions import seat_looked_at
from services.rules.match.undo import UndoState, look
from services.rules.wire.messages import proposal_message

undo_message: Final = message_from(
    undo_pb2.GetUndoResponse,
    UndoState,
    given=("seat",),
    free_to=lambda found: found.version if found.free is None else found.free.to,
    obstacle=lambda found: None if found.free is None else found.free.obstacle.reason.value,
    obstacle_version=lambda found: None if found.free is None else found.free.obstacle.seq,
    proposal=lambda found: None if found.proposal is None else proposal_message(found.proposal),
)


class Undo:
    """Serves undo, redo, and the answers to a proposed undo."""

    def __init__(self, cache: MatchCache, access: MatchAccess, run: Commands) -> None:
        self._cache = cache
        self._access = access
        self._commands = run

    async def get(
        self, request: undo_pb2.GetUndoRequest, authorization: str | None
    ) -> undo_pb2.GetUndoResponse:
        """Return what a seat may undo now."""
        async with self._access.open(authorization, request.match_id) as (caller, loaded):
            seat = seat_looked_at(caller, loaded.match, request.seat if request.HasField("seat") else None)
            await self._cache.catch_up(loaded)
            found = await look(self._cache, loaded, seat, datetime.now(UTC))
        return undo_message(found, seat=seat)

    async def undo(self, request: undo_pb2.UndoRequest, authorization: str | None) -> undo_pb2.UndoResponse:
        """Undo moves, or propose to undo them."""
        command = commands.Undo(to=request.to)
        return undo_pb2.UndoResponse(result=await self._commands.run_decided(request, command, authorization))

    async def redo(self, request: undo_pb2.RedoRequest, authorization: str | None) -> undo_pb2.RedoResponse:
        """Redo what was undone last."""
        command = commands.Redo()
        return undo_pb2.RedoResponse(result=await self._commands.run_decided(request, command, authorization))

    async def answer(
        self, request: undo_pb2.AnswerUndoRequest, authorization: str | None
    ) -> undo_pb2.AnswerUndoResponse:
        """Agree or object to a proposed undo."""
        command = commands.AnswerUndo(accept=request.accept)
        result = await self._commands.run_decided(request, command, authorization)
        return undo_pb2.AnswerUndoResponse(result=result)
