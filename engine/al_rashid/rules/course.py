"""§3, §5 The course of a turn: what happens automatically until somebody has to decide.

§3 Course of the match. The match has five turns, each with the same phases, and is scored after the last one.

§3.1 Phases of a turn. In the placement phase all pieces are placed; in the resolution phase the areas are resolved
and the pieces go back to their owners. Between two turns there is an upkeep (§11). After the resolution phase of turn
5 the match is scored (§12).

§5 Resolution phase. First Plotters and Informers move pieces. Then the players take own turns in rounds, each naming
one area to be resolved, until no piece is left on the board.

§5.2 Rounds. In a round every player with a piece on the board takes one own turn, in turn order. Whether there is a
piece is checked when the turn comes; a player without one is skipped, and cannot activate an office either. When no
piece is left on the board, the phase ends after the own turn in progress.

§5.4 When pieces are checked. A player needs a piece on the board only at the beginning of the own turn. Whoever loses
the last one during the turn may still activate an office in it [R5].

§5.5 New offices. A player who buys an office to be activated need not wait: it works at once, unless another office
was already activated in this own turn [R6].

§5.8 When a new order begins. What the palace of Al-Rashid changes does not touch the round that is being played: the
new order counts from the next one on. It stays for later placement phases too [R8].
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.al_rashid.box.areas import AL_RASHID, SPIES, TERRITORY_INDEX
from engine.al_rashid.box.components import ACTING_RANKS, TURNS
from engine.al_rashid.box.offices import DIPLOMAT
from engine.al_rashid.event_parts import BackReason
from engine.al_rashid.events import (
    AreaClosed,
    OwnTurnEnded,
    OwnTurnStarted,
    ResolutionStarted,
    RoundStarted,
    SpyMovesStarted,
    TradeStarted,
    TurnStarted,
)
from engine.al_rashid.phases import Decision, question
from engine.al_rashid.rules.audience import settle_order
from engine.al_rashid.rules.manoeuvres import officers, skip_manoeuvres
from engine.al_rashid.rules.opening import take_back
from engine.al_rashid.rules.own_turn import activations
from engine.al_rashid.rules.scoring import end_match
from engine.al_rashid.rules.spying import sequence
from engine.al_rashid.rules.trade import skip_trade
from engine.al_rashid.rules.turn import Turn
from engine.al_rashid.rules.upkeep import upkeep
from engine.al_rashid.rules.visit_steps import go_on
from engine.al_rashid.rules.visiting import skip_conversion, skip_naming
from engine.al_rashid.state import Part, Scene, Stage, State
from engine.kernel.chance import Chance
from engine.kernel.seats import Seat

_VISITS: Final = Part.VISITS
_BATTLE: Final = Part.BATTLE


def settle(turn: Turn, chance: Chance) -> None:
    """§13.5 Play on until a seat must decide or the match is over."""
    while (happens := _HAPPENS[turn.state.stage]) is not None:
        asked = question(turn.state)
        if asked is None:
            happens(turn, chance)
            continue
        skip = _SKIPS.get(asked.decision)
        if skip is None or not skip(turn, asked.seat):
            return


def _own_turn_over(turn: Turn, seat: Seat) -> bool:
    """§5.3 After the area only an office can be activated; if there is none, end the own turn and return True."""
    state = turn.state
    if seat not in state.left and (not state.area_named or activations(state, seat)):
        return False
    turn.record(OwnTurnEnded(seat=seat))
    return True


def start_turn(turn: Turn) -> None:
    """§4.1 A new turn order, if there is one, begins now [R8]."""
    state = turn.state
    order = state.next_order or state.order
    diplomats = tuple(seat for seat in order for _ in range(state.offices(seat, DIPLOMAT)))
    present = tuple(seat for seat in diplomats if seat not in state.left)
    turn.record(TurnStarted(turn=state.turn + 1, order=order, diplomats=present))


def _start_resolution(turn: Turn) -> None:
    """§5.1"""
    turn.record(ResolutionStarted(manoeuvres=officers(turn.state)))


def _next_round(turn: Turn) -> None:
    """§5.2, §5.8"""
    state = turn.state
    turn.record(RoundStarted(round=state.round + 1, order=state.next_order or state.order))


def _in_rounds(turn: Turn, chance: Chance) -> None:
    state = turn.state
    if state.visit is not None:
        go_on(turn, chance)
    elif state.scene is not None:
        _in_scene(turn, state.scene)
    else:
        _next_own_turn(turn, chance)


def _next_own_turn(turn: Turn, chance: Chance) -> None:
    """§5.2 A seat with no piece on the board is skipped; if no piece is left, the phase is over."""
    state = turn.state
    owners = {stack.seat for area in state.areas for stack in area}
    if not owners:
        _end_phase(turn, chance)
        return
    for seat in state.queue:
        if seat in owners:
            turn.record(OwnTurnStarted(seat=seat))
            return
    _next_round(turn)


def _end_phase(turn: Turn, chance: Chance) -> None:
    """§3.1"""
    if turn.state.turn == TURNS:
        end_match(turn)
        return
    upkeep(turn, chance)
    start_turn(turn)


def _in_scene(turn: Turn, scene: Scene) -> None:
    part = scene.part
    if part is _VISITS and scene.area == SPIES and scene.spies:
        turn.record(SpyMovesStarted(moves=sequence(scene)))
    elif part is _BATTLE and scene.queue and not _tiles(turn.state, scene):
        _start_trade(turn, scene)
    else:
        if scene.area == AL_RASHID:
            settle_order(turn, scene)
        turn.record(AreaClosed(area=scene.area))


def _start_trade(turn: Turn, scene: Scene) -> None:
    """§9.6 The three highest of those still present trade; the others take their pieces back [R7]."""
    turn.record(TradeStarted(territory=scene.area, traders=scene.queue[:ACTING_RANKS]))
    for seat in scene.queue[ACTING_RANKS:]:
        take_back(turn, seat, scene.area, BackReason.CUT)


def _tiles(state: State, scene: Scene) -> bool:
    return bool(state.tiles[TERRITORY_INDEX[scene.area]])


_HAPPENS: Final[dict[Stage, Callable[[Turn, Chance], None] | None]] = {
    Stage.SETUP: lambda turn, _chance: start_turn(turn),
    Stage.PLACEMENT: lambda turn, _chance: _start_resolution(turn),
    Stage.MANOEUVRES: lambda turn, _chance: _next_round(turn),
    Stage.ROUNDS: _in_rounds,
    Stage.ENDED: None,
}
"""What happens automatically in each stage when nobody has to decide."""
_SKIPS: Final[dict[Decision, Callable[[Turn, Seat], bool]]] = {
    Decision.OWN_TURN: _own_turn_over,
    Decision.MANOEUVRE: skip_manoeuvres,
    Decision.TRADE: skip_trade,
    Decision.ALCHEMIST: skip_conversion,
    Decision.RECRUITS: skip_naming,
    Decision.AGHA: skip_naming,
}
"""Decisions that the rules skip if there is no choice: each skips its decision and returns True, or returns False."""
