"""The games that a rules server serves: those of its settings that can be used, checked before the first request."""

from __future__ import annotations

from asyncio import CancelledError
from collections.abc import Callable, Iterable
from typing import Final

from engine.kernel.codec import encode
from engine.kernel.errors import in_one_line
from engine.kernel.game import AnyGame
from engine.registry import GAMES, GameUnusable, distribution, stand_in
from engine.registry import game as registered_game
from services.rules.wire.contract import ContractUnusable
from services.rules.wire.game_schemas import KINDS, game_schema
from services.rules.wire.layouts import layout_message
from services.rules.wire.payloads import payloads_of
from services.rules.wire.typed_codec import TypesDisagree

_WHATEVER: Final = (Exception, SystemExit, GeneratorExit, CancelledError)
"""Whatever a package may raise, but for what a user's Ctrl-C raises."""


class NoGames(RuntimeError):  # noqa: N818 - the name says what happened
    """None of the wanted games can be used; the error says why of each."""

    def __init__(self, refused: Iterable[GameUnusable]) -> None:
        super().__init__("there is no game to serve: " + "; ".join(map(str, refused)))


def usable_games(
    wanted: Iterable[str], prepared: Callable[[AnyGame], AnyGame] | None = None
) -> tuple[dict[str, AnyGame], tuple[GameUnusable, ...]]:
    """Return the games that can be served, by id, and why the others cannot. One game's faults do not affect another.

    `prepared` returns the value with which this process uses a game from now on.
    """
    games: dict[str, AnyGame] = {}
    refused: list[GameUnusable] = []
    for game_id in wanted:
        try:
            games[game_id] = usable_game(game_id, prepared)
        except GameUnusable as problem:
            refused.append(problem)
    return games, tuple(refused)


def usable_game(game_id: str, prepared: Callable[[AnyGame], AnyGame] | None = None) -> AnyGame:
    """Return a game whose parts can be loaded and whose types agree with its contract. Raises GameUnusable for any other."""
    game = registered_game(game_id)
    if prepared is not None:
        game = stand_in(prepared(game))
    try:
        payloads_of(game).check()
    except ContractUnusable as problem:
        raise _unusable(game_id, str(problem)) from problem
    except TypesDisagree as problem:
        raise _unusable(
            game_id, f"its types and its contract disagree, so that one of them must be changed: {problem}"
        ) from problem
    except _WHATEVER as problem:  # whatever a package does must not harm the others
        raise _unusable(game_id, f"its contract cannot be loaded: {in_one_line(problem)}") from problem
    try:
        _ = game.texts.catalogues, game.texts.paragraphs  # read once, when they are first asked for
    except _WHATEVER as problem:
        raise _unusable(game_id, f"its texts cannot be read: {in_one_line(problem)}") from problem
    try:
        _describe(game)
    except _WHATEVER as problem:
        raise _unusable(game_id, f"it cannot be described to clients: {in_one_line(problem)}") from problem
    return game


def _describe(game: AnyGame) -> None:
    """Make what clients are told of a game: its components, the schemas of its types, and its layout."""
    encode(game.components)
    layout_message(game.layout)
    types = game.types
    for kind, shape in zip(
        KINDS, (types.options, types.action, types.event, types.template, types.view), strict=True
    ):
        game_schema(kind, shape, GAMES[game.id])


def _unusable(game_id: str, why: str) -> GameUnusable:
    return GameUnusable(game_id, distribution(game_id), why)
