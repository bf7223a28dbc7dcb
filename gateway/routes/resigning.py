"""Resigning from a match."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter, Body
from starlette.responses import Response

from foldtable.matches.v1.match_service_pb2 import ResignSeatRequest
from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.openapi.operation import Operation
from gateway.routes.commands import ACCEPTED, ToMatch, command_of
from gateway.schemas.commands import ResignRequest

router = APIRouter(tags=["moves"], route_class=Operation, dependencies=[counted_for(Bucket.MOVES)])

_RESIGN: Final = command_of(ResignSeatRequest, ResignRequest)


@router.post(
    "/v1/matches/{match_id}/resign",
    operation_id="resignSeat",
    summary="Resign",
    responses={**ACCEPTED},
)
async def resign_seat(
    command: ToMatch,
    body: Annotated[ResignRequest, Body()] = ResignRequest(),  # noqa: B008 - it is frozen
) -> Response:
    """Leave the match for good, by the rules of the game. Without a version, it counts no matter what happened meanwhile."""
    return await command.send(lambda server: server.matches.ResignSeat, _RESIGN, body)
