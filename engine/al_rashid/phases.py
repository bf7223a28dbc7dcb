"""The open decision and its seat: computed from the state, never stored.

The state says where in the turn the match is (`Stage`, `Scene.part`, `Visit.steps`), and this determines the
open decision. No decision is open while something still happens automatically: see rules/course.py.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Final

import msgspec

from engine.al_rashid.box.areas import AL_RASHID, TERRITORY_INDEX
from engine.al_rashid.box.components import NO_PIECES
from engine.al_rashid.event_parts import VisitStep
from engine.al_rashid.state import Part, Scene, Stage, State, Visit
from engine.kernel.seats import Seat


class Decision(StrEnum):
    """§13.5 The kinds of decision."""

    STACK = "stack"
    HOLD_BACK = "hold_back"
    PLACE = "place"
    PLACE_HELD = "place_held"
    MANOEUVRE = "manoeuvre"
    OWN_TURN = "own_turn"
    NEGOTIATE = "negotiate"
    VISIT = "visit"
    AUDIENCE = "audience"
    PAYMENT = "payment"
    IMPOSTOR = "impostor"
    GENERAL = "general"
    VIZIER = "vizier"
    RECRUITS = "recruits"
    AGHA = "agha"
    QUARTERMASTER = "quartermaster"
    ALCHEMIST = "alchemist"
    SPY_MOVE = "spy_move"
    BATTLE = "battle"
    SPOIL = "spoil"
    TRADE = "trade"


class Question(msgspec.Struct, frozen=True):
    """An open decision and who has it."""

    seat: Seat
    decision: Decision


_STEP_DECISIONS: Final[dict[VisitStep, Decision]] = {
    VisitStep.IMPOSTOR: Decision.IMPOSTOR,
    VisitStep.AGHA: Decision.AGHA,
    VisitStep.QUARTERMASTER: Decision.QUARTERMASTER,
    VisitStep.ALCHEMIST: Decision.ALCHEMIST,
    VisitStep.RECRUIT_MERCENARIES: Decision.RECRUITS,
    VisitStep.GENERAL: Decision.GENERAL,
    VisitStep.VIZIER: Decision.VIZIER,
}
"""§7.2 The steps of a visit that need a decision; the others happen automatically."""
_PART_DECISIONS: Final[dict[Part, Decision]] = {
    Part.VISITS: Decision.VISIT,
    Part.SPY_MOVES: Decision.SPY_MOVE,
    Part.BATTLE: Decision.BATTLE,
    Part.TRADE: Decision.TRADE,
}
"""§7.1, §7.6, §9.2, §9.7 What is decided in each part of resolving an area; at Al-Rashid the visits are audiences."""

# The open decision is asked for several times a move, and Python 3.11 looks up a member of an enum as slowly as it calls
# a function. So those used there are looked up once.
_STACK: Final = Decision.STACK
_HOLD_BACK: Final = Decision.HOLD_BACK
_PLACE: Final = Decision.PLACE
_PLACE_HELD: Final = Decision.PLACE_HELD
_MANOEUVRE: Final = Decision.MANOEUVRE
_OWN_TURN: Final = Decision.OWN_TURN
_NEGOTIATE: Final = Decision.NEGOTIATE
_VISIT: Final = Decision.VISIT
_AUDIENCE: Final = Decision.AUDIENCE
_PAYMENT: Final = Decision.PAYMENT
_SPOIL: Final = Decision.SPOIL
_SPYING: Final = Part.SPY_MOVES
_BATTLING: Final = Part.BATTLE


def question(state: State) -> Question | None:
    """§13.5 Return the open decision; None while something happens automatically, and after the end."""
    return _IN_STAGE[state.stage](state)


def next_to_place(state: State) -> tuple[Seat, bool] | None:
    """§4.2, §4.3 Return the seat that places next, and whether it places a held piece; None if all pieces are placed.

    When all other pieces are on the board, the held ones follow, from the first place in the order.
    """
    order, players, after = state.order, state.players, state.cursor + 1
    going_on = order[after:] + order[:after]
    from_reserve, from_held = (order, going_on) if state.placing_held else (going_on, order)
    for seat in from_reserve:
        if players[seat].reserve != NO_PIECES:
            return seat, False
    for seat in from_held:
        if players[seat].held != NO_PIECES:
            return seat, True
    return None


def _in_setup(state: State) -> Question | None:
    return Question(state.queue[0], _STACK) if state.queue else None


def _in_placement(state: State) -> Question | None:
    if state.queue:
        return Question(state.queue[0], _HOLD_BACK)
    found = next_to_place(state)
    if found is None:
        return None
    seat, held = found
    return Question(seat, _PLACE_HELD if held else _PLACE)


def _in_manoeuvres(state: State) -> Question | None:
    return Question(state.manoeuvres[0].seat, _MANOEUVRE) if state.manoeuvres else None


def _in_rounds(state: State) -> Question | None:
    if state.visit is not None:
        return _in_visit(state.visit)
    if state.scene is not None:
        return _in_scene(state, state.scene)
    if state.turn_of is None:
        return None
    return Question(state.turn_of, _OWN_TURN if state.negotiating is None else _NEGOTIATE)


def _after_the_end(state: State) -> None:  # noqa: ARG001 - nobody decides any more, whatever the state
    return None


_IN_STAGE: Final[dict[Stage, Callable[[State], Question | None]]] = {
    Stage.SETUP: _in_setup,
    Stage.PLACEMENT: _in_placement,
    Stage.MANOEUVRES: _in_manoeuvres,
    Stage.ROUNDS: _in_rounds,
    Stage.ENDED: _after_the_end,
}


def _in_visit(visit: Visit) -> Question | None:
    if not visit.paid:
        return Question(visit.seat, _PAYMENT)
    if not visit.steps:
        return None
    decision = _STEP_DECISIONS.get(visit.steps[0])
    return None if decision is None else Question(visit.seat, decision)


def _in_scene(state: State, scene: Scene) -> Question | None:
    part = scene.part
    if part is _BATTLING and scene.winner is not None:
        return Question(scene.winner, _SPOIL) if scene.spoils else None
    asked = scene.spies if part is _SPYING else scene.queue
    if not asked or (part is _BATTLING and not state.tiles[TERRITORY_INDEX[scene.area]]):
        return None
    decision = _PART_DECISIONS[part]
    return Question(asked[0], _AUDIENCE if decision is _VISIT and scene.area == AL_RASHID else decision)
