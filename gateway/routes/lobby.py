"""Seats before the start, starting, playing again, and the tokens of those who play and watch."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import UNSET
from starlette.requests import Request
from starlette.responses import Response

from foldtable.matches.v1.lobby_pb2 import (
    InviteToSeatRequest,
    IssueWatchTokenRequest,
    LeaveMatchRequest,
    QuickJoinRequest,
    RematchRequest,
    RevokeSeatTokensRequest,
    RevokeWatchTokensRequest,
    StartMatchRequest,
    UpdateSeatRequest,
)
from foldtable.rules.v1.payload_pb2 import Payload
from gateway import lobby_messages, messages
from gateway.auth import Caller
from gateway.bodies import read_json
from gateway.clients import RulesServer, call
from gateway.context import gateway_of, trace_of
from gateway.documented import Answer, documented
from gateway.idempotency import HEADER, request_id
from gateway.json_answers import json_answer
from gateway.queries import match_id, read_query, seat_number
from gateway.schemas import lobby
from gateway.schemas.answers import JoinedMatch, Match
from gateway.schemas.requests import NoQuery

_LEAVE: Final = msgspec.json.Decoder(lobby.LeaveRequest)
_UPDATE: Final = msgspec.json.Decoder(lobby.UpdateSeatRequest)
_START: Final = msgspec.json.Decoder(lobby.StartRequest)
_REMATCH: Final = msgspec.json.Decoder(lobby.RematchRequest)
_QUICK_JOIN: Final = msgspec.json.Decoder(lobby.QuickJoinRequest)
_INVITE: Final = msgspec.json.Decoder(lobby.InviteRequest)
_REVOKE: Final = msgspec.json.Decoder(lobby.RevokeRequest)
_WATCH: Final = msgspec.json.Decoder(lobby.WatchTokenRequest)


async def leave_match(request: Request) -> Response:
    """Give a seat back before the start: it is free for others, and its tokens are no longer good.

    With a seat token its own seat; an API key names one. A seat taken by invite is kept for an invite again.
    """
    caller, match, server = await _addressed(request)
    body = await read_json(request, _LEAVE, optional=True)
    response = await call(
        server.matches.LeaveMatch,
        LeaveMatchRequest(match_id=match, seat=body.seat),
        seconds=gateway_of(request).settings.move_deadline_seconds,
        metadata=trace_of(request).metadata(caller.authorization),
    )
    return json_answer(messages.match(response.match))


async def update_seat(request: Request) -> Response:
    """Change the name or the data of who sits at a seat, before the start as after the end; a repeat changes nothing.

    With the seat's own token, or an API key. Whoever may see the match sees both.
    """
    caller, match, server = await _addressed(request)
    seat = seat_number(request)
    body = await read_json(request, _UPDATE)
    response = await call(
        server.matches.UpdateSeat,
        UpdateSeatRequest(
            match_id=match,
            seat=seat,
            name=None if body.name is UNSET else body.name,
            data=None if body.data is UNSET else bytes(body.data),
        ),
        seconds=gateway_of(request).settings.move_deadline_seconds,
        metadata=trace_of(request).metadata(caller.authorization),
    )
    return json_answer(messages.match(response.match))


async def start_match(request: Request) -> Response:
    """Begin; a repeat changes nothing.

    Free seats must be the last ones, and the game for as many players as are there: then the free ones are taken away.
    With an API key, or a seat token where the match starts on demand.
    """
    caller, match, server = await _addressed(request)
    await read_json(request, _START, optional=True)
    response = await call(
        server.matches.StartMatch,
        StartMatchRequest(match_id=match),
        seconds=gateway_of(request).settings.move_deadline_seconds,
        metadata=trace_of(request).metadata(caller.authorization),
    )
    return json_answer(messages.match(response.match))


async def quick_join(request: Request) -> Response:
    """Take a seat at the oldest public match of the tenant that waits and fits, or at a new one. Tenants only.

    A player who has an id is seated at no match twice.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    body = await read_json(request, _QUICK_JOIN)
    servers = gateway.servers
    # As for a new match: who may not join must not learn the routes.
    server = servers.of_game(body.game) if servers.serves(body.game) else servers.likeliest_first[0]
    response = await call(
        server.matches.QuickJoin,
        QuickJoinRequest(
            request_id=request_id(request, body.request_id),
            game=body.game,
            seats=body.seats,
            options=None if body.options is UNSET else Payload(json=bytes(body.options)),
            player=body.player,
            name=body.name,
            create_if_none=body.create_if_none,
        ),
        seconds=gateway.settings.move_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
    )
    gateway.directory.remember(response.match)
    trace.match_id = response.match.match_id
    return json_answer(
        JoinedMatch(match=messages.match(response.match), seat_token=messages.seat_token(response.token))
    )


async def rematch(request: Request) -> Response:
    """Play again once the match is over: same game, options and players, everybody one seat further.

    There is one rematch, whoever asks and however often. An API key gets every seat handed out. A seat token gets the
    seat of the same player; the others' seats are reserved until they ask with their own seat tokens.
    """
    caller, match, server = await _addressed(request)
    await read_json(request, _REMATCH, optional=True)
    response = await call(
        server.matches.Rematch,
        RematchRequest(match_id=match),
        seconds=gateway_of(request).settings.move_deadline_seconds,
        metadata=trace_of(request).metadata(caller.authorization),
    )
    gateway_of(request).directory.remember(response.match)
    return json_answer(
        lobby.FollowingMatch(
            match=messages.match(response.match),
            seat_tokens=[messages.seat_token(token) for token in response.tokens],
        )
    )


async def invite_to_seat(request: Request) -> Response:
    """Keep a free seat for a new invite; earlier ones are no longer good. Tenants only."""
    caller, match, server = await _addressed(request)
    seat = seat_number(request)
    body = await read_json(request, _INVITE, optional=True)
    response = await call(
        server.matches.InviteToSeat,
        InviteToSeatRequest(
            match_id=match,
            seat=seat,
            player=body.player,
            name=body.name,
            lifetime=lobby_messages.hours(body.hours),
        ),
        seconds=gateway_of(request).settings.move_deadline_seconds,
        metadata=trace_of(request).metadata(caller.authorization),
    )
    return json_answer(lobby.IssuedInvite(invite=lobby_messages.invite(response.invite)))


async def revoke_seat_tokens(request: Request) -> Response:
    """Revoke a seat's tokens and invites, at any time; streams opened with them end. Tenants only."""
    caller, match, server = await _addressed(request)
    seat = seat_number(request)
    await read_json(request, _REVOKE, optional=True)
    response = await call(
        server.matches.RevokeSeatTokens,
        RevokeSeatTokensRequest(match_id=match, seat=seat),
        seconds=gateway_of(request).settings.move_deadline_seconds,
        metadata=trace_of(request).metadata(caller.authorization),
        in_query=True,
    )
    return json_answer(messages.match(response.match))


async def issue_watch_token(request: Request) -> Response:
    """Mint a token for somebody who watches: a spectator looks as the public, a referee as anybody. Tenants only."""
    caller, match, server = await _addressed(request)
    body = await read_json(request, _WATCH)
    response = await call(
        server.matches.IssueWatchToken,
        IssueWatchTokenRequest(
            match_id=match,
            role=lobby_messages.WATCH_ROLES[body.role],
            lifetime=lobby_messages.hours(body.hours),
        ),
        seconds=gateway_of(request).settings.move_deadline_seconds,
        metadata=trace_of(request).metadata(caller.authorization),
    )
    return json_answer(lobby.IssuedWatchToken(watch_token=lobby_messages.watch_token(response.token)))


async def revoke_watch_tokens(request: Request) -> Response:
    """Revoke the tokens of all who watch; streams opened with them end. Tenants only."""
    caller, match, server = await _addressed(request)
    await read_json(request, _REVOKE, optional=True)
    response = await call(
        server.matches.RevokeWatchTokens,
        RevokeWatchTokensRequest(match_id=match),
        seconds=gateway_of(request).settings.move_deadline_seconds,
        metadata=trace_of(request).metadata(caller.authorization),
    )
    return json_answer(messages.match(response.match))


async def _addressed(request: Request) -> tuple[Caller, str, RulesServer]:
    """Give who calls, the match of the path, and the server that has it."""
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    trace.match_id = match = match_id(request)
    return caller, match, await gateway.directory.server_of(match, caller, trace)


_PROBLEMS: Final = (400, 403, 404, 413, 415)
_AS_IT_STANDS: Final = {200: Answer(description="The match as it stands now.", shape=Match)}

ROUTES: Final = (
    documented(
        "POST",
        "/v1/matches/quick-join",
        quick_join,
        operation_id="quickJoin",
        summary="Take a seat at any match that waits",
        tag="matches",
        body=lobby.QuickJoinRequest,
        body_examples={"any_match": {"game": "river_dragons", "player": "ada", "create_if_none": True}},
        headers={HEADER: "A request id, quoted; a repeat gets the seat found first."},
        answers={200: Answer(description="The seat and its token.", shape=JoinedMatch)},
        problems=(*_PROBLEMS, 409, 422),
    ),
    documented(
        "POST",
        "/v1/matches/{match_id}/leave",
        leave_match,
        operation_id="leaveMatch",
        summary="Give a seat back before the start",
        tag="matches",
        body=lobby.LeaveRequest,
        body_required=False,
        answers=_AS_IT_STANDS,
        problems=(*_PROBLEMS, 409),
    ),
    documented(
        "PATCH",
        "/v1/matches/{match_id}/seats/{seat:seat}",
        update_seat,
        operation_id="updateSeat",
        summary="Change a player's name or data",
        tag="matches",
        body=lobby.UpdateSeatRequest,
        body_examples={
            "another_name": {"name": "Captain Ada"},
            "a_colour": {"data": {"colour": "teal"}},
            "no_more": {"data": None},
        },
        answers=_AS_IT_STANDS,
        problems=_PROBLEMS,
    ),
    documented(
        "POST",
        "/v1/matches/{match_id}/start",
        start_match,
        operation_id="startMatch",
        summary="Begin",
        tag="matches",
        body=lobby.StartRequest,
        body_required=False,
        answers=_AS_IT_STANDS,
        problems=(*_PROBLEMS, 409),
    ),
    documented(
        "POST",
        "/v1/matches/{match_id}/rematch",
        rematch,
        operation_id="rematch",
        summary="Play again",
        tag="matches",
        body=lobby.RematchRequest,
        body_required=False,
        answers={200: Answer(description="The match that follows.", shape=lobby.FollowingMatch)},
        problems=(*_PROBLEMS, 409),
    ),
    documented(
        "POST",
        "/v1/matches/{match_id}/seats/{seat:seat}/invite",
        invite_to_seat,
        operation_id="inviteToSeat",
        summary="Invite somebody to a seat",
        tag="matches",
        body=lobby.InviteRequest,
        body_required=False,
        body_examples={"for_a_day": {"player": "ada", "name": "Ada", "hours": 24}},
        answers={200: Answer(description="The invite.", shape=lobby.IssuedInvite)},
        problems=(*_PROBLEMS, 409),
    ),
    documented(
        "POST",
        "/v1/matches/{match_id}/seats/{seat:seat}/revoke",
        revoke_seat_tokens,
        operation_id="revokeSeatTokens",
        summary="Revoke a seat's tokens and invites",
        tag="matches",
        body=lobby.RevokeRequest,
        body_required=False,
        answers=_AS_IT_STANDS,
        problems=_PROBLEMS,
    ),
    documented(
        "POST",
        "/v1/matches/{match_id}/watch-tokens",
        issue_watch_token,
        operation_id="issueWatchToken",
        summary="Mint a watcher's token",
        tag="matches",
        body=lobby.WatchTokenRequest,
        body_examples={"a_spectator": {"role": "spectator"}, "a_referee": {"role": "referee", "hours": 4}},
        answers={200: Answer(description="The token.", shape=lobby.IssuedWatchToken)},
        problems=_PROBLEMS,
    ),
    documented(
        "POST",
        "/v1/matches/{match_id}/watch-tokens/revoke",
        revoke_watch_tokens,
        operation_id="revokeWatchTokens",
        summary="Revoke the tokens of all who watch",
        tag="matches",
        body=lobby.RevokeRequest,
        body_required=False,
        answers=_AS_IT_STANDS,
        problems=_PROBLEMS,
    ),
)
