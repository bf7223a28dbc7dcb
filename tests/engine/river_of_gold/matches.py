"""Whole matches played by nobody: at random, or by keen players who build and deliver rather than turn the die."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.kernel.chance import SeededChance
from engine.kernel.playout import Step as Played
from engine.kernel.replay import fold
from engine.kernel.seats import Seat
from engine.river_of_gold.actions import (
    Build,
    Deliver,
    ExchangeGoods,
    ExchangeKoku,
    PlaceMarker,
    RiverOfGoldAction,
    Sail,
    SpendFavor,
)
from engine.river_of_gold.components import PatronMode
from engine.river_of_gold.game import GAME
from engine.river_of_gold.options import RiverOfGoldOptions
from engine.river_of_gold.state import State

WHIMS = 1 << 32
"""The move number under which the players' choices are drawn: no match gets that far."""


def match_secret(number: int) -> bytes:
    return number.to_bytes(32, "big")


def whole_match(
    players: int,
    number: int,
    *,
    patrons: PatronMode = PatronMode.NONE,
    keen: bool = False,
    leavers: Mapping[int, int] | None = None,
) -> Iterator[Played]:
    """A match that is the same for the same arguments; in move m the seat `leavers[m]` leaves instead of somebody's move.

    A step without an action and with a seat is a seat that leaves.
    """
    secret = match_secret(number)
    whims = SeededChance(secret, WHIMS)
    events = GAME.start(RiverOfGoldOptions(patrons=patrons), players, SeededChance(secret, 1))
    state = fold(GAME, events)
    yield Played(None, None, events, state)
    move = 1
    while waited_for := GAME.to_act(state):
        move += 1
        leaver = (leavers or {}).get(move)
        action: RiverOfGoldAction | None = None
        if leaver is not None and leaver in state.present:
            seat = Seat(leaver)
            events = GAME.leave(state, seat, SeededChance(secret, move))
        else:
            seat = waited_for[0]
            action = _keen_answer(state, seat, whims) if keen else GAME.sample(state, seat, whims)
            events = GAME.decide(state, seat, action, SeededChance(secret, move))
        state = fold(GAME, events, state)
        yield Played(seat, action, events, state)


def _keen_answer(state: State, seat: Seat, chance: SeededChance) -> RiverOfGoldAction:
    """One of the keenest answers there are: first deliver, then mostly sail or build; seldom exchange."""
    answers = GAME.legal_actions(state, seat).actions
    wildness = chance.below(4)
    best = max(_eagerness(action, wildness) for action in answers)
    keenest = [action for action in answers if _eagerness(action, wildness) == best]
    return keenest[chance.below(len(keenest))]


def _eagerness(action: RiverOfGoldAction, wildness: int) -> int:
    match action:
        case Deliver() | PlaceMarker():
            return 4
        case Build():
            return 3 if wildness else 1
        case Sail():
            return 2
        case ExchangeGoods() | ExchangeKoku() | SpendFavor():
            return 3 if wildness == 3 else 0
        case _:
            return 2
