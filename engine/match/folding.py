"""Folding a log into states, including logs with undone moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from engine.kernel.game import AnyGame
from engine.kernel.recorder import state_after
from engine.kernel.seats import Seat
from engine.match.commands import Forked, is_command_row, read_events
from engine.match.forking import table_of
from engine.match.timeline import Timeline, TimelinePlace


class LoggedMove(msgspec.Struct, frozen=True, kw_only=True):
    """One row of a match's log, as far as the rules need it: the seat, its request, and the events."""

    seq: int
    """The match's version after this move; the start is 1."""
    seat: Seat | None
    """The seat that made the request; None for the start."""
    request: bytes
    """Canonical JSON of the request."""
    events: bytes
    """Canonical JSON array of the events."""

    def __repr__(self) -> str:
        """Return a text without request and events, which may contain hidden facts."""
        return f"LoggedMove(seq={self.seq}, seat={self.seat})"


def fold(game: AnyGame, events: Iterable[Any], state: Any = None) -> Any:
    """Return the state after events; without `state`, they start at the beginning of the match (for a fork, its initial state)."""
    evolve = game.evolve
    if state is None:
        events = tuple(events)
        if events and isinstance(events[0], Forked):
            return table_of(game, events[0])
    elif (after := state_after(events, getattr(evolve, "__wrapped__", evolve), state)) is not None:
        return after  # the recorder has the function itself, whoever has wrapped it for us
    for event in events:
        state = evolve(state, event)
    return state


def fold_moves(game: AnyGame, moves: Iterable[LoggedMove], state: Any = None) -> Any:
    """Fold logged moves onto a state; without one, from the beginning. Rows that were taken back do not count.

    Raises Unreadable if a row goes back to before the first row given.
    """
    return replayed(game, moves, state).state


def replayed(game: AnyGame, moves: Iterable[LoggedMove], state: Any = None) -> Replay:
    """Fold logged moves as `fold_moves` does, and return the match after them."""
    rows = tuple(moves)
    replay = Replay(game, version=rows[0].seq - 1 if rows else 0, state=state, keep=takes_back(rows))
    for row in rows:
        replay.advance(row)
    return replay


def states_after_each(
    game: AnyGame, moves: Iterable[LoggedMove], state: Any = None
) -> Iterator[tuple[LoggedMove, Any]]:
    """Yield each row of a log with the state after it."""
    rows = tuple(moves)
    replay = Replay(game, version=rows[0].seq - 1 if rows else 0, state=state, keep=takes_back(rows))
    for row in rows:
        replay.advance(row)
        yield row, replay.state


def takes_back(rows: Iterable[LoggedMove]) -> bool:
    """Return whether any row is the server's own, in which case some rows may not count."""
    return any(is_command_row(row.events) for row in rows)


class Replay:
    """A log folded row by row. It can go back if it keeps the state after every row that counts."""

    def __init__(self, game: AnyGame, *, version: int = 0, state: Any = None, keep: bool = True) -> None:
        """Begins with `state` at `version`. `keep`: keep the states after all rows, for rows that go back to them."""
        self.game = game
        self._keep = keep
        self.timeline = Timeline(version)
        self._states: dict[int, Any] = {version: state}

    @property
    def state(self) -> Any:
        return self._states[self.timeline.head.seq]

    def before(self, place: TimelinePlace) -> Any:
        """Return the state on which a row was decided."""
        assert place.before is not None  # the beginning is no row
        return self._states[place.before.seq]

    def advance(self, move: LoggedMove, events: tuple[Any, ...] | None = None) -> None:
        """Advance by the next row; `events` are those of the row, if somebody has them already. Raises Unreadable."""
        if events is None:
            events = read_events(self.game, move.events)
        if is_command_row(move.events):
            self.timeline.advance(move.seq, move.seat, move.request, events)
            return
        state = fold(self.game, events, self.state)
        self.timeline.advance(move.seq, move.seat, move.request, None)
        if not self._keep:
            self._states.clear()
        self._states[move.seq] = state
