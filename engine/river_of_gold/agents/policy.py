"""§11 What an absent player does: a legal answer to every decision, the same whenever the seat knows the same.

The seat sails, which is always possible; it takes no tile from the row and exchanges nothing. It uses what is public and its own hand.

===========  ================================================================================================
decision     answer, and why
===========  ================================================================================================
patron       the first that is offered: somebody must have it
turn         sail the ship that is farther downstream: ships never block each other, owners of what it visits
             are paid, and journeys that end bring the end of the match nearer (§5.4)
good         the kind the seat has fewest of: it is the most useful to a player who comes back
discard      the card drawn last: the hand the player knows is kept
royal ship   the ship that is farther downstream: the one that will sail
marker       the first space allowed: its second marker's place is still free
journey      3 koku, else the scarcest good, then what merchants give; nothing is sold
closing      end the turn: what is owned is kept
lapsing,     decline: what is owned is kept
last
exchanges
die          roll: favor is kept
===========  ================================================================================================

Every turn ends, because nothing is exchanged; the match ends, because journeys empty the stacks.
"""

from __future__ import annotations

from engine.kernel.seats import Seat
from engine.river_of_gold.actions import (
    ChooseGood,
    ChoosePatron,
    ChooseRoyalShip,
    DeclineExchange,
    DiscardCustomer,
    EndTurn,
    PlaceMarker,
    RiverOfGoldAction,
    RollDie,
    SellGoods,
    TakeJourneyBonus,
)
from engine.river_of_gold.box.board import SHORES
from engine.river_of_gold.box.components import GOOD_INDEX, SHIP_INDEX, SHIPS, Good, ShipId
from engine.river_of_gold.phases import Decision, question
from engine.river_of_gold.rules.holdings import marker_targets, wanted_goods
from engine.river_of_gold.rules.journeys import journey_answers
from engine.river_of_gold.rules.sailing import sails
from engine.river_of_gold.rules.setup import offers
from engine.river_of_gold.state import Player, State


def policy(state: State, seat: Seat) -> RiverOfGoldAction:  # noqa: C901 - one case per decision
    """Return an answer to the seat's open decision. Raises LookupError if it has none."""
    asked = question(state)
    if asked is None or asked.seat != seat:
        raise LookupError(f"seat {seat} has no open decision")
    player = state.players[seat]
    match asked.decision:
        case Decision.PATRON:
            return ChoosePatron(patron=offers(state, seat)[0])
        case Decision.TURN:
            first = _downstream_ship(player)
            return next(sail for sail in sails(player) if sail.ship is first)
        case Decision.GOOD:
            return ChooseGood(good=_scarcest(player))
        case Decision.DISCARD:
            return DiscardCustomer(customer=player.hand[-1])
        case Decision.ROYAL_SHIP:
            return ChooseRoyalShip(ship=_downstream_ship(player))
        case Decision.MARKER:
            return PlaceMarker(shore=SHORES[marker_targets(state, state.choices[0])[0]])
        case Decision.JOURNEY:
            return _journey(state, seat)
        case Decision.CLOSING:
            return EndTurn()
        case Decision.LAPSING | Decision.LAST_EXCHANGES:
            return DeclineExchange()
        case Decision.DIE:
            return RollDie()


def _downstream_ship(player: Player) -> ShipId:
    """§5.1 Return the ship nearer to the end of the river; of two in one space, the midstream one."""
    return max(SHIPS, key=lambda ship: (player.ships[SHIP_INDEX[ship]], SHIP_INDEX[ship]))


def _scarcest(player: Player) -> Good:
    """Return the kind of which the player has fewest, among those below their cap."""
    return min(wanted_goods(player), key=lambda good: (player.goods[GOOD_INDEX[good]], GOOD_INDEX[good]))


def _journey(state: State, seat: Seat) -> RiverOfGoldAction:
    """§5.4 Return the answer: koku if there is room for it, else the scarcest good, then what merchants give."""
    first = journey_answers(state, seat, with_sales=True)[0]
    match first:
        case SellGoods():
            return SellGoods()
        case TakeJourneyBonus(good=Good()):
            return TakeJourneyBonus(good=_scarcest(state.players[seat]))
        case _:
            return first
