"""Sessions of players: a tenant issues them for its own pages, and revokes them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body
from starlette.responses import Response

from foldtable.matches.v1.player_revocation_pb2 import RevokePlayerRequest
from foldtable.matches.v1.player_session_pb2 import RevokePlayerSessionsRequest
from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.dependencies import Rules, TenantCaller
from gateway.http.answers import json_answer
from gateway.openapi.operation import Operation, answer, problems
from gateway.schemas import sessions
from gateway.translate import lobby_messages, session_messages

router = APIRouter(tags=["accounts"], route_class=Operation, dependencies=[counted_for(Bucket.LOBBY)])


@router.post(
    "/v1/player-sessions",
    operation_id="createPlayerSession",
    summary="Issue a session for a player",
    status_code=201,
    responses={201: answer("The session.", sessions.PlayerSession), **problems(403)},
)
async def create_player_session(
    _caller: TenantCaller,
    rules: Rules,
    body: Annotated[
        sessions.CreatePlayerSessionRequest,
        Body(
            openapi_examples={
                "a_day": {"value": {"player": "ada"}},
                "watching": {"value": {"player": "ada", "scopes": ["read"], "hours": 2}},
            }
        ),
    ],
) -> Response:
    """Return a token with which a page acts for one player, at all matches of the tenant. Tenants only.

    Nothing is stored: a repeated request returns another token, and both are valid.
    """
    asked = session_messages.create_session(body, lifetime=lobby_messages.hours(body.hours))
    issued = await rules.write_anywhere(lambda matches: matches.CreatePlayerSession, asked)
    return json_answer(session_messages.player_session(issued), 201)


@router.post(
    "/v1/player-sessions/revoke",
    operation_id="revokePlayerSessions",
    summary="Revoke sessions",
    responses={200: answer("Whose sessions were revoked.", sessions.RevokedSessions), **problems(403)},
)
async def revoke_player_sessions(
    _caller: TenantCaller,
    rules: Rules,
    body: Annotated[
        sessions.RevokePlayerSessionsRequest,
        Body(openapi_examples={"of_a_player": {"value": {"player": "ada"}}, "of_all": {"value": {}}}),
    ],
) -> Response:
    """Revoke all sessions of a player, or of all players. They end within seconds, and so do their streams. Tenants only.

    Login codes of theirs that are not redeemed are revoked, too.

    Sessions that are issued later are valid. Seat tokens that a session got are not revoked: they expire with it at the latest,
    and `POST …/seats/{seat}/revoke` revokes them at once.
    """
    asked = RevokePlayerSessionsRequest(player=body.player or "")
    await rules.write_anywhere(lambda matches: matches.RevokePlayerSessions, asked)
    return json_answer(sessions.RevokedSessions(player=body.player))


@router.post(
    "/v1/players/revoke",
    operation_id="revokePlayer",
    summary="Revoke everything of a player",
    responses={200: answer("What was revoked.", sessions.RevokedPlayer), **problems(403)},
)
async def revoke_player(
    _caller: TenantCaller,
    rules: Rules,
    body: Annotated[
        sessions.RevokePlayerRequest,
        Body(openapi_examples={"of_a_player": {"value": {"player": "ada"}}}),
    ],
) -> Response:
    """Revoke all sessions and login codes of a player, the tokens of all the player's seats, and the invites to them. Tenants only.

    They end within seconds, and so do their streams. The seats stay the player's. A call revokes thousands of seats; if
    `next_page_token` is not empty, the player has more: repeat the request with it. Repeating it without does no harm.
    Whatever is issued later is valid: whom to ban, your platform decides, and issues nothing.
    """
    asked = RevokePlayerRequest(player=body.player, page_token=body.page_token)
    done = await rules.write_anywhere(lambda matches: matches.RevokePlayer, asked)
    return json_answer(session_messages.revoked_player(done))
