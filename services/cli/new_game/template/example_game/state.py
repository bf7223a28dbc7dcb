"""The whole truth about a match, secrets included. It is frozen: only `evolve` makes the next one.

Limits are checked when a state is read, so that a bad one from outside is refused before it is used.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final

import msgspec
from engine.interface import Seat, version_of
from msgspec import UNSET, UnsetType, field

from example_game.box import MAX_PLACED, MAX_SEATS, Bowl, Pebbles
from example_game.events import EndReason

_by_seat: Final = msgspec.Meta(min_length=2, max_length=MAX_SEATS)


class Stage(StrEnum):
    """Where in a round the match is."""

    PLACING = "placing"
    """Everybody places pebbles (§2)."""
    TIPPING = "tipping"
    """Who has scored may tip a bowl (§4)."""
    ENDED = "ended"
    """The match is over (§5)."""


class State(msgspec.Struct, frozen=True, kw_only=True):
    """A match between two events. Tuples are by seat unless they say otherwise."""

    rounds: int
    """How many rounds are played."""
    round: int
    """Counted from 1; 0 before the first."""
    stage: Stage
    favours: Annotated[tuple[Bowl, ...], _by_seat]
    """The bowl of each seat's favour card."""
    hands: Annotated[tuple[int, ...], _by_seat]
    """Pebbles in hand. What is secretly placed still counts as in hand: it moves when it is revealed."""
    placed: Annotated[tuple[Pebbles | None, ...], _by_seat]
    """What each seat has placed in this round; None until then."""
    revealed: bool
    """Whether everybody has seen what was placed in this round."""
    bowls: Annotated[tuple[Pebbles, ...], _by_seat]
    """The pebbles of each seat in the bowls."""
    gone: Annotated[tuple[int, ...], _by_seat]
    """Pebbles that have left the game."""
    points: Annotated[tuple[int, ...], _by_seat]
    """Points scored with the die (§3)."""
    pips: int
    """The last face of the die; 0 before the first roll."""
    chosen: Bowl | None
    """The bowl that the die has chosen in this round; None before it is rolled."""
    tipper: Seat | None
    """The seat that may tip a bowl now (§4)."""
    left: Annotated[tuple[Seat, ...], msgspec.Meta(max_length=MAX_SEATS)]
    """The seats that have left for good, in the order in which they left."""
    reason: EndReason | None
    """What ended the match; None while it is played."""
    rules: str | UnsetType = field(default=UNSET, name="rules_version")
    """The version of the rules as the first event stores it."""

    def __repr__(self) -> str:
        """Return no secret."""
        return f"State(round={self.round}, stage={self.stage}, favours=<hidden>, placed=<hidden>)"

    @property
    def rules_version(self) -> str:
        """The version of the rules of the match."""
        return version_of(self.rules)

    @property
    def seats(self) -> int:
        """The number of seats that began the match."""
        return len(self.hands)

    @property
    def present(self) -> tuple[Seat, ...]:
        """The seats that have not left, in order."""
        return tuple(Seat(seat) for seat in range(self.seats) if seat not in self.left)

    @property
    def to_place(self) -> tuple[Seat, ...]:
        """The seats that must still place pebbles in this round (§2)."""
        if self.stage is not Stage.PLACING:
            return ()
        return tuple(seat for seat in self.present if self.placed[seat] is None)

    def most(self, seat: Seat) -> int:
        """Return how many pebbles a seat may place in this round (§2)."""
        return min(self.hands[seat], MAX_PLACED)

    def in_bowl(self, bowl: Bowl) -> int:
        """Return the pebbles of all seats in a bowl."""
        return sum(each.of(bowl) for each in self.bowls)
