"""The same log in memory: for tests and for trying things out. The contract tests compare it with Postgres."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from uuid import UUID

from msgspec.structs import replace

from services.movelog.checks import check_append, check_ended, check_limit, check_new, check_text, fork_origin
from services.movelog.failures import ForksUsedUp, LogError, ReferenceTaken, RequestIdTaken, StaleVersion
from services.movelog.identities import SeatIdentities
from services.movelog.lobby import PlayerRule
from services.movelog.log import Wakeups, WakeupSubscriber
from services.movelog.match_ids import imported_id
from services.movelog.notes import NO_NOTES, MatchChange, Notes
from services.movelog.records import Append, ForkQuota, Match, Move, Progress, SeatRecord, TokenUse
from services.movelog.wakeup_subscriptions import WakeupSubscriptions
from tests.support.memory_log.batches import MemoryBatches
from tests.support.memory_log.clocks import MemoryClocks
from tests.support.memory_log.events import MemoryEvents
from tests.support.memory_log.lobby import MemoryLobby, Shelf, Stored
from tests.support.memory_log.players import MemorySeatPlayers
from tests.support.memory_log.snapshots import MemorySnapshots


class MemoryLog:
    """A `MoveLog` that ends with its process. No method waits in its middle, so each is atomic."""

    def __init__(self) -> None:
        self._shelf = Shelf()
        self._matches = self._shelf.matches
        self._requested: dict[tuple[str, str], UUID] = {}
        self._notes: dict[UUID, Notes] = {}
        self._forks: Counter[tuple[UUID, str]] = Counter()
        self._subscriptions = WakeupSubscriptions()
        self._events = MemoryEvents()
        self._clocks = MemoryClocks(self._shelf, self._events)
        self._snapshots = MemorySnapshots(self._shelf)
        self._lobby = MemoryLobby(
            self._shelf, self._events, lambda match_id: self._subscriptions.wake(match_id, reseated=True)
        )
        self._players = MemorySeatPlayers(
            self._shelf,
            self._lobby,
            self._events,
            lambda match_id: self._subscriptions.wake(match_id, reseated=True),
        )

    @property
    def players(self) -> MemorySeatPlayers:
        """See `MoveLog.players`."""
        return self._players

    @property
    def lobby(self) -> MemoryLobby:
        """See `MoveLog.lobby`."""
        return self._lobby

    @property
    def batches(self) -> MemoryBatches:
        """See `MoveLog.batches`."""
        return MemoryBatches(self)

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

    async def create(
        self,
        match: Match,
        seats: Sequence[SeatRecord],
        *,
        token: TokenUse | None = None,
        rule: PlayerRule | None = None,
        notes: Notes = NO_NOTES,
    ) -> Match:
        """See `MoveLog.create`; ValueError for a match that cannot be."""
        self._shelf.must_be_open()
        seated = check_new(match, seats)
        self._shelf.must_be_good(token)
        self._shelf.must_hold(rule)
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
        self._note(match, notes)
        if match.request_id is not None:
            self._requested[match.tenant, match.request_id] = match.id
        self._matches[match.id] = Stored(match, seated)
        self._events.created(match)
        self._subscriptions.wake(match.id, reseated=True)
        return match

    async def fork(
        self,
        match: Match,
        seats: Sequence[SeatRecord],
        quota: ForkQuota,
        *,
        token: TokenUse | None = None,
        notes: Notes = NO_NOTES,
    ) -> Match:
        """See `MoveLog.fork`."""
        origin = fork_origin(match)
        self._shelf.must_be_good(token)
        if match.request_id is not None:
            requested = await self.requested(match.tenant, match.request_id)
            if requested is not None:
                return requested
        if self._forks[origin, quota.account] >= quota.most:
            raise ForksUsedUp(f"{quota.most} forks of match {origin} were made")
        stored = await self.create(match, seats, token=token, notes=notes)
        self._forks[origin, quota.account] += 1
        return stored

    async def requested(self, tenant: str, request_id: str) -> Match | None:
        """See `MoveLog.requested`."""
        self._shelf.must_be_open()
        first = self._requested.get((tenant, request_id))
        return None if first is None else self._matches[first].match

    async def import_match(
        self,
        match: Match,
        seats: Sequence[SeatRecord],
        moves: Sequence[Move],
        *,
        notes: Notes = NO_NOTES,
        identities: Sequence[SeatIdentities] = (),
    ) -> bool:
        """See `MoveLog.import_match`; ValueError for a match that no log could hold."""
        self._shelf.must_be_open()
        check_ended(match, seats, moves)
        if match.id in self._matches:
            return False
        self._note(match, notes)
        stored = Stored(match, tuple(seats))
        stored.identities.update({one.seat: one for one in identities})
        stored.moves.extend(moves)
        stored.request_ids.update(move.request_id for move in moves)
        self._matches[match.id] = stored
        self._subscriptions.wake(match.id, reseated=True)
        return True

    async def change(
        self, match_id: UUID, change: MatchChange, check: Callable[[Notes], None] = lambda _: None
    ) -> None:
        """See `MoveLog.change`."""
        check_text(change.title or "")
        stored = self._shelf.stored(match_id)
        noted = change.noted(self._notes.get(match_id, NO_NOTES))
        check(noted)
        self._note(stored.match, noted)
        title, visibility = change.title, change.visibility
        stored.match = replace(
            stored.match,
            title=stored.match.title if title is None else title,
            visibility=visibility or stored.match.visibility,
        )
        self._subscriptions.wake(match_id, reseated=True)

    async def notes(self, match_id: UUID) -> Notes:
        """See `MoveLog.notes`."""
        self._shelf.must_be_open()
        return self._notes.get(match_id, NO_NOTES)

    async def own(self, tenant: str, match_id: UUID) -> UUID | None:
        """See `MoveLog.own`."""
        self._shelf.must_be_open()
        known = (match_id, imported_id(tenant, match_id))
        return next(
            (one for one in known if one in self._matches and self._matches[one].match.tenant == tenant), None
        )

    async def find(self, match_id: UUID) -> Match:
        """See `MoveLog.find`."""
        return self._shelf.stored(match_id).match

    async def append(self, append: Append) -> None:
        """See `MoveLog.append`; ValueError for a move that no log could hold."""
        check_append(append)
        move = append.move
        stored = self._shelf.stored(move.match_id)
        stored.must_be_good(append.revocations)
        if move.request_id in stored.request_ids:
            raise RequestIdTaken(f"match {move.match_id} has a move with this request id")
        if stored.match.version != move.seq - 1:
            raise StaleVersion(f"match {move.match_id} is not at version {move.seq - 1}")
        if stored.moves and stored.moves[-1].hash != move.previous_hash:
            raise StaleVersion(f"match {move.match_id} has another row at version {move.seq - 1}")
        stored.advance(append)
        self._events.moved(stored.match, append, stored.seats)
        self._subscriptions.wake(move.match_id)

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

    def subscribe_to_match(self, match_id: UUID) -> AbstractAsyncContextManager[Wakeups]:
        """See `MoveLog.subscribe_to_match`."""
        return self._subscriptions.subscribe_to_match(match_id)

    def subscribe_to_all(self, subscriber: WakeupSubscriber) -> Callable[[], None]:
        """See `MoveLog.subscribe_to_all`."""
        return self._subscriptions.subscribe_to_all(subscriber)

    async def referred(self, tenant: str, reference: str) -> UUID | None:
        """Return the tenant's match with a reference, as the tenant knows it."""
        self._shelf.must_be_open()
        for match_id, known in self._notes.items():
            match = self._matches[match_id].match
            if match.tenant == tenant and known.reference == reference != "":
                return match.known_as
        return None

    def _note(self, match: Match, notes: Notes) -> None:
        """Keep the notes about a new match. Raises ReferenceTaken."""
        for other, known in self._notes.items():
            is_own = self._matches[other].match.tenant == match.tenant
            is_other = other != match.id
            if is_own and is_other and notes.reference and known.reference == notes.reference:
                raise ReferenceTaken(
                    "another match has this reference", match_id=self._matches[other].match.known_as
                )
        if not notes.is_empty or notes.changed:
            self._notes[match.id] = notes

    async def close(self) -> None:
        """Accept no more calls. The content is lost with the process."""
        self._shelf.is_closed = True
