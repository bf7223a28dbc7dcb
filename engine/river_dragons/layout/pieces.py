"""What lies at which place. Later pieces lie above earlier ones: planks on stones, pawns on planks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import cos, pi, sin
from typing import Final

from engine.kernel.layout import Piece, on_mat
from engine.river_dragons.box.components import Variant
from engine.river_dragons.layout.boards import ORDER_PLACE, SUPPLY, WATER_PLACE
from engine.river_dragons.layout.cards import cards
from engine.river_dragons.layout.mat import DESTINATION, FIRST_PLAYER, START
from engine.river_dragons.layout.names import (
    FIRST_PLAYER_CARD,
    SUPPLY_STONES,
    destination_of,
    start_of,
    stone_of,
    turn_of,
)
from engine.river_dragons.layout.planks import pawn, planks
from engine.river_dragons.view import RiverDragonsView, SeatView, StoneOnBoard

_TURN_WIDTH: Final = 260
_RING: Final = (420, 290)
"""Half the width and half the height of the ring on which the markers of the order lie."""
_BELOW_HEADING: Final = 90
"""How far the ring is below the centre of its place, so that a heading has room."""


def pieces(view: RiverDragonsView) -> tuple[Piece, ...]:
    """Return what lies at the places of the layout, as far as the view shows it."""
    return (
        *_stones(view),
        *planks(view),
        *(pawn(view, player) for player in view.seats),
        *_order(view),
        *(sign for player in view.seats for sign in _signs(player)),
        _first_player(view),
        *cards(view),
    )


def _stones(view: RiverDragonsView) -> Iterator[Piece]:
    if view.supply:
        yield Piece(id=SUPPLY_STONES, component="stone", place=SUPPLY, count=view.supply, kind="stone")
    for stone in view.stones:
        yield _stone(stone, stone.id if view.variant is Variant.ISLANDS else WATER_PLACE)


def _stone(stone: StoneOnBoard, place: str) -> Piece:
    return Piece(
        id=stone_of(stone.id),
        component="stone",
        place=place,
        kind="stone",
        x=stone.x,
        y=stone.y,
        width=2 * stone.radius,
    )


def _order(view: RiverDragonsView) -> Iterator[Piece]:
    """Yield a marker for every seat that has not left, on a ring: the order of play is clockwise (§4)."""
    for seat, (x, y) in zip(view.order, _ring(len(view.order)), strict=True):
        player = view.seats[seat]
        if not player.left:
            yield Piece(
                id=turn_of(seat),
                component=player.colour,
                place=ORDER_PLACE.id,
                seat=seat,
                kind="turn_marker",
                x=x,
                y=y,
                width=_TURN_WIDTH,
            )


@cache
def _ring(number: int) -> tuple[tuple[int, int], ...]:
    """Return as many points in the place of the order, clockwise from the top."""
    across, down = _RING
    middle = ORDER_PLACE.y + _BELOW_HEADING
    return tuple(
        (ORDER_PLACE.x + round(across * sin(turn)), middle - round(down * cos(turn)))
        for turn in (2 * pi * step / number for step in range(number))
    )


def _signs(player: SeatView) -> Iterator[Piece]:
    """Yield what says where a seat starts and where it must go."""
    seat = player.seat
    for name, village, place in (
        (start_of(seat), player.start, START),
        (destination_of(seat), player.destination, DESTINATION),
    ):
        yield Piece(id=name, component=village, place=on_mat(place, seat), seat=seat, kind="sign")


def _first_player(view: RiverDragonsView) -> Piece:
    return Piece(
        id=FIRST_PLAYER_CARD,
        component="first_player",
        place=on_mat(FIRST_PLAYER, view.first_player),
        kind="first_player_card",
    )
