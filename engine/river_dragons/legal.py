"""§11 The open decisions, and every answer that is legal now.

§11 Decisions. All players program at the same time. After that one seat at a time decides: where a stone goes, which
plank is used and where it lies, what is removed, where the pawn steps or lands. Each choice is made when the result
of the one before is known. A seat can act only when it has an open decision, and only with an action that answers it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final

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
from engine.river_dragons.box.components import IslandId, Place, Variant
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
_NAME: Final = {decision: decision.value for decision in Decision}
"""The names as plain strings, which are formatted faster than members of an enum."""
NOTHING: Final[Legal] = LegalActions()


def pending(state: State) -> tuple[Pending, ...]:
    """§11 Return every open decision. A decision's id never comes back in the match."""
    phase = state.phase
    if isinstance(phase, Programming):
        return _programs_to_come(state.round, seats_to_program(state))
    if not isinstance(phase, Executing):
        return ()
    decision = decision_of(phase)
    return (
        Pending(
            seat=phase.seat,
            decision=decision,
            rule=PARAGRAPH[decision],
            id=f"r{state.round}:s{state.slot}:seat{phase.seat}:{_NAME[decision]}:{phase.part}",
        ),
    )


@lru_cache(maxsize=1024)
def _programs_to_come(number: int, seats: tuple[Seat, ...]) -> tuple[Pending, ...]:
    """§5 Return the open decisions of the seats that have no program yet; they are the same in every match."""
    return tuple(
        Pending(
            seat=seat,
            decision=Decision.PROGRAM,
            rule=PARAGRAPH[Decision.PROGRAM],
            id=f"r{number}:seat{seat}:program",
            simultaneous=True,
        )
        for seat in seats
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
    choices, answer = _ANSWERS[type(phase)]
    return LegalActions(actions=tuple([answer(choice) for choice in choices(state, phase)]))


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
    choices, answer = _ANSWERS[type(phase)]
    among = choices(state, phase)
    return answer(among[chance.below(len(among))] if len(among) > 1 else among[0])


def _places(state: State, phase: Stepping) -> list[Place]:
    """§7.4"""
    return sorted(steps(state, phase.seat))


def _islands(state: State, _phase: PlacingStone) -> Sequence[IslandId]:
    """§7.1 Where to put a stone on the expert side is a region instead."""
    return free_islands(state)


def _sizes(state: State, phase: ChoosingPlank) -> Sequence[int]:
    """§7.2 (1)"""
    return sizes(state, phase.seat)


def _pairs(state: State, phase: LayingPlank) -> list[Pair]:
    """§7.2 (2)"""
    return sorted(state.table.pairs.members(_fitting(state, phase)), key=attrgetter("id"))


def _removals(state: State, phase: Removing) -> list[RemovePlank | RemoveStone]:
    """§7.3"""
    planks = [RemovePlank(plank=plank) for plank in sorted(removable_planks(state, phase.seat))]
    return [*planks, *[RemoveStone(support=stone) for stone in sorted(removable_stones(state))]]


def _jumps(state: State, phase: Jumping) -> list[tuple[Seat, Place]]:
    """§7.5"""
    return sorted(jumps(state, phase.seat))


_ANSWERS: Final[
    dict[type[Executing], tuple[Callable[[State, Any], Sequence[Any]], Callable[[Any], RiverDragonsAction]]]
] = {
    Stepping: (_places, lambda place: Step(to=place)),
    PlacingStone: (_islands, lambda island: PlaceStone(island=island)),
    ChoosingPlank: (_sizes, lambda size: ChoosePlank(size=size)),
    LayingPlank: (_pairs, lambda pair: LayPlank(a=pair.a.id, b=pair.b.id)),
    Removing: (_removals, lambda removal: removal),
    Jumping: (_jumps, lambda way: Jump(over=way[0], to=way[1])),
}
"""§7 What can be chosen in each phase, in order of ids, and the action that chooses it."""


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
