"""MatchCache out of matches, for whoever is to choose at them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from engine.bots.bot import Deals, redeals
from engine.bots.budget import Playouts
from engine.bots.levels import LEVELS
from engine.kernel.chance import SeededChance
from engine.kernel.game import AnyGame
from engine.kernel.seats import Seat
from engine.match.playout import random_match
from engine.match.replay import fold
from engine.registry import game as registered_game
from tests.support.our_games import SIDES

NAMES = ["-".join([name, *options.values()]) for name, options in SIDES]


def luck(number: int, about: int = 0) -> SeededChance:
    return SeededChance(number.to_bytes(32, "big"), about)


def tables(
    name: str, options: dict[str, str], number: int, seats: int, every: int, of: str = "random"
) -> Iterator[tuple[AnyGame, Any, Seat]]:
    """Some tables of a match, each with a seat that is to act; played by random bots, or by others of one level."""
    game = registered_game(name)
    read = game.options_codec.decode(msgspec.json.encode(options))
    if of == "random":
        secret = number.to_bytes(32, "big")
        states = (step.state for step in random_match(game, read, seats, secret, luck(number, 1 << 32)))
    else:
        states = _played(game, read, seats, number, of)
    for place, state in enumerate(states):
        waited_for = game.to_act(state)
        if waited_for and place % every == 0:
            yield game, state, waited_for[(place // every) % len(waited_for)]


def _played(game: AnyGame, options: Any, seats: int, number: int, level: str) -> Iterator[Any]:
    state = fold(game, game.start(options, seats, luck(number, 1)))
    move = 1
    while waited_for := game.to_act(state):
        yield state
        move += 1
        action = chosen(game, level, state, waited_for[0], number + move)
        state = fold(game, game.decide(state, waited_for[0], action, luck(number, move)), state)


def chosen(game: AnyGame, level: str, state: Any, seat: Seat, seed: int, playouts: int = 3) -> Any:
    """What a bot chooses at a table: the same for the same seed."""
    deals: Deals = redeals(game, state, seat, seed.to_bytes(32, "big"))
    return LEVELS[level].choose(game, deals, seat, luck(seed, 7), Playouts(playouts))
