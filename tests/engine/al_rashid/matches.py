"""Whole matches played by nobody: at random, or by keen players who would rather do something than nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.al_rashid.actions import AlRashidAction, DeclareAudience, DeclareVisit, Flee, TakeAll, TakeItems
from engine.al_rashid.components import bag_of
from engine.al_rashid.game import GAME
from engine.al_rashid.options import AlRashidOptions
from engine.al_rashid.state import State
from engine.kernel.chance import SeededChance
from engine.kernel.playout import Step as Played
from engine.kernel.replay import fold
from engine.kernel.seats import Seat

WHIMS = 1 << 32
"""The move number under which the players' choices are drawn: no match gets that far."""


def match_secret(number: int) -> bytes:
    return number.to_bytes(32, "big")


def whole_match(
    players: int, number: int, *, keen: bool = False, leavers: Mapping[int, int] | None = None
) -> Iterator[Played]:
    """A match that is the same for the same arguments; in move m the seat `leavers[m]` leaves instead of somebody's move.

    A step without an action and with a seat is a seat that leaves.
    """
    secret = match_secret(number)
    whims = SeededChance(secret, WHIMS)
    events = GAME.start(AlRashidOptions(), players, SeededChance(secret, 1))
    state = fold(GAME, events)
    yield Played(None, None, events, state)
    move = 1
    while waited_for := GAME.to_act(state):
        move += 1
        leaver = (leavers or {}).get(move)
        action: AlRashidAction | None = None
        if leaver is not None and leaver in state.present:
            seat = Seat(leaver)
            events = GAME.leave(state, seat, SeededChance(secret, move))
        else:
            seat = waited_for[0]
            action = _keen_answer(state, seat, whims) if keen else GAME.sample(state, seat, whims)
            events = GAME.decide(state, seat, action, SeededChance(secret, move))
        state = fold(GAME, events, state)
        yield Played(seat, action, events, state)


def _keen_answer(state: State, seat: Seat, chance: SeededChance) -> AlRashidAction:
    """The best of four random answers: more actions and offices in a visit, more goods in a trade, rather a fight."""
    return max((GAME.sample(state, seat, chance) for _ in range(4)), key=_eagerness)


def _eagerness(action: AlRashidAction) -> int:
    match action:
        case DeclareVisit():
            return 2 * (action.office is not None) + action.service + (action.favor is not None)
        case DeclareAudience():
            return 2 * (action.office is not None) + (action.benevolence is not None)
        case TakeAll():
            return 3
        case TakeItems():
            return sum(bag_of(action.goods)) + action.note
        case Flee():
            return -1
        case _:
            return 0
