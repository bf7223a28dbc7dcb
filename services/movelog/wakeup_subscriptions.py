"""Subscriptions of this process to wake-ups: of one match, or of all. A million must be possible, so each is small."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Self
from uuid import UUID

from services.movelog.log import WakeupSubscriber
from services.process.caught_errors import log_caught


class WakeupSubscription:
    """One task's subscription to a match. Used as a context: the task is woken from the moment the context opens.

    For one task at a time. A wake-up that comes between two waits is kept, once.
    """

    __slots__ = ("_match_id", "_registry", "_waiting", "_was_woken")

    def __init__(self, registry: WakeupSubscriptions, match_id: UUID) -> None:
        self._registry = registry
        self._match_id = match_id
        self._was_woken = False
        self._waiting: asyncio.Future[None] | None = None

    async def __aenter__(self) -> Self:
        self._registry.add(self._match_id, self)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._registry.remove(self._match_id, self)

    async def wait(self, timeout: float) -> None:  # noqa: ASYNC109 - a slow poll, not a deadline
        """Return at the next wake-up, or at once if there was one since the last wait, or after `timeout` seconds."""
        if not self._was_woken:
            loop = asyncio.get_running_loop()
            self._waiting = loop.create_future()
            timer = loop.call_later(timeout, self.wake)
            try:
                await self._waiting
            finally:
                timer.cancel()
                self._waiting = None
        self._was_woken = False

    def wake(self) -> None:
        self._was_woken = True
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)


class WakeupSubscriptions:
    """The subscriptions to each match, and the subscribers to all matches."""

    def __init__(self) -> None:
        self._by_match: dict[UUID, list[WakeupSubscription]] = {}
        self._subscribers: list[WakeupSubscriber] = []

    def __len__(self) -> int:
        return sum(map(len, self._by_match.values()))

    def subscribe_to_match(self, match_id: UUID) -> WakeupSubscription:
        """See `MoveLog.subscribe_to_match`."""
        return WakeupSubscription(self, match_id)

    def add(self, match_id: UUID, subscription: WakeupSubscription) -> None:
        self._by_match.setdefault(match_id, []).append(subscription)

    def remove(self, match_id: UUID, subscription: WakeupSubscription) -> None:
        subscriptions = self._by_match[match_id]
        subscriptions.remove(subscription)
        if not subscriptions:
            del self._by_match[match_id]

    def subscribe_to_all(self, subscriber: WakeupSubscriber) -> Callable[[], None]:
        """See `MoveLog.subscribe_to_all`."""
        self._subscribers.append(subscriber)
        return lambda: self._subscribers.remove(subscriber)

    def wake(self, match_id: UUID, *, reseated: bool = False) -> None:
        """Wake the subscribers to a changed match; `reseated`: its seats or its valid tokens have changed."""
        for subscription in self._by_match.get(match_id, ()):
            subscription.wake()
        self._notify_all(match_id, reseated=reseated)

    def wake_all(self) -> None:
        """Wake all subscribers, because something may have been missed."""
        for subscriptions in self._by_match.values():
            for subscription in subscriptions:
                subscription.wake()
        self._notify_all(None, reseated=True)

    def _notify_all(self, match_id: UUID | None, *, reseated: bool) -> None:
        """Notify every subscriber to all matches. One that raises an error keeps nothing from the others, nor from whoever has moved."""
        for subscriber in tuple(self._subscribers):
            try:
                subscriber(match_id, reseated)
            except Exception as error:  # noqa: BLE001 - the move is durable, whatever a subscriber does; it is logged
                log_caught("subscriber to wake-ups", error)
