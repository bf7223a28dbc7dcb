"""A move that is being carried out, and which seat may make one."""

from __future__ import annotations

from engine.interface import Recorder, RuleViolation, Seat, TableCode

from example_game.actions import GameAction, Place
from example_game.errors import Code
from example_game.events import GameEvent
from example_game.state import Stage, State

Turn = Recorder[State, GameEvent]
"""The state and the events so far. `turn.record(event)` applies the event at once, so that later steps see its effect."""


def check_seat(state: State, seat: Seat) -> None:
    """Refuse a seat that is not in this match, and every seat once the match is over."""
    if not 0 <= seat < state.seats:
        raise RuleViolation(TableCode.SEAT_UNKNOWN, rule="1", seat=seat, seats=state.seats)
    if state.stage is Stage.ENDED:
        raise RuleViolation(TableCode.MATCH_OVER, rule="5")


def check_turn(state: State, seat: Seat, action: GameAction) -> None:
    """Refuse an action that does not answer the seat's open decision."""
    check_seat(state, seat)
    placing = isinstance(action, Place)
    if state.stage is Stage.PLACING:
        if placing and seat in state.present and state.placed[seat] is not None:
            raise RuleViolation(Code.ALREADY_PLACED, rule="2", round=state.round)
        if seat not in state.to_place:
            raise RuleViolation(TableCode.NOT_YOUR_TURN, rule="2")
        if not placing:
            raise RuleViolation(TableCode.WRONG_DECISION, rule="2", field="type", expected="place")
    elif seat != state.tipper:
        raise RuleViolation(TableCode.NOT_YOUR_TURN, rule="4")
    elif placing:
        raise RuleViolation(TableCode.WRONG_DECISION, rule="4", field="type", expected="tip")
