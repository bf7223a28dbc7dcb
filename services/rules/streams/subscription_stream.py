"""Many subscriptions over one stream. Each is admitted, and ended, by its own credential.

A credential is checked again whenever seats or tokens of its match have changed (subscribed_match.py). One slow poll for
the whole stream finds revoked keys, expired tokens, and whatever a lost wake-up would have announced.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterable
from contextvars import Context
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import structlog
from google.rpc import status_pb2

from engine.kernel.seats import Audience
from foldtable.matches.v1 import follow_pb2
from services.movelog.records import Progress, Status
from services.process.tracing import begin, working_for
from services.rpc.answering import refusal_of
from services.rpc.drain import Drain
from services.rpc.match_messages import STATUSES, audience_message
from services.rpc.refusals import Refused, malformed, to_status
from services.rules.match.access import MatchAccess, Purpose, audience_at, seat_of
from services.rules.match.match_cache import MatchCache
from services.rules.streams.outbox import Outbox
from services.rules.streams.play_stream import MATCH_ID_CHARACTERS
from services.rules.streams.subscribed_match import SubscribedMatch, version_not_found
from services.rules.streams.subscription import Subscription
from services.rules.views.table import seats_revision
from services.rules.wire.forms import check_language

SLOW_POLL_SECONDS: Final = 5.0
ADMITTED_AT_ONCE: Final = 32
"""Most subscriptions being admitted at once. A stream with more is not read further until some are done."""
MAX_SUBSCRIPTIONS: Final = 50_000
POLLED_AT_ONCE: Final = 1_000
POLLS_BETWEEN_SEATS: Final = 12
"""Once a minute the seats of matches that wait for players are read, in case a wake-up was lost."""

_METHOD: Final = "Follow"

_log: Final = structlog.get_logger("foldtable.rules")


@dataclass(frozen=True)
class _Admitted:
    """The result of admitting a subscription to a match."""

    match_id: UUID
    audience: Audience
    version: int
    status: Status
    revocations: int
    """The state of seats and tokens that the caller's token was checked against."""
    seats_revision: str
    """Which seats the caller can know of by now."""


async def serve_subscriptions(
    requests: AsyncIterator[follow_pb2.FollowRequest],
    own: str | None,
    access: MatchAccess,
    cache: MatchCache,
    drain: Drain,
) -> AsyncIterator[follow_pb2.FollowResponse]:
    """Serve one stream until the caller ends it or the server drains. `own` is the stream's authorization."""
    stream = _Stream(own, access, cache)
    serving = asyncio.create_task(stream.serve(requests, drain))
    try:
        async for message in stream.outbox.messages():
            yield message
        await serving
    finally:
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)


class _Stream:
    """All subscriptions of one stream."""

    def __init__(self, own: str | None, access: MatchAccess, cache: MatchCache) -> None:
        self.outbox = Outbox()
        self._own = own
        self._access = access
        self._cache = cache
        self._subscriptions: dict[int, Subscription] = {}
        self._matches: dict[UUID, SubscribedMatch] = {}
        self._admitting: set[asyncio.Task[None]] = set()
        self._senders: set[asyncio.Task[None]] = set()
        self._turnstile = asyncio.Semaphore(ADMITTED_AT_ONCE)
        self._reseatings = 0
        """How often seats or tokens of any match have changed."""
        self._reseated: dict[UUID | None, int] = {}
        """While subscriptions are being admitted: the number of each match's latest change; None: of any match's."""

    async def serve(self, requests: AsyncIterator[follow_pb2.FollowRequest], drain: Drain) -> None:
        """Carry out commands until the stream ends."""
        poll = asyncio.create_task(self._poll())
        unsubscribe = self._cache.log.subscribe_to_all(self._on_wakeup)
        try:
            async for request in drain.until(requests):
                for command in request.commands:
                    await self._carry_out(command)
        finally:
            unsubscribe()
            tasks = [poll, *self._admitting, *self._senders]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.outbox.finish()

    # ── commands ───────────────────────────────────────────────────────────────────────────────────

    async def _carry_out(self, command: follow_pb2.FollowCommand) -> None:
        kind = command.WhichOneof("command")
        try:
            match kind:
                case "subscribe":
                    subscribe = command.subscribe
                    await self._subscribe(Subscription(subscribe, self._own), silent=subscribe.silent)
                case "listen":
                    self._begin_moves(command.listen.follow_id, command.listen.after_version)
                case "unsubscribe":
                    self._forget(self._subscriptions.get(command.unsubscribe.follow_id))
        except Exception as error:  # noqa: BLE001 - all matches of a gateway share the stream; the error is sent and logged
            if kind is not None:
                self._send_refusal(getattr(command, kind).follow_id, error)

    async def _subscribe(self, asked: Subscription, *, silent: bool) -> None:
        # Each command is answered, even if the subscription was never admitted: a caller that reads no answers is not read from.
        await self.outbox.wait_for_room()
        if asked.id in self._subscriptions:
            self._send_refusal(asked.id, malformed("$.follow_id", "is in use in this stream"))
            return
        if len(self._subscriptions) >= MAX_SUBSCRIPTIONS:
            self._send_refusal(
                asked.id,
                malformed("$.follow_id", "is beyond the number of subscriptions that one stream may have"),
            )
            return
        self._subscriptions[asked.id] = asked
        await self._turnstile.acquire()
        task = asyncio.create_task(self._admit(asked, silent=silent))
        self._admitting.add(task)
        task.add_done_callback(self._admitted)

    def _admitted(self, task: asyncio.Task[None]) -> None:
        self._admitting.discard(task)
        if not self._admitting:
            self._reseated.clear()
        self._turnstile.release()

    async def _admit(self, asked: Subscription, *, silent: bool) -> None:
        begin(asked.trace)
        _log.debug("received", method=_METHOD, match_id=asked.match_text[:MATCH_ID_CHARACTERS])
        try:
            admitted = await self._enter(asked)
            self._take_in(asked, admitted, silent=silent)
        except Exception as error:  # noqa: BLE001 - one subscription's failure must not end the others; it is sent and logged
            self._refuse(asked, error)

    def _take_in(self, asked: Subscription, admitted: _Admitted, *, silent: bool) -> None:
        """Let a subscription begin that was admitted. Raises Refused VERSION_NOT_FOUND for a version that the match does not have."""
        after = _beginning(asked, admitted.version)
        if self._subscriptions.get(asked.id) is not asked:
            return  # the caller ended it meanwhile
        asked.audience = admitted.audience
        asked.wanted = audience_message(
            admitted.audience
        )  # checked again as it is, whatever the default becomes
        if not silent:
            asked.reached = after
        begun = follow_pb2.FollowUpdate.Begun(
            audience=audience_message(admitted.audience),
            version=admitted.version,
            status=STATUSES[admitted.status],
        )
        self.outbox.add(follow_pb2.FollowUpdate(follow_id=asked.id, begun=begun))
        self._attach(asked, admitted)

    async def _enter(self, asked: Subscription) -> _Admitted:
        """Admit a subscription by the rights that hold when it begins; changes before that are not announced to it."""
        while True:
            seen = self._reseatings
            admitted = await self._let_in(asked)
            if max(self._reseated.get(one, 0) for one in (admitted.match_id, None)) <= seen:
                return admitted

    async def _let_in(self, asked: Subscription) -> _Admitted:
        check_language(asked.form.language)
        async with self._access.open(
            asked.authorization, asked.match_text, seat=seat_of(asked.wanted), purpose=Purpose.READ
        ) as (caller, loaded):
            await self._cache.catch_up(loaded)
            seen_by = audience_at(caller, loaded, asked.wanted)
            return _Admitted(
                loaded.match.id,
                seen_by,
                loaded.version,
                loaded.status,
                loaded.seating.revocations,
                seats_revision(loaded.seating),
            )

    def _attach(self, asked: Subscription, admitted: _Admitted) -> None:
        match_id = admitted.match_id
        match = self._matches.get(match_id)
        if match is None:
            match = self._matches[match_id] = SubscribedMatch(
                match_id,
                self._cache,
                self.outbox,
                let_in=self._let_in,
                refuse=self._refuse,
                forget=self._forget,
            )
            self._senders.add(task := asyncio.create_task(self._keep_sending(match), context=Context()))
            task.add_done_callback(self._senders.discard)
        match.subscriptions[asked.id] = asked
        asked.match_id = match_id
        asked.seats_known, asked.seats_checked = admitted.seats_revision, match.seats_changed
        if (
            asked.reached is not None and admitted.version == 0
        ):  # perhaps a gateway that has lost a stream, and changes of seats with it
            asked.ask_for_seats()
        seen = Progress(version=admitted.version, revocations=admitted.revocations)
        if match.progress is None:
            match.progress = seen  # so that the first poll finds what no wake-up announced
        # The match may have advanced since it was read, and this subscription does not know of a revocation that a poll found first.
        match.wake(reseated=match.progress.revocations != seen.revocations)

    async def _keep_sending(self, match: SubscribedMatch) -> None:
        await match.keep_sending()
        if self._matches.get(match.id) is match:
            del self._matches[match.id]

    def _begin_moves(self, follow_id: int, after: int) -> None:
        receiving = self._subscriptions.get(follow_id)
        if receiving is None:
            return
        if after < 0:
            self._refuse(receiving, malformed("$.after_version", "must not be negative"))
            return
        receiving.reached = after
        match = self._match_of(receiving)
        if match is not None:
            if match.progress is not None and match.progress.version == 0:
                receiving.ask_for_seats()  # another subscription may have known of changes that this one does not
            match.wake()

    def _match_of(self, one: Subscription) -> SubscribedMatch | None:
        """Return the match of an admitted subscription."""
        return None if one.match_id is None else self._matches.get(one.match_id)

    def _forget(self, one: Subscription | None) -> None:
        if one is None or self._subscriptions.get(one.id) is not one:
            return  # removed before; its id may belong to another subscription by now
        del self._subscriptions[one.id]
        match = self._match_of(one)
        if match is not None:
            match.subscriptions.pop(one.id, None)
            match.wake()  # the task ends when no subscription is left

    def _refuse(self, one: Subscription, error: Exception) -> None:
        if self._subscriptions.get(one.id) is one:  # a subscription that has ended receives nothing more
            self._forget(one)
            with working_for(one.trace):
                self._send_refusal(one.id, error)

    def _send_refusal(self, follow_id: int, error: Exception) -> None:
        status: status_pb2.Status = to_status(refusal_of(error, _METHOD))
        self.outbox.add(follow_pb2.FollowUpdate(follow_id=follow_id, refused=status))

    # ── credentials, and missed changes ─────────────────────────────────────────────────────────────

    def _on_wakeup(self, match_id: UUID | None, reseated: bool) -> None:
        """A match has changed, or (None) any match may have."""
        if reseated:
            self._reseatings += 1
            if self._admitting:
                self._reseated[match_id] = self._reseatings
        if match_id is None:
            for match in self._matches.values():
                match.wake(reseated=reseated)
        elif (match_here := self._matches.get(match_id)) is not None:
            match_here.wake(reseated=reseated)

    async def _poll(self) -> None:
        for number in itertools.count(1):
            await asyncio.sleep(SLOW_POLL_SECONDS)
            try:
                await self._look_at_keys()
                await self._look_at_progress(waiting_too=number % POLLS_BETWEEN_SEATS == 0)
            except Exception as error:  # noqa: BLE001 - the poll must go on after any error; it is logged
                refusal_of(error, _METHOD)

    async def _look_at_keys(self) -> None:
        """End all subscriptions whose key was revoked or whose token has expired."""
        for authorization in {one.authorization for one in self._subscriptions.values() if one.authorization}:
            try:
                await self._access.caller(authorization)
            except Refused as refused:
                for one in [
                    one for one in self._subscriptions.values() if one.authorization == authorization
                ]:
                    self._refuse(one, refused)
        for one in [one for one in self._subscriptions.values() if not one.authorization]:
            try:
                await self._access.may_read_anonymously(one.match_text)
            except Refused as refused:
                self._refuse(one, refused)

    async def _look_at_progress(self, *, waiting_too: bool) -> None:
        """Wake every match that has advanced since the last poll (most were woken before), or that went back.

        `waiting_too`: also every match that waits for players, whose seats may change without a trace in its progress.
        """
        for some in _pieces(tuple(self._matches)):
            found = await self._cache.log.progress(some)
            for match_id in some:
                if match_id not in found and (deleted := self._matches.get(match_id)) is not None:
                    self._cache.on_wakeup(match_id, reseated=True)
                    deleted.wake(reseated=True)
            for match_id, progress in found.items():
                match = self._matches.get(match_id)
                if match is None:
                    continue
                before, went_back = match.progress, match.newest_sent > progress.version
                if before == progress and not went_back:
                    if waiting_too and progress.version == 0:
                        match.wake(reseated=True)
                    continue
                reseated = before is not None and before.revocations != progress.revocations
                match.progress = progress
                if reseated:
                    self._cache.on_wakeup(match_id, reseated=True)
                match.wake(reseated=reseated, went_back=went_back)


def _pieces(match_ids: tuple[UUID, ...]) -> Iterable[tuple[UUID, ...]]:
    for start in range(0, len(match_ids), POLLED_AT_ONCE):
        yield match_ids[start : start + POLLED_AT_ONCE]


def _beginning(asked: Subscription, newest: int) -> int:
    """Return the version to begin after. Raises Refused VERSION_NOT_FOUND for one the match does not have."""
    if asked.after is None:
        return newest
    if not 0 <= asked.after <= newest:
        raise version_not_found(newest)
    return asked.after
