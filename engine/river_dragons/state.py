"""The complete state of a match, unrevealed programs included. Changed only by `evolve`."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec
from msgspec import UNSET, UnsetType, field

from engine.kernel.rules_versions import version_of
from engine.kernel.seats import Seat
from engine.river_dragons.box.components import (
    MAX_ROUNDS,
    PLANK_COUNT,
    PROGRAM_SLOTS,
    ROUND_LIMIT,
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

MAX_SEATS: Final = max(SEAT_COUNTS)
_by_seat: Final = msgspec.Meta(max_length=MAX_SEATS)
_Program = Annotated[tuple[Card, ...], msgspec.Meta(max_length=PROGRAM_SLOTS)]
_Planks = Annotated[tuple[Plank, ...], msgspec.Meta(max_length=PLANK_COUNT)]


class State(msgspec.Struct, frozen=True, kw_only=True):
    """A match between two events. Tuples are by seat unless they say otherwise.

    Limits are checked when a state is decoded, so that a bad state sent by a platform is refused before it is used.
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
    """This round's programs; None until submitted. A seat that has left keeps what it had shown."""
    queue: Annotated[tuple[Seat, ...], _by_seat]
    """The seats whose cards of this slot are still to be carried out, in order; without the seat of the open card."""
    phase: Phase
    table: Table
    pawns: Annotated[tuple[Place, ...], _by_seat]
    reserves: Annotated[tuple[_Planks, ...], _by_seat]
    """Each sorted by size."""
    lost_planks: _Planks
    """The planks out of the game, in the order they left it."""
    left: Annotated[tuple[Seat, ...], _by_seat]
    """The seats that have left for good [R29], in the order they left."""
    rounds: Annotated[int, msgspec.Meta(ge=0, le=MAX_ROUNDS)] | UnsetType = field(
        default=UNSET, name="round_limit"
    )
    """[R23] The round limit as the first event stores it, if it is not the usual one."""
    rules: str | UnsetType = field(default=UNSET, name="rules_version")
    """The version of the rules as the first event stores it."""

    def __repr__(self) -> str:
        return f"State(round={self.round}, slot={self.slot}, phase={self.phase!r}, programs=<hidden>)"

    @property
    def rules_version(self) -> str:
        """The version of the rules of the match."""
        return version_of(self.rules)

    @property
    def rulings(self) -> Rulings:
        """The rulings of that version, where versions differ. Raises `LookupError` if there is no such version."""
        return RULINGS[self.rules_version]

    @property
    def round_limit(self) -> int:
        """[R23] After how many rounds the match is a draw; 0: never."""
        return ROUND_LIMIT if self.rounds is UNSET else self.rounds

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
        """The number of seats that began the match."""
        return len(self.colours)

    @property
    def present(self) -> tuple[Seat, ...]:
        """The seats that have not left, in order."""
        return tuple(Seat(seat) for seat in range(self.seats) if seat not in self.left)
