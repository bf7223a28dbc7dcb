"""§2.3, §11.3, §11.5 The stacks of mercenary tiles: drawing, crisis tiles, rebuilding.

Nobody ever sees the order of a stack, so a tile is drawn from what is left of its colour when it is needed.

§11.3 Crisis tiles. The next crisis tile is drawn; none comes twice [R30]. For each territory and colour on it, one
tile of that colour is laid there face down, and nobody sees its value. Tiles that lie there already stay, and all of
them add up.

§11.5 Empty stacks. When a tile is needed and the stack of its colour is empty, the discarded tiles of that colour are
shuffled and become the stack. Without discards nothing is drawn [R31].
"""

from __future__ import annotations

from engine.al_rashid.box.areas import CrisisTile
from engine.al_rashid.box.components import (
    FIRST_KIND,
    NO_TILES,
    TILE_VALUES,
    Colour,
    Tiles,
    squad_of,
    tile_kind,
)
from engine.al_rashid.event_parts import DrawnTile, PlacedTile
from engine.al_rashid.events import CrisisDrawn, StackRebuilt
from engine.al_rashid.owner_events import MercenariesDrawn
from engine.al_rashid.rules.turn import Turn
from engine.al_rashid.state import State
from engine.kernel.chance import Chance
from engine.kernel.seats import Seat


def can_draw(state: State, colour: Colour) -> bool:
    """[R31] Return whether there is a tile of the colour in its stack or in the discards."""
    return bool(sum(_of(state.stacks, colour)) or sum(_of(state.discards, colour)))


def tiles_to_name(state: State, colour: Colour) -> int:
    """[F10] Return how many tiles of the colour can still be named in this visit: all that are left, less those named in it."""
    there_are = sum(_of(state.stacks, colour)) + sum(_of(state.discards, colour))
    return there_are - (0 if state.visit is None else state.visit.draws.count(colour))


def all_tiles_to_name(state: State) -> int:
    """[F10] Return how many tiles of both colours together can still be named in this visit."""
    return sum(state.stacks) + sum(state.discards) - (0 if state.visit is None else len(state.visit.draws))


def draw(turn: Turn, seat: Seat, colours: tuple[Colour, ...], chance: Chance) -> None:
    """§7.5 Draw tiles of the colours, in this order, into a player's hand."""
    taken = list(NO_TILES)
    drawn: list[DrawnTile] = []
    for colour in colours:
        value = _draw_one(turn, colour, taken, chance)
        if value is not None:
            drawn.append(DrawnTile(colour=colour, value=value))
    turn.record(MercenariesDrawn(seat=seat, tiles=tuple(drawn)))


def crisis(turn: Turn, tile: CrisisTile, chance: Chance) -> None:
    """§11.3 Lay one tile for every symbol, face down and unseen."""
    taken = list(NO_TILES)
    placed: list[PlacedTile] = []
    number = turn.state.next_tile
    for symbol in tile.placements:
        value = _draw_one(turn, symbol.colour, taken, chance)
        if value is not None:
            placed.append(
                PlacedTile(id=number, territory=symbol.territory, colour=symbol.colour, value=value)
            )
            number += 1
    turn.record(CrisisDrawn(crisis=tile.id, tiles=tuple(placed)))


def _draw_one(turn: Turn, colour: Colour, taken: list[int], chance: Chance) -> int | None:
    """Draw a tile and return its value; None if the colour has run out. `taken` counts the tiles already drawn in this event."""
    left = _left(turn.state.stacks, colour, taken)
    total = sum(left)
    if not total:
        discards = turn.state.discards
        rebuilt = tuple(
            [
                count if kind // len(TILE_VALUES) == FIRST_KIND[colour] // len(TILE_VALUES) else 0
                for kind, count in enumerate(discards)
            ]
        )
        if not any(rebuilt):
            return None
        turn.record(StackRebuilt(colour=colour, tiles=squad_of(rebuilt)))
        left = _left(turn.state.stacks, colour, taken)
        total = sum(left)
    place = chance.below(total) if total > 1 else 0
    for value, count in zip(TILE_VALUES, left, strict=True):
        if place < count:
            taken[tile_kind(colour, value)] += 1
            return value
        place -= count
    raise ArithmeticError("a draw lies below the number of tiles")


def _left(stacks: Tiles, colour: Colour, taken: list[int]) -> list[int]:
    first = FIRST_KIND[colour]
    return [stacks[kind] - taken[kind] for kind in range(first, first + len(TILE_VALUES))]


def _of(tiles: Tiles, colour: Colour) -> Tiles:
    """Return the counts of one colour, by value."""
    first = FIRST_KIND[colour]
    return tiles[first : first + len(TILE_VALUES)]
