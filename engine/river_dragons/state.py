"""The whole truth of a match, unrevealed programs included. Changed only by `evolve`."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import UNSET, UnsetType, field

from engine.kernel.rules_versions import version_of
from engine.kernel.seats import Seat
from engine.river_dragons.components import (
    PLANK_COUNT,
    PROGRAM_SLOTS,
    SEAT_COUNTS,
    STONE_COUNT,
    Card,
    Colour,
    Place,
    Plank,
    Variant,
)
from engine.river_dragons.phases import Phase
from engine.river_dragons.table import Table
from engine.river_dragons.versions import RULINGS, Rulings

MOST_SEATS: Final = max(SEAT_COUNTS)
_by_seat: Final = msgspec.Meta(max_length=MOST_SEATS)
_Program = Annotated[tuple[Card, ...], msgspec.Meta(max_length=PROGRAM_SLOTS)]
_Planks = Annotated[tuple[Plank, ...], msgspec.Meta(max_length=PLANK_COUNT)]


class State(msgspec.Struct, frozen=True, kw_only=True):
    """A match between two events. Tuples are by seat unless they say otherwise.

    Limits hold while a state is read: one that a platform sends is refused before anybody works on it.
    """

    colours: Annotated[tuple[Colour, ...], _by_seat]
    order: Annotated[tuple[Seat, ...], _by_seat]
    """Clockwise [R3], those who have left included."""
    first_player: Seat
    round: int
    """Counted from 1; 0 before the first."""
    slot: int
    """The last slot revealed in this round; 0 while programming."""
    programs: Annotated[tuple[_Program | None, ...], _by_seat]
    """This round's; None until submitted. A seat that has left keeps what it had shown."""
    queue: Annotated[tuple[Seat, ...], _by_seat]
    """Whose cards of this slot are still to be carried out, in order; without the open card's."""
    phase: Phase
    table: Table
    pawns: Annotated[tuple[Place, ...], _by_seat]
    reserves: Annotated[tuple[_Planks, ...], _by_seat]
    """Each sorted by size."""
    lost_planks: _Planks
    """Out of the game, in the order they went."""
    left: Annotated[tuple[Seat, ...], _by_seat]
    """Who has left for good [R29], in the order they went."""
    rules: str | UnsetType = field(default=UNSET, name="rules_version")
    """What the first event said of the rules."""

    def __repr__(self) -> str:
        return f"State(round={self.round}, slot={self.slot}, phase={self.phase!r}, programs=<hidden>)"

    @property
    def rules_version(self) -> str:
        """Which rules the match is played by."""
        return version_of(self.rules)

    @property
    def rulings(self) -> Rulings:
        """How those rules decide what others decide in another way; `LookupError` for rules there are not."""
        return RULINGS[self.rules_version]

    @property
    def variant(self) -> Variant:
        """Which side of the board is played."""
        return self.table.variant

    @property
    def supply(self) -> int:
        """§7.1 Stones not on the board."""
        return STONE_COUNT - len(self.table.stones)

    @property
    def seats(self) -> int:
        """How many began the match."""
        return len(self.colours)

    @property
    def present(self) -> tuple[Seat, ...]:
        """Who has not left, in order of seats."""
        return tuple(Seat(seat) for seat in range(self.seats) if seat not in self.left)
