"""A match decided again from its first row to its last, and what had to be so after each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.kernel import aborting
from engine.kernel.chance import Draw
from engine.kernel.codec import encode
from engine.kernel.forking import Fork
from engine.kernel.game import AnyGame
from engine.kernel.house import is_house_row, read_events
from engine.kernel.outcome import Outcome
from engine.kernel.pending import Pending
from engine.kernel.replay import Difference, LoggedMove, Playing, decide_again
from engine.kernel.requests import read_request
from services.movelog.clocks import Cause, SeatClock, ticked, wound
from services.movelog.records import Match, Move, Status
from services.movelog.verification import logged_moves
from services.rules.timekeeping import tick_between


@dataclass
class Replayed:
    """What the rows of a match lead to."""

    difference: Difference | None = None
    """The first row that the rules decide otherwise; what follows is of the rows before it."""
    to_act: list[tuple[int, ...]] = field(default_factory=list)
    """Who is waited for after each row."""
    turns: list[tuple[int, ...]] = field(default_factory=list)
    """Which of them only since that row."""
    outcome: Outcome | None = None
    forked: Fork | None = None
    states: dict[int, bytes] = field(default_factory=dict)
    """The states that were asked for, by version."""
    clocks: dict[int, SeatClock] = field(default_factory=dict)
    """By seat; in a running match with a clock. Times are those of the rows, so they are right within moments."""
    wound_back: Counter[int] = field(default_factory=Counter)
    """By seat: how often an undo or a redo has stopped its clock or begun it."""
    draws: list[Draw] = field(default_factory=list)

    @property
    def status(self) -> Status:
        if not self.to_act:
            return Status.WAITING
        return Status.RUNNING if self.outcome is None else Status.ENDED


def replayed(game: AnyGame, match: Match, moves: Sequence[Move], states_at: frozenset[int]) -> Replayed:
    """Decide every row again, and keep the states after some; Unreadable where the rows cannot even be folded."""
    result = Replayed()
    walk = _Walk(game, match, moves, states_at, result)
    rows = logged_moves(moves)
    result.difference = decide_again(game, rows, match.secret, drawn=result.draws, seen=walk.step)
    return result


class _Walk:
    """Looks at a match after each row."""

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
        house = read_events(game, row.events) if is_house_row(row.events) else ()
        aborted = aborting.is_abort(house)
        state = playing.state
        pending = aborting.pending(game, state, aborted=aborted)
        to_act = tuple(one.seat for one in pending)
        before = {one.seat for one in self._pending}
        result.to_act.append(to_act)
        result.turns.append(tuple(seat for seat in to_act if seat not in before))
        result.outcome = aborting.outcome(game, state, aborted=aborted)
        if row.seq in self._states_at and not house:
            result.states[row.seq] = encode(state)
        request = read_request(game, row.request)
        if isinstance(request, Fork):
            result.forked = request
        self._tick(row, request, pending)
        self._pending = pending

    def _tick(self, row: LoggedMove, request: Any, pending: tuple[Pending, ...]) -> None:
        """Move the clocks as the log does, by the time of the row."""
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
