"""Delivers. Any number of workers, in any number of processes, share what there is.

At least once: what was sent and not noted, because a worker died, is sent again. In order: a delivery that fails holds
back the later ones of its match and endpoint, and nothing else.
"""

from __future__ import annotations

import asyncio
from collections import Counter as Tally
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

import structlog
from prometheus_client import Counter, Histogram
from standardwebhooks import Webhook

from services.database import DatabaseUnavailable, Pool, connected
from services.structured_logs import without_message
from services.webhooks.cloud_events import CONTENT_TYPE, cloud_event
from services.webhooks.endpoint_changes import give_up
from services.webhooks.lanes import Attempt, Due, Lane, Lanes
from services.webhooks.posting import Posted, Poster
from services.webhooks.schedule import LONGEST_WISH, Schedule
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
LEAST_GAP: Final = 0.02
"""Between two looks for work: moves that wake the worker come by the thousand."""
MOST_GAP: Final = 0.2
"""To this the gap grows, look by look, while moves come that no endpoint is told of."""
_log: Final = structlog.get_logger("foldtable.webhooks")


@dataclass(frozen=True, kw_only=True)
class WorkerSettings:
    """How a worker works."""

    at_once: int = 32
    """Lanes at the same time."""
    per_endpoint: int = 4
    """Of these, at one endpoint."""
    poll_seconds: float = 1.0
    schedule: Schedule = field(default_factory=Schedule)


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
                if not await self._take():
                    await self._wait()
            while self._busy:
                await asyncio.wait(self._busy)
        finally:
            for task in self._busy:
                task.cancel()

    async def _take(self) -> bool:
        """Begin with as many lanes as there is room for; False: there were fewer, or there is no room."""
        room = self._settings.at_once - len(self._busy)
        if room <= 0:
            return False
        count = Tally(lane.endpoint_id for lane in self._busy.values())
        full: set[UUID] = {one for one, lanes in count.items() if lanes >= self._settings.per_endpoint}
        try:
            claimed = await self._lanes.claim(
                most=room, per_endpoint=self._settings.per_endpoint, without=full
            )
        except DatabaseUnavailable:
            return False
        except Exception as error:  # noqa: BLE001 - whatever it is, the next look comes; it is logged
            _log.error("internal error", method="claim", **without_message(error))
            return False
        for lane in claimed:
            task = asyncio.create_task(self._serve(lane))
            self._busy[task] = lane
            task.add_done_callback(self._done)
        self._gap = LEAST_GAP if claimed else min(2 * self._gap, MOST_GAP)
        return len(claimed) == room

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
        del self._busy[task]
        self.wake()
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("internal error", method="deliver", **without_message(error))

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
        if pause is not None and not posted.is_gone:
            await self._lanes.failed(lane, due, attempt, pause, all_wait=_all_wait(posted))
            return False
        await self._lanes.abandoned(lane, due, attempt)
        await self._given_up(lane, due, posted, began)
        return True  # if it was given up, there is no next delivery

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

    async def _given_up(self, lane: Lane, due: Due, posted: Posted, began: datetime) -> bool:
        """Give the endpoint up if it wants nothing any more, or if nothing has arrived since this was tried first."""
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
                failing_since=None if posted.is_gone else due.first_try or began,
            )
        if given_up:
            GIVEN_UP.inc()
            _log.warning("webhook endpoint given up", endpoint=str(lane.endpoint_id), reason=reason)
        return given_up


def _all_wait(posted: Posted) -> timedelta | None:
    """Give for how long an overloaded endpoint is left alone altogether; None: it is not."""
    if posted.status not in THROTTLES:
        return None
    return min(posted.retry_after or THROTTLED, LONGEST_WISH)


def _outcome(posted: Posted) -> str:
    """Give the outcome's name among the metrics."""
    if posted.arrived:
        return "delivered"
    return "refused" if posted.status is not None else posted.problem
