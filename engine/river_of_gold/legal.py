"""§11 Who is asked for what, and every answer that is legal now."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.kernel.chance import Chance
from engine.kernel.legal import LegalActions
from engine.kernel.pending import Pending
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
)
from engine.river_of_gold.box.board import SHORES
from engine.river_of_gold.box.components import SHIPS
from engine.river_of_gold.phases import Decision, Question, question
from engine.river_of_gold.rules.building import builds
from engine.river_of_gold.rules.delivering import deliveries
from engine.river_of_gold.rules.exchanging import exchanges
from engine.river_of_gold.rules.favor import SPENDINGS
from engine.river_of_gold.rules.holdings import marker_targets, wanted_goods
from engine.river_of_gold.rules.journeys import journey_answers, sell_template
from engine.river_of_gold.rules.sailing import sails
from engine.river_of_gold.rules.setup import offers
from engine.river_of_gold.rules.turn import paragraph
from engine.river_of_gold.rules.turn_end import die_answers
from engine.river_of_gold.state import State
from engine.river_of_gold.templates import RiverOfGoldTemplate

Legal = LegalActions[RiverOfGoldAction, RiverOfGoldTemplate]
NOTHING: Final[Legal] = LegalActions()


def pending(state: State) -> tuple[Pending, ...]:
    """§11.3 Return the open decision, or nothing if there is none. Its id is never used again in the match."""
    asked = question(state)
    if asked is None:
        return ()
    return (
        Pending(
            seat=asked.seat,
            decision=asked.decision,
            rule=paragraph(state, asked.decision),
            id=f"t{state.turn}:seat{asked.seat}:{asked.decision}:{state.clock}",
        ),
    )


def legal_actions(state: State, seat: Seat) -> Legal:
    """§11 Return every legal answer to the seat's open decision; nothing when it has none.

    Sales are described by their template and not listed: a player sets three numbers more easily than finding one of up to 56
    sales in a list. Everything else is listed.
    """
    asked = question(state)
    if asked is None or asked.seat != seat:
        return NOTHING
    sale = sell_template(state, seat) if asked.decision is _JOURNEY else None
    return LegalActions(
        actions=tuple(_answers(state, asked, with_sales=False)), templates=() if sale is None else (sale,)
    )


def sample(state: State, seat: Seat, chance: Chance) -> RiverOfGoldAction:
    """Return a random legal answer to the seat's open decision, each sale being one. Raises LookupError if it has none."""
    asked = question(state)
    if asked is None or asked.seat != seat:
        raise LookupError(f"seat {seat} has no open decision")
    answers = _answers(state, asked, with_sales=True)
    return answers[chance.below(len(answers))] if len(answers) > 1 else answers[0]


def _answers(state: State, asked: Question, *, with_sales: bool) -> list[RiverOfGoldAction]:
    """§11.1 Return the answers; exchanges are among them for every decision except the choice of a patron [A7]."""
    seat, decision = asked.seat, asked.decision
    if decision is _JOURNEY:
        answers = journey_answers(state, seat, with_sales=with_sales)
    else:
        answers = OWN_ANSWERS[decision](state, seat)
    if decision is not _PATRON:
        answers += exchanges(state.players[seat])
    return answers


def _patrons(state: State, seat: Seat) -> list[RiverOfGoldAction]:
    return [ChoosePatron(patron=patron) for patron in offers(state, seat)]


def _turn(state: State, seat: Seat) -> list[RiverOfGoldAction]:
    player = state.players[seat]
    answers: list[RiverOfGoldAction] = [*builds(state, player), *sails(player), *deliveries(player)]
    if player.favor:
        answers += SPENDINGS
    return answers


def _goods(state: State, seat: Seat) -> list[RiverOfGoldAction]:
    return [ChooseGood(good=good) for good in wanted_goods(state.players[seat])]


def _discards(state: State, seat: Seat) -> list[RiverOfGoldAction]:
    return [DiscardCustomer(customer=card) for card in state.players[seat].hand]


def _royal_ships(_state: State, _seat: Seat) -> list[RiverOfGoldAction]:
    return [ChooseRoyalShip(ship=ship) for ship in SHIPS]


def _markers(state: State, _seat: Seat) -> list[RiverOfGoldAction]:
    return [PlaceMarker(shore=SHORES[at]) for at in marker_targets(state, state.choices[0])]


def _dice(state: State, seat: Seat) -> list[RiverOfGoldAction]:
    return die_answers(state.players[seat])


def _end(_state: State, _seat: Seat) -> list[RiverOfGoldAction]:
    return [EndTurn()]


def _decline(_state: State, _seat: Seat) -> list[RiverOfGoldAction]:
    return [DeclineExchange()]


_PATRON: Final = Decision.PATRON
_JOURNEY: Final = Decision.JOURNEY
OWN_ANSWERS: Final[dict[Decision, Callable[[State, Seat], list[RiverOfGoldAction]]]] = {
    Decision.PATRON: _patrons,
    Decision.TURN: _turn,
    Decision.GOOD: _goods,
    Decision.DISCARD: _discards,
    Decision.ROYAL_SHIP: _royal_ships,
    Decision.MARKER: _markers,
    Decision.CLOSING: _end,
    Decision.LAPSING: _decline,
    Decision.LAST_EXCHANGES: _decline,
    Decision.DIE: _dice,
}
"""The answers to every decision but a journey, which can be listed without sales; exchanges come on top."""
