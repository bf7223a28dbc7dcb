"""Webhooks in a platform process: a worker that moves wake, the deletion of old events, and metrics of the backlog."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Final
from uuid import UUID

import structlog
from prometheus_client import Gauge

from services.identity.session_ring import forget_erased
from services.movelog.postgres import seat_requests
from services.movelog.postgres.log import PostgresLog
from services.postgres.database import DatabaseUnavailable, Pool, connected
from services.process.ending import end
from services.process.structured_logs import without_message
from services.webhooks.connections import PublicNetwork
from services.webhooks.lanes import Lanes
from services.webhooks.posting import Poster
from services.webhooks.retention import PAUSE_SECONDS, forget
from services.webhooks.vault import Vault
from services.webhooks.worker import Worker, WorkerSettings

LOOK_SECONDS: Final = 15.0
REQUESTS_PAUSE_SECONDS: Final = 86_400.0
BACKLOG: Final = Gauge("foldtable_webhook_backlog_lanes", "Matches with something overdue at an endpoint.")
BEHIND: Final = Gauge(
    "foldtable_webhook_behind_seconds",
    "How long the longest overdue of these waits; beyond a few seconds there are too few workers.",
)
_BEHIND: Final = """
SELECT count(*)::int, coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8
FROM webhook_lanes JOIN webhook_endpoints ON webhook_endpoints.id = webhook_lanes.endpoint_id
WHERE due_at < now() AND state = 'enabled' AND (paused_until IS NULL OR paused_until <= now())
"""
_log: Final = structlog.get_logger("foldtable.webhooks")


@asynccontextmanager
async def delivering(
    log: PostgresLog,
    vault: Vault,
    settings: WorkerSettings,
    *,
    lease: timedelta,
    network: PublicNetwork,
    keep: timedelta,
    drain_seconds: float,
) -> AsyncIterator[Worker]:
    """Deliver while the context is open; requests under way when it closes get `drain_seconds` to finish."""
    poster = Poster(network)
    worker = Worker(log.pool, vault, poster, Lanes(log.pool, lease=lease), settings)

    def moved(match_id: UUID | None, reseated: bool) -> None:
        del match_id, reseated
        worker.wake()

    unsubscribe = log.subscribe_to_all(moved)
    running = asyncio.create_task(worker.run())
    pool = log.pool
    others = [
        asyncio.create_task(task) for task in (_forget(pool, keep), _forget_requests(pool), _look(pool))
    ]
    try:
        yield worker
    finally:
        unsubscribe()
        worker.stop()
        await end(*others)
        await asyncio.wait([running], timeout=drain_seconds)
        await end(running)


async def _forget(pool: Pool, age: timedelta) -> None:
    while True:
        try:
            count = await forget(pool, age)
        except DatabaseUnavailable:
            _log.warning("log unavailable")
        except Exception as error:  # noqa: BLE001 - whatever it is, it is logged, and tried again next time
            _log.error("internal error", method="forget", **without_message(error))
        else:
            _log.info("events forgotten", count=count)
        await asyncio.sleep(PAUSE_SECONDS)


async def _forget_requests(pool: Pool) -> None:
    while True:
        try:
            count = await seat_requests.forget(pool)
            deleted = await seat_requests.forget_deleted(pool)
            players = await forget_erased(pool)
        except DatabaseUnavailable:
            _log.warning("log unavailable")
            await asyncio.sleep(PAUSE_SECONDS)
        except Exception as error:  # noqa: BLE001 - as above
            _log.error("internal error", method="forget requests", **without_message(error))
            await asyncio.sleep(PAUSE_SECONDS)
        else:
            _log.info("requests forgotten", to_join=count, to_delete=deleted, erased_players=players)
            await asyncio.sleep(REQUESTS_PAUSE_SECONDS)


async def _look(pool: Pool) -> None:
    while True:
        try:
            async with connected(pool) as connection:
                row = await (await connection.execute(_BEHIND)).fetchone()
        except DatabaseUnavailable:
            _log.warning("log unavailable")
        except Exception as error:  # noqa: BLE001 - as above
            _log.error("internal error", method="look", **without_message(error))
        else:
            assert row is not None
            BACKLOG.set(row[0])
            BEHIND.set(row[1])
        await asyncio.sleep(LOOK_SECONDS)
