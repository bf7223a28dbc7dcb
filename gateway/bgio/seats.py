"""Seats under boardgame.io's names: joining, leaving, and changing a player's name or data. See routes.py."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body
from starlette.responses import Response

from foldtable.matches.v1 import match_pb2
from foldtable.matches.v1.lobby_pb2 import LeaveMatchRequest, UpdateSeatRequest
from foldtable.matches.v1.match_service_pb2 import JoinMatchRequest, ResignSeatRequest
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON
from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.bgio import bgio_messages
from gateway.bgio.requests import MatchOfGame
from gateway.http.answers import json_answer
from gateway.openapi.operation import Operation, answer, problems
from gateway.problems.document import malformed
from gateway.schemas import bgio
from gateway.schemas.inputs import ABSENT

router = APIRouter(
    prefix="/bgio/games/{game}/{match_id}",
    tags=["boardgame.io"],
    route_class=Operation,
    dependencies=[counted_for(Bucket.LOBBY)],
)


@router.post(
    "/join",
    operation_id="bgioJoinMatch",
    summary="Take a seat",
    responses={200: answer("Taken.", bgio.BgioJoinedMatch), **problems(403, 404, 409, 422)},
)
async def join_match(match: MatchOfGame, body: Annotated[bgio.BgioJoinRequest, Body()]) -> Response:
    """Take a free seat, with an API key, or with an invite as the credential. The response contains the seat's token."""
    claims = match.caller.claims
    if claims is None:
        await match.find()
    else:
        match.must_be_of(claims.game)
    server = await match.server()
    joined = await match.write(
        server.matches.JoinMatch,
        JoinMatchRequest(
            match_id=match.match_id,
            seat=None if body.player_id is None else int(body.player_id),
            player=body.player,
            name=body.player_name,
            data=bgio_messages.player_data(body.data),
        ),
    )
    return json_answer(
        bgio.BgioJoinedMatch(player_id=str(joined.token.seat), player_credentials=joined.token.token)
    )


@router.post(
    "/leave",
    operation_id="bgioLeaveMatch",
    summary="Leave",
    responses={200: answer("Left.", bgio.BgioNothing), **problems(403, 404, 409, 422)},
)
async def leave_match(match: MatchOfGame, body: Annotated[bgio.BgioSeatRequest, Body()]) -> Response:
    """Leave a match. Before the start, the seat becomes free again; during play, the player resigns; at the end, nothing happens."""
    found = await match.find()
    player = match.as_player(body)
    server = await player.server()
    if found.status == match_pb2.MATCH_STATUS_WAITING:
        await player.write(server.matches.LeaveMatch, LeaveMatchRequest(match_id=found.match_id))
    elif found.status == match_pb2.MATCH_STATUS_RUNNING:
        resign = ResignSeatRequest(match_id=found.match_id, form=PAYLOAD_FORM_JSON)
        await player.write(server.matches.ResignSeat, resign)
    else:
        await player.find()  # raises if the token is not valid
    return json_answer(bgio.BgioNothing())


@router.post(
    "/update",
    operation_id="bgioUpdatePlayer",
    summary="Change a player's name or data",
    responses={200: answer("Changed.", bgio.BgioNothing), **problems(403, 404, 409, 422)},
)
async def update_player(match: MatchOfGame, body: Annotated[bgio.BgioUpdateRequest, Body()]) -> Response:
    """Change a player's name or data. What the request leaves out stays as it was."""
    data = bgio_messages.player_data(body.data)
    if body.new_name is ABSENT and not data:
        raise malformed("`newName` or `data` is missing", code="MISSING_FIELD", pointer="/newName")
    found = await match.find()
    player = match.as_player(body)
    server = await player.server()
    asked = UpdateSeatRequest(match_id=found.match_id, name=body.new_name, data=data or None)
    await player.write(server.matches.UpdateSeat, asked)
    return json_answer(bgio.BgioNothing())
