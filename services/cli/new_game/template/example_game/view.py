"""What an audience may see, built field by field. A view never contains more than it names here, so nothing leaks by accident.

§7 Information. Everything on the table is open: the bowls, the hands, the points, who has placed. Secret are the favour
cards until the end, the cards that stay in the box, and what is placed until everybody has placed.
"""

from __future__ import annotations

from typing import Final

import msgspec
from engine.interface import Audience, Outcome, Pending, Seat, View
from msgspec.structs import replace

from example_game.box import Bowl, Pebbles
from example_game.events import GameEvent, MatchStarted, PebblesPlaced
from example_game.legal import pending
from example_game.rules.ending import outcome
from example_game.state import Stage, State

NOT_ROLLED: Final = 0
"""What `pips` is before the first roll."""


class SeatView(msgspec.Struct, frozen=True, kw_only=True):
    """One player, as the audience sees it (§7)."""

    seat: Seat
    hand: int
    """How many pebbles are in hand; those placed in secret are among them."""
    bowls: Pebbles
    """The player's pebbles in the bowls."""
    gone: int
    """How many of the player's pebbles have left the game."""
    points: int
    """The points scored with the die (§3)."""
    placed: bool
    """Whether the player has placed pebbles in this round."""
    pebbles: Pebbles | None
    """What the player has placed in this round; absent if it is not placed yet, or the audience may not see it."""
    favour: Bowl | None
    """The bowl that the favour card names; absent if the audience may not see it."""
    left: bool
    """Whether the player has left the match for good (§6)."""


class GameView(View, frozen=True, kw_only=True):
    """The match as an audience sees it (§7)."""

    round: int
    """The number of the round, counted from 1."""
    rounds: int
    """How many rounds are played."""
    stage: Stage
    """Where the match is."""
    pips: int
    """The last face of the die; 0 before the first roll."""
    chosen: Bowl | None
    """The bowl that the die has chosen in this round; absent before it is rolled."""
    seats: tuple[SeatView, ...]
    """The players, in order of seats."""
    pending: tuple[Pending, ...]
    """The decisions that the match waits for."""
    outcome: Outcome | None
    """How the match ended; absent while it is played."""


def view(state: State, audience: Audience) -> GameView:
    """§7 Return what an audience may see."""
    return GameView(
        round=state.round,
        rounds=state.rounds,
        stage=state.stage,
        pips=state.pips,
        chosen=state.chosen,
        seats=tuple(_seat(state, Seat(seat), audience) for seat in range(state.seats)),
        pending=pending(state),
        outcome=outcome(state),
    )


def _seat(state: State, seat: Seat, audience: Audience) -> SeatView:
    ended = state.stage is Stage.ENDED
    return SeatView(
        seat=seat,
        hand=state.hands[seat],
        bowls=state.bowls[seat],
        gone=state.gone[seat],
        points=state.points[seat],
        placed=state.placed[seat] is not None,
        pebbles=state.placed[seat] if state.revealed or audience.sees_seat(seat) else None,
        favour=state.favours[seat] if ended or audience.sees_seat(seat) else None,
        left=seat in state.left,
    )


def redact(event: GameEvent, audience: Audience) -> GameEvent:
    """§7 Return the event as an audience may see it."""
    if isinstance(event, MatchStarted):
        return replace(event, favours=tuple(each for each in event.favours if audience.sees_seat(each.seat)))
    if isinstance(event, PebblesPlaced) and not audience.sees_seat(event.seat):
        return PebblesPlaced(seat=event.seat)
    return event
