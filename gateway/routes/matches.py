"""Creating matches, taking seats, and what a match is without its table."""

from __future__ import annotations

from typing import Final

import msgspec
from google.protobuf.duration_pb2 import Duration
from msgspec import UNSET
from starlette.requests import Request
from starlette.responses import Response

from foldtable.matches.v1.match_service_pb2 import (
    CreateMatchRequest,
    IssueSeatTokenRequest,
    JoinMatchRequest,
)
from foldtable.rules.v1.payload_pb2 import Payload
from gateway import clock_messages, lobby_messages, messages
from gateway.bodies import read_json
from gateway.clients import call
from gateway.context import gateway_of, trace_of
from gateway.documented import Answer, documented
from gateway.idempotency import HEADER, request_id
from gateway.json_answers import json_answer
from gateway.queries import match_id, read_query, seat_number
from gateway.schemas import requests
from gateway.schemas.answers import IssuedToken, JoinedMatch, Match
from gateway.schemas.lobby import CreatedMatch

_CREATE: Final = msgspec.json.Decoder(requests.CreateMatchRequest)
_JOIN: Final = msgspec.json.Decoder(requests.JoinRequest)
_ISSUE: Final = msgspec.json.Decoder(requests.IssueTokenRequest)


async def create_match(request: Request) -> Response:
    """Create a match. With all seats handed out at once (the default) it starts at once.

    `seating` says of each seat whether it is handed out, open for whoever joins first, or kept for an invite. Seat
    tokens and invites are given here only; a tenant mints fresh ones at any time. Tenants only.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, requests.NoQuery)
    body = await read_json(request, _CREATE)
    servers = gateway.servers
    # A game without a route is asked for all the same: who may not create matches must not learn the routes.
    server = servers.of_game(body.game) if servers.serves(body.game) else servers.likeliest_first[0]
    response = await call(
        server.matches.CreateMatch,
        CreateMatchRequest(
            request_id=request_id(request, body.request_id),
            game=body.game,
            seats=body.seats,
            options=None if body.options is UNSET else Payload(json=bytes(body.options)),
            players=body.players,
            open_seats=body.open_seats,
            seating=lobby_messages.seat_plans(body.seating),
            visibility=lobby_messages.VISIBILITIES[body.visibility],
            start=lobby_messages.START_RULES[body.start],
            title=body.title,
            undo=lobby_messages.UNDO_RULES[body.undo],
            undo_timeout=Duration(seconds=body.undo_timeout_seconds),
            clock=clock_messages.asked(body.clock),
            rules_version=body.rules_version,
        ),
        seconds=gateway.settings.move_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
    )
    gateway.directory.remember(response.match)
    trace.match_id = response.match.match_id
    answer = CreatedMatch(
        match=messages.match(response.match),
        seat_tokens=[messages.seat_token(token) for token in response.tokens],
        invites=[lobby_messages.invite(invite) for invite in response.invites],
    )
    location = f"/v1/matches/{response.match.match_id}"
    return json_answer(answer, 201, {"location": location, "cache-control": "no-store"})


async def get_match(request: Request) -> Response:
    """Give a match without its table: who sits where, whose decision is open, how it ended."""
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    trace.match_id = match = match_id(request)
    read_query(request, requests.NoQuery)
    found = await gateway.directory.find(match, caller, trace)
    trace.version = found.version
    return json_answer(messages.match(found))


async def join_match(request: Request) -> Response:
    """Take a free seat of a match that waits for players; the last one starts it, unless it starts on demand.

    With an API key a player gets an open seat; with an invite as the credential, its own seat, once.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, requests.NoQuery)
    trace.match_id = match = match_id(request)
    body = await read_json(request, _JOIN, optional=True)
    server = await gateway.directory.server_of(match, caller, trace)
    response = await call(
        server.matches.JoinMatch,
        JoinMatchRequest(
            match_id=match,
            seat=body.seat,
            player=body.player,
            name=body.name,
            data=b"" if body.data is UNSET else bytes(body.data),
            request_id=request_id(request, body.request_id),
        ),
        seconds=gateway.settings.move_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
    )
    return json_answer(
        JoinedMatch(match=messages.match(response.match), seat_token=messages.seat_token(response.token))
    )


async def issue_seat_token(request: Request) -> Response:
    """Mint a fresh token for a seat that is taken. Tenants only; a key with the scope `bots:play` for the seats of bots."""
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, requests.NoQuery)
    trace.match_id = match = match_id(request)
    seat = seat_number(request)
    await read_json(request, _ISSUE, optional=True)
    server = await gateway.directory.server_of(match, caller, trace)
    response = await call(
        server.matches.IssueSeatToken,
        IssueSeatTokenRequest(match_id=match, seat=seat),
        seconds=gateway.settings.move_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
        in_query=True,
    )
    return json_answer(IssuedToken(seat_token=messages.seat_token(response.token)))


_BODY_PROBLEMS: Final = (400, 403, 404, 413, 415)

ROUTES: Final = (
    documented(
        "POST",
        "/v1/matches",
        create_match,
        operation_id="createMatch",
        summary="Create a match",
        tag="matches",
        body=requests.CreateMatchRequest,
        headers={HEADER: "A request id, quoted; a repeat gets the match created first."},
        answers={
            201: Answer(
                description="The match, a token per seat that was handed out, an invite per seat kept for one.",
                shape=CreatedMatch,
                headers={"Location": "The match."},
            )
        },
        problems=(400, 403, 409, 413, 415, 422, 429),
    ),
    documented(
        "GET",
        "/v1/matches/{match_id}",
        get_match,
        operation_id="getMatch",
        summary="A match without its table",
        tag="matches",
        answers={200: Answer(description="The match.", shape=Match)},
        problems=(400, 403, 404),
    ),
    documented(
        "POST",
        "/v1/matches/{match_id}/join",
        join_match,
        operation_id="joinMatch",
        summary="Take a free seat",
        tag="matches",
        body=requests.JoinRequest,
        body_required=False,
        body_examples={
            "any_seat": {"player": "ada"},
            "a_certain_seat": {"seat": 2, "player": "ada", "name": "Ada"},
            "with_an_invite": {"name": "Ada"},
            "in_teal": {"name": "Ada", "data": {"colour": "teal"}},
        },
        headers={HEADER: "A request id, quoted; a repeat gets the seat taken first."},
        answers={200: Answer(description="The seat and its token.", shape=JoinedMatch)},
        problems=(*_BODY_PROBLEMS, 409, 422),
    ),
    documented(
        "POST",
        "/v1/matches/{match_id}/seats/{seat:seat}/token",
        issue_seat_token,
        operation_id="issueSeatToken",
        summary="Mint a seat's token",
        tag="matches",
        body=requests.IssueTokenRequest,
        body_required=False,
        answers={200: Answer(description="A fresh token.", shape=IssuedToken)},
        problems=_BODY_PROBLEMS,
    ),
)
