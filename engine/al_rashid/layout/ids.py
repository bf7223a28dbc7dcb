"""The ids of places and of pieces. What an action names is a place of that name: an area, an office, a favor, a service, a good."""

from __future__ import annotations

from typing import Final

from engine.al_rashid.box.areas import AREAS, TERRITORIES
from engine.al_rashid.box.components import COLOURS, GOODS, SLOTS, TILE_VALUES, AreaId, Colour, OfficeId
from engine.al_rashid.box.offices import OFFICE, copies
from engine.kernel.layout import on_mat

NOTE: Final = "credit_note"
INFLUENCE: Final = "influence_marker"
DISHONOR: Final = "dishonor_marker"
TURN_ORDER: Final = "turn_order"
NEXT_ORDER: Final = "next_order"
TURN_TRACK: Final = "turn_track"
CRISES: Final = "crisis_tile"
DISCARDS: Final = "discards"
BENEVOLENCE: Final = "benevolence"
RESERVE: Final = "reserve"
HELD: Final = "held"
HAND: Final = "hand"
OWN_GOODS: Final = "goods"
OWN_OFFICES: Final = "offices"
MARKERS: Final = "markers"

STACK: Final = {colour: f"{colour}_stack" for colour in COLOURS}
"""The place of each colour's stack of mercenaries."""
MERCENARY: Final = {colour: f"{colour}_mercenary" for colour in COLOURS}
"""What a tile is for those who see only its colour."""
TILE_KINDS: Final = tuple(f"{colour}_{value}" for colour in COLOURS for value in TILE_VALUES)
"""What a tile is for those who know its value, in the order of `Tiles`; `Squad` has the same names."""
COLOUR_OF: Final = {f"{colour}_{value}": colour for colour in COLOURS for value in TILE_VALUES}
SLOT_IDS: Final[dict[AreaId, tuple[str, ...]]] = {
    area: tuple(f"{area}_slot_{number}" for number in range(1, SLOTS + 1)) for area in AREAS
}
GOODS_AT: Final[dict[AreaId, str]] = {territory: f"{territory}_goods" for territory in TERRITORIES}
TILES_AT: Final[dict[AreaId, str]] = {territory: f"{territory}_mercenaries" for territory in TERRITORIES}
ITEM_AT: Final = {
    territory: {item: f"{item}:{territory}" for item in (*GOODS, NOTE)} for territory in TERRITORIES
}
"""The pieces that lie on a territory: goods and credit notes."""


def step_of(track: str, number: int) -> str:
    """Return the place of a track's space, counted from 1."""
    return f"{track}_{number}"


def family_piece(name: str, seat: int, family: int, where: str) -> str:
    """Return the piece of pawns of a seat in an area, in the reserve, or held back.

    The only one of its kind in a family is the same piece wherever it stands. Of several nobody can tell which one moved,
    so their ids say where they stand.
    """
    return on_mat(name if family == 1 else f"{name}:{where}", seat)


def tile_piece(number: int) -> str:
    """Return the piece of a mercenary tile on a territory."""
    return f"mercenary:{number}"


def hand_piece(tile: str, seat: int) -> str:
    """Return the piece of a seat's tiles of one kind."""
    return on_mat(f"{tile}:{HAND}", seat)


def own_piece(name: str, seat: int) -> str:
    """Return the piece of a seat's goods of one kind, of its notes, or of its markers."""
    return on_mat(f"{name}:own", seat)


def office_piece(office: OfficeId, seats: int) -> str:
    """Return the piece of an office that is for sale; an office that exists once is the same piece when somebody owns it."""
    return f"office:{office}" if _once(office, seats) else f"office:{office}:sale"


def own_office_piece(office: OfficeId, seats: int, seat: int, copy: int) -> str:
    """Return the piece of a seat's office; `copy` counts the seat's tiles of this office from 1."""
    return f"office:{office}" if _once(office, seats) else on_mat(f"office:{office}:{copy}", seat)


def stack_piece(colour: Colour) -> str:
    """Return the piece of the tiles in a stack."""
    return f"mercenaries:{STACK[colour]}"


def _once(office: OfficeId, seats: int) -> bool:
    return copies(OFFICE[office], seats) == 1
