"""Returning to a seat for which the server has decided."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Body
from starlette.responses import Response

from foldtable.matches.v1.returning_pb2 import ReturnToSeatRequest
from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.openapi.operation import Operation
from gateway.routes.commands import ACCEPTED, ToMatch, command_of
from gateway.schemas.commands import ReturnRequest

router = APIRouter(tags=["moves"], route_class=Operation, dependencies=[counted_for(Bucket.MOVES)])

_RETURN: Final = command_of(ReturnToSeatRequest, ReturnRequest)


@router.post(
    "/v1/matches/{match_id}/return",
    operation_id="returnToSeat",
    summary="Return to a seat",
    responses={**ACCEPTED},
)
async def return_to_seat(
    command: ToMatch,
    body: Annotated[ReturnRequest, Body()] = ReturnRequest(),  # noqa: B008 - it is frozen
) -> Response:
    """Report that the player of an `away` seat is back. The seat's open decision, if any, gets its full time again.

    The return is recorded as a move (`seat_returned`); what the server has decided meanwhile stays.
    """
    return await command.send(lambda server: server.matches.ReturnToSeat, _RETURN, body)
