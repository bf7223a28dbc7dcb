"""Folded matches, cached and brought up to date.

The cache is only a cache: whether a move counts is decided by the append. Yet it makes the common move
cost one round trip: the table at version v also knows every request id up to v, so when the append at v
succeeds, both the judgement and the lookup of the request id were made on the newest version.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from hashlib import blake2b
from typing import Any, Final
from uuid import UUID

from msgspec.structs import replace

from engine.kernel import aborting
from engine.kernel.boundary import Move as LineMove
from engine.kernel.boundary import moves_of
from engine.kernel.course import Course, Place
from engine.kernel.game import AnyGame
from engine.kernel.house import HouseEvent, is_house_row, read_events
from engine.kernel.pending import Pending
from engine.kernel.replay import fold
from engine.kernel.seats import Seat
from services.movelog.chain import genesis_hash
from services.movelog.failures import LogUnavailable, MatchUnknown
from services.movelog.log import MoveLog
from services.movelog.records import Match, Move, Seating, Status
from services.movelog.verification import logged_moves
from services.rpc.refusals import Reason, Refused, match_not_found
from services.rules.playable import under
from services.rules.snapshots import EVERY, SnapshotWriter, nearest_state

KEPT_TABLES: Final = 4_096
KEPT_STATES: Final = 512
"""Folded states of earlier versions, for views back in time."""
SEATING_SECONDS: Final = 10.0
"""How long a revoked token may still be good here when the wake-up that tells of it was lost."""
_LONG_AGO: Final = float("-inf")


def fingerprint(seat: int | None, request: bytes) -> bytes:
    """Tell requests apart that carry the same request id."""
    return blake2b(request, digest_size=16, salt=str(seat).encode()).digest()


class Table:
    """One match folded to a version, and what a next move needs to know of the moves before it."""

    __slots__ = (
        "_answered",
        "_opened",
        "claims",
        "course",
        "game",
        "head",
        "match",
        "noted",
        "pending",
        "proposed_at",
        "seating",
        "seating_read_at",
        "state",
        "version",
    )

    def __init__(self, match: Match, game: AnyGame, seating: Seating) -> None:
        self.match = match
        """As created; `version` and what follows it stand here instead."""
        self.game = game
        self.version = 0
        self.course = Course()
        """Which rows count."""
        self.proposed_at: datetime | None = None
        """When the newest proposal was made."""
        self.state: Any = None
        self.head = genesis_hash(match)
        """Hash of the newest row."""
        self.pending: tuple[Pending, ...] = ()
        self.noted = 0
        """The newest version that was put aside, or is about to be (snapshots.py)."""
        self._opened: dict[str, int] = {}
        self._answered: dict[str, tuple[int, bytes]] = {}
        self.take_seating(seating)
        self.seating_read_at = _LONG_AGO
        """By the monotonic clock."""

    def take_seating(self, seating: Seating) -> None:
        """Take in who sits where now, and which tokens count."""
        self.seating = seating
        self.claims = seating.claims
        if (
            len(seating.seats) != self.match.seats
        ):  # it started without its last seats, through another replica
            self.resize(len(seating.seats))
        if seating.watch_generation != self.match.watch_generation:
            self.match = replace(self.match, watch_generation=seating.watch_generation)

    def resize(self, seats: int) -> None:
        """Take seats away, or put them back, before the first move: its row follows a hash that covers their number."""
        self.match = replace(self.match, seats=seats)
        if self.version == 0:
            self.head = genesis_hash(self.match)

    def advance_to(
        self, move: Move, state: Any, pending: tuple[Pending, ...], house: tuple[HouseEvent, ...] | None
    ) -> None:
        """Take in the next row, whose state and open decisions are known already.

        `house` are its events if they are the house's own.
        """
        turned_from = self.course.head
        seat = None if move.seat is None else Seat(move.seat)
        head = self.course.advance(move.seq, seat, move.request, house)
        if house is not None and head is not turned_from:
            self._opened = {}  # whoever decided before the undo decided on another table
        if (proposal := self.course.proposal) is not None and proposal.version == move.seq:
            self.proposed_at = move.recorded_at
        self.state = state
        self.version = move.seq
        self.head = move.hash
        self.pending = pending
        self._opened = {one.id: self._opened.get(one.id, move.seq) for one in pending}
        self._answered[move.request_id] = (move.seq, fingerprint(move.seat, move.request))

    def answered(self, request_id: str) -> tuple[int, bytes] | None:
        """Give the version a request id made, and the request's fingerprint; None if it made none up to now."""
        return self._answered.get(request_id)

    def decision_of(self, seat: Seat) -> Pending | None:
        """Give the seat's open decision."""
        return next((one for one in self.pending if one.seat == seat), None)

    def opened(self, seat: Seat) -> int:
        """Give the version that opened the seat's decision; LookupError if it has none."""
        decision = self.decision_of(seat)
        if decision is None:
            raise LookupError(f"seat {seat} has nothing to decide")
        return self._opened[decision.id]

    def same_decision_since(self, seat: Seat, version: int) -> bool:
        """Tell whether a secret simultaneous decision of this seat has been open, unchanged, since `version`.

        What other seats have decided in secret meanwhile cannot conflict with this seat's answer.
        """
        decision = self.decision_of(seat)
        return decision is not None and decision.simultaneous and self._opened[decision.id] <= version

    @property
    def status(self) -> Status:
        if self.version == 0:
            return Status.WAITING
        return Status.RUNNING if self.pending else Status.ENDED

    @property
    def to_act(self) -> tuple[int, ...]:
        return tuple(one.seat for one in self.pending)


def may_have_changed(table: Table) -> bool:
    """Tell whether to look again who sits at a table.

    Before the start that may change with every call. Afterwards only by revoking, which wakes all replicas.
    """
    return table.version == 0 or time.monotonic() - table.seating_read_at > SEATING_SECONDS


class _Entry:
    """A place in the cache: its lock lets one task at a time load, decide or advance a table."""

    __slots__ = ("lock", "table", "users")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.table: Table | None = None
        self.users = 0


class Tables:
    """The folded matches of this process."""

    def __init__(
        self, log: MoveLog, game_of: Callable[[str], AnyGame | None], *, kept: int = KEPT_TABLES
    ) -> None:
        """`game_of` gives a game this process serves, or None."""
        self.log = log
        self._game_of = game_of
        self._kept = kept
        self._entries: OrderedDict[UUID, _Entry] = OrderedDict()
        self._states: OrderedDict[tuple[UUID, int], Any] = OrderedDict()
        self.clock_is_due = asyncio.Event()
        """Set by whoever sees a clock that has run out; the sweeper waits for it."""
        self._writer = SnapshotWriter(log.snapshots)
        log.hear(self.hear)

    async def close(self) -> None:
        """Write no more snapshots."""
        await self._writer.close()

    async def settled(self) -> None:
        """Wait until all snapshots are written that are due."""
        await self._writer.written()

    @asynccontextmanager
    async def hold(self, match_id: UUID) -> AsyncIterator[Table]:
        """Hold a match's table alone, as far as this process has read it; Refused MATCH_NOT_FOUND, RulesNotHere."""
        entry = self._entries.get(match_id)
        if entry is None:
            entry = self._entries[match_id] = _Entry()
        self._entries.move_to_end(match_id)
        entry.users += 1
        try:
            async with entry.lock:
                if entry.table is None:
                    entry.table = await self._load(match_id)
                yield entry.table
                if entry.table is not None:
                    self._writer.note(entry.table)
        finally:
            entry.users -= 1
            if entry.table is None and entry.users == 0:
                self._entries.pop(match_id, None)
            self._evict()

    async def catch_up(self, table: Table) -> None:
        """Fold in what other processes have written; LogUnavailable where the log went back behind the table.

        The caller holds the table. A table the log does not bear out is forgotten, so the next to hold it reads it anew.
        """
        rows = await self._rows_after(table)
        goes_back = any(is_house_row(row.events) for row in rows)
        known: dict[int, Any] = {}
        """States after the rows just read, where one may go back to them."""
        for move in rows:
            events = read_events(table.game, move.events)
            if is_house_row(move.events):
                place = table.course.turned(events)
                state = known[place.seq] if place.seq in known else await self.state_of(table, place)
                pending = aborting.pending(table.game, state, aborted=aborting.is_abort(events))
                table.advance_to(move, state, pending, events)
            else:
                state = fold(table.game, events, table.state)
                if goes_back:
                    known[move.seq] = state
                table.advance_to(move, state, table.game.pending(state), None)
            self._writer.note(table)

    async def _rows_after(self, table: Table) -> list[Move]:
        """Read what follows on a table, together with the row it stands on.

        A row's hash covers all rows before it: a log that still holds this one holds everything the table was folded from.
        """
        if table.version == 0:
            return await self.log.read(table.match.id)
        rows = await self.log.read(table.match.id, after=table.version - 1)
        if not rows or rows[0].hash != table.head:
            self.forget(table.match.id)
            raise LogUnavailable(
                f"match {table.match.id} is not where it was at version {table.version}: it is read anew"
            )
        return rows[1:]

    async def check_seating(self, table: Table) -> None:
        """Look again who sits where and which tokens count, if that may have changed. The caller holds the table."""
        if may_have_changed(table):
            await self.read_seating(table)

    async def read_seating(self, table: Table) -> None:
        """Look again who sits where. The caller holds the table."""
        table.seating_read_at = time.monotonic()  # what is heard from here on counts as newer
        table.take_seating(await self.log.lobby.seating(table.match.id))

    def forget(self, match_id: UUID) -> None:
        """Drop a table that the log may not bear out, with what was folded of it; it is read anew. The caller holds the table."""
        entry = self._entries.get(match_id)
        if entry is not None:
            entry.table = None
        for one in [one for one in self._states if one[0] == match_id]:
            del self._states[one]

    def forget_states(self) -> None:
        """Drop the states of earlier versions; they are folded again when they are asked for."""
        self._states.clear()

    async def state_at(self, table: Table, version: int) -> Any:
        """Give the state after an earlier move; Refused VERSION_NOT_FOUND. The caller holds the table."""
        if 1 <= version <= table.version and table.course.head_at(version) is table.course.head:
            return table.state
        if not 1 <= version <= table.version:
            raise Refused(
                Reason.VERSION_NOT_FOUND,
                f"this match has the versions 1 to {table.version}",
                metadata={"current_version": table.version},
            )
        version = table.course.head_at(version).seq
        key = (table.match.id, version)
        if key not in self._states:
            self._states[key] = await self._fold_to(table, version)
            if len(self._states) > KEPT_STATES:
                self._states.popitem(last=False)
        self._states.move_to_end(key)
        return self._states[key]

    async def laid_at(self, table: Table, version: int) -> Any:
        """Give the state after a move to who looks at it; Refused MATCH_NOT_STARTED too, where no table was ever laid."""
        if table.version == 0:
            raise Refused(Reason.MATCH_NOT_STARTED, "the match waits for players: there is no table yet")
        state = await self.state_at(table, version)
        if state is None:
            raise Refused(
                Reason.MATCH_NOT_STARTED, "the match was called off before it began: there is no table"
            )
        return state

    async def moves_of(self, table: Table, places: Sequence[Place]) -> tuple[LineMove, ...]:
        """Give the moves of places (newest first) in order, each with the table it was made on."""
        if not places:
            return ()
        oldest = places[-1]
        assert oldest.before is not None  # a row that counts has one before it, or the beginning
        state = await self.state_of(table, oldest.before)
        wanted = {place.seq for place in places}
        moves: list[LineMove] = []
        for row in await self.log.read(table.match.id, after=oldest.seq - 1):
            if row.seq in wanted:
                moves += moves_of(table.game, logged_moves((row,)), state)
                state = fold(table.game, moves[-1].events, state)
        return tuple(moves)

    async def state_of(self, table: Table, place: Place) -> Any:
        """Give the state where the match stood once."""
        if place is table.course.head:
            return table.state
        return None if place.seq == 0 else await self.state_at(table, place.seq)

    async def _fold_to(self, table: Table, version: int) -> Any:
        head = table.course.head_at(version)
        line = [place.seq for place in head.back()]
        nearest = next((v for v in line if (table.match.id, v) in self._states), 0)
        state = self._states.get((table.match.id, nearest))
        if head.seq - nearest >= EVERY:
            aside = await nearest_state(self.log.snapshots, table.match, table.game, line)
            if aside[0] > nearest:
                nearest, state = aside
        counting = frozenset(line)
        for move in await self.log.read(table.match.id, after=nearest, limit=head.seq - nearest):
            if move.seq in counting:
                state = fold(table.game, read_events(table.game, move.events), state)
        return state

    async def _load(self, match_id: UUID) -> Table:
        try:
            match = await self.log.find(match_id)
        except MatchUnknown:
            raise match_not_found() from None
        game = self._game_of(match.game)
        if game is None:
            raise match_not_found()
        game = under(game, match.rules_version)
        now = time.monotonic()
        table = Table(match, game, await self.log.lobby.seating(match_id))
        table.seating_read_at = now
        await self.catch_up(table)
        return table

    def hear(self, match_id: UUID | None, reseated: bool) -> None:
        """Have the seating of a table read anew when it is next opened; None: of every table."""
        if not reseated:
            return
        entries = self._entries.values() if match_id is None else (self._entries.get(match_id),)
        for entry in entries:
            if entry is not None and entry.table is not None:
                entry.table.seating_read_at = _LONG_AGO

    def _evict(self) -> None:
        """Let go of the tables used longest ago, but of none in use."""
        while len(self._entries) > self._kept:
            oldest = next((key for key, entry in self._entries.items() if entry.users == 0), None)
            if oldest is None:
                return
            del self._entries[oldest]
