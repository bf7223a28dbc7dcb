"""Returning to a seat whose time ran out too often."""

from __future__ import annotations

from engine.match.commands import ReturnToSeat
from foldtable.matches.v1 import returning_pb2
from services.rules.api.commands import Commands


class Absences:
    """Serves players who return after they were away."""

    def __init__(self, run: Commands) -> None:
        self._commands = run

    async def return_to_seat(
        self, request: returning_pb2.ReturnToSeatRequest, authorization: str | None
    ) -> returning_pb2.ReturnToSeatResponse:
        """Mark a seat's player as present, so that the seat has its full time again."""
        result = await self._commands.run(request, ReturnToSeat(), authorization)
        return returning_pb2.ReturnToSeatResponse(result=result)
