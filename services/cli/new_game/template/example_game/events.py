"""What happened, in the past tense and with final numbers, so that a log can be read without knowing the rules.

What not everybody may see is optional: `view.redact` leaves it out. A new field gets a default; a new meaning gets a new tag.
"""

from __future__ import annotations

from enum import StrEnum

import msgspec
from engine.interface import Event, Seat

from example_game.box import Bowl, Pebbles


class EndReason(StrEnum):
    """What ends a match (§5, §6)."""

    ROUNDS_OVER = "ROUNDS_OVER"
    """The last round is over."""
    LAST_PLAYER_LEFT = "LAST_PLAYER_LEFT"
    """All players but one have left."""


class SeatFavour(msgspec.Struct, frozen=True, kw_only=True):
    """The favour card of a seat (§1)."""

    seat: Seat
    bowl: Bowl
    """The bowl that the card names."""


class SeatPebbles(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat has placed in a round (§2)."""

    seat: Seat
    pebbles: Pebbles
    """Its pebbles for each bowl."""


class MatchStarted(Event, frozen=True, kw_only=True, tag="match_started"):
    """The match begins, and the favour cards are dealt (§1)."""

    seats: int
    """How many players there are."""
    rounds: int
    """How many rounds are played."""
    favours: tuple[SeatFavour, ...]
    """The favour cards that the audience may see, in order of seats: its own, or all for a referee."""
    rules_version: str | None = None
    """The version of the rules by which the match is played; absent for the first one, 1.0.0."""

    def __repr__(self) -> str:
        """Return no secret."""
        return f"MatchStarted(seats={self.seats}, rounds={self.rounds}, favours=<hidden>)"


class RoundStarted(Event, frozen=True, kw_only=True, tag="round_started"):
    """A round begins (§2)."""

    round: int
    """The number of the round, counted from 1."""


class PebblesPlaced(Event, frozen=True, kw_only=True, tag="pebbles_placed"):
    """A player has secretly placed pebbles (§2)."""

    seat: Seat
    pebbles: Pebbles | None = None
    """The pebbles for each bowl; left out for audiences that may not see them."""

    def __repr__(self) -> str:
        """Return no secret."""
        return f"PebblesPlaced(seat={self.seat}, pebbles=<hidden>)"


class PebblesRevealed(Event, frozen=True, kw_only=True, tag="pebbles_revealed"):
    """Everybody has placed: the pebbles are shown and go into the bowls (§2)."""

    placed: tuple[SeatPebbles, ...]
    """What each seat has placed, in order of seats; a seat that has left places nothing."""


class DieRolled(Event, frozen=True, kw_only=True, tag="die_rolled"):
    """The die chooses a bowl (§3)."""

    pips: int
    """The face of the die, 1 to 6."""
    bowl: Bowl
    """The bowl that it chooses."""


class BowlScored(Event, frozen=True, kw_only=True, tag="bowl_scored"):
    """A player has placed the most pebbles in the chosen bowl, and scores (§3)."""

    seat: Seat
    bowl: Bowl
    """The bowl."""
    points: int
    """How many points the player scores: the pebbles that all have placed there in this round."""


class BowlTied(Event, frozen=True, kw_only=True, tag="bowl_tied"):
    """Nobody has placed more pebbles in the chosen bowl than all others, and nobody scores (§3)."""

    bowl: Bowl
    """The bowl."""


class BowlTipped(Event, frozen=True, kw_only=True, tag="bowl_tipped"):
    """A player tips a bowl, and the pebbles in it leave the game (§4)."""

    seat: Seat
    bowl: Bowl
    """The bowl that is tipped."""
    pebbles: int
    """How many pebbles leave the game."""


class BowlsKept(Event, frozen=True, kw_only=True, tag="bowls_kept"):
    """A player tips no bowl (§4)."""

    seat: Seat


class SeatLeft(Event, frozen=True, kw_only=True, tag="seat_left"):
    """A player leaves for good; what it has secretly placed in this round goes back unseen (§6) [R1]."""

    seat: Seat


class MatchEnded(Event, frozen=True, kw_only=True, tag="match_ended"):
    """The match is over, and all favour cards are shown (§5)."""

    reason: EndReason
    """What ended the match."""
    favours: tuple[SeatFavour, ...]
    """The favour cards of all seats, in order of seats."""
    winners: tuple[Seat, ...]
    """The seats that have won."""


GameEvent = (
    MatchStarted
    | RoundStarted
    | PebblesPlaced
    | PebblesRevealed
    | DieRolled
    | BowlScored
    | BowlTied
    | BowlTipped
    | BowlsKept
    | SeatLeft
    | MatchEnded
)
