"""§11 The state and events a move works on, and which seat may act."""

from __future__ import annotations

from typing import Final

from engine.kernel.errors import RuleViolation, TableCode
from engine.kernel.recorder import Recorder
from engine.kernel.seats import Seat
from engine.river_dragons.actions import (
    ChoosePlank,
    Jump,
    LayPlank,
    PlaceStone,
    PlaceStoneAt,
    RemovePlank,
    RemoveStone,
    RiverDragonsAction,
    Step,
    SubmitProgram,
)
from engine.river_dragons.box.components import Variant
from engine.river_dragons.errors import Code
from engine.river_dragons.events import RiverDragonsEvent
from engine.river_dragons.phases import DECISIONS, Decision, Ended, Executing, Programming
from engine.river_dragons.state import State

Turn = Recorder[State, RiverDragonsEvent]
"""A move being carried out: the state and the events so far."""

ANSWERS: Final[dict[Decision, tuple[type[RiverDragonsAction], ...]]] = {
    Decision.PROGRAM: (SubmitProgram,),
    Decision.STONE: (PlaceStone,),
    Decision.PLANK_SIZE: (ChoosePlank,),
    Decision.PLANK_PAIR: (LayPlank,),
    Decision.REMOVE: (RemovePlank, RemoveStone),
    Decision.STEP: (Step,),
    Decision.JUMP: (Jump,),
}
"""Which actions answer a decision; on the expert side a stone goes to a point."""
_EXPERT_STONE: Final[tuple[type[RiverDragonsAction], ...]] = (PlaceStoneAt,)


def answers(variant: Variant, decision: Decision) -> tuple[type[RiverDragonsAction], ...]:
    """Return the actions that answer a decision on this side of the board."""
    if decision is Decision.STONE and variant is Variant.EXPERT:
        return _EXPERT_STONE
    return ANSWERS[decision]


def seats_to_program(state: State) -> tuple[Seat, ...]:
    """§5 Return the seats that have not submitted a program yet, in order of seats."""
    return tuple([Seat(seat) for seat, program in enumerate(state.programs) if program is None])


def open_decision(state: State, seat: Seat) -> Decision | None:
    """§11 Return the kind of the seat's open decision; None if it has none."""
    phase = state.phase
    if isinstance(phase, Programming):
        return Decision.PROGRAM if state.programs[seat] is None else None
    return DECISIONS[type(phase)] if isinstance(phase, Executing) and phase.seat == seat else None


def check_seat(state: State, seat: Seat) -> None:
    """Refuse a seat that is not in this match, and every seat once the match is over."""
    if not 0 <= seat < len(state.colours):
        raise RuleViolation(TableCode.SEAT_UNKNOWN, rule="3", seat=seat, seats=state.seats)
    if isinstance(state.phase, Ended):
        raise RuleViolation(TableCode.MATCH_OVER, rule="8", reason=state.phase.reason)


def check_turn(state: State, seat: Seat, action: RiverDragonsAction) -> None:
    """§11 Refuse an action that does not answer the seat's open decision."""
    check_seat(state, seat)
    decision = open_decision(state, seat)
    if decision is None:
        raise _not_waited_for(state, seat, action)
    expected = answers(state.variant, decision)
    if type(action) not in expected:
        raise RuleViolation(
            TableCode.WRONG_DECISION,
            rule="11",
            field="type",
            expected=decision,
            actions=tuple(str(answer.__struct_config__.tag) for answer in expected),
        )


def _not_waited_for(state: State, seat: Seat, action: RiverDragonsAction) -> RuleViolation:
    phase = state.phase
    if isinstance(phase, Programming):
        if isinstance(action, SubmitProgram) and seat not in state.left:
            return RuleViolation(Code.ALREADY_SUBMITTED, rule="5", round=state.round)
        return RuleViolation(TableCode.NOT_YOUR_TURN, rule="5", waited_for=seats_to_program(state))
    waited_for = (phase.seat,) if isinstance(phase, Executing) else ()
    return RuleViolation(TableCode.NOT_YOUR_TURN, rule="4", waited_for=waited_for)
