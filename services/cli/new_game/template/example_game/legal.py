"""Who must decide what, and every answer that is legal: what is not here, `decide` refuses."""

from __future__ import annotations

from enum import StrEnum

from engine.interface import Chance, LegalActions, Pending, Seat

from example_game.actions import GameAction, Keep, Place, Tip
from example_game.rules.placing import any_way
from example_game.rules.tipping import can_be_tipped
from example_game.state import State
from example_game.templates import GameTemplate, PlaceTemplate


class Decision(StrEnum):
    """The kinds of decisions."""

    PLACE = "place"
    """The player places pebbles (§2)."""
    TIP = "tip"
    """The player may tip a bowl (§4)."""


def pending(state: State) -> tuple[Pending, ...]:
    """Return every open decision, in order of seats. The id of a decision never comes back in the match."""
    if state.tipper is not None:
        return (_pending(state, state.tipper, Decision.TIP, "4"),)
    return tuple(_pending(state, seat, Decision.PLACE, "2") for seat in state.to_place)


def _pending(state: State, seat: Seat, decision: Decision, rule: str) -> Pending:
    return Pending(
        seat=seat,
        decision=decision,
        rule=rule,
        id=f"r{state.round}:seat{seat}:{decision}",
        simultaneous=decision is Decision.PLACE,
    )


def legal_actions(state: State, seat: Seat) -> LegalActions[GameAction, GameTemplate]:
    """Return every legal answer to the seat's open decision; none if it has none."""
    if seat in state.to_place:
        return LegalActions(templates=(PlaceTemplate(most=state.most(seat)),))
    if seat == state.tipper:
        return LegalActions(actions=_answers(state))
    return LegalActions()


def sample(state: State, seat: Seat, chance: Chance) -> GameAction:
    """Return any legal answer, each equally likely. Raises LookupError if the seat has no open decision."""
    if seat in state.to_place:
        way = any_way(state.most(seat), chance)
        return Place(left=way.left, middle=way.middle, right=way.right)
    if seat == state.tipper:
        answers = _answers(state)
        return answers[chance.below(len(answers))]
    raise LookupError(f"seat {seat} has no open decision")


def _answers(state: State) -> tuple[GameAction, ...]:
    """§4 Return the ways to tip a bowl, and to tip none."""
    return (*(Tip(bowl=bowl) for bowl in can_be_tipped(state)), Keep())
