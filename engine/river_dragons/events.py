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
    """Why a part of a card is lost (§7)."""

    NO_LEGAL_PLACE = "no_legal_place"
    """There is no place left for a stone."""
    SUPPLY_EMPTY = "supply_empty"
    """There is no stone left in the supply."""
    RESERVE_EMPTY = "reserve_empty"
    """There is no plank left in the player's reserve."""
    NO_TARGET = "no_target"
    """There is nothing that may be removed."""


class FallReason(StrEnum):
    """Why a pawn falls (§7)."""

    NO_STEP = "no_step"
    """There is no place to step to."""
    NOBODY_TO_JUMP = "nobody_to_jump"
    """There is no pawn on an adjacent plank."""
    NO_LANDING = "no_landing"
    """There is no place to land."""


class EndReason(StrEnum):
    """What ends a match (§8)."""

    DESTINATION_REACHED = "DESTINATION_REACHED"
    """A pawn has reached its destination."""
    ROUND_LIMIT = "ROUND_LIMIT"
    """Nobody has won within the round limit, so the match is a draw [R23]."""
    LAST_PLAYER_LEFT = "LAST_PLAYER_LEFT"
    """All players but one have left [R29]."""


class SeatSetup(msgspec.Struct, frozen=True, kw_only=True):
    """What one seat begins with (§3)."""

    seat: Seat
    colour: Colour
    """The colour of the seat."""
    start: VillageId
    """The id of the village where its pawn starts."""
    destination: VillageId
    """The id of the village opposite, which its pawn must reach to win."""
    hand: tuple[Card, ...]
    """The cards in its hand, which are the same in every round."""
    reserve: tuple[Plank, ...]
    """The planks in its reserve: one of each size, of its colour."""


class RevealedCard(msgspec.Struct, frozen=True, kw_only=True):
    """The card that one seat shows in a slot (§6)."""

    seat: Seat
    card: Card
    """The card that the seat has in this slot."""
    cancelled_by: tuple[Seat, ...] = ()
    """The seats whose dragons cancel the card; empty if it is carried out, or is a dragon."""


class MatchStarted(Event, frozen=True, kw_only=True, tag="match_started", omit_defaults=True):
    """The match begins (§3)."""

    variant: Variant
    """Which side of the board is played."""
    seats: tuple[SeatSetup, ...]
    """What each seat begins with, in order of seats."""
    order: tuple[Seat, ...]
    """All seats in clockwise order, which is drawn and does not depend on the villages [R3]."""
    first_player: Seat
    """The seat that begins the first round, counted from 0."""
    supply: int
    """How many stones are in the supply."""
    rules_version: str | None = None
    """The version of the rules by which the match is played; absent for the first one, 1.0.0."""
    round_limit: int | None = None
    """After how many rounds without a winner the match is a draw: absent for 40, and 0 if it never is [R23]."""


class RoundStarted(Event, frozen=True, kw_only=True, tag="round_started"):
    """A round begins: all cards are back in the hands, and everybody programs (§4)."""

    round: int
    """The number of the round, counted from 1."""
    first_player: Seat
    """The seat that begins this round, counted from 0."""


class ProgramSubmitted(Event, frozen=True, kw_only=True, tag="program_submitted"):
    """A player submits a program, which cannot be changed any more (§5)."""

    seat: Seat
    cards: tuple[Card, ...] | None = None
    """The five cards, in the order of the slots. Left out for audiences that may not see them: all but the player and a referee
    (§10)."""

    def __repr__(self) -> str:
        return f"ProgramSubmitted(seat={self.seat}, cards=<hidden>)"


class SlotRevealed(Event, frozen=True, kw_only=True, tag="slot_revealed"):
    """All players show their cards of a slot at the same time (§6)."""

    round: int
    """The number of the round, counted from 1."""
    slot: int
    """The number of the slot, 1 to 5."""
    cards: tuple[RevealedCard, ...]
    """The cards, in order of seats; a seat that has left shows none."""
    acting: tuple[Seat, ...]
    """The seats whose cards are carried out now, in the order of play."""


class CardBegun(Event, frozen=True, kw_only=True, tag="card_begun"):
    """A seat begins to carry out its card (§4)."""

    seat: Seat
    card: Card
    """The card that the seat carries out."""


class StonePlaced(Event, frozen=True, kw_only=True, tag="stone_placed"):
    """A player puts a stone on the board (§7.1)."""

    seat: Seat
    stone: SupportId
    """The id of the stone: that of its island, or its own on the expert side."""
    x: int
    """Where the stone's centre is, in board units to the right of the centre of the board."""
    y: int
    """Where the stone's centre is, in board units below the centre of the board."""
    supply: int
    """How many stones are left in the supply."""


class PartLost(Event, frozen=True, kw_only=True, tag="part_lost"):
    """A part of a card cannot be carried out, and nothing happens for it (§7) [R7]."""

    seat: Seat
    card: Card
    """The card of which a part is lost."""
    part: int
    """Which part of the card is lost, 1 or 2."""
    reason: LossReason
    """Why it is lost."""


class PlankChosen(Event, frozen=True, kw_only=True, tag="plank_chosen"):
    """A player chooses a plank of the own reserve, where it stays until it is laid or lost (§7.2)."""

    seat: Seat
    plank: Plank
    """The plank that is chosen, with its colour and size."""


class PlankLaid(Event, frozen=True, kw_only=True, tag="plank_laid"):
    """A player lays a plank (§7.2)."""

    seat: Seat
    id: PlankId
    """The id of the plank while it lies on the board: its two supports, such as `I07~I16`."""
    plank: Plank
    """The plank that is laid, with its colour and size."""
    a: SupportId
    """The id of one support."""
    b: SupportId
    """The id of the other support."""


class PlankLost(Event, frozen=True, kw_only=True, tag="plank_lost"):
    """The chosen plank fits nowhere and leaves the game (§7.2)."""

    seat: Seat
    plank: Plank
    """The plank that leaves the game, with its colour and size."""


class PlankRemoved(Event, frozen=True, kw_only=True, tag="plank_removed"):
    """A player takes a plank from the board into the own reserve (§7.3)."""

    seat: Seat
    id: PlankId
    """The id that the plank had on the board."""
    plank: Plank
    """The plank that is taken, with its colour and size."""


class StoneRemoved(Event, frozen=True, kw_only=True, tag="stone_removed"):
    """A player puts a stone from the board back into the supply (§7.3)."""

    seat: Seat
    stone: SupportId
    """The id that the stone had on the board."""
    supply: int
    """How many stones are in the supply now."""


class PawnStepped(Event, frozen=True, kw_only=True, tag="pawn_stepped"):
    """A player's pawn makes one step (§7.4)."""

    seat: Seat
    from_place: Place
    """The id of the plank or village that the pawn leaves."""
    to_place: Place
    """The id of the plank or village where the pawn is now."""


class PawnJumped(Event, frozen=True, kw_only=True, tag="pawn_jumped"):
    """A player's pawn jumps over another pawn (§7.5)."""

    seat: Seat
    from_place: Place
    """The id of the plank or village that the pawn leaves."""
    over: Seat
    """The seat whose pawn is jumped over, counted from 0."""
    over_place: Place
    """The id of the plank on which that pawn stands."""
    to_place: Place
    """The id of the plank or village where the pawn lands."""


class PawnFell(Event, frozen=True, kw_only=True, tag="pawn_fell"):
    """A player's pawn falls: it goes back to its own village, and the card is over (§7) [R9]."""

    seat: Seat
    from_place: Place
    """The id of the plank or village from which the pawn falls."""
    to_place: Place
    """The id of the pawn's own village, where it is now."""
    reason: FallReason
    """Why the pawn falls."""


class RoundEnded(Event, frozen=True, kw_only=True, tag="round_ended"):
    """All five slots of a round are done (§4)."""

    round: int
    """The number of the round, counted from 1."""


class FirstPlayerPassed(Event, frozen=True, kw_only=True, tag="first_player_passed"):
    """The first player's card passes to the left; players who have left are skipped (§4) [F6]."""

    from_seat: Seat
    """The seat that had the card, counted from 0."""
    to_seat: Seat
    """The seat that has the card now, counted from 0."""


class SeatLeft(Event, frozen=True, kw_only=True, tag="seat_left"):
    """A player leaves for good: the pawn goes home, the reserve leaves the game, and the remaining slots are empty [R29]."""

    seat: Seat
    from_place: Place
    """The id of the plank or village where the pawn was."""
    to_place: Place
    """The id of the pawn's own village, where it is now."""
    planks: tuple[Plank, ...]
    """The planks of the reserve, which leave the game."""


class MatchEnded(Event, frozen=True, kw_only=True, tag="match_ended"):
    """The match is over (§8)."""

    reason: EndReason
    """What ended the match."""
    winners: tuple[Seat, ...]
    """The seats that have won; empty for a draw."""


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
