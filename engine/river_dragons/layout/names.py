"""The ids of pieces. A piece keeps its id wherever it goes, as long as an audience can tell that it is the same."""

from __future__ import annotations

from typing import Final

from engine.kernel.seats import Seat
from engine.river_dragons.box.components import Card, Plank, SupportId

SUPPLY_STONES: Final = "stones"
"""The stones in the supply."""
FIRST_PLAYER_CARD: Final = "first_player_card"


def pawn_of(seat: Seat) -> str:
    """Return the id of a seat's pawn."""
    return f"pawn:{seat}"


def stone_of(stone: SupportId) -> str:
    """Return the id of a stone on the board; an island's id is that of the place below it."""
    return f"stone:{stone}"


def plank_of(plank: Plank) -> str:
    """Return the id of a plank, on the board, in a reserve or out of the game: each exists once."""
    return f"plank:{plank.colour}:{plank.size}"


def card_of(seat: Seat, card: Card) -> str:
    """Return the id of a card that the audience can follow."""
    return f"card:{seat}:{card}"


def card_in_slot(seat: Seat, slot: int) -> str:
    """Return the id of a card of a program that the audience saw only face down before; it keeps it when it is revealed."""
    return f"card:{seat}:slot:{slot}"


def card_kept(seat: Seat, number: int) -> str:
    """Return the id of a card in the hand that the audience cannot tell from the others there."""
    return f"card:{seat}:kept:{number}"


def start_of(seat: Seat) -> str:
    """Return the id of the sign that says which village is a seat's own."""
    return f"sign:{seat}:start"


def destination_of(seat: Seat) -> str:
    """Return the id of the sign that says which village a seat must reach."""
    return f"sign:{seat}:destination"


def turn_of(seat: Seat) -> str:
    """Return the id of a seat's marker in the order of play."""
    return f"turn:{seat}"
