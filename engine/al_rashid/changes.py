"""Small changes of the state that several events make: to a player, to a stack of pieces, to the steps of a visit."""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from engine.al_rashid.box.areas import AREA_INDEX, TERRITORY_INDEX
from engine.al_rashid.box.components import PIECE_INDEX, AreaId, Piece
from engine.al_rashid.event_parts import VisitStep
from engine.al_rashid.state import Player, Stack, State, TerritoryTile
from engine.kernel.seats import Seat

T = TypeVar("T")
Counts = tuple[int, ...]
Areas = tuple[tuple[Stack, ...], ...]
Tiles = tuple[tuple[TerritoryTile, ...], ...]


def with_item(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """Return the tuple with one place changed."""
    return (*items[:at], item, *items[at + 1 :])


def with_player(state: State, seat: Seat, player: Player) -> tuple[Player, ...]:
    return with_item(state.players, seat, player)


def one_piece(piece: Piece, number: int = 1) -> Counts:
    """Return a number of one kind of piece as counts of pashas, merchants, sages."""
    return with_item((0, 0, 0), PIECE_INDEX[piece], number)


def added(one: Counts, other: Counts) -> Counts:
    """Add pashas, merchants and sages."""
    return (one[0] + other[0], one[1] + other[1], one[2] + other[2])


def with_pieces(state: State, area: AreaId, seat: Seat, change: Counts) -> Areas:
    """§4.6 Add pieces to a player's stack or take them from it. A new stack gets the next slot; an empty one loses its slot."""
    index = AREA_INDEX[area]
    stacks = state.areas[index]
    for slot, stack in enumerate(stacks):
        if stack.seat == seat:
            pieces = added(stack.pieces, change)
            if any(pieces):
                changed = with_item(stacks, slot, Stack(seat=seat, pieces=pieces))
            else:
                changed = (*stacks[:slot], *stacks[slot + 1 :])
            return with_item(state.areas, index, changed)
    return with_item(state.areas, index, (*stacks, Stack(seat=seat, pieces=change)))


def without_seat(areas: Areas, seat: Seat) -> Areas:
    """Take all of a player's pieces off the board."""
    return tuple(tuple(stack for stack in area if stack.seat != seat) for area in areas)


def with_tiles(state: State, territory: AreaId, tiles: tuple[TerritoryTile, ...]) -> Tiles:
    return with_item(state.tiles, TERRITORY_INDEX[territory], tiles)


def with_step_done(state: State, step: VisitStep) -> State:
    """§7.2 Go on to the visit's next step."""
    visit = state.visit
    if visit is None or not visit.steps or visit.steps[0] is not step:
        raise ValueError(f"no visit has {step} as its next step")
    return replace(state, visit=replace(visit, steps=visit.steps[1:]))


def without(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    return tuple([each for each in seats if each != seat])
