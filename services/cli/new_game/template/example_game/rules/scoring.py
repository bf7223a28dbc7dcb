"""§3 The die, and who scores.

§3 The die. When all pebbles are in the bowls, the die is rolled: 1 and 2 choose the left bowl, 3 and 4 the middle
one, 5 and 6 the right one. Who has placed the most pebbles in that bowl in this round scores one point for each
pebble that all players together have placed there in this round. If several players have placed the most, nobody
scores. Pebbles of earlier rounds do not count.
"""

from __future__ import annotations

from engine.interface import Chance, Seat

from example_game.box import BOWL_OF_PIPS, DIE, Bowl
from example_game.events import (
    BowlScored,
    BowlTied,
    DieRolled,
    PebblesRevealed,
    SeatPebbles,
)
from example_game.rules.ending import next_round
from example_game.rules.turn import Turn


def reveal(turn: Turn, chance: Chance) -> None:
    """§2, §3 Show what everybody has placed, roll the die and score. Without a score the next round begins at once."""
    placed = tuple(
        SeatPebbles(seat=Seat(seat), pebbles=pebbles)
        for seat, pebbles in enumerate(turn.state.placed)
        if pebbles is not None
    )
    turn.record(PebblesRevealed(placed=placed))
    pips = chance.below(DIE) + 1
    bowl = BOWL_OF_PIPS[pips]
    turn.record(DieRolled(pips=pips, bowl=bowl))
    best = most_in(placed, bowl)
    if best is None:
        turn.record(BowlTied(bowl=bowl))
        next_round(turn)
    else:
        points = sum(each.pebbles.of(bowl) for each in placed)
        turn.record(BowlScored(seat=best, bowl=bowl, points=points))


def most_in(placed: tuple[SeatPebbles, ...], bowl: Bowl) -> Seat | None:
    """§3 Return the seat that has placed more pebbles in a bowl than every other; None if there is none."""
    most = max(each.pebbles.of(bowl) for each in placed)
    seats = [each.seat for each in placed if each.pebbles.of(bowl) == most]
    return seats[0] if len(seats) == 1 else None
