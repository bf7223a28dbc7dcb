"""§10.2 What an office does at once when it is acquired. An effect that needs a choice is a step of the visit."""

from __future__ import annotations

from engine.al_rashid.box.components import (
    DISHONOR_ENCHANTER,
    FAMILY_LIMITS,
    MERCHANT,
    SAGE,
    Goods,
    OfficeId,
    Piece,
)
from engine.al_rashid.box.offices import (
    AIDE_TO_THE_QADI,
    ASTROLOGIST,
    ASTROLOGIST_INFLUENCE,
    ENCHANTER,
    LAW_EXPERT,
    SILK_MONOPOLIST,
    SPICE_MONOPOLIST,
    TREASURER,
)
from engine.al_rashid.owner_events import (
    DishonorTaken,
    GoodsGained,
    InfluenceGained,
    NotesGained,
    PieceGained,
)
from engine.al_rashid.rules.turn import Turn
from engine.kernel.seats import Seat


def gain_at_once(turn: Turn, seat: Seat, office: OfficeId) -> None:
    """§10.2"""
    if office == TREASURER:
        turn.record(NotesGained(seat=seat, notes=1, source=office))
    elif office in (AIDE_TO_THE_QADI, LAW_EXPERT):
        turn.record(InfluenceGained(seat=seat, markers=1, source=office))
    elif office == ASTROLOGIST:
        markers = ASTROLOGIST_INFLUENCE[turn.state.family(seat)[SAGE]]
        if markers:
            turn.record(InfluenceGained(seat=seat, markers=markers, source=office))
    elif office == ENCHANTER:
        _enchant(turn, seat)
    elif office == SILK_MONOPOLIST:
        both = bool(turn.state.offices(seat, SPICE_MONOPOLIST))
        goods = Goods(silk=3, spices=1) if both else Goods(silk=1)
        turn.record(GoodsGained(seat=seat, goods=goods, source=office))
    elif office == SPICE_MONOPOLIST:
        both = bool(turn.state.offices(seat, SILK_MONOPOLIST))
        goods = Goods(spices=3, silk=1) if both else Goods(spices=1)
        turn.record(GoodsGained(seat=seat, goods=goods, source=office))


def _enchant(turn: Turn, seat: Seat) -> None:
    """[R15] A player who has four merchants gets no piece, but still takes the dishonor."""
    if turn.state.family(seat)[MERCHANT] < FAMILY_LIMITS[MERCHANT]:
        turn.record(PieceGained(seat=seat, piece=Piece.MERCHANT, source=ENCHANTER))
    turn.record(DishonorTaken(seat=seat, markers=DISHONOR_ENCHANTER, source=ENCHANTER))
