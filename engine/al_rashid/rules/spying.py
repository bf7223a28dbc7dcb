"""§7.6 The spies' moves, made one at a time after all visits.

§7.6 Spy moves. Who takes the Spies' service is said in the visit, at no cost: rank 1 gets 3 moves, rank 2 two, rank 3
one. When the last visit is over, the ranks move in the order 1-2-3-1-2-1, one move each time; whoever does not take
part is left out. With a move a player looks at all face-down mercenaries of a territory, or moves an own piece from a
territory to another one that was not resolved in this turn, or waives it [R16].
"""

from __future__ import annotations

from engine.al_rashid.actions import Decline, MovePiece, Peek
from engine.al_rashid.box.areas import TERRITORIES, TERRITORY_INDEX
from engine.al_rashid.box.components import SPY_SEQUENCE, AreaId
from engine.al_rashid.errors import Code
from engine.al_rashid.event_parts import MoveMeans
from engine.al_rashid.events import PieceMoved, SpyMoveWaived
from engine.al_rashid.rules.activation import check_territory, peek
from engine.al_rashid.rules.entry import check_area, check_move
from engine.al_rashid.rules.manoeuvres import moves_between
from engine.al_rashid.rules.turn import Turn
from engine.al_rashid.state import Scene, State
from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat

SOURCE = MoveMeans.SPY_MOVES.value


def sequence(scene: Scene) -> tuple[Seat, ...]:
    """§7.6 Return the seats in the order of their moves: ranks 1-2-3-1-2-1 without those who declined or are absent."""
    by_rank = {scene.rank(seat): seat for seat in scene.spies}
    return tuple(by_rank[rank] for rank in SPY_SEQUENCE if rank in by_rank)


def spy_peek(turn: Turn, seat: Seat, action: Peek) -> None:
    """[R16] Look at any territory, even one without face-down tiles."""
    check_territory(action.territory, "7.6")
    peek(turn, seat, action.territory, SOURCE)


def spy_move(turn: Turn, seat: Seat, action: MovePiece) -> None:
    """§7.6 From a territory to another that has not been resolved in this turn."""
    state = turn.state
    for field, area in (("from_area", action.from_area), ("to_area", action.to_area)):
        check_area(area, field, "7.6")
        if area not in TERRITORY_INDEX:
            raise RuleViolation(Code.AREA_UNKNOWN, rule="7.6", field=field, area=area)
    if action.to_area in state.resolved:
        raise RuleViolation(Code.AREA_RESOLVED, rule="7.6", field="to_area", area=action.to_area)
    check_move(state, seat, action.piece, action.from_area, action.to_area, "7.6")
    turn.record(
        PieceMoved(
            seat=seat,
            piece=action.piece,
            from_area=action.from_area,
            to_area=action.to_area,
            by=MoveMeans.SPY_MOVES,
        )
    )


def waive(turn: Turn, seat: Seat) -> None:
    """[R16]"""
    turn.record(SpyMoveWaived(seat=seat))


def spy_moves(state: State, seat: Seat) -> list[Peek | MovePiece | Decline]:
    """§7.6 List every peek and every move of a piece."""
    open_territories: tuple[AreaId, ...] = tuple(
        territory for territory in TERRITORIES if territory not in state.resolved
    )
    return [
        *(Peek(territory=territory) for territory in TERRITORIES),
        *moves_between(state, seat, TERRITORIES, open_territories),
        Decline(),
    ]
