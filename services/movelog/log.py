"""The protocol every log fulfils. How it says no stands in failures.py, and for seats in lobby.py."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol, TypeAlias
from uuid import UUID

from services.movelog.clocks import ClockReader
from services.movelog.events import Events
from services.movelog.lobby import Lobby
from services.movelog.records import Append, Match, Move, Progress, SeatRecord
from services.movelog.snapshots import Snapshots


class Wakeups(Protocol):
    """Tells when a match may have moved on. A wake-up can be late, doubled or missing: always read the log."""

    async def wait(self, timeout: float) -> None:  # noqa: ASYNC109 - a slow poll, not a deadline
        """Return when the match may have new moves, at the latest after `timeout` seconds."""
        ...


Heard: TypeAlias = Callable[[UUID | None, bool], None]
"""Told that a match may have moved on (None: any match may have), and whether its seats or their tokens changed."""


class MoveLog(Protocol):
    """The log of every match. All methods are safe to call at once from many tasks."""

    @property
    def lobby(self) -> Lobby:
        """Give who sits where, and how seats change hands before the start."""
        ...

    @property
    def events(self) -> Events:
        """Give what platforms are told of their matches."""
        ...

    @property
    def clocks(self) -> ClockReader:
        """Give how much time the seats have. Clocks move with `append` and with the start."""
        ...

    @property
    def snapshots(self) -> Snapshots:
        """Give the states that were put aside. Nothing depends on them."""
        ...

    async def create(self, match: Match, seats: Sequence[SeatRecord]) -> Match:
        """Store a new match with its seats; those not named are open.

        A repeat (same tenant, same `request_id`) stores nothing and gives the match stored first; so does a second
        rematch of the same match.
        """
        ...

    async def requested(self, tenant: str, request_id: str) -> Match | None:
        """Give the match that a request of the tenant created, as it stands now; None if there is none."""
        ...

    async def take_in(self, match: Match, seats: Sequence[SeatRecord], moves: Sequence[Move]) -> bool:
        """Store a whole match that has ended, with all its rows, or nothing; False if its id is taken.

        The rows are stored as they are: whoever calls has checked them.
        """
        ...

    async def find(self, match_id: UUID) -> Match:
        """Give the match as it stands now; MatchUnknown."""
        ...

    async def append(self, append: Append) -> None:
        """Write one move; durable on return. StaleVersion, RequestIdTaken, MatchUnknown, LogUnavailable.

        In a match with a clock also TimeIsUp, TimeLeft, NotAway, by the log's own time.
        One statement advances the match's version where it is `move.seq - 1`, and the hash of that row
        `move.previous_hash`, and inserts the row.
        """
        ...

    async def read(self, match_id: UUID, *, after: int = 0, limit: int | None = None) -> list[Move]:
        """Give the moves after a version, in order; empty for an unknown match."""
        ...

    async def progress(self, match_ids: Sequence[UUID]) -> dict[UUID, Progress]:
        """Give how far each of many matches is; unknown ones are left out. For the slow poll behind `watch` and `hear`."""
        ...

    def watch(self, match_id: UUID) -> AbstractAsyncContextManager[Wakeups]:
        """Be woken, while the context is open, after moves of this match have been committed by any process."""
        ...

    def hear(self, heard: Heard) -> Callable[[], None]:
        """Call back for every match that moves on in any process, until the function given back is called.

        Called within this event loop, with the same reservations as `watch`; it must return at once.
        """
        ...

    async def close(self) -> None:
        """Finish what is under way and let go of the database."""
        ...
