"""River Dragons as the functions and types that every game has."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final

from engine.kernel.chance import Chance
from engine.kernel.game import Game, Types
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
from engine.river_dragons.agents.evaluation import evaluate
from engine.river_dragons.agents.policy import policy
from engine.river_dragons.box.catalogue import COMPONENTS, Components
from engine.river_dragons.box.components import SEAT_COUNTS
from engine.river_dragons.errors import Code
from engine.river_dragons.events import RiverDragonsEvent
from engine.river_dragons.evolve import evolve
from engine.river_dragons.knowledge import hidden, redeal
from engine.river_dragons.layout.boards import LAYOUT
from engine.river_dragons.layout.hints import hint, template_hint
from engine.river_dragons.layout.pieces import pieces
from engine.river_dragons.legal import legal_actions, pending, sample
from engine.river_dragons.options import RiverDragonsOptions
from engine.river_dragons.rules.ending import outcome
from engine.river_dragons.rules.jumps import jump
from engine.river_dragons.rules.leaving import leave
from engine.river_dragons.rules.moves import step
from engine.river_dragons.rules.planks import choose_plank, lay_plank
from engine.river_dragons.rules.programming import submit_program
from engine.river_dragons.rules.removal import remove_plank, remove_stone
from engine.river_dragons.rules.rounds import settle
from engine.river_dragons.rules.setup import check_options, endless, start
from engine.river_dragons.rules.stones import place_stone, place_stone_at
from engine.river_dragons.rules.turn import Turn, check_turn
from engine.river_dragons.state import State
from engine.river_dragons.templates import RiverDragonsTemplate
from engine.river_dragons.text.drawing import draw
from engine.river_dragons.text.texts import TEXTS
from engine.river_dragons.versions import VERSIONS
from engine.river_dragons.view import RiverDragonsView, redact, view


def decide(
    state: State,
    seat: Seat,
    action: RiverDragonsAction,
    chance: Chance,  # noqa: ARG001 - after the setup nothing is drawn
) -> tuple[RiverDragonsEvent, ...]:
    """Judge an action and carry it out, with everything that follows automatically, up to the next decision."""
    check_turn(state, seat, action)
    turn: Turn = Recorder(state, evolve)
    CARRY_OUT[type(action)](turn, seat, action)
    settle(turn)
    return turn.events


CARRY_OUT: Final[dict[type[RiverDragonsAction], Callable[[Turn, Seat, Any], None]]] = {
    SubmitProgram: submit_program,
    PlaceStone: place_stone,
    PlaceStoneAt: place_stone_at,
    ChoosePlank: choose_plank,
    LayPlank: lay_plank,
    RemovePlank: remove_plank,
    RemoveStone: remove_stone,
    Step: step,
    Jump: jump,
}
"""What carries out each action."""

GAME: Final[Game[RiverDragonsOptions, State, RiverDragonsAction, RiverDragonsEvent, RiverDragonsView]] = Game(
    id="river_dragons",
    title="River Dragons",
    edition="River Dragons, Matagot, Italian rulebook; coordinates of the board are this project's own",
    versions=VERSIONS,
    rules_version=VERSIONS[0].version,
    seat_counts=SEAT_COUNTS,
    types=Types(
        options=RiverDragonsOptions,
        state=State,
        action=RiverDragonsAction,
        event=RiverDragonsEvent,
        template=RiverDragonsTemplate,
        view=RiverDragonsView,
        components=Components,
    ),
    components=COMPONENTS,
    texts=TEXTS,
    layout=LAYOUT,
    codes=Code,
    set_up=start,
    decide=decide,
    evolve=evolve,
    leave=leave,
    pending=pending,
    legal_actions=legal_actions,
    sample=sample,
    view=view,
    pieces=pieces,
    hint=hint,
    template_hint=template_hint,
    draw=draw,
    redact=redact,
    outcome=outcome,
    hidden=hidden,
    redeal=redeal,
    policy=policy,
    evaluate=evaluate,
    rules_of=attrgetter("rules_version"),
    check_options=check_options,
    endless=endless,
)
