"""Folding a log, rows that were taken back included: the one place that turns rows into tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from engine.kernel.course import Course, Place
from engine.kernel.forking import table_of
from engine.kernel.game import AnyGame
from engine.kernel.house import Forked, is_house_row, read_events
from engine.kernel.seats import Seat


class LoggedMove(msgspec.Struct, frozen=True, kw_only=True):
    """One row of a match's log, as far as the rules care: who asked for what, and what came of it."""

    seq: int
    """The match's version after this move; the start is 1."""
    seat: Seat | None
    """Who asked; None for the start."""
    request: bytes
    """Canonical JSON of the request."""
    events: bytes
    """Canonical JSON array of the events."""

    def __repr__(self) -> str:
        """Without request and events: they may hold what nobody may see yet."""
        return f"LoggedMove(seq={self.seq}, seat={self.seat})"


def fold(game: AnyGame, events: Iterable[Any], state: Any = None) -> Any:
    """Fold events onto a state; without one, from the beginning, which for a fork is its table."""
    evolve = game.evolve
    if state is None:
        events = tuple(events)
        if events and isinstance(events[0], Forked):
            return table_of(game, events[0])
    for event in events:
        state = evolve(state, event)
    return state


def fold_moves(game: AnyGame, moves: Iterable[LoggedMove], state: Any = None) -> Any:
    """Fold logged moves onto a state; without one, from the beginning. Rows that were taken back do not count.

    `Unreadable` where a row goes back to before the first that was given.
    """
    rows = tuple(moves)
    replay = Replay(game, version=rows[0].seq - 1 if rows else 0, state=state, keep=takes_back(rows))
    for row in rows:
        replay.advance(row)
    return replay.state


def states_after_each(
    game: AnyGame, moves: Iterable[LoggedMove], state: Any = None
) -> Iterator[tuple[LoggedMove, Any]]:
    """Step through a log: each row with the state after it."""
    rows = tuple(moves)
    replay = Replay(game, version=rows[0].seq - 1 if rows else 0, state=state, keep=takes_back(rows))
    for row in rows:
        replay.advance(row)
        yield row, replay.state


def takes_back(rows: Iterable[LoggedMove]) -> bool:
    """Tell whether any row is the house's own, so that not every row may count."""
    return any(is_house_row(row.events) for row in rows)


class Replay:
    """A log folded row by row, that can go back where it keeps the state after every row that counts."""

    def __init__(self, game: AnyGame, *, version: int = 0, state: Any = None, keep: bool = True) -> None:
        """`state` is where to begin, at `version`; `keep` the states on the way, for rows that go back to them."""
        self.game = game
        self._keep = keep
        self.course = Course(version)
        self._states: dict[int, Any] = {version: state}

    @property
    def state(self) -> Any:
        return self._states[self.course.head.seq]

    def before(self, place: Place) -> Any:
        """Give the state a row was decided on."""
        assert place.before is not None  # the beginning is no row
        return self._states[place.before.seq]

    def advance(self, move: LoggedMove) -> None:
        """Take in the next row; `Unreadable`."""
        events = read_events(self.game, move.events)
        if is_house_row(move.events):
            self.course.advance(move.seq, move.seat, move.request, events)
            return
        state = fold(self.game, events, self.state)
        self.course.advance(move.seq, move.seat, move.request, None)
        if not self._keep:
            self._states.clear()
        self._states[move.seq] = state
