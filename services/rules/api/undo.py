"""Undo: what may be undone, undo, redo, and the consent of the other seats."""

from __future__ import annotations

from datetime import UTC, datetime

from engine.match import commands
from foldtable.matches.v1 import undo_pb2
from services.rules.api.commands import Commands
from services.rules.match.access import MatchAccess
from services.rules.match.match_cache import MatchCache
from services.rules.match.permissions import seat_looked_at
from services.rules.match.undo import look
from services.rules.wire.undo import undo_message


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
        named = request.seat if request.HasField("seat") else None
        async with self._access.open(authorization, request.match_id, seat=named) as (caller, loaded):
            seat = seat_looked_at(caller, loaded.match, named)
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
