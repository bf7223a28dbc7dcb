"""Tasks of this process that wait for a match to change. A million of them must be possible, so each is small."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Self
from uuid import UUID

from services.process.caught_errors import log_caught


class Watcher:
    """One waiting task. Used as a context: it is woken from the moment the context opens.

    For one task at a time. A wake-up that comes between two waits is kept, once.
    """

    __slots__ = ("_match_id", "_registry", "_waiting", "_was_woken")

    def __init__(self, registry: Watchers, match_id: UUID) -> None:
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


class Watchers:
    """The watchers of each match, and the listeners to all matches."""

    def __init__(self) -> None:
        self._by_match: dict[UUID, list[Watcher]] = {}
        self._listeners: list[Callable[[UUID | None, bool], None]] = []

    def __len__(self) -> int:
        return sum(map(len, self._by_match.values()))

    def watch(self, match_id: UUID) -> Watcher:
        return Watcher(self, match_id)

    def add(self, match_id: UUID, watcher: Watcher) -> None:
        self._by_match.setdefault(match_id, []).append(watcher)

    def remove(self, match_id: UUID, watcher: Watcher) -> None:
        watchers = self._by_match[match_id]
        watchers.remove(watcher)
        if not watchers:
            del self._by_match[match_id]

    def subscribe(self, listener: Callable[[UUID | None, bool], None]) -> Callable[[], None]:
        """See `MoveLog.subscribe`."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def wake(self, match_id: UUID, *, reseated: bool = False) -> None:
        """Wake the watchers of a changed match; `reseated`: its seats or its valid tokens have changed."""
        for watcher in self._by_match.get(match_id, ()):
            watcher.wake()
        self._tell_listeners(match_id, reseated=reseated)

    def wake_all(self) -> None:
        """Wake all watchers, because something may have been missed."""
        for watchers in self._by_match.values():
            for watcher in watchers:
                watcher.wake()
        self._tell_listeners(None, reseated=True)

    def _tell_listeners(self, match_id: UUID | None, *, reseated: bool) -> None:
        """Notify every listener. One that raises an error keeps nothing from the others, nor from whoever has moved."""
        for listener in tuple(self._listeners):
            try:
                listener(match_id, reseated)
            except Exception as error:  # noqa: BLE001 - the move is durable, whatever a listener does; it is logged
                log_caught("listener to wake-ups", error)
