"""A match that is followed over one stream: whoever follows it is told its moves, or that it may follow no longer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final
from uuid import UUID

import structlog

from engine.kernel.seats import Audience
from foldtable.matches.v1 import clock_pb2, follow_pb2
from services.database import DatabaseUnavailable
from services.movelog.failures import LogUnavailable
from services.movelog.records import Move, Progress, Status
from services.rpc.refusals import Reason, Refused
from services.rules.messages import move_message
from services.rules.outbox import Outbox
from services.rules.tables import Table, Tables
from services.rules.timekeeping import clocks_at

BATCH: Final = 100
"""Moves of a match read at once."""
AGAIN_SECONDS: Final = 1.0
"""Pause after the database did not answer."""

_log: Final = structlog.get_logger("foldtable.rules")


class Follow:
    """One follow, as asked for."""

    __slots__ = ("after", "audience", "authorization", "form", "id", "match_text", "reached", "wanted")

    def __init__(self, asked: follow_pb2.Subscribe, own: str | None) -> None:
        """`own` is the authorization of the stream."""
        self.id = asked.follow_id
        self.authorization = asked.authorization or own
        self.match_text = asked.match_id
        self.wanted = asked.audience
        self.form = asked.form
        self.after = asked.after_version if asked.HasField("after_version") else None
        self.reached: int | None = None
        """The version told last; None: it is silent."""
        self.audience: Audience | None = None
        """Once let in."""

    def __repr__(self) -> str:
        return f"Follow({self.id}, {self.match_text})"  # the credential stays out of logs


class FollowedMatch:
    """One task looks at the log when the match is woken, and tells everybody."""

    def __init__(
        self,
        match_id: UUID,
        tables: Tables,
        outbox: Outbox,
        *,
        let_in: Callable[[Follow], Awaitable[object]],
        refuse: Callable[[Follow, Exception], None],
        forget: Callable[[Follow], None],
    ) -> None:
        """`let_in` raises Refused for a credential that is no longer good; `refuse` ends a follow, saying why."""
        self.id = match_id
        self.follows: dict[int, Follow] = {}
        self.progress: Progress | None = None
        """As the slow poll saw it last."""
        self._tables = tables
        self._outbox = outbox
        self._let_in = let_in
        self._refuse = refuse
        self._forget = forget
        self._bell = asyncio.Event()
        self._reseated = False
        """Seats or tokens have changed since the credentials were looked at."""
        self._went_back = False
        """The log seems to have fewer moves than were told: whether it bears out what this process remembers is to be looked at."""

    @property
    def told(self) -> int:
        """Give the newest version that anybody was told."""
        return max((one.reached for one in self.follows.values() if one.reached is not None), default=0)

    def ring(self, *, reseated: bool = False, went_back: bool = False) -> None:
        """Something may have happened, or somebody came or went."""
        self._reseated |= reseated
        self._went_back |= went_back
        self._bell.set()

    async def keep_telling(self) -> None:
        """Tell the follows whatever there is to tell, until there are none any more."""
        try:
            while self.follows:
                await self._bell.wait()
                self._bell.clear()
                await self._look()
        except Exception as error:  # noqa: BLE001 - the other matches go on; it is told and logged
            for one in tuple(self.follows.values()):
                self._refuse(one, error)

    async def _look(self) -> None:
        try:
            while self.follows:
                if self._reseated:
                    self._reseated = False
                    await self._look_at_credentials()
                async with self._outbox.room():
                    if not self._reseated and await self._tell_batch():
                        return
        except (LogUnavailable, DatabaseUnavailable) as problem:
            _log.warning("log unavailable", method="Follow", error=str(problem))
            self.ring(reseated=True)
            await asyncio.sleep(AGAIN_SECONDS)

    async def _tell_batch(self) -> bool:
        """Tell the next moves; say whether these were the newest.

        Whoever is forgotten while the log is read is told nothing more; its id may belong to another by then.
        """
        listening = [one for one in self.follows.values() if one.reached is not None]
        lowest = min((one.reached for one in listening if one.reached is not None), default=None)
        if lowest is None:
            return True
        # Read outside the hold: followers must not make the players wait.
        rows = await self._tables.log.read(self.id, after=lowest, limit=BATCH)
        async with self._tables.hold(self.id) as table:
            if self._went_back or (rows and rows[-1].seq > table.version):
                await self._tables.catch_up(table)
                self._went_back = False
            clocks = await clocks_at(self._tables, table, table.version) if rows else None
            version, ended = table.version, table.status is Status.ENDED
            if not self._tell_rows(table, listening, rows, clocks):
                return False  # the others have their turn when there is room
        self._end_those_ahead(listening, version)
        if rows and rows[-1].seq < version:
            return False
        if ended:
            self._tell_end(listening, version)
        return True

    def _tell_rows(
        self, table: Table, listening: list[Follow], rows: Sequence[Move], clocks: clock_pb2.Clocks | None
    ) -> bool:
        """Tell each follow what it misses of these rows; False once the outbox is full, which one of them may do."""
        told_some = False
        for one in listening:
            if told_some and self._outbox.is_full:
                return False
            if self.follows.get(one.id) is not one:
                continue
            assert one.audience is not None  # it was let in
            for row in rows:
                if one.reached is not None and row.seq == one.reached + 1:
                    told = move_message(table, row, one.audience, one.form, clocks)
                    self._outbox.add(follow_pb2.FollowUpdate(follow_id=one.id, move=told))
                    one.reached = row.seq
                    told_some = True
        return True

    def _end_those_ahead(self, listening: list[Follow], version: int) -> None:
        """End the follows that were told moves which the log has lost."""
        for one in listening:
            if self.follows.get(one.id) is one and one.reached is not None and one.reached > version:
                self._refuse(one, version_not_found(version))

    def _tell_end(self, listening: list[Follow], version: int) -> None:
        for one in listening:
            if self.follows.get(one.id) is one and one.reached is not None and one.reached >= version:
                ended = follow_pb2.FollowUpdate.Ended(version=version)
                self._outbox.add(follow_pb2.FollowUpdate(follow_id=one.id, ended=ended))
                self._forget(one)

    async def _look_at_credentials(self) -> None:
        """End the follows whose credential is no longer good for this match."""
        for one in tuple(self.follows.values()):
            try:
                await self._let_in(one)
            except Refused as refused:
                self._refuse(one, refused)


def version_not_found(newest: int) -> Refused:
    """Say that a match has no such version to go on after."""
    return Refused(
        Reason.VERSION_NOT_FOUND,
        f"this match has the versions up to {newest}",
        metadata={"current_version": newest},
    )
