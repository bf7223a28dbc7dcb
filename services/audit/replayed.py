"""A match decided again from its first row to its last, and what must hold after each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from engine.kernel.chance import Draw
from engine.kernel.codec import encode
from engine.kernel.game import AnyGame
from engine.kernel.outcome import Outcome
from engine.kernel.pending import Pending
from engine.kernel.seats import Seat
from engine.match import aborting
from engine.match.commands import PausedBy, Resume, is_command_row
from engine.match.forking import Fork
from engine.match.replay import Difference, LoggedMove, Playing, decide_again
from services.movelog.clocks import Cause, Clock, ClockKind, SeatClock
from services.movelog.downtimes import Downtime
from services.movelog.export.verification import logged_moves
from services.movelog.records import Match, Move, Status
from services.movelog.ticking import resumed, ticked_all, wound
from services.rules.match.timekeeping import tick_between


@dataclass
class Replayed:
    """The result of replaying the rows of a match."""

    difference: Difference | None = None
    """The first row that the rules decide differently; the other fields cover the rows before it."""
    to_act: list[tuple[int, ...]] = field(default_factory=list)
    """The seats to act after each row."""
    paused: list[bool] = field(default_factory=list)
    """Whether the match was paused after each row."""
    outcome: Outcome | None = None
    paused_by: PausedBy | None = None
    """Who paused the match; None: it is not paused."""
    forked: Fork | None = None
    states: dict[int, bytes] = field(default_factory=dict)
    """The requested states, by version."""
    clocks: dict[int, SeatClock] = field(default_factory=dict)
    """Clocks by seat, of a running match with a clock. Times are those of the rows, so they are only approximate."""
    earliest: dict[int, datetime] = field(default_factory=dict)
    """By seat whose clock runs: the earliest deadline that it may have, if somebody present waited for the seat. No row says
    which seats bots played."""
    hurried: set[int] = field(default_factory=set)
    """Seats that were away with time left, of which nothing remains if somebody waited."""
    stood: set[int] = field(default_factory=set)
    """Seats whose clocks stopped in the middle of a decision, or after it: what they have left was measured."""
    wound_back: Counter[int] = field(default_factory=Counter)
    """By seat: how often an undo or a redo has stopped or started its clock."""
    draws: list[Draw] = field(default_factory=list)

    @property
    def status(self) -> Status:
        if not self.to_act:
            return Status.WAITING
        return Status.RUNNING if self.outcome is None else Status.ENDED


def replayed(
    game: AnyGame,
    match: Match,
    moves: Sequence[Move],
    states_at: frozenset[int],
    downtimes: Sequence[Downtime] = (),
) -> Replayed:
    """Decide every row again, and keep some states. Raises Unreadable if the rows cannot even be folded.

    `downtimes` are those in which no server took moves of the match, in order.
    """
    result = Replayed()
    walk = _Walk(game, match, moves, states_at, downtimes, result)
    rows = logged_moves(moves)
    result.difference = decide_again(game, rows, match.secret, drawn=result.draws, seen=walk.step)
    walk.finish()
    return result


class _Walk:
    """Observes a match after each row."""

    def __init__(
        self,
        game: AnyGame,
        match: Match,
        moves: Sequence[Move],
        states_at: frozenset[int],
        downtimes: Sequence[Downtime],
        result: Replayed,
    ) -> None:
        self._game = game
        self._match = match
        self._moves = moves
        self._states_at = states_at
        self._downtimes = list(downtimes)
        self._result = result
        self._last: tuple[Any, bool] | None = None
        """The state after the latest row, and whether that called the match off."""
        self._pending: tuple[Pending, ...] = ()
        self._put_aside: tuple[Pending, ...] = ()
        """The decisions that were open when the match was paused."""

    def finish(self) -> None:
        """Take in what only the end tells."""
        self.let_pass(None)
        if self._last is not None:
            state, aborted = self._last
            self._result.outcome = aborting.outcome(self._game, state, aborted=aborted)

    def step(self, row: LoggedMove, request: Any, events: tuple[Any, ...], playing: Playing) -> None:
        result, game = self._result, self._game
        aborted, pause = aborting.is_abort(events), playing.timeline.pause
        state = playing.state
        pending = aborting.pending(game, state, aborted=aborted, paused=pause is not None)
        result.to_act.append(tuple([one.seat for one in pending]))
        result.paused.append(pause is not None)
        self._last = state, aborted
        if row.seq in self._states_at and not is_command_row(row.events):
            result.states[row.seq] = encode(state)
        if isinstance(request, Fork):
            result.forked = request
        result.paused_by = None if pause is None else pause.by
        if self._match.clock is not None:
            self._tick(self._match.clock, row, request, pending, playing.timeline.resting)
        if not isinstance(request, Resume) and pause is not None:
            self._put_aside = self._put_aside or self._pending
        else:
            self._put_aside = ()
        self._pending = pending

    def _tick(
        self,
        clock: Clock,
        row: LoggedMove,
        request: Any,
        pending: tuple[Pending, ...],
        resting: frozenset[Seat],
    ) -> None:
        """Change the clocks as the log does, by the time of the row."""
        clocks = self._result.clocks
        if row.seq == 1:
            clocks.update({one.seat: one for one in wound(clock, self._match.seats)})
        before = self._put_aside if isinstance(request, Resume) else self._pending
        tick = tick_between(before, pending, row.seat, request, resting=resting)
        moment = self._moves[row.seq - 1].recorded_at
        self.let_pass(moment)
        for seat, one in clocks.items():
            if tick.cause in (Cause.TURN, Cause.REDO) and seat not in tick.kept:
                self._result.wound_back[seat] += seat in tick.begun or one.deadline is not None
        for one in ticked_all(clock, clocks.values(), tick, row.seat, moment):
            before_it = clocks[one.seat]
            started = one.seat in tick.begun or before_it.deadline is None
            if one.seat in tick.begun:
                self._result.stood.discard(one.seat)
            elif before_it.deadline is not None and one.deadline is None:
                self._result.stood.add(one.seat)
            clocks[one.seat] = one
            if started and one.deadline is not None:
                is_away = one.time_outs >= clock.away_after
                self._result.earliest[one.seat] = moment if is_away or not one.left else one.deadline
                if is_away and one.left and clock.kind is ClockKind.BUDGET:
                    self._result.hurried.add(one.seat)

    def let_pass(self, moment: datetime | None) -> None:
        """Move the deadlines by the downtimes before a moment; None: by all that remain.

        A row was written before or after a downtime, never in it. So its middle tells, whichever host's time the row has.
        """
        clock, result = self._match.clock, self._result
        while clock is not None and self._downtimes:
            one = self._downtimes[0]
            if moment is not None and one.since + (one.until - one.since) / 2 > moment:
                return
            del self._downtimes[0]
            for seat, before in result.clocks.items():
                after = result.clocks[seat] = resumed(clock, before, one)
                if seat in result.earliest and result.earliest[seat] == before.deadline != after.deadline:
                    assert after.deadline is not None  # only a deadline moves
                    result.earliest[seat] = after.deadline
