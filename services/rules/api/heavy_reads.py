"""Turns for expensive work: whole replays, exports, verifications, earlier versions, determinizations, large calls of RulesService.

The work is done in threads (`services.process.thread_work`), which share the interpreter with the event loop that serves
moves. More than a few at once would slow everything down. So each caller has one turn at a time, there are only a few
turns in all, and callers alternate however many requests each of them sends. A caller that gets no turn soon is asked
to retry.

A long read, such as a stream of versions, takes a turn for each piece, so that a slow reader delays nobody. Never wait
for a turn while holding a match's lock.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from services.identity.callers import AnyCaller, InviteCaller, TenantCaller
from services.process.memory import FreedMemory
from services.process.reasons import Reason
from services.rpc.refusals import Refused

RETRY_SECONDS: Final = 2


@dataclass(frozen=True, kw_only=True)
class HeavyBounds:
    """How many reads may run at once, and how many may wait."""

    at_once: int = 2
    of_caller: int = 1
    waiting: int = 256
    waiting_of_caller: int = 64
    wait_seconds: float = 2.0
    """Must be well below the callers' deadlines."""


class HeavyReads:
    """Hands out turns. Belongs to one event loop."""

    def __init__(
        self,
        bounds: HeavyBounds | None = None,
        *,
        what: str = "reads of whole matches or earlier versions",
        bucket: str = "heavy_reads",
    ) -> None:
        """`what` says in a refusal what there are too many of, and `bucket` in its metadata."""
        self._bounds = bounds or HeavyBounds()
        self._freed = FreedMemory()
        self._what = what
        self._bucket = bucket
        self._running: Counter[str] = Counter()
        self._queues: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        """The caller whose turn is next comes first."""

    @asynccontextmanager
    async def turn(self, who: str, *, begun: bool = False) -> AsyncIterator[None]:
        """Hold a turn. Raises Refused RATE_LIMITED if the caller itself has too many reads here, SERVER_BUSY if all callers together have.

        `begun` continues a read that has had a turn before: it comes before new reads, and is never refused.
        """
        await self._enter(who, begun=begun)
        try:
            yield
        finally:
            self._leave(who)
            self._freed.give_back_soon()

    @property
    def waiting(self) -> int:
        """Return how many reads wait for a turn."""
        return sum(map(len, self._queues.values()))

    async def _enter(self, who: str, *, begun: bool) -> None:
        queue = self._queues.get(who)
        if not begun and (
            self.waiting >= self._bounds.waiting
            or (queue is not None and len(queue) >= self._bounds.waiting_of_caller)
        ):
            raise self._refusal(who)
        if queue is None:
            queue = self._queues[who] = deque()
        granted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if begun:
            queue.appendleft(granted)
        else:
            queue.append(granted)
        self._grant()
        try:
            await asyncio.wait((granted,), timeout=None if begun else self._bounds.wait_seconds)
        except asyncio.CancelledError:
            if granted.done():
                self._leave(who)
            else:
                self._forget(who, granted)
            raise
        if not granted.done():
            refusal = self._refusal(who)
            self._forget(who, granted)
            raise refusal

    def _grant(self) -> None:
        """Grant the free turns to the waiting callers that may have one more, in order."""
        while self._running.total() < self._bounds.at_once:
            who = next((one for one in self._queues if self._running[one] < self._bounds.of_caller), None)
            if who is None:
                return
            queue = self._queues.pop(who)
            queue.popleft().set_result(None)
            if queue:
                self._queues[who] = queue  # behind all others
            self._running[who] += 1

    def _leave(self, who: str) -> None:
        self._running[who] -= 1
        if not self._running[who]:
            del self._running[who]
        self._grant()

    def _forget(self, who: str, waiting: asyncio.Future[None]) -> None:
        queue = self._queues[who]
        queue.remove(waiting)
        if not queue:
            del self._queues[who]

    def _refusal(self, who: str) -> Refused:
        """Return the refusal: RATE_LIMITED if the caller alone has too many reads, else SERVER_BUSY."""
        own = self._running[who] + len(self._queues.get(who, ()))
        metadata: dict[str, str | int] = {"seconds": RETRY_SECONDS}
        if own > 1 or self._running[who]:
            return Refused(
                Reason.RATE_LIMITED,
                f"you have {own} {self._what} under way here; ask for fewer at once",
                metadata={"bucket": f"{self._bucket}_of_caller", **metadata},
                retry_after=RETRY_SECONDS,
            )
        return Refused(
            Reason.SERVER_BUSY,
            f"too many {self._what} are under way here; try again",
            metadata={"bucket": f"{self._bucket}_of_process", **metadata},
            retry_after=RETRY_SECONDS,
        )


def turn_of(caller: AnyCaller) -> str:
    """Return the account whose turns a caller uses: the tenant for all its keys, or the account of a token."""
    match caller:
        case TenantCaller(tenant):
            return f"tenant/{tenant}"
        case InviteCaller(match_id, seat):
            return f"invite/{match_id}/{seat}"
        case _:
            return caller.account
