"""Small changes of the state that several events make: to a player, to a stack of pieces, to the steps of a visit."""

from __future__ import annotations

from typing import Final, TypeVar

from msgspec.structs import replace

from engine.al_rashid.box.areas import AREA_INDEX, TERRITORY_INDEX
from engine.al_rashid.box.components import NO_PIECES, AreaId, Piece
from engine.al_rashid.event_parts import VisitStep
from engine.al_rashid.state import Player, Stack, State, TerritoryTile, Visit
from engine.kernel.seats import Seat

T = TypeVar("T")
Counts = tuple[int, ...]
Areas = tuple[tuple[Stack, ...], ...]
Tiles = tuple[tuple[TerritoryTile, ...], ...]


def with_item(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """Return the tuple with one place changed."""
    changed = list(items)
    changed[at] = item
    return tuple(changed)


def with_player(state: State, seat: Seat, player: Player) -> tuple[Player, ...]:
    return with_item(state.players, seat, player)


ONE_PIECE: Final[dict[Piece, Counts]] = {
    Piece.PASHA: (1, 0, 0),
    Piece.MERCHANT: (0, 1, 0),
    Piece.SAGE: (0, 0, 1),
}
"""One kind of piece as counts of pashas, merchants, sages."""
ONE_PIECE_LESS: Final[dict[Piece, Counts]] = {
    Piece.PASHA: (-1, 0, 0),
    Piece.MERCHANT: (0, -1, 0),
    Piece.SAGE: (0, 0, -1),
}
"""The same as a change that takes it away."""


def added(one: Counts, other: Counts) -> Counts:
    """Add pashas, merchants and sages."""
    return (one[0] + other[0], one[1] + other[1], one[2] + other[2])


def with_pieces(areas: Areas, area: AreaId, seat: Seat, change: Counts) -> Areas:
    """§4.6 Add pieces to a player's stack or take them from it. A new stack gets the next slot; an empty one loses its slot."""
    index = AREA_INDEX[area]
    stacks = areas[index]
    for slot, stack in enumerate(stacks):
        if stack.seat == seat:
            pieces = added(stack.pieces, change)
            if pieces == NO_PIECES:
                return with_item(areas, index, stacks[:slot] + stacks[slot + 1 :])
            return with_item(areas, index, with_item(stacks, slot, Stack(seat=seat, pieces=pieces)))
    return with_item(areas, index, (*stacks, Stack(seat=seat, pieces=change)))


def without_seat(areas: Areas, seat: Seat) -> Areas:
    """Take all of a player's pieces off the board."""
    return tuple(tuple(stack for stack in area if stack.seat != seat) for area in areas)


def with_tiles(state: State, territory: AreaId, tiles: tuple[TerritoryTile, ...]) -> Tiles:
    return with_item(state.tiles, TERRITORY_INDEX[territory], tiles)


def after_step(state: State, step: VisitStep) -> Visit:
    """§7.2 Return the visit without its next step, which must be this one."""
    visit = state.visit
    if visit is None or not visit.steps or visit.steps[0] is not step:
        raise ValueError(f"no visit has {step} as its next step")
    return replace(visit, steps=visit.steps[1:])


def without(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    return tuple([each for each in seats if each != seat])
