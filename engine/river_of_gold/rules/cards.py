"""§6.4, §6.5 The deck of customers: drawing, reshuffling, discarding.

Nobody ever sees the order of the deck, so a card is drawn at random from what is left of it when it is needed.

§6.4 Drawing and discarding. After a delivery the player draws two customers and then discards one card of the hand,
face up. The silk imperial market does the same with one card drawn.

§6.5 Empty deck. When a card must be drawn and the deck is empty, the discards are shuffled and become the deck. If
there are still too few cards, the player draws what there is and discards none [A11].
"""

from __future__ import annotations

from engine.kernel.chance import Chance
from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat
from engine.river_of_gold.actions import DiscardCustomer
from engine.river_of_gold.errors import Code
from engine.river_of_gold.events import CustomerDiscarded, CustomerDrawn, DeckReshuffled
from engine.river_of_gold.rules.turn import Turn


def draw_cards(turn: Turn, seat: Seat, number: int, chance: Chance) -> bool:
    """[A11] Draw this number of cards and return whether there were enough; the discards become the deck when it is empty."""
    for _ in range(number):
        if not turn.state.deck:
            if not turn.state.discards:
                return False
            turn.record(DeckReshuffled(customers=turn.state.discards))
        deck = turn.state.deck
        place = chance.below(len(deck)) if len(deck) > 1 else 0
        turn.record(CustomerDrawn(seat=seat, customer=deck[place]))
    return True


def discard_customer(turn: Turn, seat: Seat, action: DiscardCustomer) -> None:
    """§6.4 Discard any card of the hand, face up."""
    if action.customer not in turn.state.players[seat].hand:
        raise RuleViolation(
            Code.CUSTOMER_NOT_IN_HAND, rule="6.4", field="customer", customer=action.customer.value
        )
    turn.record(CustomerDiscarded(seat=seat, customer=action.customer))
