"""§5.1 Plotters and Informers, at the start of the resolution phase.

§5.1 Plotters and Informers. At the beginning of the resolution phase their owners may use them, in turn order, each
tile once. A Plotter moves one own piece from a palace to another palace, an Informer from a territory to another
territory. Only a single piece moves, and it must be able to enter its new area (§4.4). An office that is not used is
lost for this turn.
"""

from __future__ import annotations

from engine.al_rashid.actions import Decline, MovePiece
from engine.al_rashid.box.areas import PALACES, TERRITORIES, TERRITORY_INDEX
from engine.al_rashid.box.components import AreaId
from engine.al_rashid.box.offices import INFORMER, PLOTTER
from engine.al_rashid.errors import Code
from engine.al_rashid.event_parts import Manoeuvres, MoveMeans
from engine.al_rashid.events import ManoeuvresEnded, PieceMoved
from engine.al_rashid.rules.entry import big_pieces, check_area, check_move, open_areas
from engine.al_rashid.rules.placement import pieces_of
from engine.al_rashid.rules.turn import Turn
from engine.al_rashid.state import State
from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat


def officers(state: State) -> tuple[Manoeuvres, ...]:
    """§5.1 Return who may move pieces, in turn order. Each office tile is used once."""
    counted = (
        Manoeuvres(seat=seat, plotters=state.offices(seat, PLOTTER), informers=state.offices(seat, INFORMER))
        for seat in state.order
    )
    return tuple(each for each in counted if each.plotters or each.informers)


def manoeuvre(turn: Turn, seat: Seat, action: MovePiece) -> None:
    """§5.1 A Plotter moves between palaces, an Informer between territories."""
    state = turn.state
    check_area(action.from_area, "from_area", "5.1")
    check_area(action.to_area, "to_area", "5.1")
    on_map = action.from_area in TERRITORY_INDEX
    now = state.manoeuvres[0]
    left = now.informers if on_map else now.plotters
    if on_map != (action.to_area in TERRITORY_INDEX) or not left:
        raise RuleViolation(
            Code.NO_OFFICER_FOR_MOVE, rule="5.1", from_area=action.from_area, to_area=action.to_area
        )
    check_move(state, seat, action.piece, action.from_area, action.to_area, "5.1")
    turn.record(
        PieceMoved(
            seat=seat,
            piece=action.piece,
            from_area=action.from_area,
            to_area=action.to_area,
            by=MoveMeans.INFORMER if on_map else MoveMeans.PLOTTER,
        )
    )


def end_manoeuvres(turn: Turn, seat: Seat) -> None:
    """§5.1 End the moves of a seat; officers not used are lost for this turn."""
    turn.record(ManoeuvresEnded(seat=seat))


def manoeuvres(state: State, seat: Seat) -> list[MovePiece | Decline]:
    """§5.1 List every move a Plotter or an Informer still allows."""
    now = state.manoeuvres[0]
    within_city = moves_between(state, seat, PALACES, PALACES) if now.plotters else []
    on_map = moves_between(state, seat, TERRITORIES, TERRITORIES) if now.informers else []
    return [*within_city, *on_map, Decline()]


def skip_manoeuvres(turn: Turn, seat: Seat) -> bool:
    """§5.1 If a seat has an officer but no piece it could move, end its moves and return True."""
    if len(manoeuvres(turn.state, seat)) > 1:
        return False
    end_manoeuvres(turn, seat)
    return True


def moves_between(
    state: State, seat: Seat, sources: tuple[AreaId, ...], targets: tuple[AreaId, ...]
) -> list[MovePiece]:
    """List the moves of every own piece from a source to every other target it may enter, in the order of `AREAS`."""
    found: list[MovePiece] = []
    big = big_pieces(state, seat)
    for source in sources:
        stack = state.stack(source, seat)
        if stack is None:
            continue
        found += [
            MovePiece(piece=piece, from_area=source, to_area=target)
            for piece in pieces_of(stack.pieces)
            for target in open_areas(piece, big)
            if target != source and target in targets
        ]
    return found
