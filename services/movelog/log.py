"""The protocol of a log. Its errors are in failures.py, those about seats in lobby.py."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol, TypeAlias
from uuid import UUID

from services.movelog.batches import Batches
from services.movelog.clocks import ClockReader
from services.movelog.events import Events
from services.movelog.identities import SeatIdentities
from services.movelog.lobby import Lobby, PlayerRule
from services.movelog.notes import NO_NOTES, MatchChange, Notes
from services.movelog.players import SeatPlayers
from services.movelog.records import Append, ForkQuota, Match, Move, Progress, SeatRecord, TokenUse
from services.movelog.snapshots import Snapshots


class Wakeups(Protocol):
    """Reports when a match may have changed. A wake-up can be late, doubled or missing: always read the log."""

    async def wait(self, timeout: float) -> None:  # noqa: ASYNC109 - a slow poll, not a deadline
        """Wait until the match may have new moves, at most `timeout` seconds."""
        ...


WakeupSubscriber: TypeAlias = Callable[[UUID | None, bool], None]
"""Called with a match that may have changed (None: any match may have), and whether its seats or their tokens changed."""


class MoveLog(Protocol):
    """The log of every match. All methods may be called concurrently from many tasks."""

    @property
    def lobby(self) -> Lobby:
        """Return the seats: reading, taking and freeing them."""
        ...

    @property
    def players(self) -> SeatPlayers:
        """Return the players of seats: replacing one, revoking all tokens of one."""
        ...

    @property
    def batches(self) -> Batches:
        """Return what is done with many matches at once."""
        ...

    @property
    def events(self) -> Events:
        """Return the events that platforms receive about their matches."""
        ...

    @property
    def clocks(self) -> ClockReader:
        """Return the reader of clocks. Only `append` and the start change clocks."""
        ...

    @property
    def snapshots(self) -> Snapshots:
        """Return the snapshots of states. Nothing depends on them."""
        ...

    async def create(
        self,
        match: Match,
        seats: Sequence[SeatRecord],
        *,
        token: TokenUse | None = None,
        rule: PlayerRule | None = None,
        notes: Notes = NO_NOTES,
    ) -> Match:
        """Store a new match with its seats and its tenant's notes; seats that are not named are open.

        A repeat (same tenant, same `request_id`) stores nothing and returns the match stored first; so does a second
        rematch of the same match. Raises TokensRevoked if the request uses a revoked token of another match, and TooManyWaiting
        by `rule`, which a repeat may break: whoever gives one looks at `requested` then. Raises ReferenceTaken for another
        match's reference; a repeat is told the first match, whose reference it is.
        """
        ...

    async def fork(
        self,
        match: Match,
        seats: Sequence[SeatRecord],
        quota: ForkQuota,
        *,
        token: TokenUse | None = None,
        notes: Notes = NO_NOTES,
    ) -> Match:
        """Store a fork as `create` does, and count it. Raises ForksUsedUp, TokensRevoked, ReferenceTaken. A repeat is not counted.

        Counting and storing are one transaction: concurrent requests, in any processes, make no more forks than the
        quota allows.
        """
        ...

    async def requested(self, tenant: str, request_id: str) -> Match | None:
        """Return the current state of the match that a request of the tenant created; None if there is none."""
        ...

    async def import_match(
        self,
        match: Match,
        seats: Sequence[SeatRecord],
        moves: Sequence[Move],
        *,
        notes: Notes = NO_NOTES,
        identities: Sequence[SeatIdentities] = (),
    ) -> bool:
        """Store a whole match that has ended, with all its rows, or nothing; return False if its id is taken.

        `identities`: how its document commits to its players, which exports keep to; seats without get new salts.
        The rows are stored unchanged: the caller has checked them. Raises ReferenceTaken.
        """
        ...

    async def change(
        self, match_id: UUID, change: MatchChange, check: Callable[[Notes], None] = lambda _: None
    ) -> None:
        """Change a match's title, visibility or notes, all of it or nothing. Raises MatchUnknown, ReferenceTaken.

        `check` gets the notes as they would be, and refuses them by an error, which nothing is written after.
        """
        ...

    async def notes(self, match_id: UUID) -> Notes:
        """Return what the tenant notes about a match; nothing for an unknown match."""
        ...

    async def own(self, tenant: str, match_id: UUID) -> UUID | None:
        """Return the id of the match that a tenant names by an id, its own or imported; None if it has none.

        This is one query, which does the same work whether another tenant has a match of this id or nobody.
        """
        ...

    async def find(self, match_id: UUID) -> Match:
        """Return the match in its current state. Raises MatchUnknown."""
        ...

    async def append(self, append: Append) -> None:
        """Write one move; durable on return. Raises StaleVersion, RequestIdTaken, MatchUnknown, LogUnavailable.

        Raises TokensRevoked, before any other error, if the request uses a token and tokens were revoked.
        In a match with a clock also raise TimeIsUp, TimeLeft, NotAway, by the log's own time.
        One statement advances the match's version if it is `move.seq - 1` and that row's hash is
        `move.previous_hash`, and inserts the row. Whoever is cancelled meanwhile does not know whether it was written.
        """
        ...

    async def read(self, match_id: UUID, *, after: int = 0, limit: int | None = None) -> list[Move]:
        """Return the moves after a version, in order; empty for an unknown match."""
        ...

    async def progress(self, match_ids: Sequence[UUID]) -> dict[UUID, Progress]:
        """Return the progress of many matches; unknown ones are left out. For the slow poll of whoever has subscribed."""
        ...

    def subscribe_to_match(self, match_id: UUID) -> AbstractAsyncContextManager[Wakeups]:
        """Return a context that wakes its user after any process has committed moves of this match."""
        ...

    def subscribe_to_all(self, subscriber: WakeupSubscriber) -> Callable[[], None]:
        """Call `subscriber` for every match that changes in any process, until the returned function is called.

        The subscriber runs in this event loop, with the same reservations as for `subscribe_to_match`; it must return at once.
        """
        ...

    async def close(self) -> None:
        """Finish pending writes and close the database connections."""
        ...
