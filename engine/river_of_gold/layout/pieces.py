"""What lies at which place, read from a view alone, so that nobody is shown more than the view shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.kernel.layout import Piece, on_mat
from engine.kernel.seats import Seat
from engine.river_of_gold.layout.held import held
from engine.river_of_gold.layout.places import (
    CUSTOMER_DECK,
    DISCARD_PILE,
    DISCARDED_TILES,
    MERCHANT_SPACE,
    PATRON_OFFERS,
    artisan_space,
    elder_space,
    mastery_place,
    mastery_slot,
    region_group,
    row_slot,
    ship_piece,
    track_space,
)
from engine.river_of_gold.view import RiverOfGoldView
from engine.river_of_gold.view_parts import RegionView, ShoreView

MARKER: Final = "clan_marker"


def pieces(view: RiverOfGoldView) -> tuple[Piece, ...]:
    """Return what lies at the places of the layout, as far as the view shows it; what comes later lies above.

    Tiles and cards that the view names have their own ids; what lies face down has no component.
    """
    return (
        *_on_river(view),
        *_on_tracks(view),
        *_supply(view),
        *_cards(view),
        *_masteries(view),
        *held(view),
    )


def _marker(name: str, seat: Seat, place: str) -> Piece:
    return Piece(id=on_mat(name, seat), component=MARKER, place=place, seat=seat, kind="marker")


def _on_river(view: RiverOfGoldView) -> Iterator[Piece]:
    """§1.5, §2.5 Return buildings with their markers, and ships."""
    for shore in view.shores:
        if shore.building is not None:
            yield Piece(id=shore.building, component=shore.building, place=shore.id, kind="building")
            yield from _owners(shore)
    for river in view.river:
        for ship in river.ships:
            yield Piece(
                id=ship_piece(ship.seat, ship.ship, royal=ship.royal),
                component="royal_ship" if ship.royal else ship.ship.value,
                place=river.id,
                seat=ship.seat,
                kind="ship",
            )
    yield from (_marker("merchant_marker", seat, MERCHANT_SPACE) for seat in view.merchants)


def _owners(shore: ShoreView) -> Iterator[Piece]:
    """§1.6 Return the markers on a building; a seat that has both has one of each name."""
    for at, seat in enumerate(shore.markers):
        which = "second_marker" if seat in shore.markers[:at] else "marker"
        yield _marker(f"{which}_{shore.id}", seat, shore.id)


def _on_tracks(view: RiverOfGoldView) -> Iterator[Piece]:
    for region in view.regions:
        place = region_group(region.region)
        yield Piece(id=region.tile, component=region.tile, place=place, kind="region_tile")
        yield from _markers_of(region)


def _markers_of(region: RegionView) -> Iterator[Piece]:
    """§4.6, §10.1, §10.2"""
    number = region.region
    for at, space in enumerate(region.influence):
        yield _marker(f"influence_{number}", Seat(at), track_space(number, space))
    yield from (_marker(f"artisan_{number}", seat, artisan_space(number)) for seat in region.artisans)
    yield from (_marker(f"elder_{number}", seat, elder_space(number)) for seat in region.elders)


def _supply(view: RiverOfGoldView) -> Iterator[Piece]:
    """§2.1, §2.3 Return the row and the stacks; only the tile on top of a stack is known [A13]."""
    for slot in view.row:
        if slot.building is not None:
            place = row_slot(slot.slot)
            yield Piece(id=slot.building, component=slot.building, place=place, kind="building")
    for stack in view.stacks:
        covered = stack.left - (stack.top is not None)
        if covered:
            stack_id = f"stack_{stack.era}"
            yield Piece(id=stack_id, component="", place=stack.era, count=covered, kind="building")
        if stack.top is not None:
            yield Piece(id=stack.top, component=stack.top, place=stack.era, kind="building")
    for tile in view.discarded_tiles:
        yield Piece(id=tile, component=tile, place=DISCARDED_TILES, kind="building")


def _cards(view: RiverOfGoldView) -> Iterator[Piece]:
    if view.deck_size:
        yield Piece(id="deck", component="", place=CUSTOMER_DECK, count=view.deck_size, kind="customer")
    for card in view.discarded_customers:
        yield Piece(id=card, component=card, place=DISCARD_PILE, kind="customer")
    for patron in view.offers:
        yield Piece(id=patron, component=patron, place=PATRON_OFFERS, kind="patron")


def _masteries(view: RiverOfGoldView) -> Iterator[Piece]:
    for number, card in enumerate(view.masteries, start=1):
        yield Piece(id=card.mastery, component=card.mastery, place=mastery_place(number), kind="mastery")
        for at, slot in enumerate(card.slots, start=1):
            if slot.seat is not None:
                yield _marker(f"claim_{card.mastery}", slot.seat, mastery_slot(number, at))
