"""[R35] Carrying out a visit: office, service, favor. All details are declared first; tiles are drawn last.

§7.1 Order of visits. In the order of ranks each visit is declared completely, paid, and then carried out: the office
first, then the service, then the favor [R35]. The moves of the Spies' service come after all visits (§7.6).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.al_rashid.box.components import ONE_GOOD, SERVICE_PIECE, goods_of
from engine.al_rashid.event_parts import BackReason, VisitStep
from engine.al_rashid.owner_events import (
    GoodsGained,
    InfluenceGained,
    NotesGained,
    OfficeAcquired,
    PieceGained,
)
from engine.al_rashid.rules.acquiring import gain_at_once
from engine.al_rashid.rules.mercenaries import draw
from engine.al_rashid.rules.opening import take_back
from engine.al_rashid.rules.paying import visit_of
from engine.al_rashid.rules.turn import Turn
from engine.al_rashid.state import Visit
from engine.kernel.chance import Chance


def go_on(turn: Turn, chance: Chance) -> None:
    """Do the next step of a paid visit that needs no decision; after the last step draw the tiles and end the visit."""
    visit = visit_of(turn.state)
    seat = visit.seat
    if not visit.steps:
        if visit.draws:
            draw(turn, seat, visit.draws, chance)
        take_back(turn, seat, visit.area, BackReason.VISITED)
        return
    step = visit.steps[0]
    do_step = _STEPS.get(step)
    if do_step is None:
        raise TypeError(f"{step} asks its player")
    do_step(turn, visit)


def _get_office(turn: Turn, visit: Visit) -> None:
    """§7.4"""
    if visit.office is None:
        raise TypeError("no office has been declared")
    turn.record(OfficeAcquired(seat=visit.seat, office=visit.office, note=visit.note))
    gain_at_once(turn, visit.seat, visit.office)


def _train(turn: Turn, visit: Visit) -> None:
    """§7.5"""
    if visit.service is None:
        raise TypeError("no service has been declared")
    piece = SERVICE_PIECE[visit.service]
    turn.record(PieceGained(seat=visit.seat, piece=piece, source=VisitStep.TRAINING))


def _take_benevolence(turn: Turn, visit: Visit) -> None:
    """§8.3"""
    if visit.benevolence is None:
        raise TypeError("no benevolence has been declared")
    gift = goods_of(ONE_GOOD[visit.benevolence])
    turn.record(GoodsGained(seat=visit.seat, goods=gift, source=VisitStep.BENEVOLENCE))


def _get_note(turn: Turn, visit: Visit) -> None:
    """§7.7"""
    turn.record(NotesGained(seat=visit.seat, notes=1, source=VisitStep.COURT_SCHOLAR))


def _get_influence(turn: Turn, visit: Visit) -> None:
    """§7.7"""
    turn.record(InfluenceGained(seat=visit.seat, markers=1, source=VisitStep.QADI))


_STEPS: Final[dict[VisitStep, Callable[[Turn, Visit], None]]] = {
    VisitStep.OFFICE: _get_office,
    VisitStep.TRAINING: _train,
    VisitStep.BENEVOLENCE: _take_benevolence,
    VisitStep.COURT_SCHOLAR: _get_note,
    VisitStep.QADI: _get_influence,
}
"""The steps that need no decision."""
