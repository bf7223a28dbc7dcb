"""The ids of places and pieces that boards, pieces and hints share."""

from __future__ import annotations

from typing import Final

from engine.kernel.layout import on_mat
from engine.kernel.seats import Seat
from engine.river_of_gold.box.components import Face, Region, ShipId

MERCHANT_SPACE: Final = "merchant_space"
CUSTOMER_DECK: Final = "customer_deck"
DISCARD_PILE: Final = "discard_pile"
DISCARDED_TILES: Final = "discarded_tiles"
PATRON_OFFERS: Final = "patron_offers"
KOKU: Final = "koku"
FAVOR: Final = "favor"
FAVOR_LIMIT: Final = "favor_limit"
VP: Final = "vp"
CLAN: Final = "clan"
PATRON: Final = "patron"
HAND: Final = "hand"
DELIVERED: Final = "delivered"
ROYAL_SHIP: Final = "royal_ship"


def region_group(region: Region) -> str:
    """Return the id of a region: of the group of its places, and of the place of its scoring tile."""
    return f"region_{region}"


def track_space(region: Region, space: int) -> str:
    """§4.6 Return the id of a space of an influence track, 0 to 18."""
    return f"track_{region}_{space}"


def artisan_space(region: Region) -> str:
    """§10.1 Return the id of the space for markers of artisans."""
    return f"artisan_space_{region}"


def elder_space(region: Region) -> str:
    """§10.2 Return the id of the space for markers of elders."""
    return f"elder_space_{region}"


def row_slot(slot: int) -> str:
    """§2.3 Return the id of a slot of the building row, 1 to 4."""
    return f"row_{slot}"


def mastery_place(number: int) -> str:
    """§7 Return the id of the place of a mastery in play, counted from 1."""
    return f"mastery_{number}"


def mastery_slot(number: int, slot: int) -> str:
    """§7.2 Return the id of a slot of a mastery in play; both are counted from 1."""
    return f"mastery_{number}_slot_{slot}"


def die_face(face: Face) -> str:
    """Return the id, without the seat, of the place where the die lies when it shows this face."""
    return f"die_{face}"


def ship_piece(seat: Seat, ship: ShipId, *, royal: bool) -> str:
    """§10.5 Return the id of a ship on the river; the royal ship keeps the id that it has on the mat."""
    return on_mat("ship_royal" if royal else f"ship_{ship}", seat)
