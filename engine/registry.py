"""The games of this house: one line each. A game's code is loaded when it is first asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Final

from engine.kernel.game import AnyGame

GAMES: Final = {
    "al_rashid": "engine.al_rashid.game",
    "river_dragons": "engine.river_dragons.game",
    "river_of_gold": "engine.river_of_gold.game",
}
"""Game id -> module whose `GAME` is the decider."""


@cache
def game(game_id: str) -> AnyGame:
    """Give a game by its id; KeyError names what there is."""
    try:
        module = GAMES[game_id]
    except KeyError:
        raise KeyError(f"no game {game_id!r}; there are: {', '.join(sorted(GAMES))}") from None
    found: AnyGame = import_module(module).GAME
    return found
