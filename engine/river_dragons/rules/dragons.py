"""§6 Dragons: which cards of a slot are cancelled, and by whom.

§6 Dragons. A dragon cancels the card of the same slot of the player of its colour. The card is cancelled from the
reveal on, also if its owner would act before the dragon's owner [R4]. A dragon never cancels a dragon. A cancelled
card is not carried out at all: nothing is lost and no pawn falls [R6].
"""

from __future__ import annotations

from engine.kernel.seats import Seat
from engine.river_dragons.box.components import DRAGON_TARGET, Card, Colour
from engine.river_dragons.events import RevealedCard, SlotRevealed
from engine.river_dragons.rules.turn import Turn
from engine.river_dragons.state import State


def reveal(turn: Turn, slot: int) -> None:
    """§6 Show everybody's card of the slot. A cancelled card stays cancelled, whoever acts first [R4]."""
    state = turn.state
    cards = revealed_cards(state, slot)
    turn.record(SlotRevealed(round=state.round, slot=slot, cards=cards, acting=_acting(state, cards)))


def revealed_cards(state: State, slot: int) -> tuple[RevealedCard, ...]:
    """§6 Return the cards of a slot with the dragons that cancel them; a seat that left before shows none [R5]."""
    shown: list[tuple[Seat, Card]] = []
    cancelling: dict[Colour, tuple[Seat, ...]] = {}
    for number, program in enumerate(state.programs):
        if program is not None and len(program) >= slot:
            seat, card = Seat(number), program[slot - 1]
            shown.append((seat, card))
            if card in DRAGON_TARGET:
                target = DRAGON_TARGET[card]
                cancelling[target] = (*cancelling.get(target, ()), seat)
    colours = state.colours
    return tuple(
        [
            RevealedCard(seat=seat, card=card)
            if card in DRAGON_TARGET or colours[seat] not in cancelling
            else RevealedCard(seat=seat, card=card, cancelled_by=cancelling[colours[seat]])
            for seat, card in shown
        ]
    )


def clockwise(state: State) -> tuple[Seat, ...]:
    """§4 Return all seats in the order of play, from the round's first player."""
    first = state.order.index(state.first_player)
    return state.order[first:] + state.order[:first]


def _acting(state: State, cards: tuple[RevealedCard, ...]) -> tuple[Seat, ...]:
    """§4 Return the seats whose cards are carried out: neither cancelled nor a dragon, as a dragon has no further action."""
    acts = {shown.seat for shown in cards if not shown.cancelled_by and shown.card not in DRAGON_TARGET}
    return tuple([seat for seat in clockwise(state) if seat in acts])


def card_in_slot(state: State, seat: Seat) -> Card:
    """Return the card a seat plays in the slot that is being carried out."""
    program = state.programs[seat]
    if program is None:
        raise LookupError(f"seat {seat} has no program in round {state.round}")
    return program[state.slot - 1]
