"""The games. Public: no credential is needed."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from starlette.responses import Response

from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.dependencies import GatewayParts
from gateway.http.answers import json_answer
from gateway.http.path_parameters import Game
from gateway.openapi.operation import Operation, answer, problems
from gateway.schemas.answers import GameDescription, GameList
from gateway.translate import messages

_CACHED: Final = {"cache-control": "public, max-age=30"}

router = APIRouter(tags=["games"], route_class=Operation, dependencies=[counted_for(Bucket.READS)])


@router.get(
    "/v1/games",
    operation_id="listGames",
    summary="The catalogue",
    responses={200: answer("The games.", GameList), **problems(503, 504)},
)
async def list_games(gateway: GatewayParts) -> Response:
    """List the games that this server offers."""
    games = await gateway.catalogue.games()
    return json_answer(GameList(games=[messages.game_summary(game) for game in games]), headers=_CACHED)


@router.get(
    "/v1/games/{game}",
    operation_id="describeGame",
    summary="Describe a game",
    responses={200: answer("The game.", GameDescription), **problems(404, 503, 504)},
)
async def describe_game(gateway: GatewayParts, game: Game) -> Response:
    """Describe a game: numbers of players, options, components, and the JSON Schemas of all its data."""
    return json_answer(messages.game_description(await gateway.catalogue.describe(game)), headers=_CACHED)
