"""The registered games, one line each. A game's code is loaded on first use."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Final

from engine.kernel.game import AnyGame
from engine.kernel.rules_versions import AnyRulesVersion

GAMES: Final = {
    "al_rashid": "engine.al_rashid.game",
    "river_dragons": "engine.river_dragons.game",
    "river_of_gold": "engine.river_of_gold.game",
}
"""Game id -> module whose `GAME` is the decider under the newest rules."""


def game(game_id: str, version: str | None = None) -> AnyGame:
    """Return a game by its id, under its newest rules or those of a version. Raises KeyError, which lists the known ones."""
    return newest(game_id) if version is None else newest(game_id).by(version)


def versions(game_id: str) -> tuple[AnyRulesVersion, ...]:
    """Return every version of a game's rules, newest first. Raises KeyError, which lists the games."""
    return newest(game_id).versions


def has(game_id: str, version: str) -> bool:
    """Return whether this game exists under this version of its rules."""
    return game_id in GAMES and any(one.version == version for one in versions(game_id))


@cache
def newest(game_id: str) -> AnyGame:
    """Return a game under its newest rules. Raises KeyError, which lists the games."""
    try:
        module = GAMES[game_id]
    except KeyError:
        raise KeyError(f"no game {game_id!r}; there are: {', '.join(sorted(GAMES))}") from None
    found: AnyGame = import_module(module).GAME
    return found
