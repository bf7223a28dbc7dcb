"""Where the planks lie, on the board, in the reserves and out of the game, and the pawns that stand on them."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot
from typing import Final

from engine.kernel.layout import Piece, on_mat
from engine.kernel.seats import Seat
from engine.river_dragons.box.components import STONE_RADIUS, VILLAGE_RADIUS, Plank
from engine.river_dragons.layout.boards import LOST_PLANKS, VILLAGE_IDS, WATER_PLACE
from engine.river_dragons.layout.mat import RACK
from engine.river_dragons.layout.names import pawn_of, plank_of
from engine.river_dragons.view import PlankOnBoard, RiverDragonsView, SeatView

PAWN_WIDTH: Final = 220
"""Twice as wide as a plank, in board units, so that a pawn on a plank can be seen and touched."""
_INTO_VILLAGE: Final = STONE_RADIUS
"""How far a plank reaches into a village: as far as onto a stone, and the middle stays free for pawns."""


def planks(view: RiverDragonsView) -> Iterator[Piece]:
    """Yield the planks. The seat of a plank is that of its colour, wherever it lies."""
    owner = {player.colour: player.seat for player in view.seats}
    for plank in view.lost_planks:
        yield _plank(plank, owner[plank.colour], LOST_PLANKS)
    for player in view.seats:
        for plank in player.reserve:
            yield _in_rack(plank, owner[plank.colour], player.seat)
    for laid in view.planks:
        yield _plank(
            laid.plank, owner[laid.plank.colour], WATER_PLACE, _ends(laid), view.measures.plank_width
        )


def _in_rack(plank: Plank, owner: Seat, seat: Seat) -> Piece:
    slot = RACK[plank.size]
    ends = (slot.x - slot.width // 2, slot.y, slot.x + slot.width // 2, slot.y)
    return _plank(plank, owner, on_mat(slot.id, seat), ends, slot.height)


def _plank(
    plank: Plank,
    owner: Seat,
    place: str,
    ends: tuple[int | None, int | None, int | None, int | None] = (None, None, None, None),
    width: int | None = None,
) -> Piece:
    x, y, x2, y2 = ends
    return Piece(
        id=plank_of(plank),
        component=f"plank_{plank.size}",
        place=place,
        seat=owner,
        kind="plank",
        x=x,
        y=y,
        x2=x2,
        y2=y2,
        width=width,
    )


def _ends(laid: PlankOnBoard) -> tuple[int, int, int, int]:
    """Return where a plank begins and ends: at the centre of a stone, or a little inside a village."""
    far = hypot(laid.bx - laid.ax, laid.by - laid.ay)
    a, b = (_short_of(support) / far for support in (laid.a, laid.b))
    across, down = laid.bx - laid.ax, laid.by - laid.ay
    return (
        round(laid.ax + a * across),
        round(laid.ay + a * down),
        round(laid.bx - b * across),
        round(laid.by - b * down),
    )


def _short_of(support: str) -> int:
    """Return how far from the centre of a support a plank ends."""
    return VILLAGE_RADIUS - _INTO_VILLAGE if support in VILLAGE_IDS else 0


def pawn(view: RiverDragonsView, player: SeatView) -> Piece:
    """Return a seat's pawn: in its village, or in the middle of its plank."""
    for laid in view.planks:
        if laid.id == player.pawn:
            x, y, x2, y2 = _ends(laid)
            return _pawn(player.seat, WATER_PLACE, (x + x2) // 2, (y + y2) // 2)
    return _pawn(player.seat, player.pawn)


def _pawn(seat: Seat, place: str, x: int | None = None, y: int | None = None) -> Piece:
    return Piece(
        id=pawn_of(seat), component="pawn", place=place, seat=seat, kind="pawn", x=x, y=y, width=PAWN_WIDTH
    )
