"""The tables that layouts and hints are tried at: every game, with every option that changes what lies there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
import pytest

from engine.kernel.chance import SeededChance
from engine.kernel.game import AnyGame
from engine.kernel.layout import Board, on_mat
from engine.kernel.seats import PUBLIC, REFEREE, Audience, Seat, seat_audience
from engine.match.replay import fold
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
    options: dict[str, Any]
    seats: int
    state: Any


def luck(number: int, about: int) -> SeededChance:
    return SeededChance(number.to_bytes(32, "big"), about)


def match(name: str, options: dict[str, Any], number: int, *, moves: int = 10_000) -> Iterator[Standing]:
    """Every state of a match that is played at random."""
    game = registered_game(name)
    seats = game.seat_counts[number % len(game.seat_counts)]
    whims = luck(number, 1 << 32)
    read = game.options_codec.decode(msgspec.json.encode(options))
    state = fold(game, game.start(read, seats, luck(number, 1)))
    yield Standing(game, options, seats, state)
    for move in range(2, moves):
        waited_for = game.to_act(state)
        if not waited_for:
            return
        seat = waited_for[whims.below(len(waited_for))]
        action = game.sample(state, seat, whims)
        state = fold(game, game.decide(state, seat, action, luck(number, move)), state)
        yield Standing(game, options, seats, state)


def audiences(seats: int) -> list[Audience]:
    return [PUBLIC, REFEREE, *(seat_audience(Seat(seat)) for seat in range(seats))]


def boards_of(game: AnyGame, options: dict[str, Any], seats: int) -> list[Board]:
    """Return the boards of a match with these options, as a page chooses them."""
    all_options = msgspec.to_builtins(game.options_codec.decode(msgspec.json.encode(options)))
    return [
        board
        for board in game.layout.boards
        if all(all_options.get(name) == value for name, value in board.options.items())
        and (not board.seats or seats in board.seats)
    ]


def places_of(game: AnyGame, options: dict[str, Any], seats: int) -> list[str]:
    """Return the ids of all places of a match."""
    on_boards = [place.id for board in boards_of(game, options, seats) for place in board.places]
    before_seats = [
        on_mat(place.id, seat) for mat in game.layout.mats for place in mat.places for seat in range(seats)
    ]
    return on_boards + before_seats
