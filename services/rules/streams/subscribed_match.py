"""A match with subscriptions over one stream: each receives its moves, or the reason why it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final
from uuid import UUID

import structlog

from engine.kernel.seats import Audience
from foldtable.matches.v1 import clock_pb2, follow_pb2, table_pb2
from services.movelog.failures import LogUnavailable
from services.movelog.records import Move, Progress, Status
from services.postgres.database import DatabaseUnavailable
from services.process.reasons import Reason
from services.rpc.refusals import Refused
from services.rules.match.loaded_match import LoadedMatch
from services.rules.match.match_cache import MatchCache
from services.rules.match.timekeeping import clocks_at
from services.rules.streams.outbox import Outbox
from services.rules.streams.subscription import Subscription
from services.rules.views.table import StandingMatch, standing_match, standing_message, table_of
from services.rules.wire.forms import Form
from services.rules.wire.messages import move_message

BATCH: Final = 100
"""Most moves of a match read at once."""
AGAIN_SECONDS: Final = 1.0
"""Pause after the database did not answer."""

_log: Final = structlog.get_logger("foldtable.rules")


class SubscribedMatch:
    """One task reads the log whenever the match is woken, and sends the moves to all its subscriptions."""

    def __init__(
        self,
        match_id: UUID,
        cache: MatchCache,
        outbox: Outbox,
        *,
        let_in: Callable[[Subscription], Awaitable[object]],
        refuse: Callable[[Subscription, Exception], None],
        forget: Callable[[Subscription], None],
    ) -> None:
        """`let_in` raises Refused for a credential that is no longer valid; `refuse` ends a subscription with an error."""
        self.id = match_id
        self.subscriptions: dict[int, Subscription] = {}
        self.progress: Progress | None = None
        """The progress that the slow poll read last."""
        self._cache = cache
        self._outbox = outbox
        self._let_in = let_in
        self._refuse = refuse
        self._forget = forget
        self._wakeup = asyncio.Event()
        self._reseated = False
        """Seats or tokens have changed since the credentials were looked at."""
        self.seats_changed = 0
        """How often seats may have changed."""
        self._ended_at: int | None = None
        """The last version of the match; None: it goes on."""
        self._went_back = False
        """The log seems to have fewer moves than were sent: the cached match must be compared with the log."""

    @property
    def newest_sent(self) -> int:
        """Return the newest version sent by any subscription."""
        return max((one.reached for one in self.subscriptions.values() if one.reached is not None), default=0)

    def wake(self, *, reseated: bool = False, went_back: bool = False) -> None:
        """Wake the task: the match may have changed, or a subscription began or ended."""
        self._reseated |= reseated
        self._went_back |= went_back
        self._wakeup.set()

    async def keep_sending(self) -> None:
        """Send the subscriptions their updates until none is left."""
        try:
            while self.subscriptions:
                await self._wakeup.wait()
                self._wakeup.clear()
                await self._look()
        except Exception as error:  # noqa: BLE001 - the other matches must go on; the error is sent and logged
            for one in tuple(self.subscriptions.values()):
                self._refuse(one, error)

    async def _look(self) -> None:
        try:
            while self.subscriptions:
                if self._reseated:
                    self._reseated = False
                    self.seats_changed += 1
                    await self._look_at_credentials()
                async with self._outbox.room():
                    if not self._reseated and await self._send_batch() and await self._send_standing():
                        self._send_end()
                        return
        except (LogUnavailable, DatabaseUnavailable) as problem:
            _log.warning("log unavailable", method="Follow", match_id=self.id, error=str(problem))
            self.wake(reseated=True)
            await asyncio.sleep(AGAIN_SECONDS)

    async def _send_batch(self) -> bool:
        """Send the next moves; return whether these were the newest.

        A subscription that ends while the log is read receives nothing more; its id may belong to another subscription by then.
        """
        receiving = [one for one in self.subscriptions.values() if one.reached is not None]
        lowest = min((one.reached for one in receiving if one.reached is not None), default=None)
        if lowest is None:
            return True
        # Read without the match's lock: subscriptions must not make players wait.
        rows = await self._cache.log.read(self.id, after=lowest, limit=BATCH)
        async with self._cache.hold(self.id) as loaded:
            if self._went_back or (rows and rows[-1].seq > loaded.version):
                await self._cache.catch_up(loaded)
                self._went_back = False
            clocks = await clocks_at(self._cache, loaded, loaded.version) if rows else None
            version, ended = loaded.version, loaded.status is Status.ENDED
            if not self._send_rows(loaded, receiving, rows, clocks):
                return False  # the other subscriptions have their turn when there is room
        self._end_those_ahead(receiving, version)
        if rows and rows[-1].seq < version:
            return False
        self._ended_at = version if ended else None
        return True

    async def _send_standing(self) -> bool:
        """Send the table to the subscriptions that want it, and changed seats to the others; return False if there are newer moves."""
        wanting = [
            one
            for one in self.subscriptions.values()
            if one.reached is not None and (one.has_table or one.seats_checked < self.seats_changed)
        ]
        if not wanting:
            return True
        changed = self.seats_changed
        async with self._cache.hold(self.id) as loaded:
            try:
                standing = await standing_match(self._cache, loaded)
            except Refused as refused:
                if refused.reason is not Reason.VERSION_CONFLICT:
                    raise
                return False  # other servers make moves as fast as this one reads them
            if any(one.reached != loaded.version for one in wanting):
                return False
            return await self._send_news(loaded, standing, wanting, changed)

    async def _send_news(
        self, loaded: LoadedMatch, standing: StandingMatch, wanting: list[Subscription], changed: int
    ) -> bool:
        """Send the table or the seats to each subscription that lacks them; return False once the outbox is full."""
        tables: dict[tuple[Audience, Form], table_pb2.GetTableResponse] = {}
        for one in wanting:
            if self._outbox.is_full:
                return False
            if self.subscriptions.get(one.id) is not one:
                continue
            try:
                await self._send_news_to(one, loaded, standing, tables)
            except (LogUnavailable, DatabaseUnavailable):
                raise
            except Exception as error:  # noqa: BLE001 - as in `_send_rows`
                self._refuse(one, error)
                continue
            one.seats_known, one.seats_checked = standing.seats_revision, changed
        return True

    async def _send_news_to(
        self,
        one: Subscription,
        loaded: LoadedMatch,
        standing: StandingMatch,
        tables: dict[tuple[Audience, Form], table_pb2.GetTableResponse],
    ) -> None:
        """Send one subscription the table or the seats that it lacks; `tables` are those made for others before."""
        if not one.has_table and standing.seats_revision != one.seats_known:
            match = standing_message(loaded, standing, one.form)
            self._outbox.add(follow_pb2.FollowUpdate(follow_id=one.id, match=match))
        elif one.has_table and one.shown != (loaded.version, standing.seats_revision):
            assert one.audience is not None  # it was admitted
            key = one.audience, one.form
            if key not in tables:
                tables[key] = await table_of(self._cache, loaded, standing, *key)
            self._outbox.add(follow_pb2.FollowUpdate(follow_id=one.id, table=tables[key]))
            one.shown = loaded.version, standing.seats_revision

    def _send_rows(
        self,
        loaded: LoadedMatch,
        receiving: list[Subscription],
        rows: Sequence[Move],
        clocks: clock_pb2.Clocks | None,
    ) -> bool:
        """Send each subscription the rows it lacks; return False once the outbox is full, which a single subscription may cause."""
        sent_some = False
        for one in receiving:
            if sent_some and self._outbox.is_full:
                return False
            if self.subscriptions.get(one.id) is not one:
                continue
            try:
                sent_some |= self._send_rows_to(one, loaded, rows, clocks)
            except Exception as error:  # noqa: BLE001 - the other subscriptions of the match go on; the error is sent and logged
                self._refuse(one, error)
        return True

    def _send_rows_to(
        self, one: Subscription, loaded: LoadedMatch, rows: Sequence[Move], clocks: clock_pb2.Clocks | None
    ) -> bool:
        """Send one subscription the rows it lacks; return whether there were any."""
        assert one.audience is not None  # it was admitted
        sent_some = False
        for row in rows:
            if one.reached is not None and row.seq == one.reached + 1:
                message = move_message(loaded, row, one.audience, one.form, clocks)
                self._outbox.add(follow_pb2.FollowUpdate(follow_id=one.id, move=message))
                one.reached = row.seq
                sent_some = True
        return sent_some

    def _end_those_ahead(self, receiving: list[Subscription], version: int) -> None:
        """End the subscriptions that were sent moves which the log has lost."""
        for one in receiving:
            if self.subscriptions.get(one.id) is one and one.reached is not None and one.reached > version:
                self._refuse(one, version_not_found(version))

    def _send_end(self) -> None:
        version = self._ended_at
        if version is None:
            return
        for one in tuple(self.subscriptions.values()):
            if one.reached is not None and one.reached >= version:
                ended = follow_pb2.FollowUpdate.Ended(version=version)
                self._outbox.add(follow_pb2.FollowUpdate(follow_id=one.id, ended=ended))
                self._forget(one)

    async def _look_at_credentials(self) -> None:
        """End the subscriptions whose credential is no longer valid for this match."""
        for one in tuple(self.subscriptions.values()):
            try:
                await self._let_in(one)
            except (LogUnavailable, DatabaseUnavailable):
                raise
            except Exception as error:  # noqa: BLE001 - a refusal, or an error of this subscription alone; it is sent, and logged if it is ours
                self._refuse(one, error)


def version_not_found(newest: int) -> Refused:
    """Return the refusal of a version to continue after that the match does not have."""
    return Refused(
        Reason.VERSION_NOT_FOUND,
        f"this match has the versions up to {newest}",
        metadata={"current_version": newest},
    )
