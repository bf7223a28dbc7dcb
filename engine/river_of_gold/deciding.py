"""Checks an action and carries it out: which rule handles which action."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from engine.kernel.chance import Chance
from engine.kernel.recorder import Recorder
from engine.kernel.seats import Seat
from engine.river_of_gold.actions import (
    Build,
    ChooseGood,
    ChoosePatron,
    ChooseRoyalShip,
    DeclineExchange,
    Deliver,
    DiscardCustomer,
    EndTurn,
    ExchangeGoods,
    ExchangeKoku,
    PlaceMarker,
    RiverOfGoldAction,
    RollDie,
    Sail,
    SellGoods,
    SetDie,
    SpendFavor,
    TakeJourneyBonus,
    UseMerchant,
)
from engine.river_of_gold.events import RiverOfGoldEvent
from engine.river_of_gold.evolve import evolve
from engine.river_of_gold.rules import delivering, exchanging, journeys, turn_end
from engine.river_of_gold.rules.building import build
from engine.river_of_gold.rules.cards import discard_customer
from engine.river_of_gold.rules.choices import choose_good
from engine.river_of_gold.rules.course import settle
from engine.river_of_gold.rules.favor import spend_favor
from engine.river_of_gold.rules.sailing import sail
from engine.river_of_gold.rules.setup import choose_patron
from engine.river_of_gold.rules.turn import Turn, check_turn
from engine.river_of_gold.state import Stage, State

Rule = Callable[[Turn, Seat, Any], None]


def decide(
    state: State, seat: Seat, action: RiverOfGoldAction, chance: Chance
) -> tuple[RiverOfGoldEvent, ...]:
    """Check an action and carry it out, with everything that follows automatically, up to the next decision."""
    check_turn(state, seat, action)
    turn: Turn = Recorder(state, evolve)
    if type(action) is RollDie:
        turn_end.roll_die(turn, seat, chance)
    else:
        RULES[type(action)](turn, seat, action)
    settle(turn, chance)
    return turn.events


def _end_turn(turn: Turn, seat: Seat, _action: EndTurn) -> None:
    """§3.4"""
    turn_end.close_turn(turn, seat)


def _decline_exchange(turn: Turn, seat: Seat, _action: DeclineExchange) -> None:
    """[F11] [F12] What is declined follows from the stage."""
    if turn.state.stage is Stage.LAST_EXCHANGES:
        turn_end.close_exchanges(turn, seat)
    else:
        journeys.lapse(turn, seat)


RULES: Final[dict[type[RiverOfGoldAction], Rule]] = {
    SpendFavor: spend_favor,
    ExchangeGoods: exchanging.exchange_goods,
    ExchangeKoku: exchanging.exchange_koku,
    Build: build,
    Sail: sail,
    Deliver: delivering.deliver,
    ChooseGood: choose_good,
    DiscardCustomer: discard_customer,
    ChooseRoyalShip: delivering.choose_royal_ship,
    PlaceMarker: delivering.place_marker,
    TakeJourneyBonus: journeys.take_journey_bonus,
    UseMerchant: journeys.use_merchant,
    SellGoods: journeys.sell_goods,
    EndTurn: _end_turn,
    DeclineExchange: _decline_exchange,
    SetDie: turn_end.set_die,
    ChoosePatron: choose_patron,
}
"""Which function carries out which action; rolling the die is not among them, because it draws."""
