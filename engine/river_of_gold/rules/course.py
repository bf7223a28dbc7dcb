"""§3 The course of a match: what happens automatically until somebody has to decide.

§3 Turns. The players take turns clockwise until the end is triggered. A turn consists of favor, one action,
masteries, and the end of the turn, in this order.

§3.2 One action. The player does exactly one of three things: build (§4), sail (§5) or deliver (§6). A ship can always
sail, so nobody passes [A27].

§3.3 Masteries. After the action the player claims masteries; this happens by itself (§7).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.kernel.chance import Chance
from engine.kernel.recorder import Recorder
from engine.kernel.seats import Seat
from engine.river_of_gold.event_parts import Step
from engine.river_of_gold.events import RiverOfGoldEvent, StepStarted
from engine.river_of_gold.evolve import evolve
from engine.river_of_gold.options import RiverOfGoldOptions
from engine.river_of_gold.phases import question
from engine.river_of_gold.rules import journeys
from engine.river_of_gold.rules.choices import lapse_choice
from engine.river_of_gold.rules.delivering import draw_for_delivery, resolve_ability
from engine.river_of_gold.rules.masteries import claim_masteries
from engine.river_of_gold.rules.row import discard_end_tile, refill
from engine.river_of_gold.rules.sailing import after_sail
from engine.river_of_gold.rules.setup import lay_out_table, set_up_players
from engine.river_of_gold.rules.turn import Turn
from engine.river_of_gold.rules.turn_end import (
    after,
    close_turn,
    go_on_exchanging,
    next_turn,
    roll_die,
    start_turn,
    trigger_end,
)
from engine.river_of_gold.rules.visiting import emperors_visit, owner_rewards, visitor_rewards
from engine.river_of_gold.state import Stage


def start(
    options: RiverOfGoldOptions, seats: int, chance: Chance, rules_version: str
) -> tuple[RiverOfGoldEvent, ...]:
    """§2 Return the events of the setup, up to the first decision."""
    started = lay_out_table(options, seats, chance, rules_version)
    turn: Turn = Recorder(evolve(None, started), evolve)
    settle(turn, chance)
    return (started, *turn.events)


def settle(turn: Turn, chance: Chance) -> None:
    """§11.3 Play on until a seat must decide or the match is over."""
    while question(turn.state) is None:
        happen = IN_STAGE.get(turn.state.stage)
        if happen is None:
            return
        happen(turn, chance)


def _first_dice(turn: Turn, chance: Chance) -> None:
    """§2.7 Roll the next die; after the last one the first turn starts."""
    state = turn.state
    if state.queue:
        roll_die(turn, state.queue[0], chance)
    else:
        start_turn(turn, after(state, None)[0])


def _in_turn(turn: Turn, chance: Chance) -> None:
    """§3 Do the next thing in the turn. The event a step causes records some steps; for the others `StepStarted` is recorded first."""
    state = turn.state
    seat = state.active
    if seat is None:
        raise TypeError("it is nobody's turn")
    if state.choices:
        lapse_choice(turn)
        return
    if state.voyage is not None and state.voyage.bonuses:
        journeys.go_on(turn, seat)
        return
    step = state.steps[0]
    take = TAKEN.get(step)
    if take is None:
        turn.record(StepStarted(seat=seat, step=step))
        take = BEGUN[step]
    take(turn, seat, chance)


IN_STAGE: Final[dict[Stage, Callable[[Turn, Chance], None]]] = {
    Stage.PATRONS: set_up_players,
    Stage.FIRST_DICE: _first_dice,
    Stage.TURNS: _in_turn,
    Stage.LAST_EXCHANGES: lambda turn, _: go_on_exchanging(turn),
}
"""What happens automatically in each stage; nothing happens after the end."""

_Take = Callable[[Turn, Seat, Chance], None]

TAKEN: Final[dict[Step, _Take]] = {
    Step.JOURNEY: lambda turn, seat, _: journeys.complete_journey(turn, seat),
    Step.END_TILE: lambda turn, _seat, _: discard_end_tile(turn),
    Step.REFILL: lambda turn, _, chance: refill(turn, chance),
    Step.CLOSING: lambda turn, seat, _: close_turn(turn, seat),
    Step.EMPEROR: lambda turn, _seat, _: emperors_visit(turn),
    Step.TRIGGER: lambda turn, seat, _: trigger_end(turn, seat),
    Step.ROLL: roll_die,
    Step.NEXT_TURN: lambda turn, _seat, _: next_turn(turn),
}
"""The steps that the events they cause record."""

BEGUN: Final[dict[Step, _Take]] = {
    Step.VISITOR_REWARDS: visitor_rewards,
    Step.OWNER_REWARDS: lambda turn, _seat, _: owner_rewards(turn),
    Step.AFTER_SAIL: lambda turn, seat, _: after_sail(turn, seat),
    Step.ABILITY: lambda turn, seat, _: resolve_ability(turn, seat),
    Step.DRAW: draw_for_delivery,
    Step.MASTERIES: lambda turn, seat, _: claim_masteries(turn, seat),
}
"""The steps before which `StepStarted` is recorded."""
