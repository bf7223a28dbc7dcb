"""Checks an action and carries it out: which rule handles which action."""

from __future__ import annotations

from typing import assert_never

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
from engine.river_of_gold.events import RiverOfGoldEvent, TurnClosed
from engine.river_of_gold.evolve import evolve
from engine.river_of_gold.phases import Decision
from engine.river_of_gold.rules import delivering, exchanging, journeys, turn_end
from engine.river_of_gold.rules.building import build
from engine.river_of_gold.rules.cards import discard_customer
from engine.river_of_gold.rules.choices import choose_good
from engine.river_of_gold.rules.course import settle
from engine.river_of_gold.rules.favor import spend_favor
from engine.river_of_gold.rules.sailing import sail
from engine.river_of_gold.rules.setup import choose_patron
from engine.river_of_gold.rules.turn import Turn, check_turn
from engine.river_of_gold.state import State


def decide(  # noqa: C901 - one case per action
    state: State, seat: Seat, action: RiverOfGoldAction, chance: Chance
) -> tuple[RiverOfGoldEvent, ...]:
    """Check an action and carry it out, with everything that follows automatically, up to the next decision."""
    asked = check_turn(state, seat, action)
    turn: Turn = Recorder(state, evolve)
    match action:
        case SpendFavor():
            spend_favor(turn, seat, action)
        case ExchangeGoods():
            exchanging.exchange_goods(turn, seat, action)
        case ExchangeKoku():
            exchanging.exchange_koku(turn, seat)
        case Build():
            build(turn, seat, action)
        case Sail():
            sail(turn, seat, action)
        case Deliver():
            delivering.deliver(turn, seat, action)
        case ChooseGood():
            choose_good(turn, seat, action)
        case DiscardCustomer():
            discard_customer(turn, seat, action)
        case ChooseRoyalShip():
            delivering.choose_royal_ship(turn, seat, action)
        case PlaceMarker():
            delivering.place_marker(turn, seat, action)
        case TakeJourneyBonus():
            journeys.take_journey_bonus(turn, seat, action)
        case UseMerchant():
            journeys.use_merchant(turn, seat, action)
        case SellGoods():
            journeys.sell_goods(turn, seat, action)
        case EndTurn():
            turn.record(TurnClosed(seat=seat))
        case DeclineExchange() if asked is Decision.LAPSING:
            journeys.lapse(turn, seat)
        case DeclineExchange():
            turn_end.close_exchanges(turn, seat)
        case RollDie():
            turn_end.roll_die(turn, seat, chance)
        case SetDie():
            turn_end.set_die(turn, seat, action)
        case ChoosePatron():
            choose_patron(turn, seat, action)
        case _:
            assert_never(action)
    settle(turn, chance)
    return turn.events
