"""The protocol every log fulfils, and how it says no.

LogError
  StaleVersion        somebody else's move took the place
  RequestIdTaken      the match already has a move with this request id
  MatchUnknown        no such match
  SeatTaken           another player sits there
  NoFreeSeat          all seats are taken
  LogUnavailable      the database cannot be reached now; nothing is known to have been written
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol
from uuid import UUID

from services.movelog.records import Append, Match, Move, SeatClaim


class LogError(Exception):
    """Why the log did not do what was asked."""


class StaleVersion(LogError):  # noqa: N818 - the name says what happened
    """The match is not at the version the move was decided on; nothing was written."""


class RequestIdTaken(LogError):  # noqa: N818
    """The match has a move with this request id; nothing was written."""


class MatchUnknown(LogError):  # noqa: N818
    """No match has this id."""


class SeatTaken(LogError):  # noqa: N818
    """Another player sits there."""


class NoFreeSeat(LogError):  # noqa: N818
    """Every seat of the match is taken."""


class LogUnavailable(LogError):  # noqa: N818
    """The database cannot be reached. A write may or may not have happened: repeat it with the same request id."""


class Wakeups(Protocol):
    """Tells when a match may have moved on. A wake-up can be late, doubled or missing: always read the log."""

    async def wait(self, timeout: float) -> None:  # noqa: ASYNC109 - a slow poll, not a deadline
        """Return when the match may have new moves, at the latest after `timeout` seconds."""
        ...


class MoveLog(Protocol):
    """The log of every match. All methods are safe to call at once from many tasks."""

    async def create(self, match: Match, claims: Sequence[SeatClaim]) -> Match:
        """Store a new match with the seats taken so far.

        A repeat (same tenant, same `request_id`) stores nothing and gives the match stored first.
        """
        ...

    async def find(self, match_id: UUID) -> Match:
        """Give the match as it stands now; MatchUnknown."""
        ...

    async def claims(self, match_id: UUID) -> tuple[SeatClaim, ...]:
        """Give the taken seats, in order of seats."""
        ...

    async def claim(self, match_id: UUID, seat: int | None, player: str) -> SeatClaim:
        """Take a seat, or the lowest free one; MatchUnknown, SeatTaken, NoFreeSeat. Two at once: exactly one gets it."""
        ...

    async def append(self, append: Append) -> None:
        """Write one move; durable on return. StaleVersion, RequestIdTaken, MatchUnknown, LogUnavailable.

        One statement advances the match's version where it is `move.seq - 1` and inserts the row.
        """
        ...

    async def read(self, match_id: UUID, *, after: int = 0, limit: int | None = None) -> list[Move]:
        """Give the moves after a version, in order; empty for an unknown match."""
        ...

    def watch(self, match_id: UUID) -> AbstractAsyncContextManager[Wakeups]:
        """Be woken, while the context is open, after moves of this match have been committed by any process."""
        ...

    async def close(self) -> None:
        """Finish what is under way and let go of the database."""
        ...
