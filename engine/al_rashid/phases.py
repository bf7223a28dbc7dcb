"""The open decision and its seat: computed from the state, never stored.

The state says where in the turn the match is (`Stage`, `Scene.part`, `Visit.steps`), and this determines the
open decision. No decision is open while something still happens automatically: see rules/course.py.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

from engine.al_rashid.box.areas import AL_RASHID, TERRITORY_INDEX
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


def question(state: State) -> Question | None:
    """§13.5 Return the open decision; None while something happens automatically, and after the end."""
    match state.stage:
        case Stage.ROUNDS:
            return _in_rounds(state)
        case Stage.PLACEMENT:
            return _in_placement(state)
        case Stage.SETUP:
            return Question(state.queue[0], Decision.STACK) if state.queue else None
        case Stage.MANOEUVRES:
            if state.manoeuvres:
                return Question(state.manoeuvres[0].seat, Decision.MANOEUVRE)
            return None
        case Stage.ENDED:
            return None


def next_to_place(state: State) -> tuple[Seat, bool] | None:
    """§4.2, §4.3 Return the seat that places next, and whether it places a held piece; None if all pieces are placed.

    When all other pieces are on the board, the held ones follow, from the first place in the order.
    """
    order, players = state.order, state.players
    for held in (False, True):
        waiting = [any(players[seat].held if held else players[seat].reserve) for seat in order]
        if True in waiting:
            start = state.cursor + 1 if held == state.placing_held else 0
            places = len(order)
            for step in range(places):
                place = (start + step) % places
                if waiting[place]:
                    return order[place], held
    return None


def _in_placement(state: State) -> Question | None:
    if state.queue:
        return Question(state.queue[0], Decision.HOLD_BACK)
    found = next_to_place(state)
    if found is None:
        return None
    seat, held = found
    return Question(seat, Decision.PLACE_HELD if held else Decision.PLACE)


def _in_rounds(state: State) -> Question | None:
    if state.visit is not None:
        return _in_visit(state.visit)
    if state.scene is not None:
        return _in_scene(state, state.scene)
    if state.turn_of is None:
        return None
    if state.negotiating is not None:
        return Question(state.turn_of, Decision.NEGOTIATE)
    return Question(state.turn_of, Decision.OWN_TURN)


def _in_visit(visit: Visit) -> Question | None:
    if not visit.paid:
        return Question(visit.seat, Decision.PAYMENT)
    if not visit.steps:
        return None
    decision = _STEP_DECISIONS.get(visit.steps[0])
    return None if decision is None else Question(visit.seat, decision)


def _in_scene(state: State, scene: Scene) -> Question | None:
    match scene.part:
        case Part.VISITS:
            if not scene.queue:
                return None
            decision = Decision.AUDIENCE if scene.area == AL_RASHID else Decision.VISIT
            return Question(scene.queue[0], decision)
        case Part.SPY_MOVES:
            return Question(scene.spies[0], Decision.SPY_MOVE) if scene.spies else None
        case Part.BATTLE:
            if scene.winner is not None:
                return Question(scene.winner, Decision.SPOIL) if scene.spoils else None
            if scene.queue and state.tiles[TERRITORY_INDEX[scene.area]]:
                return Question(scene.queue[0], Decision.BATTLE)
            return None
        case Part.TRADE:
            return Question(scene.queue[0], Decision.TRADE) if scene.queue else None
