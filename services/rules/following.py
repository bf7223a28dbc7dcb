"""Many follows over one stream. Each is let in, and thrown out, by its own credential.

Whether a credential is still good is asked again whenever seats or tokens of its match have changed
(followed_match.py). Keys and expiry, and whatever a lost wake-up would have told, are found by one slow poll for the
whole stream.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from google.rpc import status_pb2

from engine.kernel.seats import Audience
from foldtable.matches.v1 import follow_pb2
from services.movelog.records import Status
from services.rpc.answering import refusal_of
from services.rpc.drain import Drain
from services.rpc.match_messages import STATUSES, audience_message
from services.rpc.refusals import Refused, malformed, to_status
from services.rules.door import Door, audience_at
from services.rules.followed_match import Follow, FollowedMatch, version_not_found
from services.rules.outbox import Outbox
from services.rules.tables import Tables

SLOW_POLL_SECONDS: Final = 5.0
ADMITTED_AT_ONCE: Final = 32
"""Follows that are being let in. A stream with more waits before it is read further."""
MOST_FOLLOWS: Final = 50_000
POLLED_AT_ONCE: Final = 1_000

_METHOD: Final = "Follow"


@dataclass(frozen=True)
class _Admitted:
    """Somebody who was let in to a match."""

    match_id: UUID
    audience: Audience
    version: int
    status: Status


async def follow(
    requests: AsyncIterator[follow_pb2.FollowRequest],
    own: str | None,
    door: Door,
    tables: Tables,
    drain: Drain,
) -> AsyncIterator[follow_pb2.FollowResponse]:
    """Serve one stream, until the caller has no more to say or the server drains. `own` is its authorization."""
    stream = _Stream(own, door, tables)
    serving = asyncio.create_task(stream.serve(requests, drain))
    try:
        async for message in stream.outbox.messages():
            yield message
        await serving
    finally:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)


class _Stream:
    """Everything followed over one stream."""

    def __init__(self, own: str | None, door: Door, tables: Tables) -> None:
        self.outbox = Outbox()
        self._own = own
        self._door = door
        self._tables = tables
        self._follows: dict[int, Follow] = {}
        self._matches: dict[UUID, FollowedMatch] = {}
        self._admitting: set[asyncio.Task[None]] = set()
        self._telling: set[asyncio.Task[None]] = set()
        self._turnstile = asyncio.Semaphore(ADMITTED_AT_ONCE)
        self._reseatings = 0
        """How often seats or tokens of any match have changed."""
        self._reseated: dict[UUID | None, int] = {}
        """While follows are let in: which of these changes was the last of a match; None: of any."""

    async def serve(self, requests: AsyncIterator[follow_pb2.FollowRequest], drain: Drain) -> None:
        """Carry out commands until there are no more."""
        poll = asyncio.create_task(self._poll())
        unhear = self._tables.log.hear(self._heard)
        try:
            async for request in drain.until(requests):
                for command in request.commands:
                    await self._carry_out(command)
        finally:
            unhear()
            tasks = [poll, *self._admitting, *self._telling]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.outbox.finish()

    # ── commands ───────────────────────────────────────────────────────────────────────────────────

    async def _carry_out(self, command: follow_pb2.FollowCommand) -> None:
        match command.WhichOneof("command"):
            case "subscribe":
                await self._subscribe(Follow(command.subscribe, self._own), silent=command.subscribe.silent)
            case "listen":
                self._listen(command.listen.follow_id, command.listen.after_version)
            case "unsubscribe":
                self._forget(self._follows.get(command.unsubscribe.follow_id))

    async def _subscribe(self, asked: Follow, *, silent: bool) -> None:
        # Each is answered, also to somebody who was never let in: who reads no answers is not read from either.
        await self.outbox.wait_for_room()
        if asked.id in self._follows:
            self._tell_refused(asked.id, malformed("$.follow_id", "is in use in this stream"))
            return
        if len(self._follows) >= MOST_FOLLOWS:
            self._tell_refused(asked.id, malformed("$.follow_id", "is one too many for one stream"))
            return
        self._follows[asked.id] = asked
        await self._turnstile.acquire()
        task = asyncio.create_task(self._admit(asked, silent=silent))
        self._admitting.add(task)
        task.add_done_callback(self._admitted)

    def _admitted(self, task: asyncio.Task[None]) -> None:
        self._admitting.discard(task)
        if not self._admitting:
            self._reseated.clear()
        self._turnstile.release()

    async def _admit(self, asked: Follow, *, silent: bool) -> None:
        try:
            admitted = await self._enter(asked)
            after = _beginning(asked, admitted.version)
        except Exception as error:  # noqa: BLE001 - one follow's failure must not end the others; it is told and logged
            self._refuse(asked, error)
            return
        if self._follows.get(asked.id) is not asked:
            return  # given up meanwhile
        asked.audience = admitted.audience
        if not silent:
            asked.reached = after
        begun = follow_pb2.FollowUpdate.Begun(
            audience=audience_message(admitted.audience),
            version=admitted.version,
            status=STATUSES[admitted.status],
        )
        self.outbox.add(follow_pb2.FollowUpdate(follow_id=asked.id, begun=begun))
        self._attach(asked, admitted.match_id)

    async def _enter(self, asked: Follow) -> _Admitted:
        """Let a follow in by what holds as it begins: of what changes before that, its match would not tell it."""
        while True:
            seen = self._reseatings
            admitted = await self._let_in(asked)
            if max(self._reseated.get(one, 0) for one in (admitted.match_id, None)) <= seen:
                return admitted

    async def _let_in(self, asked: Follow) -> _Admitted:
        async with self._door.open(asked.authorization, asked.match_text) as (caller, table):
            await self._tables.catch_up(table)
            seen_by = audience_at(caller, table, asked.wanted)
            return _Admitted(table.match.id, seen_by, table.version, table.status)

    def _attach(self, asked: Follow, match_id: UUID) -> None:
        match = self._matches.get(match_id)
        if match is None:
            match = self._matches[match_id] = FollowedMatch(
                match_id,
                self._tables,
                self.outbox,
                let_in=self._let_in,
                refuse=self._refuse,
                forget=self._forget,
            )
            self._telling.add(task := asyncio.create_task(self._keep_telling(match)))
            task.add_done_callback(self._telling.discard)
        match.follows[asked.id] = asked
        match.ring()  # it may have moved on since it was looked at

    async def _keep_telling(self, match: FollowedMatch) -> None:
        await match.keep_telling()
        if self._matches.get(match.id) is match:
            del self._matches[match.id]

    def _listen(self, follow_id: int, after: int) -> None:
        listening = self._follows.get(follow_id)
        if listening is None:
            return
        if after < 0:
            self._refuse(listening, malformed("$.after_version", "must not be negative"))
            return
        listening.reached = after
        match = self._match_of(listening)
        if match is not None:
            match.ring()

    def _match_of(self, one: Follow) -> FollowedMatch | None:
        """Give the match of a follow that was let in."""
        return None if one.audience is None else self._matches.get(UUID(one.match_text))

    def _forget(self, one: Follow | None) -> None:
        if one is None or self._follows.get(one.id) is not one:
            return  # forgotten before; its id may belong to another by now
        del self._follows[one.id]
        match = self._match_of(one)
        if match is not None:
            match.follows.pop(one.id, None)
            match.ring()  # without follows its task ends

    def _refuse(self, one: Follow, error: Exception) -> None:
        if self._follows.get(one.id) is one:  # who has given up is told nothing more
            self._forget(one)
            self._tell_refused(one.id, error)

    def _tell_refused(self, follow_id: int, error: Exception) -> None:
        status: status_pb2.Status = to_status(refusal_of(error, _METHOD))
        self.outbox.add(follow_pb2.FollowUpdate(follow_id=follow_id, refused=status))

    # ── credentials, and what was missed ───────────────────────────────────────────────────────────

    def _heard(self, match_id: UUID | None, reseated: bool) -> None:
        """A match has moved on, or (None) any may have."""
        if reseated:
            self._reseatings += 1
            if self._admitting:
                self._reseated[match_id] = self._reseatings
        if match_id is None:
            for match in self._matches.values():
                match.ring(reseated=reseated)
        elif (match_here := self._matches.get(match_id)) is not None:
            match_here.ring(reseated=reseated)

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(SLOW_POLL_SECONDS)
            try:
                await self._look_at_keys()
                await self._look_at_progress()
            except Exception as error:  # noqa: BLE001 - whatever it is, the next poll comes; it is logged
                refusal_of(error, _METHOD)

    async def _look_at_keys(self) -> None:
        """End the follows whose key was revoked or whose token has expired, wherever they are."""
        for authorization in {one.authorization for one in self._follows.values()}:
            try:
                await self._door.caller(authorization)
            except Refused as refused:
                for one in [one for one in self._follows.values() if one.authorization == authorization]:
                    self._refuse(one, refused)

    async def _look_at_progress(self) -> None:
        """Ring for every match that has moved on since the last poll (most had rung before), or that went back."""
        for some in _pieces(tuple(self._matches)):
            for match_id, progress in (await self._tables.log.progress(some)).items():
                match = self._matches.get(match_id)
                if match is None:
                    continue
                before, went_back = match.progress, match.told > progress.version
                if before == progress and not went_back:
                    continue
                reseated = before is not None and before.revocations != progress.revocations
                match.progress = progress
                if reseated:
                    self._tables.hear(match_id, reseated=True)
                match.ring(reseated=reseated, went_back=went_back)


def _pieces(match_ids: tuple[UUID, ...]) -> Iterable[tuple[UUID, ...]]:
    for start in range(0, len(match_ids), POLLED_AT_ONCE):
        yield match_ids[start : start + POLLED_AT_ONCE]


def _beginning(asked: Follow, newest: int) -> int:
    """Give the version to begin after; Refused VERSION_NOT_FOUND for one the match does not have."""
    if asked.after is None:
        return newest
    if not 0 <= asked.after <= newest:
        raise version_not_found(newest)
    return asked.after
