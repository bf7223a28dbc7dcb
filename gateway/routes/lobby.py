"""Seats before the start, starting a match, rematches, and the tokens of players and watchers."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body
from starlette.responses import Response

from foldtable.matches.v1 import lobby_pb2 as pb
from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.dependencies import Match, RequestTrace, Rules, TenantsMatch
from gateway.http.answers import json_answer
from gateway.http.idempotency import SentKey, idempotency_key
from gateway.http.path_parameters import Seat
from gateway.openapi.operation import Operation, answer, problems
from gateway.openapi.parameters import JSONObject
from gateway.schemas import answers, lobby
from gateway.translate import lobby_messages, messages

router = APIRouter(tags=["matches"], route_class=Operation, dependencies=[counted_for(Bucket.LOBBY)])

_AS_IT_STANDS: dict[int | str, JSONObject] = {200: answer("The match in its current state.", answers.Match)}


@router.post(
    "/v1/matches/quick-join",
    operation_id="quickJoin",
    summary="Take a seat in any waiting match",
    responses={200: answer("The seat and its token.", answers.JoinedMatch), **problems(403, 404, 409, 422)},
)
async def quick_join(
    rules: Rules,
    trace: RequestTrace,
    key: Annotated[SentKey, idempotency_key("A request id, quoted; a repeated request gets the first seat.")],
    body: Annotated[
        lobby.QuickJoinRequest,
        Body(
            openapi_examples={
                "any_match": {"value": {"game": "river_dragons", "player": "ada", "create_if_none": True}}
            }
        ),
    ],
) -> Response:
    """Take a seat in the tenant's oldest public match that waits for players and fits, or in a new one. With an API key, or
    with a session for its own player.

    A player with an id never gets two seats in one match.
    """
    joined = await rules.write(
        rules.server_of_game(body.game).matches.QuickJoin,
        lobby_messages.quick_join(body, request_id=key.or_in_body(body.request_id)),
    )
    rules.remember(joined.match)
    trace.match_id = joined.match.match_id
    return json_answer(lobby_messages.joined_match(joined))


@router.post(
    "/v1/matches/{match_id}/leave",
    operation_id="leaveMatch",
    summary="Leave a seat before the start",
    responses={**_AS_IT_STANDS, **problems(403, 404, 409)},
)
async def leave_match(
    match: Match,
    body: Annotated[lobby.LeaveRequest, Body()] = lobby.LeaveRequest(),  # noqa: B008 - it is frozen
) -> Response:
    """Leave a seat before the start. It becomes free for others, and its tokens are no longer valid.

    A seat token leaves its own seat; with an API key, name the seat. A seat taken by invite can again be taken by invite only.
    """
    server = await match.server()
    asked = lobby_messages.leave_match(body, match_id=match.match_id)
    changed = await match.write(server.matches.LeaveMatch, asked)
    return json_answer(messages.match(changed.match))


@router.patch(
    "/v1/matches/{match_id}/seats/{seat:seat}",
    operation_id="updateSeat",
    summary="Change a player's name, data or readiness",
    responses={**_AS_IT_STANDS, **problems(403, 404, 409)},
)
async def update_seat(
    match: Match,
    seat: Seat,
    body: Annotated[
        lobby.UpdateSeatRequest,
        Body(
            openapi_examples={
                "another_name": {"value": {"name": "Captain Ada"}},
                "a_colour": {"value": {"data": {"colour": "teal"}}},
                "no_more": {"value": {"data": None}},
                "ready": {"value": {"ready": True}},
            }
        ),
    ],
) -> Response:
    """Change the name or the data of a seat's player, at any time, even after the end; before the start also whether the player
    is ready. Repeating the request changes nothing.

    With the seat's own token, or an API key. All of it is visible to everybody who may see the match. No start waits for
    players to be ready: start the match on demand if it should. Whoever takes a seat is not ready at first.
    """
    server = await match.server()
    asked = lobby_messages.update_seat(body, match_id=match.match_id, seat=seat)
    changed = await match.write(server.matches.UpdateSeat, asked)
    return json_answer(messages.match(changed.match))


@router.patch(
    "/v1/matches/{match_id}",
    operation_id="updateMatch",
    summary="Change a match's title, visibility, reference or metadata",
    responses={**_AS_IT_STANDS, **problems(403, 404, 409)},
)
async def update_match(
    match: TenantsMatch,
    body: Annotated[
        lobby.UpdateMatchRequest,
        Body(
            openapi_examples={
                "hide_it": {"value": {"visibility": "private"}},
                "another_title": {"value": {"title": "Saturday night"}},
                "note_a_round": {
                    "value": {"reference": "spring/round-4/board-1", "metadata": {"round": 4, "left": None}}
                },
            }
        ),
    ],
) -> Response:
    """Change a match, whatever its status: the body is a merge patch (RFC 7396). What is absent stays as it was. Tenants only.

    In `metadata`, a name with null is removed, and the others are added or replaced; null removes all. No version is needed, and
    none is made: this is no move. A match that is not public any more leaves public lists, and streams of those who may not read
    it any longer end. Repeating the request changes nothing.
    """
    server = await match.server()
    asked = lobby_messages.update_match(body, match_id=match.match_id)
    changed = await match.write(server.matches.UpdateMatch, asked)
    return json_answer(messages.match(changed.match))


@router.post(
    "/v1/matches/{match_id}/seats/{seat:seat}/replace",
    operation_id="replacePlayer",
    summary="Replace a player in a running match",
    responses={
        200: answer("The match, and the new player's token.", answers.JoinedMatch),
        **problems(403, 404, 409, 422),
    },
)
async def replace_player(
    match: TenantsMatch,
    seat: Seat,
    key: Annotated[
        SentKey, idempotency_key("A request id, quoted; a repeated request gets a token of the same seat.")
    ],
    body: Annotated[
        lobby.ReplacePlayerRequest,
        Body(openapi_examples={"another_player": {"value": {"player": "cleo", "name": "Cleo"}}}),
    ],
) -> Response:
    """Give the seat of a running match to another player. Tenants only.

    The hand, the moves and the clock stay with the seat. Its tokens and the sessions of the player before are good for it no
    longer: their streams end with `revoked`. If a bot played, or the player was away, the new player plays from now on. Everybody
    at the match sees who had the seat before, and until which version (`replaced`). Refused if the match is not running, if the
    seat's player has resigned, and if the new player has a seat of the match (`NOT_JOINABLE`).

    With `"consent": "table"` also refused unless all other seats have agreed to replace the player who has the seat now
    (`CONSENT_MISSING`): ask them with `POST …/replace/ask`. An agreement is good for one replacement.
    """
    server = await match.server()
    asked = lobby_messages.replace_player(
        body, match_id=match.match_id, seat=seat, request_id=key.or_in_body(body.request_id)
    )
    changed = await match.write(server.matches.ReplacePlayer, asked)
    return json_answer(lobby_messages.joined_match(changed))


@router.post(
    "/v1/matches/{match_id}/start",
    operation_id="startMatch",
    summary="Begin",
    responses={**_AS_IT_STANDS, **problems(403, 404, 409)},
)
async def start_match(
    match: Match,
    _body: Annotated[lobby.StartRequest, Body()] = lobby.StartRequest(),  # noqa: B008 - it is frozen
) -> Response:
    """Start a match. Repeating the request changes nothing.

    The free seats must be the last ones, and the game must support the number of players who have joined; the free seats are
    then removed. With an API key, or with a seat token if the match starts on demand or is a rematch.
    """
    server = await match.server()
    asked = pb.StartMatchRequest(match_id=match.match_id)
    changed = await match.write(server.matches.StartMatch, asked)
    return json_answer(messages.match(changed.match))


@router.post(
    "/v1/matches/{match_id}/rematch",
    operation_id="rematch",
    summary="Play again",
    responses={200: answer("The rematch.", lobby.FollowingMatch), **problems(403, 404, 409)},
)
async def rematch(
    match: Match,
    body: Annotated[
        lobby.RematchRequest,
        Body(
            openapi_examples={
                "plain": {"value": {}},
                "noted": {"value": {"reference": "spring/round-4/board-12", "metadata": {"round": 4}}},
            }
        ),
    ] = lobby.RematchRequest(),  # noqa: B008 - it is frozen
) -> Response:
    """Play again after the end: with the same game, options and players, and everybody moved on by one seat.

    A match has only one rematch, no matter who asks and how often. With an API key, all seats are assigned. With a seat
    token, the caller gets the same player's seat; the other seats are reserved until their players ask with their own tokens.

    With an API key, `reference` and `metadata` are noted about the rematch, unless it exists already.
    """
    server = await match.server()
    asked = lobby_messages.rematch(body, match_id=match.match_id)
    following = await match.write(server.matches.Rematch, asked)
    match.remember(following.match)
    return json_answer(lobby_messages.following_match(following))


@router.post(
    "/v1/matches/{match_id}/seats/{seat:seat}/invite",
    operation_id="inviteToSeat",
    summary="Invite somebody to a seat",
    responses={200: answer("The invite.", lobby.IssuedInvite), **problems(403, 404, 409)},
)
async def invite_to_seat(
    match: TenantsMatch,
    seat: Seat,
    body: Annotated[
        lobby.InviteRequest,
        Body(openapi_examples={"for_a_day": {"value": {"player": "ada", "name": "Ada", "hours": 24}}}),
    ] = lobby.InviteRequest(),  # noqa: B008 - it is frozen
) -> Response:
    """Reserve a free seat for a new invite. Earlier invites are no longer valid. Tenants only."""
    server = await match.server()
    asked = lobby_messages.invite_to_seat(
        body, match_id=match.match_id, seat=seat, lifetime=lobby_messages.hours(body.hours)
    )
    return json_answer(lobby_messages.issued_invite(await match.write(server.matches.InviteToSeat, asked)))


@router.post(
    "/v1/matches/{match_id}/seats/{seat:seat}/revoke",
    operation_id="revokeSeatTokens",
    summary="Revoke a seat's tokens and invites",
    responses={**_AS_IT_STANDS, **problems(403, 404)},
)
async def revoke_seat_tokens(
    match: TenantsMatch,
    seat: Seat,
    _body: Annotated[lobby.RevokeRequest, Body()] = lobby.RevokeRequest(),  # noqa: B008 - it is frozen
) -> Response:
    """Revoke a seat's tokens and invites, at any time. Streams opened with them end. Tenants only."""
    server = await match.server()
    asked = pb.RevokeSeatTokensRequest(match_id=match.match_id, seat=seat)
    changed = await match.write(server.matches.RevokeSeatTokens, asked, in_query=True)
    return json_answer(messages.match(changed.match))


@router.post(
    "/v1/matches/{match_id}/watch-tokens",
    operation_id="issueWatchToken",
    summary="Issue a watch token",
    responses={200: answer("The token.", lobby.IssuedWatchToken), **problems(403, 404)},
)
async def issue_watch_token(
    match: TenantsMatch,
    body: Annotated[
        lobby.WatchTokenRequest,
        Body(
            openapi_examples={
                "a_spectator": {"value": {"role": "spectator"}},
                "a_referee": {"value": {"role": "referee", "hours": 4}},
            }
        ),
    ],
) -> Response:
    """Issue a token for a watcher: a spectator sees what the public sees, a referee can view as any audience. Tenants only."""
    server = await match.server()
    asked = lobby_messages.issue_watch_token(
        body, match_id=match.match_id, lifetime=lobby_messages.hours(body.hours)
    )
    issued = await match.write(server.matches.IssueWatchToken, asked)
    return json_answer(lobby_messages.issued_watch_token(issued))


@router.post(
    "/v1/matches/{match_id}/watch-tokens/revoke",
    operation_id="revokeWatchTokens",
    summary="Revoke all watch tokens",
    responses={**_AS_IT_STANDS, **problems(403, 404)},
)
async def revoke_watch_tokens(
    match: TenantsMatch,
    _body: Annotated[lobby.RevokeRequest, Body()] = lobby.RevokeRequest(),  # noqa: B008 - it is frozen
) -> Response:
    """Revoke all watch tokens of a match. Streams opened with them end. Tenants only."""
    server = await match.server()
    asked = pb.RevokeWatchTokensRequest(match_id=match.match_id)
    changed = await match.write(server.matches.RevokeWatchTokens, asked)
    return json_answer(messages.match(changed.match))
