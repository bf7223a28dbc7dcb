"""§3 The course of a match: what happens automatically until somebody has to decide.

§3 Turns. The players take turns clockwise until the end is triggered. A turn consists of favor, one action,
masteries, and the end of the turn, in this order.

§3.2 One action. The player does exactly one of three things: build (§4), sail (§5) or deliver (§6). A ship can always
sail, so nobody passes [A27].

§3.3 Masteries. After the action the player claims masteries; this happens by itself (§7).
"""

from __future__ import annotations

from engine.kernel.chance import Chance
from engine.kernel.recorder import Recorder
from engine.kernel.seats import Seat
from engine.river_of_gold.event_parts import Step
from engine.river_of_gold.events import RiverOfGoldEvent, StepStarted, TurnClosed
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
    while turn.state.stage is not Stage.ENDED and question(turn.state) is None:
        _happen(turn, chance)


def _happen(turn: Turn, chance: Chance) -> None:
    """Do the next thing that happens automatically."""
    state = turn.state
    match state.stage:
        case Stage.TURNS:
            _in_turn(turn, chance)
        case Stage.PATRONS:
            set_up_players(turn, chance)
        case Stage.FIRST_DICE:
            if state.queue:
                roll_die(turn, state.queue[0], chance)
            else:
                start_turn(turn, after(state, None)[0])
        case Stage.LAST_EXCHANGES:
            go_on_exchanging(turn)
        case Stage.ENDED:
            raise ValueError("nothing happens after the end")


def _in_turn(turn: Turn, chance: Chance) -> None:
    state = turn.state
    if state.active is None:
        raise TypeError("it is nobody's turn")
    if state.choices:
        lapse_choice(turn)
    elif state.voyage is not None and state.voyage.bonuses:
        journeys.go_on(turn, state.active)
    else:
        _take_step(turn, state.active, state.steps[0], chance)


def _take_step(turn: Turn, seat: Seat, step: Step, chance: Chance) -> None:
    """§3 Take a step. The event a step causes records some steps; for the others `StepStarted` is recorded first."""
    match step:
        case Step.JOURNEY:
            journeys.complete_journey(turn, seat)
        case Step.END_TILE:
            discard_end_tile(turn)
        case Step.REFILL:
            refill(turn, chance)
        case Step.CLOSING:
            turn.record(TurnClosed(seat=seat))
        case Step.EMPEROR:
            emperors_visit(turn)
        case Step.TRIGGER:
            trigger_end(turn, seat)
        case Step.ROLL:
            roll_die(turn, seat, chance)
        case Step.NEXT_TURN:
            next_turn(turn)
        case _:
            turn.record(StepStarted(seat=seat, step=step))
            _begin(turn, seat, step, chance)


def _begin(turn: Turn, seat: Seat, step: Step, chance: Chance) -> None:
    match step:
        case Step.VISITOR_REWARDS:
            visitor_rewards(turn, seat, chance)
        case Step.OWNER_REWARDS:
            owner_rewards(turn)
        case Step.AFTER_SAIL:
            after_sail(turn, seat)
        case Step.ABILITY:
            resolve_ability(turn, seat)
        case Step.DRAW:
            draw_for_delivery(turn, seat, chance)
        case Step.MASTERIES:
            claim_masteries(turn, seat)
        case _:
            raise TypeError(f"{step} is recorded by the events it causes")
