"""The lobby once more, as boardgame.io's `LobbyClient` asks for it: the same matches, seats and tokens under its names.

The header says who asks, as everywhere: a tenant's API key, which that client takes as a header of each of its calls.
`credentials` in a body are a seat's token, and say whose seat it is about.
"""

from __future__ import annotations

from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from foldtable.matches.v1 import match_pb2
from foldtable.matches.v1.match_service_pb2 import CreateMatchRequest
from foldtable.platform.v1.directory_pb2 import ListMatchesRequest
from foldtable.rules.v1.payload_pb2 import Payload
from gateway import bgio_messages, lobby_messages
from gateway.auth import Caller
from gateway.bodies import read_json
from gateway.clients import call
from gateway.context import gateway_of, trace_of
from gateway.documented import Answer
from gateway.json_answers import MEDIA_TYPE, json_answer
from gateway.platform_client import call_platform
from gateway.problem_documents import ProblemError
from gateway.queries import read_query
from gateway.routes.bgio_requests import found, player_of, route
from gateway.schemas import bgio
from gateway.schemas.requests import NoQuery

MOST_LISTED: Final = 1000
_CACHED: Final = {"cache-control": "public, max-age=30"}
_CREATE: Final = msgspec.json.Decoder(bgio.BgioCreateRequest)
_PLAY_AGAIN: Final = msgspec.json.Decoder(bgio.BgioPlayAgainRequest)


async def list_games(request: Request) -> Response:
    """List the ids of the games."""
    read_query(request, NoQuery)
    games = await gateway_of(request).catalogue.games()
    return Response(
        msgspec.json.encode([game.game for game in games]), headers=_CACHED, media_type=MEDIA_TYPE
    )


async def list_matches(request: Request) -> Response:
    """List the tenant's public matches of a game: the thousand that moved on last. Tenants only."""
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    if caller.claims is not None:
        raise ProblemError("TENANT_ONLY")
    query = read_query(request, bgio.BgioMatchesQuery)
    game: str = request.path_params["game"]
    page = await call_platform(
        gateway.platform.stub.ListMatches,
        ListMatchesRequest(
            game=game,
            statuses=bgio_messages.statuses(is_gameover=query.is_gameover),
            visibilities=[match_pb2.MATCH_VISIBILITY_PUBLIC],
            order=lobby_messages.ORDERS["-updated"],
            page_size=MOST_LISTED,
        ),
        seconds=gateway.settings.read_deadline_seconds,
        metadata=trace.metadata(caller.authorization),
        in_query=True,
    )
    if not gateway.servers.serves(game):
        raise ProblemError("GAME_NOT_FOUND")
    listed = [bgio_messages.match(match) for match in page.matches]
    before, after = query.updated_before, query.updated_after
    return json_answer(
        bgio.BgioMatchList(
            matches=[
                match
                for match in listed
                if (before is None or match.updated_at < before)
                and (after is None or match.updated_at > after)
            ]
        )
    )


async def get_match(request: Request) -> Response:
    """Give a match without its table."""
    caller = gateway_of(request).authenticator.caller(request)
    read_query(request, NoQuery)
    return json_answer(bgio_messages.match(await found(request, caller)))


async def create_match(request: Request) -> Response:
    """Create a match whose seats are all free; it starts with the last one taken. Tenants only."""
    gateway = gateway_of(request)
    caller = gateway.authenticator.caller(request)
    read_query(request, NoQuery)
    body = await read_json(request, _CREATE)
    created = await _create(
        request,
        caller,
        CreateMatchRequest(
            game=request.path_params["game"],
            seats=body.num_players,
            options=bgio_messages.options(body.setup_data),
            open_seats=True,
            visibility=bgio_messages.visibility(unlisted=body.unlisted),
        ),
    )
    return json_answer(bgio.BgioCreatedMatch(match_id=created.match_id))


async def play_again(request: Request) -> Response:
    """Give the match that follows this one, of the same game, all seats free. Tenants only.

    There is one, whoever of the players asks and however often; the first to ask says what it is like, and what is not
    said is as in this one.
    """
    gateway, trace = gateway_of(request), trace_of(request)
    caller = gateway.authenticator.caller(request)
    if caller.claims is not None:
        raise ProblemError("TENANT_ONLY")
    read_query(request, NoQuery)
    body = await read_json(request, _PLAY_AGAIN)
    match = await found(request, caller)
    player = player_of(request, body)
    await gateway.directory.find(match.match_id, player, trace)  # whether the token is still good
    created = await _create(
        request,
        caller,
        CreateMatchRequest(
            rematch_of=match.match_id,
            game=match.game,
            seats=body.num_players or len(match.seats),
            options=bgio_messages.options(body.setup_data) or Payload(json=match.options),
            open_seats=True,
            title=match.title,
            clock=match.clock if match.HasField("clock") else None,
            undo=match.undo,
            undo_timeout=match.undo_timeout,
            visibility=match.visibility
            if body.unlisted is None
            else bgio_messages.visibility(unlisted=body.unlisted),
        ),
    )
    return json_answer(bgio.BgioNextMatch(next_match_id=created.match_id))


async def _create(request: Request, caller: Caller, wanted: CreateMatchRequest) -> match_pb2.Match:
    gateway, trace = gateway_of(request), trace_of(request)
    servers = gateway.servers
    # A game without a route is asked for all the same: who may not create matches must not learn the routes.
    server = servers.of_game(wanted.game) if servers.serves(wanted.game) else servers.likeliest_first[0]
    try:
        response = await call(
            server.matches.CreateMatch,
            wanted,
            seconds=gateway.settings.move_deadline_seconds,
            metadata=trace.metadata(caller.authorization),
        )
    except ProblemError as problem:
        if problem.reason.name == "GAME_UNKNOWN":  # here it stands in the path
            raise ProblemError("GAME_NOT_FOUND") from None
        raise
    gateway.directory.remember(response.match)
    trace.match_id = response.match.match_id
    return response.match


ROUTES: Final = (
    route(
        "GET",
        "",
        list_games,
        name="ListGames",
        summary="The games",
        answer=Answer(
            description="Their ids.", schema={"type": "array", "items": {"type": "string", "maxLength": 64}}
        ),
        problems=(503, 504),
        public=True,
    ),
    route(
        "GET",
        "/{game}",
        list_matches,
        name="ListMatches",
        summary="List matches",
        answer=Answer(description="The matches.", shape=bgio.BgioMatchList),
        query=bgio.BgioMatchesQuery,
        problems=(403, 404),
    ),
    route(
        "GET",
        "/{game}/{match_id}",
        get_match,
        name="GetMatch",
        summary="One match",
        answer=Answer(description="The match.", shape=bgio.BgioMatch),
        problems=(403, 404),
    ),
    route(
        "POST",
        "/{game}/create",
        create_match,
        name="CreateMatch",
        summary="Create a match",
        answer=Answer(description="Created.", shape=bgio.BgioCreatedMatch),
        body=bgio.BgioCreateRequest,
        problems=(403, 404),
    ),
    route(
        "POST",
        "/{game}/{match_id}/playAgain",
        play_again,
        name="PlayAgain",
        summary="Play again",
        answer=Answer(description="The match that follows.", shape=bgio.BgioNextMatch),
        body=bgio.BgioPlayAgainRequest,
        problems=(403, 404),
    ),
)
