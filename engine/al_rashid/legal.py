"""§13.5 The open decision, and every legal answer to it."""

from __future__ import annotations

from typing import Final

from engine.al_rashid.actions import AlRashidAction, ChooseStack, Flee
from engine.al_rashid.box.components import COLOURS
from engine.al_rashid.phases import Decision, Question, question
from engine.al_rashid.rules.activation import removals
from engine.al_rashid.rules.battle import battle_answers, sample_fight, spoils
from engine.al_rashid.rules.declaring import audiences, visits
from engine.al_rashid.rules.manoeuvres import manoeuvres
from engine.al_rashid.rules.own_turn import own_turn_answers
from engine.al_rashid.rules.paying import payment_answers, sample_payment
from engine.al_rashid.rules.placement import holdings, places
from engine.al_rashid.rules.spying import spy_moves
from engine.al_rashid.rules.trade import trades
from engine.al_rashid.rules.turn import PARAGRAPH
from engine.al_rashid.rules.visiting import conversions, gifts, impostor_favors, mixes, pairs_of_goods, swaps
from engine.al_rashid.state import State
from engine.al_rashid.templates import AlRashidTemplate
from engine.kernel.chance import Chance
from engine.kernel.legal import LegalActions
from engine.kernel.pending import Pending
from engine.kernel.seats import Seat

Legal = LegalActions[AlRashidAction, AlRashidTemplate]
NOTHING: Final[Legal] = LegalActions()


def pending(state: State) -> tuple[Pending, ...]:
    """§13.5 Return the open decision, if any. Its id is never used again in the match."""
    asked = question(state)
    if asked is None:
        return ()
    return (
        Pending(
            seat=asked.seat,
            decision=asked.decision,
            rule=PARAGRAPH[asked.decision],
            id=f"t{state.turn}:r{state.round}:seat{asked.seat}:{asked.decision}:{state.clock}",
        ),
    )


def legal_actions(state: State, seat: Seat) -> Legal:
    """§13.5 Return every legal answer to the seat's open decision; no answers if it has none.

    Payments and fights are described by a template if they are too many to list.
    """
    asked = question(state)
    if asked is None or asked.seat != seat:
        return NOTHING
    if asked.decision is Decision.PAYMENT:
        return payment_answers(state, seat)
    if asked.decision is Decision.BATTLE:
        return battle_answers(state, seat)
    return LegalActions(actions=tuple(_answers(state, asked)))


def sample(state: State, seat: Seat, chance: Chance) -> AlRashidAction:
    """Return a random legal answer to the seat's open decision. Raises LookupError if it has none."""
    asked = question(state)
    if asked is None or asked.seat != seat:
        raise LookupError(f"seat {seat} has no open decision")
    if asked.decision is Decision.PAYMENT:
        return sample_payment(state, seat, chance)
    if asked.decision is Decision.BATTLE:
        return sample_fight(state, seat, chance) or Flee()
    answers = _answers(state, asked)
    return answers[chance.below(len(answers))] if len(answers) > 1 else answers[0]


def _answers(state: State, asked: Question) -> list[AlRashidAction]:  # noqa: C901 - one case per decision
    """§13.5 List the answers to any decision except payments and battles."""
    seat = asked.seat
    match asked.decision:
        case Decision.PLACE | Decision.PLACE_HELD:
            return [*places(state, seat, held=asked.decision is Decision.PLACE_HELD)]
        case Decision.OWN_TURN:
            return own_turn_answers(state, seat)
        case Decision.TRADE:
            return [*trades(state, seat)]
        case Decision.VISIT:
            return [*visits(state, seat)]
        case Decision.AUDIENCE:
            return [*audiences(state, seat)]
        case Decision.SPY_MOVE:
            return [*spy_moves(state, seat)]
        case Decision.STACK:
            return [ChooseStack(colour=colour) for colour in COLOURS]
        case Decision.HOLD_BACK:
            return [*holdings(state, seat)]
        case Decision.MANOEUVRE:
            return [*manoeuvres(state, seat)]
        case Decision.NEGOTIATE:
            return [*removals(state, seat)]
        case Decision.SPOIL:
            return [*spoils(state)]
        case _:
            return _visit_answers(state, asked)


def _visit_answers(state: State, asked: Question) -> list[AlRashidAction]:
    """[R35] List the answers to a decision of a visit."""
    seat = asked.seat
    match asked.decision:
        case Decision.IMPOSTOR:
            return [*impostor_favors(state, seat)]
        case Decision.GENERAL:
            return [*gifts(state, seat)]
        case Decision.VIZIER:
            return [*swaps(state, seat)]
        case Decision.RECRUITS | Decision.AGHA:
            return [*mixes(state)]
        case Decision.QUARTERMASTER:
            return [*pairs_of_goods()]
        case Decision.ALCHEMIST:
            return [*conversions(state, seat)]
        case _:
            raise TypeError(f"{asked.decision} is answered by payments or fights")
