"""The delivery worker. Any number of workers, in any number of processes, share the deliveries.

At least once: what was sent and not noted, because a worker died, is sent again. In order: a delivery that fails holds
back the later ones of its match and endpoint, and nothing else.
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
from services.webhooks.schedule import AFTER_SILENCE, LONGEST_WISH, Rest, Schedule
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
"""Deliveries of one lane before it goes to the end of the queue."""
THROTTLES: Final = frozenset({429, 502, 503, 504})
"""Statuses of an endpoint that is overloaded: it is left alone for as long as it asks, with all of its lanes."""
THROTTLED: Final = timedelta(seconds=5)
"""Where it does not say for how long."""
SLOW_SECONDS: Final = 1.0
"""A request that waits for longer is slow: its lane leaves its place to others, and if it fails in the end, the endpoint
is left alone."""
LEAST_GAP: Final = 0.02
"""Between two looks for work: moves that wake the worker come by the thousand. It is twice the time a look takes, where that
is more: among thousands of endpoints with something to be sent."""
MOST_GAP: Final = 0.2
"""The gap grows up to this, poll by poll, while only moves come that no endpoint subscribes to."""
QUICK_SECONDS: Final = 5.0
"""The gap does not grow so soon after something was found: moves of which nothing can be sent now, because their endpoints
hang or there are none, must not delay those of which something can."""
_log: Final = structlog.get_logger("foldtable.webhooks")


@dataclass(frozen=True, kw_only=True)
class WorkerSettings(Limits):
    """How a worker works."""

    poll_seconds: float = 1.0
    slow_seconds: float = SLOW_SECONDS
    schedule: Schedule = field(default_factory=Schedule)
    after_silence: Rest = AFTER_SILENCE


class Worker:
    """Start it with `run`, end it by `stop`. Belongs to one event loop."""

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
        """Say that there may be something to do."""
        self._woken.set()

    def stop(self) -> None:
        """Take nothing new; `run` returns when what is on its way has come to an end."""
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
        """Begin with as many lanes as there is room for."""
        room = self._capacity.room()
        if room.lanes == 0:
            return
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            claimed, missed = await self._lanes.claim(room)
        except DatabaseUnavailable:
            return
        except Exception as error:  # noqa: BLE001 - whatever it is, the next look comes; it is logged
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
        self._gap = min(gap, MOST_GAP)
        if missed:
            self.wake()  # somebody else is at it just now; look again after the gap

    async def _wait(self) -> None:
        """Wait until there may be something to do."""
        await asyncio.sleep(self._gap)
        if not self._woken.is_set():
            self._gap = LEAST_GAP  # it is quiet: whoever moves next is looked at at once
        try:
            await asyncio.wait_for(self._woken.wait(), self._settings.poll_seconds)
        except TimeoutError:
            return

    def _done(self, task: asyncio.Task[None]) -> None:
        self._capacity.ends(self._busy.pop(task))
        self.wake()
        _log_mistake(task)

    async def _serve(self, lane: Lane) -> None:
        """Deliver what is in a lane, one after the other, until one fails."""
        try:
            for _ in range(IN_A_ROW):
                due = await self._lanes.next(lane)
                if due is None or self._stopping:
                    break
                if not await self._deliver(lane, due):
                    return
            await self._lanes.give_back(lane)
        except DatabaseUnavailable:
            _log.warning("log unavailable", endpoint=str(lane.endpoint_id))  # the lease runs out by itself

    async def _deliver(self, lane: Lane, due: Due) -> bool:
        """Try once; False: the lane is somebody else's business now."""
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
        """Let go of the lane's place, and hold on to its lease, once a request waits for long."""
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
        """Give the endpoint up if it has failed for as long as a schedule lasts, and as often.

        With much to be sent, and one lane at a time on trial, no delivery might ever come to the end of its own.
        """
        schedule = self._settings.schedule
        since = due.failing_since
        if since is not None and began - since > schedule.longest:
            await self._give_up(lane, due, posted, failing_since=since, tries=schedule.tries)

    async def _give_up(
        self, lane: Lane, due: Due, posted: Posted, *, failing_since: datetime | None, tries: int = 0
    ) -> None:
        """Give the endpoint up, if nothing has arrived since then; None: in any case."""
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
    """Return how long an endpoint is left alone altogether that is overloaded or answers nothing; None: it is not."""
    rests = []
    if posted.status in THROTTLES:
        asked = min(posted.retry_after or THROTTLED, LONGEST_WISH)
        rests.append(Rest(asked, asked))
    if not posted.arrived and posted.seconds >= settings.slow_seconds:
        rests.append(settings.after_silence)
    return Rest(max(one.least for one in rests), max(one.most for one in rests)) if rests else None


def _outcome(posted: Posted) -> str:
    """Return the outcome's name among the metrics."""
    if posted.arrived:
        return "delivered"
    return "refused" if posted.status is not None else posted.problem
