"""How far a seat may take its moves back on its own: up to the first that drew, revealed something or was answered.

Computed from the moves: a move drew if deciding it again needs a draw, and it revealed something if an audience knows a
fact afterwards that was hidden from it (knowledge.py). Beyond the boundary an undo needs the consent of the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import accumulate
from typing import Any, Final, TypeVar

import msgspec

from engine.kernel.chance import shuffle_by
from engine.kernel.game import AnyGame
from engine.kernel.knowledge import audiences, revealed_along
from engine.kernel.seats import Audience, Seat
from engine.match.absence import TimeOut
from engine.match.commands import read_events
from engine.match.folding import LoggedMove, fold
from engine.match.forking import Fork
from engine.match.requests import decide_request, read_request

T = TypeVar("T")


class UndoBoundaryReason(StrEnum):
    """Why a move cannot be taken back freely. Stable."""

    DREW_LUCK = "DREW_LUCK"
    """The move drew a die or a card; after an undo, it would be drawn again."""
    REVEALED = "REVEALED"
    """It showed something hidden to somebody, perhaps only to the mover."""
    ANSWERED = "ANSWERED"
    """Another seat has moved since."""
    TIMED_OUT = "TIMED_OUT"
    """The server made it because the player's time was up; an undo would give the player that time again."""
    NOT_YOURS = "NOT_YOURS"
    """It is another seat's move, and the seat itself made none before it."""
    NOTHING_TO_UNDO = "NOTHING_TO_UNDO"
    """There is no move to take back: the seat made none, or there is only the start of the match."""


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """A move with the state in which it was made. Undone moves must not be passed on as `Move`s."""

    seq: int
    """The match's version after it."""
    seat: Seat | None
    """None for the start."""
    request: Any
    """Start, resignation, or an action of the game."""
    before: Any
    """None before the start."""
    events: tuple[Any, ...]

    def __repr__(self) -> str:
        """Return a text without request and state, which may contain hidden facts."""
        return f"Move(seq={self.seq}, seat={self.seat})"


class Obstacle(msgspec.Struct, frozen=True, kw_only=True):
    """Why a seat cannot go back further, and the move that prevents it; no `seq` if there is no such move."""

    reason: UndoBoundaryReason
    seq: int | None = None


class FreeUndo(msgspec.Struct, frozen=True, kw_only=True):
    """How far a seat may go back on its own: to version `to`, which is the current one if it may not go back."""

    to: int
    obstacle: Obstacle
    """Why it may not go back further."""


def moves_of(game: AnyGame, logged: Iterable[LoggedMove], state: Any = None) -> Iterator[Move]:
    """Yield logged moves as `Move`s. The first was made in `state`; without one, the moves begin at the start of the match."""
    for row in logged:
        events = read_events(game, row.events)
        request = read_request(game, row.request)
        yield Move(seq=row.seq, seat=row.seat, request=request, before=state, events=events)
        state = fold(game, events, state)


def drew(game: AnyGame, move: Move) -> bool:
    """Return whether the move drew, by deciding it again up to the first draw; no secret is needed up to there.

    Raises RuleViolation if the present rules refuse a move made under older rules.
    """
    if isinstance(move.request, Fork):
        return True
    try:
        decide_request(game, move.before, move.seat, move.request, _NO_LUCK)
    except _LuckNeededError:
        return True
    return False


def revealed_to(game: AnyGame, move: Move, seats: int) -> tuple[Audience, ...]:
    """Return every audience to which the move revealed something hidden. The start of a match reveals nothing to anybody."""
    if move.before is None:
        return ()
    states = tuple(accumulate(move.events, game.evolve, initial=move.before))
    return tuple(audience for audience in audiences(seats) if revealed_along(game, states, audience))


def obstacle(game: AnyGame, moves: Sequence[Move], seats: int, seat: Seat, to: int) -> Obstacle | None:
    """Return why the seat may not take the match back to version `to` on its own; None if it may.

    `moves` end with the latest and reach back to the first one after `to`. The newest move in the way is named.
    """
    if not moves or to >= moves[-1].seq:
        return Obstacle(reason=UndoBoundaryReason.NOTHING_TO_UNDO)
    if moves[0].seq > max(to, 0) + 1:
        raise ValueError(f"the moves begin with version {moves[0].seq}, after the one that follows {to}")
    undone = [move for move in moves if move.seq > to]
    first_own = next((move.seq for move in undone if move.seat == seat), None)
    for move in reversed(undone):
        reason = _in_the_way(game, move, seats, seat, first_own)
        if reason is not None:
            return Obstacle(reason=reason, seq=move.seq)
    return None


def free_undo(game: AnyGame, moves: Sequence[Move], seats: int, seat: Seat) -> FreeUndo:
    """Return how far back the seat may go on its own, and why not further.

    `moves` end with the latest and reach back to the start, or to a move of another seat before the seat's own last ones.
    """
    to = moves[-1].seq
    last_own = next((move.seq for move in reversed(moves) if move.seat == seat), None)
    if last_own is None:
        return FreeUndo(to=to, obstacle=Obstacle(reason=UndoBoundaryReason.NOTHING_TO_UNDO))
    for move in reversed(moves):
        reason = _in_the_way(game, move, seats, seat, last_own)
        if reason is not None:
            return FreeUndo(to=to, obstacle=Obstacle(reason=reason, seq=move.seq))
        to = move.seq - 1
    raise ValueError(f"the moves begin with version {moves[0].seq}, in the middle of the seat's own")


def _in_the_way(
    game: AnyGame, move: Move, seats: int, seat: Seat, first_own: int | None
) -> UndoBoundaryReason | None:
    """Return why the seat may not take back this move; `first_own` is the oldest of its own moves that it would take back."""
    if move.seat is None:
        return UndoBoundaryReason.NOTHING_TO_UNDO
    if move.seat != seat:
        return (
            UndoBoundaryReason.NOT_YOURS
            if first_own is None or move.seq < first_own
            else UndoBoundaryReason.ANSWERED
        )
    if isinstance(move.request, TimeOut):
        return UndoBoundaryReason.TIMED_OUT
    if drew(game, move):
        return UndoBoundaryReason.DREW_LUCK
    return UndoBoundaryReason.REVEALED if revealed_to(game, move, seats) else None


class _LuckNeededError(Exception):
    """The move would draw at this point."""


class _NoLuck:
    """A chance whose first draw raises _LuckNeededError."""

    def below(self, bound: int) -> int:
        raise _LuckNeededError(bound)

    def shuffled(self, items: Iterable[T]) -> tuple[T, ...]:
        return shuffle_by(self, items)


_NO_LUCK: Final = _NoLuck()
