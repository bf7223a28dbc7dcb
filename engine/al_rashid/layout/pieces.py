"""What lies at which place."""

from __future__ import annotations

from collections.abc import Iterator

from engine.al_rashid.box.components import COLOURS, GOODS, TURNS, Colour, Squad, bag_of, tiles_of
from engine.al_rashid.layout.family import family_pieces
from engine.al_rashid.layout.ids import (
    COLOUR_OF,
    CRISES,
    DISCARDS,
    GOODS_AT,
    ITEM_AT,
    MERCENARY,
    NEXT_ORDER,
    NOTE,
    SLOT_IDS,
    STACK,
    TILE_KINDS,
    TILES_AT,
    TURN_ORDER,
    TURN_TRACK,
    family_piece,
    office_piece,
    stack_piece,
    step_of,
    tile_piece,
)
from engine.al_rashid.view import AlRashidView
from engine.al_rashid.view_parts import PalaceView, StacksView, TerritoryView
from engine.kernel.layout import Piece, on_mat


def pieces(view: AlRashidView) -> tuple[Piece, ...]:
    """Return what lies at the places of the layout, as far as the view shows it."""
    return (*_course(view), *_areas(view), *_heaps(view.stacks), *family_pieces(view))


def _course(view: AlRashidView) -> Iterator[Piece]:
    """The markers that show how far the match is: turn, turn orders, crises, areas."""
    if view.turn:
        turn = step_of(TURN_TRACK, min(view.turn, TURNS))
        yield Piece(id="turn_marker", component="turn_marker", place=turn, kind="marker")
    for track, order in ((TURN_ORDER, view.order), (NEXT_ORDER, view.next_order)):
        for number, seat in enumerate(order, start=1):
            yield Piece(
                id=on_mat(track, seat),
                component=track,
                place=step_of(track, number),
                seat=seat,
                kind="order_marker",
            )
    for crisis in view.crises:
        yield Piece(id=f"crisis:{crisis}", component=crisis, place=CRISES, kind="crisis_tile")
    areas: tuple[PalaceView | TerritoryView, ...] = (*view.palaces, *view.territories)
    for area in areas:
        if area.resolved:
            yield Piece(id=f"resolved:{area.id}", component="resolved", place=area.id, kind="marker")
    if view.scene is not None:
        yield Piece(id="scene", component=view.scene.part, place=view.scene.area, kind="marker")
    if view.negotiating is not None:
        yield Piece(id="negotiating", component="negotiator", place=view.negotiating, kind="marker")


def _areas(view: AlRashidView) -> Iterator[Piece]:
    for palace in view.palaces:
        yield from _pawns(view, palace)
        for stock in palace.offices:
            if stock.copies:
                yield Piece(
                    id=office_piece(stock.office, len(view.seats)),
                    component=stock.office,
                    place=stock.office,
                    count=stock.copies,
                    kind="office_tile",
                )
    for territory in view.territories:
        yield from _pawns(view, territory)
        yield from _on_territory(territory)


def _pawns(view: AlRashidView, area: PalaceView | TerritoryView) -> Iterator[Piece]:
    for stack in area.stacks:
        family = view.seats[stack.seat].family
        for name, count, owned in (
            ("pasha", stack.pashas, family.pashas),
            ("merchant", stack.merchants, family.merchants),
            ("sage", stack.sages, family.sages),
        ):
            if count:
                yield Piece(
                    id=family_piece(name, stack.seat, owned, area.id),
                    component=name,
                    place=SLOT_IDS[area.id][stack.slot - 1],
                    seat=stack.seat,
                    count=count,
                    kind=name,
                )


def _on_territory(territory: TerritoryView) -> Iterator[Piece]:
    place, ids = GOODS_AT[territory.id], ITEM_AT[territory.id]
    for good, count in zip(GOODS, bag_of(territory.goods), strict=True):
        if count:
            yield Piece(id=ids[good], component=good, place=place, count=count, kind="good")
    if territory.notes:
        yield Piece(id=ids[NOTE], component=NOTE, place=place, count=territory.notes, kind=NOTE)
    for tile in territory.mercenaries:
        yield Piece(
            id=tile_piece(tile.id),
            component=MERCENARY[tile.colour] if tile.value is None else f"{tile.colour}_{tile.value}",
            place=TILES_AT[territory.id],
            kind=MERCENARY[tile.colour],
        )


def _heaps(stacks: StacksView) -> Iterator[Piece]:
    """The tiles in the stacks, by colour or for a referee by value, and the discards."""
    if stacks.tiles is None:
        for colour, count in zip(COLOURS, (stacks.red, stacks.blue), strict=True):
            if count:
                yield _in_stack(colour, count)
    else:
        yield from _squad(stacks.tiles, "stack", None)
    yield from _squad(stacks.discards, DISCARDS, DISCARDS)


def _in_stack(colour: Colour, count: int) -> Piece:
    return Piece(
        id=stack_piece(colour),
        component=MERCENARY[colour],
        place=STACK[colour],
        count=count,
        kind=MERCENARY[colour],
    )


def _squad(squad: Squad, heap: str, place: str | None) -> Iterator[Piece]:
    for tile, count in zip(TILE_KINDS, tiles_of(squad), strict=True):
        if count:
            colour = COLOUR_OF[tile]
            yield Piece(
                id=f"{tile}:{heap}",
                component=tile,
                place=STACK[colour] if place is None else place,
                count=count,
                kind=MERCENARY[colour],
            )
