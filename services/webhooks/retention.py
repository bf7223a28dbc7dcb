"""Deletes old events with their deliveries. Until then they are stored for feeds and for sending again.

The position up to which a tenant's events are deleted is stored, so that a feed refuses a cursor before that position
instead of silently skipping events.
"""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Final

from services.postgres.database import Pool, connected

BATCH: Final = 1_000
PAUSE_SECONDS: Final = 3_600.0

_FORGET: Final = """
WITH old AS (
    SELECT number FROM events
    WHERE number IN (SELECT number FROM events ORDER BY number LIMIT $2::int) AND recorded_at < now() - $1::interval
    ORDER BY number FOR UPDATE
), forgotten AS (
    DELETE FROM events USING old WHERE events.number = old.number
    RETURNING events.number, events.tenant, events.transaction
), undelivered AS (
    DELETE FROM webhook_deliveries USING old WHERE webhook_deliveries.event = old.number
), remembered AS (
    UPDATE recorded_events
    SET pruned_transaction = newest.transaction, pruned_number = newest.number
    FROM (
        SELECT DISTINCT ON (tenant) tenant, transaction, number FROM forgotten
        ORDER BY tenant, transaction DESC, number DESC
    ) AS newest
    WHERE recorded_events.tenant = newest.tenant
      AND (recorded_events.pruned_transaction, recorded_events.pruned_number) < (newest.transaction, newest.number)
)
SELECT count(*)::int FROM forgotten
"""
"""Events are locked in the order of their numbers, and before their deliveries, as whoever deletes a match does."""


async def forget(pool: Pool, age: timedelta) -> int:
    """Delete the events older than `age`, in small steps; return how many. Raises DatabaseUnavailable if there is no database."""
    whole = 0
    while True:
        async with connected(pool) as connection:
            row = await (await connection.execute(_FORGET, (age, BATCH))).fetchone()
        count = 0 if row is None else int(row[0])
        whole += count
        if count < BATCH:
            return whole
        await asyncio.sleep(0)
