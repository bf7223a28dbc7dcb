"""Seats under boardgame.io's names: taking one, giving it back, saying something else at it. See bgio.py."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import UNSET
from starlette.requests import Request
from starlette.responses import Response

from foldtable.matches.v1 import match_pb2
from foldtable.matches.v1.lobby_pb2 import LeaveMatchRequest, UpdateSeatRequest
from foldtable.matches.v1.match_service_pb2 import JoinMatchRequest, ResignSeatRequest
from foldtable.rules.v1.payload_pb2 import PAYLOAD_FORM_JSON
from gateway import bgio_messages
from gateway.bodies import read_json
from gateway.clients import call
from gateway.context import gateway_of, trace_of
from gateway.documented import Answer
from gateway.json_answers import json_answer
from gateway.problem_documents import ProblemError, malformed
from gateway.queries import NO_SUCH_MATCH, match_id, read_query
from gateway.routes.bgio_requests import found, player_of, route
from gateway.schemas import bgio
from gateway.schemas.requests import NoQuery

_JOIN: Final = msgspec.json.Decoder(bgio.BgioJoinRequest)
_LEAVE: Final = msgspec.json.Decoder(bgio.BgioSeatRequest)
_UPDATE: Final = msgspec.json.Decoder(bgio.BgioUpdateRequest)


async def join_match(request: Request) -> Response:
    """Take a free seat, with an API key, or with an invite as the credential. The token comes with it."""
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    body = await read_json(request, _JOIN)
    match = match_id(request)
    game = (await found(request, caller)).game if caller.claims is None else caller.claims.game
    if game != request.path_params["game"]:
        raise ProblemError("MATCH_NOT_FOUND", NO_SUCH_MATCH)
    response = await call(
        gateway.servers.of_game(game).matches.JoinMatch,
        JoinMatchRequest(
            match_id=match,
            seat=None if body.player_id is None else int(body.player_id),
            player=body.player,
            name=body.player_name,
            data=bgio_messages.player_data(body.data),
        ),
        seconds=gateway.settings.move_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
    )
    return json_answer(
        bgio.BgioJoinedMatch(player_id=str(response.token.seat), player_credentials=response.token.token)
    )


async def leave_match(request: Request) -> Response:
    """Leave: before the start the seat is free again, afterwards its player resigns, and at the end nothing happens."""
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    body = await read_json(request, _LEAVE)
    match = await found(request, caller)
    player = player_of(request, body)
    server = gateway.servers.of_game(match.game)
    seconds, metadata = gateway.settings.move_deadline_seconds, trace.metadata(player.authorization)
    if match.status == match_pb2.MATCH_STATUS_WAITING:
        leave = LeaveMatchRequest(match_id=match.match_id)
        await call(server.matches.LeaveMatch, leave, seconds=seconds, metadata=metadata)
    elif match.status == match_pb2.MATCH_STATUS_RUNNING:
        resign = ResignSeatRequest(match_id=match.match_id, form=PAYLOAD_FORM_JSON)
        await call(server.matches.ResignSeat, resign, seconds=seconds, metadata=metadata)
    else:
        await gateway.directory.find(match.match_id, player, trace)  # whether the token is good at all
    return json_answer(bgio.BgioNothing())


async def update_player(request: Request) -> Response:
    """Change a player's name, or the data beside it; what is not said stays as it was."""
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    body = await read_json(request, _UPDATE)
    data = bgio_messages.player_data(body.data)
    if body.new_name is UNSET and not data:
        raise malformed("`newName` or `data` is missing", code="MISSING_FIELD", pointer="/newName")
    match = await found(request, caller)
    player = player_of(request, body)
    await call(
        gateway.servers.of_game(match.game).matches.UpdateSeat,
        UpdateSeatRequest(
            match_id=match.match_id,
            name=None if body.new_name is UNSET else body.new_name,
            data=data or None,
        ),
        seconds=gateway.settings.move_deadline_seconds,
        metadata=trace.metadata(player.authorization),
    )
    return json_answer(bgio.BgioNothing())


ROUTES: Final = (
    route(
        "POST",
        "/{game}/{match_id}/join",
        join_match,
        name="JoinMatch",
        summary="Take a seat",
        answer=Answer(description="Taken.", shape=bgio.BgioJoinedMatch),
        body=bgio.BgioJoinRequest,
        problems=(403, 404),
    ),
    route(
        "POST",
        "/{game}/{match_id}/leave",
        leave_match,
        name="LeaveMatch",
        summary="Leave",
        answer=Answer(description="Left.", shape=bgio.BgioNothing),
        body=bgio.BgioSeatRequest,
        problems=(403, 404),
    ),
    route(
        "POST",
        "/{game}/{match_id}/update",
        update_player,
        name="UpdatePlayer",
        summary="Change a player's name or data",
        answer=Answer(description="Changed.", shape=bgio.BgioNothing),
        body=bgio.BgioUpdateRequest,
        problems=(403, 404),
    ),
)
