"""Folded matches, cached and brought up to date.

Correctness does not depend on the cache: the append decides whether a move counts. But the cache makes the common move
cost one round trip: the match loaded at version v also knows every request id up to v, so when the append at v
succeeds, both the judgement and the lookup of the request id were made on the newest version.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Final
from uuid import UUID

from engine.kernel.game import AnyGame
from engine.match.boundary import Move as LineMove
from engine.match.boundary import moves_of
from engine.match.commands import is_command_row, read_events
from engine.match.replay import fold
from engine.match.timeline import TimelinePlace
from services.movelog.export.verification import logged_moves
from services.movelog.failures import LogUnavailable, MatchUnknown
from services.movelog.log import MoveLog
from services.movelog.records import Match, Move, Seating
from services.process.reasons import Reason
from services.rpc.refusals import Refused, match_not_found
from services.rules.marks import about, of_match
from services.rules.match.downtimes import Downtimes
from services.rules.match.folding import FOLDED_HERE, fold_to
from services.rules.match.loaded_match import LONG_AGO, LoadedMatch, may_have_changed
from services.rules.match.playable import GameNotHere, under
from services.rules.match.snapshots import SnapshotWriter

KEPT_TABLES: Final = 4_096
KEPT_STATES: Final = 512
"""Folded states of earlier versions that are kept, for views of earlier versions."""


class Entry:
    """An entry of the cache. Held within a block, it lets one task at a time load, decide or advance a match.

    Nothing suspends if the match is loaded and nobody holds it. It is a class because a generator would cost every move more.
    """

    __slots__ = ("_about", "_cache", "_lock", "loaded", "match_id", "reseated", "users")

    def __init__(self, cache: MatchCache, match_id: UUID) -> None:
        self._cache = cache
        self._lock = asyncio.Lock()
        self._about = about(of_match(match_id))
        self.match_id = match_id
        self.loaded: LoadedMatch | None = None
        self.reseated = False
        """Seats or tokens have changed while the match was read."""
        self.users = 0
        """Those that hold it or wait for it."""

    async def __aenter__(self) -> LoadedMatch:
        self.users += 1
        try:
            await self._lock.acquire()
        except BaseException:
            self._cache.leave(self)
            raise
        self._about.__enter__()
        if self.loaded is not None:
            return self.loaded
        try:
            return await self._cache.load(self)
        except BaseException as error:
            await self.__aexit__(type(error), error, None)
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._about.__exit__(kind, error, trace)
        self._lock.release()
        self._cache.leave(self)


class MatchCache:
    """The folded matches of this process."""

    def __init__(
        self, log: MoveLog, game_of: Callable[[str], AnyGame | None], *, kept: int = KEPT_TABLES
    ) -> None:
        """`game_of` returns a game this process serves, or None."""
        self.log = log
        self._game_of = game_of
        self._kept = kept
        self._entries: OrderedDict[UUID, Entry] = OrderedDict()
        self._states: OrderedDict[tuple[UUID, int], Any] = OrderedDict()
        self.clock_is_due = asyncio.Event()
        """Set when a clock is found to have run out; the sweeper waits for it."""
        self.downtimes = Downtimes()
        self._writer = SnapshotWriter(log.snapshots)
        log.subscribe_to_all(self.on_wakeup)

    async def close(self) -> None:
        """Stop writing snapshots."""
        await self._writer.close()

    async def settled(self) -> None:
        """Wait until all due snapshots are written."""
        await self._writer.written()

    def hold(self, match_id: UUID) -> Entry:
        """Return a match's entry, to be held within a block, which gets the match as far as this process has read it.

        Entering the block raises Refused MATCH_NOT_FOUND, NotPlayableHere.
        """
        entry = self._entries.get(match_id)
        if entry is None:
            entry = self._entries[match_id] = Entry(self, match_id)
        self._entries.move_to_end(match_id)
        return entry

    async def load(self, entry: Entry) -> LoadedMatch:
        """Load the match of an entry that is held. Raises Refused as entering the block does."""
        entry.reseated = False
        entry.loaded = await self._load(entry.match_id)
        if entry.reseated:
            entry.loaded.seating_read_at = LONG_AGO
        return entry.loaded

    def leave(self, entry: Entry) -> None:
        """Count one user of an entry less; drop what nobody uses."""
        entry.users -= 1
        if entry.loaded is None and entry.users == 0:
            self._entries.pop(entry.match_id, None)
        self._evict()
        if entry.loaded is not None:
            self._writer.note(entry.loaded)

    async def catch_up(self, loaded: LoadedMatch) -> None:
        """Fold in the rows other processes have written. Raises LogUnavailable if the log has lost rows folded here.

        The caller holds the match's lock. A match that contradicts the log is dropped, and loaded again when it is next held.
        """
        rows = await self._rows_after(loaded)
        goes_back = any(is_command_row(row.events) for row in rows)
        known: dict[int, Any] = {}
        """States after the rows just read that an undo may return to."""
        for number, move in enumerate(rows, start=1):
            if number % FOLDED_HERE == 0:
                await asyncio.sleep(0)  # a match that was not cached is folded as a whole: let others run
            events = read_events(loaded.game, move.events)
            if is_command_row(move.events):
                place = loaded.timeline.turned(events)
                state = known[place.seq] if place.seq in known else await self.state_of(loaded, place)
                pending = loaded.pending_after(state, events)
                loaded.advance_to(move, state, pending, events)
            else:
                state = fold(loaded.game, events, loaded.state)
                if goes_back:
                    known[move.seq] = state
                loaded.advance_to(move, state, loaded.pending_after(state), None)
            self._writer.note(loaded)

    async def _rows_after(self, loaded: LoadedMatch) -> list[Move]:
        """Read the rows after the loaded version, together with the row of that version.

        A row's hash covers all rows before it: if the log still holds this one, it holds every row folded here.
        """
        if loaded.version == 0:
            return await self.log.read(loaded.match.id)
        rows = await self.log.read(loaded.match.id, after=loaded.version - 1)
        if not rows or rows[0].hash != loaded.head:
            self.forget(loaded.match.id)
            await self._found(loaded.match.id)
            raise LogUnavailable(
                f"match {loaded.match.id} no longer has the same version {loaded.version}: it is read again"
            )
        return rows[1:]

    async def check_seating(self, loaded: LoadedMatch) -> None:
        """Read again who sits where and which tokens are valid, if that may have changed. The caller holds the match's lock."""
        if may_have_changed(loaded):
            await self.read_seating(loaded)

    async def read_seating(self, loaded: LoadedMatch) -> None:
        """Read again who sits where. Raises Refused MATCH_NOT_FOUND if the match was deleted. The caller holds the match's lock."""
        loaded.seating_read_at = time.monotonic()  # wake-ups from here on announce newer changes
        try:
            loaded.set_seating(await self.log.lobby.seating(loaded.match.id))
        except MatchUnknown:
            self.forget(loaded.match.id)
            raise match_not_found() from None

    def forget(self, match_id: UUID) -> None:
        """Drop a match that the log may contradict, with its cached states; it is read again when next held. The caller holds the match's lock."""
        entry = self._entries.get(match_id)
        if entry is not None:
            entry.loaded = None
        for one in [one for one in self._states if one[0] == match_id]:
            del self._states[one]

    def cached(self, match_id: UUID) -> LoadedMatch | None:
        """Return a match as far as this process has read it, or None. Reading a field of it needs no lock."""
        entry = self._entries.get(match_id)
        return None if entry is None else entry.loaded

    def has_state(self, match_id: UUID, version: int) -> bool:
        """Return whether a version's state is available without much work."""
        loaded = self.cached(match_id)
        if loaded is None or not 1 <= version <= loaded.version:
            return False
        head = loaded.timeline.head_at(version)
        return head is loaded.timeline.head or (match_id, head.seq) in self._states

    async def state_at(self, loaded: LoadedMatch, version: int) -> Any:
        """Return the state after an earlier move. Raises Refused VERSION_NOT_FOUND. The caller holds the match's lock."""
        if 1 <= version <= loaded.version and loaded.timeline.head_at(version) is loaded.timeline.head:
            return loaded.state
        if not 1 <= version <= loaded.version:
            raise Refused(
                Reason.VERSION_NOT_FOUND,
                f"this match has the versions 1 to {loaded.version}",
                metadata={"current_version": loaded.version},
            )
        version = loaded.timeline.head_at(version).seq
        key = (loaded.match.id, version)
        if key not in self._states:
            head = loaded.timeline.head_at(version)
            self._states[key] = await fold_to(self.log, loaded.match, loaded.game, head, self._states)
            if len(self._states) > KEPT_STATES:
                self._states.popitem(last=False)
        self._states.move_to_end(key)
        return self._states[key]

    async def laid_at(self, loaded: LoadedMatch, version: int) -> Any:
        """Return the state after a move, to be shown. Raises Refused also with MATCH_NOT_STARTED if the match never began."""
        if loaded.version == 0:
            raise Refused(Reason.MATCH_NOT_STARTED, "the match waits for players: it has no state yet")
        state = await self.state_at(loaded, version)
        if state is None:
            raise Refused(Reason.MATCH_NOT_STARTED, "the match was aborted before it began: it has no state")
        return state

    async def moves_of(self, loaded: LoadedMatch, places: Sequence[TimelinePlace]) -> tuple[LineMove, ...]:
        """Return the moves at `places` (newest first) in order, each with the state it was made on."""
        if not places:
            return ()
        oldest = places[-1]
        assert oldest.before is not None  # a row that counts follows another one, or the start
        state = await self.state_of(loaded, oldest.before)
        wanted = {place.seq for place in places}
        moves: list[LineMove] = []
        for row in await self.log.read(loaded.match.id, after=oldest.seq - 1):
            if row.seq in wanted:
                moves += moves_of(loaded.game, logged_moves((row,)), state)
                state = fold(loaded.game, moves[-1].events, state)
        return tuple(moves)

    async def state_of(self, loaded: LoadedMatch, place: TimelinePlace) -> Any:
        """Return the state of the match at an earlier place."""
        if place is loaded.timeline.head:
            return loaded.state
        return None if place.seq == 0 else await self.state_at(loaded, place.seq)

    def not_begun(self, match: Match, seating: Seating) -> LoadedMatch:
        """Return a match that has not begun, without keeping it: for whoever starts many. Raises NotPlayableHere."""
        return LoadedMatch(match, self._game(match), seating, self.downtimes)

    def _game(self, match: Match) -> AnyGame:
        game = self._game_of(match.game)
        if game is None:
            raise GameNotHere(match.game)
        return under(game, match.rules_version)

    async def _found(self, match_id: UUID) -> Match:
        try:
            return await self.log.find(match_id)
        except MatchUnknown:
            raise match_not_found() from None

    async def _load(self, match_id: UUID) -> LoadedMatch:
        match = await self._found(match_id)
        game = self._game(match)
        now = time.monotonic()
        loaded = LoadedMatch(match, game, await self.log.lobby.seating(match_id), self.downtimes)
        loaded.seating_read_at = now
        await self.catch_up(loaded)
        return loaded

    def on_wakeup(self, match_id: UUID | None, reseated: bool) -> None:
        """Have the seating of a match read again when it is next opened; None: of every match."""
        if not reseated:
            return
        entries = self._entries.values() if match_id is None else (self._entries.get(match_id),)
        for entry in entries:
            if entry is None:
                continue
            if entry.loaded is None:
                entry.reseated = True
            else:
                entry.loaded.seating_read_at = LONG_AGO

    def _evict(self) -> None:
        """Evict the least recently used matches that are not in use."""
        while len(self._entries) > self._kept:
            oldest = next((key for key, entry in self._entries.items() if entry.users == 0), None)
            if oldest is None:
                return
            del self._entries[oldest]
