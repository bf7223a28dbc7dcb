"""A view as a row of numbers from 0 to 1, for machine learning. The seat itself comes first, then the others clockwise."""

from __future__ import annotations

from functools import cache
from typing import Final

from engine.interface import Row, numbered

from example_game.box import DIE, MAX_PLACED, PEBBLES, Bowl
from example_game.options import GameOptions
from example_game.state import Stage
from example_game.view import GameView, SeatView

_BOWLS: Final = numbered(Bowl)
_STAGES: Final = numbered(Stage)
_PIPS: Final = numbered(range(1, DIE + 1))


class GameFeatures:
    """The columns depend on the number of seats."""

    def __init__(self, seats: int) -> None:
        """`seats` is how many began the match."""
        self._seats = seats
        self._around = numbered(range(seats))

    def named(self, view: GameView, /) -> list[str]:
        """Return what each place of a row means."""
        names: list[str] = []
        self._written(Row(names), view, 0)
        return names

    def row(self, view: GameView, seat: int, /) -> list[float]:
        """Return the row of a seat's view."""
        return self._written(Row(), view, seat).values

    def _written(self, row: Row, view: GameView, seat: int) -> Row:
        row.number("round", view.round, view.rounds)
        row.number("rounds left", view.rounds - view.round, view.rounds)
        row.one_of("stage", view.stage, _STAGES)
        row.one_of("die", view.pips or None, _PIPS)
        row.one_of("chosen bowl", view.chosen, _BOWLS)
        waited_for = [(each.seat - seat) % self._seats for each in view.pending]
        row.any_of("waited for", waited_for, self._around)
        for other in range(self._seats):
            _player(row, view.seats[(seat + other) % self._seats], f"player {other}")
        return row


def _player(row: Row, player: SeatView, name: str) -> None:
    row.number(f"{name}'s hand", player.hand, PEBBLES)
    row.number(f"{name}'s lost pebbles", player.gone, PEBBLES)
    row.number(f"{name}'s points", player.points, PEBBLES)
    row.flag(f"{name} has placed", player.placed)
    row.flag(f"{name} has left", player.left)
    row.one_of(f"{name}'s favour", player.favour, _BOWLS)
    for bowl in Bowl:
        row.number(f"{name}'s pebbles in {bowl}", player.bowls.of(bowl), PEBBLES)
        placed = 0 if player.pebbles is None else player.pebbles.of(bowl)
        row.number(f"{name} placed in {bowl}", placed, MAX_PLACED)


@cache
def features(_options: GameOptions, seats: int) -> GameFeatures:
    """Return the encoding for such a match."""
    return GameFeatures(seats)
