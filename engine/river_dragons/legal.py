"""§11 The open decisions, and every answer that is legal now.

§11 Decisions. All players program at the same time. After that one seat at a time decides: where a stone goes, which
plank is used and where it lies, what is removed, where the pawn steps or lands. Each choice is made when the result
of the one before is known. A seat can act only when it has an open decision, and only with an action that answers it.
"""

from __future__ import annotations

from typing import Final, assert_never

from engine.kernel.chance import Chance
from engine.kernel.legal import LegalActions
from engine.kernel.pending import Pending
from engine.kernel.seats import Seat
from engine.river_dragons.actions import (
    ChoosePlank,
    Jump,
    LayPlank,
    PlaceStone,
    RemovePlank,
    RemoveStone,
    RiverDragonsAction,
    Step,
)
from engine.river_dragons.box.board import Pair
from engine.river_dragons.box.components import Variant
from engine.river_dragons.phases import (
    ChoosingPlank,
    Decision,
    Executing,
    Jumping,
    LayingPlank,
    PlacingStone,
    Programming,
    Removing,
    Stepping,
    decision_of,
)
from engine.river_dragons.rules.expert import sample_point
from engine.river_dragons.rules.jumps import jumps
from engine.river_dragons.rules.moves import steps
from engine.river_dragons.rules.planks import sizes
from engine.river_dragons.rules.programming import program_template, sample_program
from engine.river_dragons.rules.removal import removable_planks, removable_stones
from engine.river_dragons.rules.stones import free_islands
from engine.river_dragons.rules.turn import seats_to_program
from engine.river_dragons.state import State
from engine.river_dragons.templates import RiverDragonsTemplate, StoneTemplate

Legal = LegalActions[RiverDragonsAction, RiverDragonsTemplate]

PARAGRAPH: Final = {
    Decision.PROGRAM: "5",
    Decision.STONE: "7.1",
    Decision.PLANK_SIZE: "7.2",
    Decision.PLANK_PAIR: "7.2",
    Decision.REMOVE: "7.3",
    Decision.STEP: "7.4",
    Decision.JUMP: "7.5",
}
NOTHING: Final[Legal] = LegalActions()


def pending(state: State) -> tuple[Pending, ...]:
    """§11 Return every open decision. A decision's id never comes back in the match."""
    phase = state.phase
    if isinstance(phase, Programming):
        return tuple(
            Pending(
                seat=seat,
                decision=Decision.PROGRAM,
                rule=PARAGRAPH[Decision.PROGRAM],
                id=f"r{state.round}:seat{seat}:program",
                simultaneous=True,
            )
            for seat in seats_to_program(state)
        )
    if not isinstance(phase, Executing):
        return ()
    decision = decision_of(phase)
    return (
        Pending(
            seat=phase.seat,
            decision=decision,
            rule=PARAGRAPH[decision],
            id=f"r{state.round}:s{state.slot}:seat{phase.seat}:{decision}:{phase.part}",
        ),
    )


def legal_actions(state: State, seat: Seat) -> Legal:
    """§11 Return every legal answer to the seat's open decision, in order of ids; empty if it has none."""
    phase = state.phase
    if isinstance(phase, Programming):
        if seat not in seats_to_program(state):
            return NOTHING
        return LegalActions(templates=(program_template(state, seat),))
    if not isinstance(phase, Executing) or phase.seat != seat:
        return NOTHING
    if isinstance(phase, PlacingStone) and state.variant is Variant.EXPERT:
        return LegalActions(templates=(StoneTemplate(region=state.table.region),))
    return LegalActions(actions=tuple(_answers(state, phase)))


def sample(state: State, seat: Seat, chance: Chance) -> RiverDragonsAction:
    """Return any legal answer to the seat's open decision, each equally likely."""
    phase = state.phase
    if isinstance(phase, Programming) and seat in seats_to_program(state):
        return sample_program(state, seat, chance)
    if not isinstance(phase, Executing) or phase.seat != seat:
        raise LookupError(f"seat {seat} has no open decision")
    if isinstance(phase, PlacingStone) and state.variant is Variant.EXPERT:
        return sample_point(state.table.region, chance)
    if isinstance(phase, LayingPlank):
        return _any_pair(state, phase, chance)
    answers = _answers(state, phase)
    return answers[chance.below(len(answers))] if len(answers) > 1 else answers[0]


def _answers(state: State, phase: Executing) -> list[RiverDragonsAction]:
    """§7 Return the list of answers; where to put a stone on the expert side is a region instead."""
    match phase:
        case Stepping():
            return [Step(to=place) for place in sorted(steps(state, phase.seat))]
        case PlacingStone():
            return [PlaceStone(island=island) for island in free_islands(state)]
        case ChoosingPlank():
            return [ChoosePlank(size=size) for size in sizes(state, phase.seat)]
        case LayingPlank():
            pairs = sorted(state.table.pairs.members(_fitting(state, phase)), key=_name)
            return [LayPlank(a=pair.a.id, b=pair.b.id) for pair in pairs]
        case Removing():
            planks = [RemovePlank(plank=plank) for plank in sorted(removable_planks(state, phase.seat))]
            return [*planks, *(RemoveStone(support=stone) for stone in sorted(removable_stones(state)))]
        case Jumping():
            return [Jump(over=over, to=place) for over, place in sorted(jumps(state, phase.seat))]
        case _:
            assert_never(phase)


def _fitting(state: State, phase: LayingPlank) -> int:
    return state.table.fitting_pairs(phase.plank.size)


def _any_pair(state: State, phase: LayingPlank, chance: Chance) -> LayPlank:
    """Return one pair drawn from the set, without listing the set."""
    fitting = _fitting(state, phase)
    count = fitting.bit_count()
    for _ in range(chance.below(count) if count > 1 else 0):
        fitting &= fitting - 1
    pair = next(state.table.pairs.members(fitting))
    return LayPlank(a=pair.a.id, b=pair.b.id)


def _name(pair: Pair) -> str:
    return pair.id
