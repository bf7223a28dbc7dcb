"""The same log in memory: for tests and for trying things out. Kept honest by the contract tests of both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from uuid import UUID

from services.movelog.checks import check_append, check_ended, check_limit, check_new
from services.movelog.failures import LogError, RequestIdTaken, StaleVersion
from services.movelog.log import Heard, Wakeups
from services.movelog.memory_clocks import MemoryClocks
from services.movelog.memory_events import MemoryEvents
from services.movelog.memory_lobby import MemoryLobby, Shelf, Stored
from services.movelog.memory_snapshots import MemorySnapshots
from services.movelog.records import Append, Match, Move, Progress, SeatRecord
from services.movelog.watchers import Watchers


class MemoryLog:
    """A `MoveLog` that ends with its process. No method waits in its middle, so each is atomic."""

    def __init__(self) -> None:
        self._shelf = Shelf()
        self._matches = self._shelf.matches
        self._requested: dict[tuple[str, str], UUID] = {}
        self._watchers = Watchers()
        self._events = MemoryEvents()
        self._clocks = MemoryClocks(self._shelf)
        self._snapshots = MemorySnapshots(self._shelf)
        self._lobby = MemoryLobby(
            self._shelf, self._events, lambda match_id: self._watchers.wake(match_id, reseated=True)
        )

    @property
    def lobby(self) -> MemoryLobby:
        """See `MoveLog.lobby`."""
        return self._lobby

    @property
    def events(self) -> MemoryEvents:
        """See `MoveLog.events`."""
        return self._events

    @property
    def clocks(self) -> MemoryClocks:
        """See `MoveLog.clocks`."""
        return self._clocks

    @property
    def snapshots(self) -> MemorySnapshots:
        """See `MoveLog.snapshots`."""
        return self._snapshots

    async def create(self, match: Match, seats: Sequence[SeatRecord]) -> Match:
        """See `MoveLog.create`; ValueError for a match that cannot be."""
        self._shelf.must_be_open()
        seated = check_new(match, seats)
        if match.request_id is not None:
            requested = await self.requested(match.tenant, match.request_id)
            if requested is not None:
                return requested
        if match.rematch_of is not None:
            earlier = await self._lobby.rematch_of(match.rematch_of)
            if earlier is not None:
                return earlier
        if match.id in self._matches:
            stored = self._matches[match.id].match
            if (stored.tenant, stored.commitment) != (match.tenant, match.commitment):
                raise LogError(f"match id {match.id} is taken by another match")
            return stored
        if match.request_id is not None:
            self._requested[match.tenant, match.request_id] = match.id
        self._matches[match.id] = Stored(match, seated)
        self._events.created(match)
        self._watchers.wake(match.id, reseated=True)
        return match

    async def requested(self, tenant: str, request_id: str) -> Match | None:
        """See `MoveLog.requested`."""
        self._shelf.must_be_open()
        first = self._requested.get((tenant, request_id))
        return None if first is None else self._matches[first].match

    async def take_in(self, match: Match, seats: Sequence[SeatRecord], moves: Sequence[Move]) -> bool:
        """See `MoveLog.take_in`; ValueError for a match that no log could hold."""
        self._shelf.must_be_open()
        check_ended(match, seats, moves)
        if match.id in self._matches:
            return False
        stored = Stored(match, tuple(seats))
        stored.moves.extend(moves)
        stored.request_ids.update(move.request_id for move in moves)
        self._matches[match.id] = stored
        self._watchers.wake(match.id, reseated=True)
        return True

    async def find(self, match_id: UUID) -> Match:
        """See `MoveLog.find`."""
        return self._shelf.stored(match_id).match

    async def append(self, append: Append) -> None:
        """See `MoveLog.append`; ValueError for a move that no log could hold."""
        check_append(append)
        move = append.move
        stored = self._shelf.stored(move.match_id)
        if move.request_id in stored.request_ids:
            raise RequestIdTaken(f"match {move.match_id} has a move with this request id")
        if stored.match.version != move.seq - 1:
            raise StaleVersion(f"match {move.match_id} is not at version {move.seq - 1}")
        if stored.moves and stored.moves[-1].hash != move.previous_hash:
            raise StaleVersion(f"match {move.match_id} has another row at version {move.seq - 1}")
        stored.advance(append)
        self._events.moved(stored.match, append, stored.seats)
        self._watchers.wake(move.match_id)

    async def read(self, match_id: UUID, *, after: int = 0, limit: int | None = None) -> list[Move]:
        """See `MoveLog.read`; ValueError for a limit below zero."""
        self._shelf.must_be_open()
        check_limit(limit)
        stored = self._matches.get(match_id)
        if stored is None:
            return []
        first = max(after, 0)
        return stored.moves[first:] if limit is None else stored.moves[first : first + limit]

    async def progress(self, match_ids: Sequence[UUID]) -> dict[UUID, Progress]:
        """See `MoveLog.progress`."""
        self._shelf.must_be_open()
        return {one: self._matches[one].progress for one in match_ids if one in self._matches}

    def watch(self, match_id: UUID) -> AbstractAsyncContextManager[Wakeups]:
        """See `MoveLog.watch`."""
        return self._watchers.watch(match_id)

    def hear(self, heard: Heard) -> Callable[[], None]:
        """See `MoveLog.hear`."""
        return self._watchers.hear(heard)

    async def close(self) -> None:
        """Take no more calls. What is stored is gone with the process."""
        self._shelf.is_closed = True
