"""The lobby as boardgame.io's `LobbyClient` calls it: our matches, seats and tokens under its names.

As everywhere, the header authenticates the caller: it carries a tenant's API key, which that client lets its user set as a
header of each call. `credentials` in a body is a seat's token and names the seat that the request is about.
"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from fastapi import APIRouter, Body, Query
from starlette.responses import Response

from foldtable.matches.v1 import match_pb2
from foldtable.matches.v1.match_service_pb2 import CreateMatchRequest
from foldtable.platform.v1.directory_pb2 import ListMatchesRequest
from foldtable.rules.v1.payload_pb2 import Payload
from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.bgio import bgio_messages
from gateway.bgio.requests import MatchOfGame
from gateway.dependencies import GatewayParts, Platform, RequestTrace, Rules, RulesCalls, TenantCaller
from gateway.http.answers import MEDIA_TYPE, json_answer
from gateway.http.path_parameters import Game
from gateway.openapi.operation import Operation, answer, problems
from gateway.problems.document import ProblemError
from gateway.schemas import bgio
from gateway.telemetry.tracing import Trace
from gateway.translate import lobby_messages

router = APIRouter(prefix="/bgio/games", tags=["boardgame.io"], route_class=Operation)

MOST_LISTED: Final = 1000
_CACHED: Final = {"cache-control": "public, max-age=30"}
_IDS: Final = {"type": "array", "items": {"type": "string", "maxLength": 64}}


@router.get(
    "",
    operation_id="bgioListGames",
    summary="The games",
    responses={200: answer("Their ids.", content={MEDIA_TYPE: _IDS}), **problems(503, 504)},
    dependencies=[counted_for(Bucket.READS)],
)
async def list_games(gateway: GatewayParts) -> Response:
    """List the ids of the games."""
    games = await gateway.catalogue.games()
    return Response(
        msgspec.json.encode([game.game for game in games]), headers=_CACHED, media_type=MEDIA_TYPE
    )


@router.get(
    "/{game}",
    operation_id="bgioListMatches",
    summary="List matches",
    responses={200: answer("The matches.", bgio.BgioMatchList), **problems(403, 404)},
    dependencies=[counted_for(Bucket.READS)],
)
async def list_matches(
    _caller: TenantCaller,
    platform: Platform,
    gateway: GatewayParts,
    game: Game,
    query: Annotated[bgio.BgioMatchesQuery, Query()],
) -> Response:
    """List the tenant's public matches of a game: the thousand most recently updated. Tenants only."""
    page = await platform.read(
        platform.accounts.ListMatches,
        ListMatchesRequest(
            game=game,
            statuses=bgio_messages.statuses(is_gameover=query.is_gameover),
            visibilities=[match_pb2.MATCH_VISIBILITY_PUBLIC],
            order=lobby_messages.ORDERS["-updated"],
            page_size=MOST_LISTED,
        ),
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


@router.get(
    "/{game}/{match_id}",
    operation_id="bgioGetMatch",
    summary="One match",
    responses={200: answer("The match.", bgio.BgioMatch), **problems(403, 404)},
    dependencies=[counted_for(Bucket.READS)],
)
async def get_match(match: MatchOfGame) -> Response:
    """Return a match without its state."""
    return json_answer(bgio_messages.match(await match.find()))


@router.post(
    "/{game}/create",
    operation_id="bgioCreateMatch",
    summary="Create a match",
    responses={200: answer("Created.", bgio.BgioCreatedMatch), **problems(403, 404, 409, 422)},
    dependencies=[counted_for(Bucket.LOBBY)],
)
async def create_match(
    rules: Rules, trace: RequestTrace, game: Game, body: Annotated[bgio.BgioCreateRequest, Body()]
) -> Response:
    """Create a match whose seats are all free. It starts when the last one is taken. Tenants only."""
    wanted = CreateMatchRequest(
        game=game,
        seats=body.num_players,
        options=bgio_messages.options(body.setup_data),
        open_seats=True,
        visibility=bgio_messages.visibility(unlisted=body.unlisted),
    )
    created = await _create(rules, trace, wanted)
    return json_answer(bgio.BgioCreatedMatch(match_id=created.match_id))


@router.post(
    "/{game}/{match_id}/playAgain",
    operation_id="bgioPlayAgain",
    summary="Play again",
    responses={200: answer("The match that follows.", bgio.BgioNextMatch), **problems(403, 404, 409, 422)},
    dependencies=[counted_for(Bucket.LOBBY)],
)
async def play_again(
    _caller: TenantCaller,
    match: MatchOfGame,
    rules: Rules,
    trace: RequestTrace,
    body: Annotated[bgio.BgioPlayAgainRequest, Body()],
) -> Response:
    """Return the match that follows this one: a new match of the same game with all seats free. Tenants only.

    There is exactly one, no matter which player asks and how often. The first request sets its options; those it leaves out
    are copied from this match.
    """
    before = await match.find()
    await match.as_player(body).find()  # raises if the token is no longer valid
    wanted = CreateMatchRequest(
        rematch_of=before.match_id,
        game=before.game,
        seats=body.num_players or len(before.seats),
        options=bgio_messages.options(body.setup_data) or Payload(json=before.options),
        open_seats=True,
        title=before.title,
        clock=before.clock if before.HasField("clock") else None,
        undo=before.undo,
        undo_timeout=before.undo_timeout,
        bot_pace=before.bot_pace,
        visibility=before.visibility
        if body.unlisted is None
        else bgio_messages.visibility(unlisted=body.unlisted),
    )
    created = await _create(rules, trace, wanted)
    return json_answer(bgio.BgioNextMatch(next_match_id=created.match_id))


async def _create(rules: RulesCalls, trace: Trace, wanted: CreateMatchRequest) -> match_pb2.Match:
    try:
        response = await rules.write(rules.server_of_game(wanted.game).matches.CreateMatch, wanted)
    except ProblemError as problem:
        if problem.reason.name == "GAME_UNKNOWN":  # here the game is in the path
            raise ProblemError("GAME_NOT_FOUND") from None
        raise
    rules.remember(response.match)
    trace.match_id = response.match.match_id
    return response.match
