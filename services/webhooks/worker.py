"""The delivery worker. Any number of workers, in any number of processes, share the deliveries.

At least once: if a worker dies after it has sent a delivery and before it has recorded that, the delivery is sent again.
In order: while a delivery fails, the later ones of the same match to the same endpoint wait, and no others.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

import structlog
from prometheus_client import Counter, Histogram
from standardwebhooks import Webhook

from services.postgres.database import DatabaseUnavailable, Pool, connected
from services.process.ending import end
from services.process.structured_logs import without_message
from services.webhooks.capacity import Capacity, Limits
from services.webhooks.claiming import Lane
from services.webhooks.cloud_events import CONTENT_TYPE, cloud_event
from services.webhooks.endpoint_changes import give_up
from services.webhooks.lanes import Attempt, Due, Lanes
from services.webhooks.posting import Posted, Poster
from services.webhooks.schedule import AFTER_SILENCE, MAX_WISH, Rest, Schedule
from services.webhooks.vault import Vault, VaultError

ATTEMPTS: Final = Counter(
    "foldtable_webhook_attempts_total", "Webhook requests by what came of them.", ["outcome"]
)
SECONDS: Final = Histogram(
    "foldtable_webhook_seconds",
    "Time of a webhook request.",
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20),
)
GIVEN_UP: Final = Counter("foldtable_webhook_endpoints_given_up_total", "Endpoints that failed for too long.")

IN_A_ROW: Final = 50
"""Most deliveries of one lane in a row, before the lane goes to the end of the queue."""
THROTTLES: Final = frozenset({429, 502, 503, 504})
"""Statuses of an overloaded endpoint: it is paused with all of its lanes, for as long as it asks."""
THROTTLED: Final = timedelta(seconds=5)
"""How long an overloaded endpoint is paused if it does not say for how long."""
SLOW_SECONDS: Final = 1.0
"""A request that takes longer is slow: its lane gives its place to others, and if it fails in the end, the endpoint is
paused."""
LEAST_GAP: Final = 0.02
"""Shortest pause between two queries for due lanes, because thousands of moves may wake the worker within a second. The pause
is at least twice the time of the last query, which is long when thousands of endpoints have lanes."""
MAX_GAP: Final = 0.2
"""Longest such pause. It doubles with every query up to this, while moves come but no lane is leased."""
QUICK_SECONDS: Final = 5.0
"""For this long after a lane was leased the pause does not double: moves whose events cannot be sent now, because their
endpoints hang or no endpoint subscribes, must not delay the events of other moves."""
_log: Final = structlog.get_logger("foldtable.webhooks")


@dataclass(frozen=True, kw_only=True)
class WorkerSettings(Limits):
    """Limits and times of a worker."""

    poll_seconds: float = 1.0
    slow_seconds: float = SLOW_SECONDS
    schedule: Schedule = field(default_factory=Schedule)
    after_silence: Rest = AFTER_SILENCE


class Worker:
    """Delivers from `run` until `stop`. Belongs to one event loop."""

    def __init__(
        self, pool: Pool, vault: Vault, poster: Poster, lanes: Lanes, settings: WorkerSettings
    ) -> None:
        self._pool = pool
        self._vault = vault
        self._poster = poster
        self._lanes = lanes
        self._settings = settings
        self._woken = asyncio.Event()
        self._stopping = False
        self._gap = LEAST_GAP
        self._quick_until = 0.0
        self._capacity = Capacity(settings)
        self._busy: dict[asyncio.Task[None], Lane] = {}

    def wake(self) -> None:
        """Look for due lanes soon: there may be a new delivery."""
        self._woken.set()

    def stop(self) -> None:
        """Begin nothing new; `run` returns when the requests under way have ended."""
        self._stopping = True
        self._woken.set()

    async def run(self) -> None:
        """Deliver until stopped."""
        try:
            while not self._stopping:
                self._woken.clear()
                await self._take()
                await self._wait()
            while self._busy:
                await asyncio.wait(self._busy)
        finally:
            for task in self._busy:
                task.cancel()

    async def _take(self) -> None:
        """Lease as many due lanes as there is room for, and begin to serve them."""
        room = self._capacity.room()
        if room.lanes == 0:
            return
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            claimed, missed = await self._lanes.claim(room)
        except DatabaseUnavailable:
            return
        except Exception as error:  # noqa: BLE001 - whatever it is, it is logged, and the next query comes
            _log.error("internal error", method="claim", **without_message(error))
            return
        for lane in claimed:
            task = asyncio.create_task(self._serve(lane))
            self._busy[task] = lane
            self._capacity.begins(lane)
            task.add_done_callback(self._done)
        now = loop.time()
        if claimed:
            self._quick_until = now + QUICK_SECONDS
        gap = max(LEAST_GAP, 2 * (now - began)) if now < self._quick_until else 2 * self._gap
        self._gap = min(gap, MAX_GAP)
        if missed:
            self.wake()  # another worker held locks on these lanes; query again after the gap

    async def _wait(self) -> None:
        """Wait until a lane may be due."""
        await asyncio.sleep(self._gap)
        if not self._woken.is_set():
            self._gap = LEAST_GAP  # no move came during the gap, so begin again with the shortest one
        try:
            await asyncio.wait_for(self._woken.wait(), self._settings.poll_seconds)
        except TimeoutError:
            return

    def _done(self, task: asyncio.Task[None]) -> None:
        self._capacity.ends(self._busy.pop(task))
        self.wake()
        _log_mistake(task)

    async def _serve(self, lane: Lane) -> None:
        """Send a lane's deliveries one after the other, until one fails."""
        try:
            for _ in range(IN_A_ROW):
                due = await self._lanes.next(lane)
                if due is None or self._stopping:
                    break
                if not await self._deliver(lane, due):
                    return
            await self._lanes.give_back(lane)
        except DatabaseUnavailable:
            _log.warning("log unavailable", endpoint=str(lane.endpoint_id))  # the lease expires by itself

    async def _deliver(self, lane: Lane, due: Due) -> bool:
        """Make one attempt; return False if this worker has given the lane's lease back or lost it."""
        began = datetime.now(UTC)
        async with self._watched(lane):
            posted = await self._post(due)
        attempt = Attempt(
            at=began, milliseconds=round(posted.seconds * 1_000), status=posted.status, problem=posted.problem
        )
        ATTEMPTS.labels(_outcome(posted)).inc()
        SECONDS.observe(posted.seconds)
        _log.info(
            "webhook sent" if posted.arrived else "webhook failed",
            endpoint=str(lane.endpoint_id),
            event_id=str(due.event.id),
            event_type=due.event.type,
            attempt=due.tries + 1,
            status=posted.status,
            problem=posted.problem,
            milliseconds=attempt.milliseconds,
        )
        if posted.arrived:
            return await self._lanes.arrived(lane, due, attempt)
        pause = self._settings.schedule.pause(due.tries + 1, posted.retry_after)
        rest = _rest(posted, self._settings)
        if pause is not None and not posted.is_gone:
            if await self._lanes.failed(lane, due, attempt, pause, rest=rest):
                await self._give_up_if_dead(lane, due, posted, began)
            return False
        if not await self._lanes.abandoned(lane, due, attempt, rest=rest):
            return False
        since = None if posted.is_gone else due.first_try or began
        await self._give_up(lane, due, posted, failing_since=since)
        return True  # if it was given up, there is no next delivery

    @asynccontextmanager
    async def _watched(self, lane: Lane) -> AsyncIterator[None]:
        """While a request waits for long, give the lane's place to others and keep renewing its lease."""
        keeping: asyncio.Task[None] | None = None

        def waits() -> None:
            nonlocal keeping
            keeping = asyncio.create_task(self._lanes.keep(lane))
            keeping.add_done_callback(_log_mistake)
            self._capacity.is_slow(lane)
            self.wake()

        timer = asyncio.get_running_loop().call_later(self._settings.slow_seconds, waits)
        try:
            yield
        finally:
            timer.cancel()
            await end(keeping)
        if keeping is None:
            self._capacity.is_prompt(lane)

    async def _post(self, due: Due) -> Posted:
        body = cloud_event(due.event)
        now = datetime.now(UTC)
        try:
            secrets = [self._vault.open(sealed) for sealed in due.secrets]
        except VaultError:
            return Posted(None, "secret_lost", 0.0)
        signatures = [Webhook(secret).sign(str(due.event.id), now, body.decode()) for secret in secrets]
        headers = {
            "content-type": CONTENT_TYPE,
            "webhook-id": str(due.event.id),
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": " ".join(signatures),
        }
        return await self._poster.post(due.url, headers, body)

    async def _give_up_if_dead(self, lane: Lane, due: Due, posted: Posted, began: datetime) -> None:
        """Give the endpoint up if it has failed for longer than the whole schedule, and at least as often.

        A paused endpoint gets one lane at a time, so if many lanes wait, no delivery might reach the end of its own schedule.
        """
        schedule = self._settings.schedule
        since = due.failing_since
        if since is not None and began - since > schedule.longest:
            await self._give_up(lane, due, posted, failing_since=since, tries=schedule.tries)

    async def _give_up(
        self, lane: Lane, due: Due, posted: Posted, *, failing_since: datetime | None, tries: int = 0
    ) -> None:
        """Give the endpoint up if nothing has arrived since `failing_since`; None: in any case."""
        last = f"answered {posted.status}" if posted.status else posted.problem
        reason = (
            "answered 410 Gone" if posted.is_gone else f"failed for the whole schedule of tries, and {last}"
        )
        async with connected(self._pool) as connection:
            given_up = await give_up(
                connection,
                due.event.tenant,
                lane.endpoint_id,
                reason,
                failing_since=failing_since,
                url=due.url,
                tries=tries,
            )
        if given_up:
            GIVEN_UP.inc()
            _log.warning("webhook endpoint given up", endpoint=str(lane.endpoint_id), reason=reason)


def _log_mistake(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        _log.error("internal error", method="deliver", **without_message(error))


def _rest(posted: Posted, settings: WorkerSettings) -> Rest | None:
    """Return how long to pause an endpoint that is overloaded or slow to fail; None: it is neither."""
    rests = []
    if posted.status in THROTTLES:
        asked = min(posted.retry_after or THROTTLED, MAX_WISH)
        rests.append(Rest(asked, asked))
    if not posted.arrived and posted.seconds >= settings.slow_seconds:
        rests.append(settings.after_silence)
    return Rest(max(one.least for one in rests), max(one.most for one in rests)) if rests else None


def _outcome(posted: Posted) -> str:
    """Return the label of a request's outcome in the metrics."""
    if posted.arrived:
        return "delivered"
    return "refused" if posted.status is not None else posted.problem
