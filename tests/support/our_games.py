"""The games of this repository, with the options that their `Checks` ask to be tried.

Tests about files of this repository are about these games. Tests of what every game owes are about all that are installed.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from engine.registry import GAMES, checks, game

OUR_GAMES: Final = tuple(
    game_id for game_id, package in GAMES.items() if package.python_package.startswith("engine.")
)
"""Their ids."""


def options_of(game_id: str) -> tuple[dict[str, Any], ...]:
    """Return the options to try, as a request sends them: what differs from the defaults."""
    return tuple(msgspec.json.decode(encoded) for encoded in encoded_options(game_id))


def encoded_options(game_id: str) -> tuple[bytes, ...]:
    """Return the options to try as JSON, without what is the default."""
    default = msgspec.to_builtins(game(game_id).types.options())
    tried = checks(game_id).options or (game(game_id).types.options(),)
    return tuple(
        msgspec.json.encode(
            {name: value for name, value in msgspec.to_builtins(one).items() if value != default.get(name)}
        )
        for one in tried
    )


TABLES: Final = tuple((game_id, options) for game_id in OUR_GAMES for options in options_of(game_id))
"""Every game with every options to try."""
SIDES: Final = tuple(
    (game_id, tried[place])
    for game_id in OUR_GAMES
    for tried in [options_of(game_id)]
    for place in sorted({0, len(tried) - 1})
)
"""Every game with its default options and, if there are others, with those that are least like them."""
