"""The clocks of a match: time that is added, and players who return after their time ran out too often."""

from __future__ import annotations

from engine.kernel.seats import Seat
from engine.match.clock_changes import MAX_SECONDS
from engine.match.commands import AddTime, ReturnToSeat
from foldtable.matches.v1 import added_time_pb2, returning_pb2
from services.rpc.refusals import malformed
from services.rules.api.commands import Commands


class AddedTime:
    """Serves tenants and seats that give time."""

    def __init__(self, run: Commands) -> None:
        self._commands = run

    async def add(
        self, request: added_time_pb2.AddTimeRequest, authorization: str | None
    ) -> added_time_pb2.AddTimeResponse:
        """Add time to the clocks of seats; a tenant that names no seat gives it itself."""
        result = await self._commands.run(request, _read(request), authorization, of_tenant=True)
        return added_time_pb2.AddTimeResponse(result=result)


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


def _read(request: added_time_pb2.AddTimeRequest) -> AddTime:
    """Return the command, with its seats in order. Raises Refused MALFORMED_REQUEST."""
    seats = sorted(set(request.seats))
    if not seats or seats[0] < 0 or len(seats) < len(request.seats):
        raise malformed("$.seats", "must name at least one seat, and each seat once, counted from 0")
    if not 1 <= request.seconds <= MAX_SECONDS:
        raise malformed("$.seconds", f"must be from 1 to {MAX_SECONDS}")
    return AddTime(seats=tuple(map(Seat, seats)), seconds=request.seconds)
