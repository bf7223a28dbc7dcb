"""The boards and places of a match, as a page chooses them that knows nothing of the game."""

from __future__ import annotations

from typing import Any

import msgspec

from engine.kernel.game import AnyGame
from engine.kernel.layout import Board, on_mat


def boards_of(game: AnyGame, options: Any, seats: int) -> list[Board]:
    """Return the boards of a match with these options."""
    chosen = msgspec.to_builtins(options)
    return [
        board
        for board in game.layout.boards
        if all(chosen.get(name) == value for name, value in board.options.items())
        and (not board.seats or seats in board.seats)
    ]


def places_of(game: AnyGame, options: Any, seats: int) -> list[str]:
    """Return the ids of all places of a match: those of its boards, and those of the mats of every seat."""
    on_boards = [place.id for board in boards_of(game, options, seats) for place in board.places]
    before_seats = [
        on_mat(place.id, seat) for mat in game.layout.mats for place in mat.places for seat in range(seats)
    ]
    return on_boards + before_seats
