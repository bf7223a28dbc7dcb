"""Clocks: how much time a match gives, and what each seat has left.

Time is measured by the log (the database), never by the server that decides moves. A clock starts with a decision and
stops with its answer. How a move moves the clocks is in ticking.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final, Protocol
from uuid import UUID

import msgspec

from services.movelog.downtimes import Downtime, ServedRules

AWAY_AFTER: Final = 2
LEAST_UNATTENDED: Final = timedelta(days=3)
DECISIONS_UNATTENDED: Final = 5
"""By default a match that everybody has left goes on for the time of so many decisions, but at least for three days."""
SETTLING: Final = timedelta(seconds=10)
"""After a downtime, a pause or a vacation an open decision has at least so much time, or all of its own if that is less:
players reconnect."""
MAX_LEFT: Final = timedelta(days=366)
"""Added time fills a clock up to so much."""
_MICROSECOND: Final = timedelta(microseconds=1)
_NONE: Final = timedelta(0)


class ClockKind(StrEnum):
    PER_MOVE = "per_move"
    """Every decision has the same time."""
    BUDGET = "budget"
    """A seat has one budget for all its decisions, and gains an increment with each new one."""


class AbsentRule(StrEnum):
    """What happens to a seat whose time is up."""

    POLICY = "policy"
    """The server makes this decision by the game's policy."""
    BOT = "bot"
    """The same, and a bot plays the seat until its player returns."""
    FORFEIT = "forfeit"
    """The seat resigns."""


class Clock(msgspec.Struct, frozen=True, kw_only=True):
    """The clock that a match was created with."""

    kind: ClockKind
    time: timedelta
    """Time of each decision, or of the whole match."""
    increment: timedelta = _NONE
    """Only for a budget."""
    absent: AbsentRule = AbsentRule.POLICY
    away_after: int = AWAY_AFTER
    """After so many time-outs in a row a seat counts as away, until its player returns. The server decides for it at once
    while a present player waits, and otherwise when the time of the decision is up."""
    asked_abandoned_after: timedelta | None = None
    """How long the match goes on that all players have left, as it was asked for; None: `abandoned_after` follows from `time`."""
    remind_before: timedelta | None = None
    """How long before a deadline the tenant is reminded of it; None: never."""
    vacations: bool = False
    """A player's clock stands while the player is on an announced vacation."""

    @property
    def abandoned_after(self) -> timedelta:
        """Return how long a match goes on that all players have left."""
        return self.asked_abandoned_after or max(LEAST_UNATTENDED, DECISIONS_UNATTENDED * self.time)


class Cause(StrEnum):
    """How a row affects the clocks."""

    MOVE = "move"
    """A move of the seat itself, or the start."""
    TIME_OUT = "time_out"
    """Made for the seat by the server; valid only once the seat's time is up."""
    TURN = "turn"
    """The server's, such as undo. It gives no seat time."""
    REDO = "redo"
    """The server's as well: redo. It gives no time either, because the decisions it reopens have had theirs."""
    RETURN = "return"
    """A player who was away has returned."""
    PAUSE = "pause"
    """The match is paused: no decision is open."""
    RESUME = "resume"
    """The pause is over: decisions that were open before are kept, and go on with the time they had left."""


class Tick(msgspec.Struct, frozen=True, kw_only=True):
    """How a move changes the clocks of its match."""

    cause: Cause
    kept: tuple[int, ...] = ()
    """Seats whose open decision is the same as before: their clocks run on."""
    begun: tuple[int, ...] = ()
    """Seats that have a new decision. All other clocks stop."""
    people: tuple[int, ...] = ()
    """Seats that are played by people who have not left for good, and are not on vacation. Only they can wait for an absent
    player."""
    resting: tuple[int, ...] = ()
    """Seats whose players are on vacation: their clocks stand, also if they have to act."""
    given: tuple[int, ...] = ()
    """Seats that get time."""
    added: timedelta = _NONE
    """How much time each of them gets."""

    @property
    def acting(self) -> tuple[int, ...]:
        return (*self.kept, *self.begun)


class SeatClock(msgspec.Struct, frozen=True, kw_only=True):
    """One seat's clock."""

    seat: int
    left: timedelta
    """The remaining time; while the clock runs, nothing remains from `deadline` on."""
    deadline: datetime | None = None
    """None while it is stopped."""
    time_outs: int = 0
    """Time-outs in a row."""
    spent: bool = False
    """An undo has affected its last decision, whose time it has received already.

    While the clock runs: the undo reopened the decision; until another seat has moved, the seat's decisions use the rest of
    that time. While it is stopped: the undo closed the decision; with a budget, the next decision gains no increment.
    """
    resting: bool = False
    """The player is on vacation, so the clock stands."""
    remind_at: datetime | None = None
    """When the tenant is to be reminded of the deadline; None: not, or it has been done."""


class Clocks(msgspec.Struct, frozen=True, kw_only=True):
    """The clocks of a running match."""

    version: int
    """The version of the match."""
    as_of: datetime
    """The log's time when the clocks were read."""
    seats: tuple[SeatClock, ...]

    def late(self) -> tuple[SeatClock, ...]:
        """Return the clocks that have run out, in the order in which they did."""
        late = [
            (one.deadline, one.seat, one)
            for one in self.seats
            if one.deadline is not None and one.deadline <= self.as_of
        ]
        return tuple(one for _, _, one in sorted(late, key=lambda found: found[:2]))

    def late_together(self) -> tuple[SeatClock, ...]:
        """Return the clock that ran out first, with those that ran out in the same instant."""
        late = self.late()
        return tuple(one for one in late if one.deadline == late[0].deadline)


class Due(msgspec.Struct, frozen=True, kw_only=True):
    """A running clock."""

    match_id: UUID
    seat: int
    left: timedelta
    """The time until it runs out; negative afterwards."""


class ClockReader(Protocol):
    """Reads clocks. Only rows of the log change them."""

    async def of(self, match_id: UUID) -> Clocks | None:
        """Return the clocks of a running match; None if it has none."""
        ...

    async def due(
        self, rules: Sequence[tuple[str, str]], *, limit: int, but: Sequence[UUID] = ()
    ) -> list[Due]:
        """Return the clocks that run out first, of matches under these (game, rules version), except some matches.

        Clocks that stand still because no server has taken moves are left out until `beat` has moved their deadlines.
        """
        ...

    async def remind(self, *, limit: int) -> int:
        """Write the event of each deadline that has come so near that its tenant is to be reminded; return how many there were.

        Each is written once, by whichever process comes first. Raises LogUnavailable.
        """
        ...

    async def beat(self, rules: Sequence[ServedRules]) -> None:
        """Say that this process takes moves of matches under these (game, rules version) now.

        If no process has said so for longer than `downtimes.TOLERANCE`, this was a downtime: it is recorded, and the
        deadlines of the matches are moved by it, in one transaction.
        """
        ...

    async def downtimes(
        self, rules: Sequence[ServedRules], *, after: datetime | None = None
    ) -> list[Downtime]:
        """Return the recorded downtimes of these rules that ended after a time, in the order in which they ended."""
        ...

    async def standing(self, rules: Sequence[ServedRules]) -> list[Downtime]:
        """Return the downtimes of these rules that go on until somebody beats, as if they ended now."""
        ...


def stored(clock: Clock) -> str:
    """Return a clock as the database stores it."""
    values = {
        "kind": clock.kind.value,
        "time_us": clock.time // _MICROSECOND,
        "increment_us": clock.increment // _MICROSECOND,
        "absent": clock.absent.value,
        "away_after": clock.away_after,
    }
    if clock.asked_abandoned_after is not None:
        values["abandoned_after_us"] = clock.asked_abandoned_after // _MICROSECOND
    if clock.remind_before is not None:
        values["remind_us"] = clock.remind_before // _MICROSECOND
    if clock.vacations:
        values["vacations"] = True
    return msgspec.json.encode(values).decode()


def clock_from(kept: dict[str, Any]) -> Clock:
    """Return the clock that `stored` wrote."""
    abandoned_after_us, remind_us = kept.get("abandoned_after_us"), kept.get("remind_us")
    return Clock(
        kind=ClockKind(kept["kind"]),
        time=kept["time_us"] * _MICROSECOND,
        increment=kept["increment_us"] * _MICROSECOND,
        absent=AbsentRule(kept["absent"]),
        away_after=kept["away_after"],
        asked_abandoned_after=None if abandoned_after_us is None else abandoned_after_us * _MICROSECOND,
        remind_before=None if remind_us is None else remind_us * _MICROSECOND,
        vacations=kept.get("vacations", False),
    )
