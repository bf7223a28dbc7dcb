"""What happened. Events hold final numbers: enough to fold the state, and to animate it without knowing the rules."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from engine.kernel.records import Event
from engine.kernel.seats import Seat
from engine.river_dragons.box.components import (
    Card,
    Colour,
    Place,
    Plank,
    PlankId,
    SupportId,
    Variant,
    VillageId,
)


class LossReason(StrEnum):
    """§7 Why a part of a card is lost."""

    NO_LEGAL_PLACE = "no_legal_place"
    """No island or water left for a stone."""
    SUPPLY_EMPTY = "supply_empty"
    """No stone left in the supply."""
    RESERVE_EMPTY = "reserve_empty"
    """No plank left in the own reserve."""
    NO_TARGET = "no_target"
    """Nothing that may be removed."""


class FallReason(StrEnum):
    """§7 Why a pawn fell."""

    NO_STEP = "no_step"
    NOBODY_TO_JUMP = "nobody_to_jump"
    NO_LANDING = "no_landing"


class EndReason(StrEnum):
    """§8 How a match ends."""

    DESTINATION_REACHED = "DESTINATION_REACHED"
    ROUND_LIMIT = "ROUND_LIMIT"
    """[R23] A draw."""
    LAST_PLAYER_LEFT = "LAST_PLAYER_LEFT"
    """[R29] Everybody else has left."""


class SeatSetup(msgspec.Struct, frozen=True, kw_only=True):
    """§3 How one seat begins."""

    seat: Seat
    colour: Colour
    start: VillageId
    destination: VillageId
    hand: tuple[Card, ...]
    """The same cards every round."""
    reserve: tuple[Plank, ...]


class RevealedCard(msgspec.Struct, frozen=True, kw_only=True):
    """§6 One seat's card in a slot."""

    seat: Seat
    card: Card
    cancelled_by: tuple[Seat, ...] = ()
    """The seats whose dragons cancel it; empty if it is carried out or is a dragon."""


class MatchStarted(Event, frozen=True, kw_only=True, tag="match_started", omit_defaults=True):
    """§3"""

    variant: Variant
    seats: tuple[SeatSetup, ...]
    order: tuple[Seat, ...]
    """Clockwise [R3]."""
    first_player: Seat
    supply: int
    """Stones in the supply."""
    rules_version: str | None = None
    """The version of the rules of the match; None: the first."""
    round_limit: int | None = None
    """[R23] After how many rounds the match is a draw; None: after 40; 0: never."""


class RoundStarted(Event, frozen=True, kw_only=True, tag="round_started"):
    """§4 All cards are back in the hands; everybody programs."""

    round: int
    """Counted from 1."""
    first_player: Seat


class ProgramSubmitted(Event, frozen=True, kw_only=True, tag="program_submitted"):
    """§5"""

    seat: Seat
    cards: tuple[Card, ...] | None = None
    """In the order of the slots; absent for audiences that may not see them."""

    def __repr__(self) -> str:
        return f"ProgramSubmitted(seat={self.seat}, cards=<hidden>)"


class SlotRevealed(Event, frozen=True, kw_only=True, tag="slot_revealed"):
    """§6 Everybody's card of the slot, at the same time."""

    round: int
    slot: int
    """1 to 5."""
    cards: tuple[RevealedCard, ...]
    """In the order of seats; a seat that has left shows none."""
    acting: tuple[Seat, ...]
    """The seats whose cards are carried out, in the order of play."""


class CardBegun(Event, frozen=True, kw_only=True, tag="card_begun"):
    """§4 A seat begins to carry out its card."""

    seat: Seat
    card: Card


class StonePlaced(Event, frozen=True, kw_only=True, tag="stone_placed"):
    """§7.1"""

    seat: Seat
    stone: SupportId
    """The island's id, or on the expert side the stone's own id."""
    x: int
    y: int
    supply: int
    """Stones left in the supply."""


class PartLost(Event, frozen=True, kw_only=True, tag="part_lost"):
    """§7 A part of a card cannot be done: nothing happens [R7]."""

    seat: Seat
    card: Card
    part: int
    """1 or 2."""
    reason: LossReason


class PlankChosen(Event, frozen=True, kw_only=True, tag="plank_chosen"):
    """§7.2 Binding; the plank stays in the reserve until it is laid or lost."""

    seat: Seat
    plank: Plank


class PlankLaid(Event, frozen=True, kw_only=True, tag="plank_laid"):
    """§7.2"""

    seat: Seat
    id: PlankId
    plank: Plank
    a: SupportId
    b: SupportId


class PlankLost(Event, frozen=True, kw_only=True, tag="plank_lost"):
    """§7.2 The chosen plank fits nowhere and leaves the game."""

    seat: Seat
    plank: Plank


class PlankRemoved(Event, frozen=True, kw_only=True, tag="plank_removed"):
    """§7.3 From the board into the seat's reserve."""

    seat: Seat
    id: PlankId
    plank: Plank


class StoneRemoved(Event, frozen=True, kw_only=True, tag="stone_removed"):
    """§7.3 From the board into the supply."""

    seat: Seat
    stone: SupportId
    supply: int
    """Stones now in the supply."""


class PawnStepped(Event, frozen=True, kw_only=True, tag="pawn_stepped"):
    """§7.4"""

    seat: Seat
    from_place: Place
    to_place: Place


class PawnJumped(Event, frozen=True, kw_only=True, tag="pawn_jumped"):
    """§7.5"""

    seat: Seat
    from_place: Place
    over: Seat
    over_place: Place
    to_place: Place


class PawnFell(Event, frozen=True, kw_only=True, tag="pawn_fell"):
    """§7 The pawn returns to the start village; the card is over [R9]."""

    seat: Seat
    from_place: Place
    to_place: Place
    reason: FallReason


class RoundEnded(Event, frozen=True, kw_only=True, tag="round_ended"):
    """§4 All five slots are done."""

    round: int


class FirstPlayerPassed(Event, frozen=True, kw_only=True, tag="first_player_passed"):
    """§4 The first player's card passes to the left, skipping players who have left [F6]."""

    from_seat: Seat
    to_seat: Seat


class SeatLeft(Event, frozen=True, kw_only=True, tag="seat_left"):
    """[R29] A seat leaves for good: the pawn goes home, the reserve leaves the game, the remaining slots are empty."""

    seat: Seat
    from_place: Place
    to_place: Place
    planks: tuple[Plank, ...]
    """The reserve that leaves the game."""


class MatchEnded(Event, frozen=True, kw_only=True, tag="match_ended"):
    """§8"""

    reason: EndReason
    winners: tuple[Seat, ...]
    """Nobody: a draw."""


RiverDragonsEvent = (
    MatchStarted
    | RoundStarted
    | ProgramSubmitted
    | SlotRevealed
    | CardBegun
    | StonePlaced
    | PartLost
    | PlankChosen
    | PlankLaid
    | PlankLost
    | PlankRemoved
    | StoneRemoved
    | PawnStepped
    | PawnJumped
    | PawnFell
    | RoundEnded
    | FirstPlayerPassed
    | SeatLeft
    | MatchEnded
)
