"""How good a running match is for a seat, as far as the seat knows. Bots choose by it.

    lead       = own worth - worth of the best other seat
    evaluation = lead / (|lead| + 6)

A seat's worth is its points and what its pebbles may still score. For the own seat that is one point for each pebble in the
bowl of the favour card. What the others favour is secret, so each of their pebbles counts a third. A pebble placed in secret
may win its bowl if the die chooses that.
"""

from __future__ import annotations

from typing import Final

from engine.interface import Seat

from example_game.box import MAX_PLACED, Bowl
from example_game.state import State

SCALE: Final = 6.0
"""The lead, in points, that is worth half as much as winning."""
IN_HAND: Final = 0.9
"""What a pebble in hand is worth, if there are rounds left to place it."""
MAY_WIN: Final = 0.25
"""What a pebble placed in secret is worth beside its favour: the die may choose its bowl, and it may be among the most there."""


def evaluate(state: State, seat: Seat) -> float:
    """Return a number between -1 and 1, higher is better; it has no meaning for a match that is over."""
    others = [_of_other(state, other) for other in state.present if other != seat]
    lead = _own(state, seat) - max(others, default=0.0)
    return lead / (abs(lead) + SCALE)


def _own(state: State, seat: Seat) -> float:
    """Return the worth of the seat that asks: it knows its card, and what it has placed."""
    favour = state.favours[seat]
    worth = float(state.points[seat] + state.bowls[seat].of(favour))
    secret = None if state.revealed else state.placed[seat]
    if secret is None:
        return worth + _in_hand(state, seat, state.hands[seat], ahead=not state.revealed)
    worth += secret.of(favour) + MAY_WIN * secret.total
    return worth + _in_hand(state, seat, state.hands[seat] - secret.total, ahead=False)


def _of_other(state: State, seat: Seat) -> float:
    """Return the worth of another seat, from what is open."""
    worth = state.points[seat] + state.bowls[seat].total / len(Bowl)
    return worth + _in_hand(state, seat, state.hands[seat], ahead=not state.revealed)


def _in_hand(state: State, _seat: Seat, pebbles: int, *, ahead: bool) -> float:
    """Return the worth of pebbles in hand: only those that can still be placed count; `ahead`: also in this round."""
    turns = state.rounds - state.round + ahead
    return IN_HAND * min(pebbles, turns * MAX_PLACED)
