"""The games. Public: nothing here depends on who asks."""

from __future__ import annotations

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from gateway import messages
from gateway.context import gateway_of
from gateway.documented import Answer, documented
from gateway.json_answers import json_answer
from gateway.queries import read_query
from gateway.schemas.answers import GameDescription, GameList
from gateway.schemas.requests import NoQuery

_CACHED: Final = {"cache-control": "public, max-age=30"}


async def list_games(request: Request) -> Response:
    """List the games that can be played here."""
    read_query(request, NoQuery)
    games = await gateway_of(request).catalogue.games()
    return json_answer(GameList(games=[messages.game_summary(game) for game in games]), headers=_CACHED)


async def describe_game(request: Request) -> Response:
    """Describe a game: players, options, components, and the JSON Schemas of everything it speaks."""
    read_query(request, NoQuery)
    description = await gateway_of(request).catalogue.describe(request.path_params["game"])
    return json_answer(messages.game_description(description), headers=_CACHED)


ROUTES: Final = (
    documented(
        "GET",
        "/v1/games",
        list_games,
        operation_id="listGames",
        summary="The catalogue",
        tag="games",
        answers={200: Answer(description="The games.", shape=GameList)},
        problems=(400, 503, 504),
        public=True,
    ),
    documented(
        "GET",
        "/v1/games/{game}",
        describe_game,
        operation_id="describeGame",
        summary="Everything about a game",
        tag="games",
        answers={200: Answer(description="The game.", shape=GameDescription)},
        problems=(400, 404, 503, 504),
        public=True,
    ),
)
