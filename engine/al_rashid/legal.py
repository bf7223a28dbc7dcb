"""§13.5 The open decision, and every legal answer to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from engine.al_rashid.actions import AlRashidAction, ChooseStack, Flee
from engine.al_rashid.box.components import COLOURS
from engine.al_rashid.phases import Decision, question
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
    listed = _ANSWERS.get(asked.decision)
    if listed is not None:
        return LegalActions(actions=tuple(listed(state, seat)))
    if asked.decision is Decision.PAYMENT:
        return payment_answers(state, seat)
    return battle_answers(state, seat)


def sample(state: State, seat: Seat, chance: Chance) -> AlRashidAction:
    """Return a random legal answer to the seat's open decision. Raises LookupError if it has none."""
    asked = question(state)
    if asked is None or asked.seat != seat:
        raise LookupError(f"seat {seat} has no open decision")
    listed = _ANSWERS.get(asked.decision)
    if listed is not None:
        answers = listed(state, seat)
        return answers[chance.below(len(answers))] if len(answers) > 1 else answers[0]
    if asked.decision is Decision.PAYMENT:
        return sample_payment(state, seat, chance)
    return sample_fight(state, seat, chance) or Flee()


_STACKS: Final = [ChooseStack(colour=colour) for colour in COLOURS]
_ANSWERS: Final[dict[Decision, Callable[[State, Seat], Sequence[AlRashidAction]]]] = {
    Decision.STACK: lambda _state, _seat: _STACKS,
    Decision.HOLD_BACK: holdings,
    Decision.PLACE: lambda state, seat: places(state, seat, held=False),
    Decision.PLACE_HELD: lambda state, seat: places(state, seat, held=True),
    Decision.MANOEUVRE: manoeuvres,
    Decision.OWN_TURN: own_turn_answers,
    Decision.NEGOTIATE: removals,
    Decision.VISIT: visits,
    Decision.AUDIENCE: audiences,
    Decision.IMPOSTOR: impostor_favors,
    Decision.GENERAL: gifts,
    Decision.VIZIER: swaps,
    Decision.RECRUITS: lambda state, _seat: mixes(state),
    Decision.AGHA: lambda state, _seat: mixes(state),
    Decision.QUARTERMASTER: lambda _state, _seat: pairs_of_goods(),
    Decision.ALCHEMIST: conversions,
    Decision.SPY_MOVE: spy_moves,
    Decision.SPOIL: lambda state, _seat: spoils(state),
    Decision.TRADE: trades,
}
"""§13.5, [R35] What lists the answers to each decision except payments and battles, which may be too many to list."""
