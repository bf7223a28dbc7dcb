"""The tables that templates are filled in at: every game, with every option that changes what lies there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
import pytest

from engine.kernel.chance import SeededChance
from engine.kernel.game import AnyGame
from engine.match.playout import random_match
from engine.registry import game as registered_game

TABLES = (
    ("al_rashid", {}),
    ("river_dragons", {}),
    ("river_dragons", {"variant": "expert"}),
    ("river_of_gold", {}),
    ("river_of_gold", {"patrons": "draft"}),
    ("river_of_gold", {"patrons": "choice_of_two"}),
)
EVERY_TABLE = pytest.mark.parametrize(
    ("name", "options"), TABLES, ids=["-".join([name, *options.values()]) for name, options in TABLES]
)


class Standing(NamedTuple):
    """A game's state in the course of a match."""

    game: AnyGame
    state: Any


def luck(number: int, about: int) -> SeededChance:
    return SeededChance(number.to_bytes(32, "big"), about)


def match(name: str, options: dict[str, Any], number: int) -> Iterator[Standing]:
    """Every state of a match that is played at random."""
    game = registered_game(name)
    seats = game.seat_counts[number % len(game.seat_counts)]
    read = game.options_codec.decode(msgspec.json.encode(options))
    for step in random_match(game, read, seats, number.to_bytes(32, "big"), luck(number, 1 << 32)):
        yield Standing(game, step.state)
