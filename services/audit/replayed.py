"""A match decided again from its first row to its last, and what must hold after each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.kernel.chance import Draw
from engine.kernel.codec import encode
from engine.kernel.game import AnyGame
from engine.kernel.outcome import Outcome
from engine.kernel.pending import Pending
from engine.match import aborting
from engine.match.commands import is_command_row, read_events
from engine.match.forking import Fork
from engine.match.replay import Difference, LoggedMove, Playing, decide_again
from engine.match.requests import read_request
from services.movelog.clocks import Cause, SeatClock, ticked, wound
from services.movelog.export.verification import logged_moves
from services.movelog.records import Match, Move, Status
from services.rules.match.timekeeping import tick_between


@dataclass
class Replayed:
    """The result of replaying the rows of a match."""

    difference: Difference | None = None
    """The first row that the rules decide differently; the other fields cover the rows before it."""
    to_act: list[tuple[int, ...]] = field(default_factory=list)
    """The seats to act after each row."""
    turns: list[tuple[int, ...]] = field(default_factory=list)
    """Those of them whose turn began with that row."""
    outcome: Outcome | None = None
    forked: Fork | None = None
    states: dict[int, bytes] = field(default_factory=dict)
    """The requested states, by version."""
    clocks: dict[int, SeatClock] = field(default_factory=dict)
    """Clocks by seat, of a running match with a clock. Times are those of the rows, so they are only approximate."""
    wound_back: Counter[int] = field(default_factory=Counter)
    """By seat: how often an undo or a redo has stopped or started its clock."""
    draws: list[Draw] = field(default_factory=list)

    @property
    def status(self) -> Status:
        if not self.to_act:
            return Status.WAITING
        return Status.RUNNING if self.outcome is None else Status.ENDED


def replayed(game: AnyGame, match: Match, moves: Sequence[Move], states_at: frozenset[int]) -> Replayed:
    """Decide every row again, and keep some states. Raise Unreadable if the rows cannot even be folded."""
    result = Replayed()
    walk = _Walk(game, match, moves, states_at, result)
    rows = logged_moves(moves)
    result.difference = decide_again(game, rows, match.secret, drawn=result.draws, seen=walk.step)
    return result


class _Walk:
    """Observes a match after each row."""

    def __init__(
        self,
        game: AnyGame,
        match: Match,
        moves: Sequence[Move],
        states_at: frozenset[int],
        result: Replayed,
    ) -> None:
        self._game = game
        self._match = match
        self._moves = moves
        self._states_at = states_at
        self._result = result
        self._pending: tuple[Pending, ...] = ()

    def step(self, row: LoggedMove, playing: Playing) -> None:
        result, game = self._result, self._game
        match_events = read_events(game, row.events) if is_command_row(row.events) else ()
        aborted = aborting.is_abort(match_events)
        state = playing.state
        pending = aborting.pending(game, state, aborted=aborted)
        to_act = tuple(one.seat for one in pending)
        before = {one.seat for one in self._pending}
        result.to_act.append(to_act)
        result.turns.append(tuple(seat for seat in to_act if seat not in before))
        result.outcome = aborting.outcome(game, state, aborted=aborted)
        if row.seq in self._states_at and not match_events:
            result.states[row.seq] = encode(state)
        request = read_request(game, row.request)
        if isinstance(request, Fork):
            result.forked = request
        self._tick(row, request, pending)
        self._pending = pending

    def _tick(self, row: LoggedMove, request: Any, pending: tuple[Pending, ...]) -> None:
        """Change the clocks as the log does, by the time of the row."""
        clock, clocks = self._match.clock, self._result.clocks
        if clock is None:
            return
        if row.seq == 1:
            clocks.update({one.seat: one for one in wound(clock, self._match.seats)})
        tick = tick_between(self._pending, pending, row.seat, request)
        moment = self._moves[row.seq - 1].recorded_at
        for seat, one in clocks.items():
            if tick.cause in (Cause.TURN, Cause.REDO) and seat not in tick.kept:
                self._result.wound_back[seat] += seat in tick.begun or one.deadline is not None
            clocks[seat] = ticked(clock, one, tick, row.seat, moment)
