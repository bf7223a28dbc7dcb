"""Requests to take a seat are remembered for a while, for their repeats, and then forgotten."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Final

from services.database import Pool, connected

KEPT: Final = timedelta(days=30)
"""Later a request with the same id is a new one. Longer than anybody waits for an answer to joining."""
BATCH: Final = 1_000

_FORGET: Final = """
WITH batch AS (
    SELECT tenant, request_id, created_at FROM seat_requests
    WHERE (tenant, request_id) > ($1::text, $2::text)
    ORDER BY tenant, request_id LIMIT $3::int
), forgotten AS (
    DELETE FROM seat_requests USING batch
    WHERE seat_requests.tenant = batch.tenant AND seat_requests.request_id = batch.request_id
      AND batch.created_at < now() - $4::interval
    RETURNING seat_requests.tenant
)
SELECT tenant, request_id, (SELECT count(*)::int FROM forgotten)
FROM batch ORDER BY tenant DESC, request_id DESC LIMIT 1
"""
"""Along the primary key, for there is no index by age: what is kept is read, too, so once a day is often enough."""


async def forget(pool: Pool, age: timedelta = KEPT, batch: int = BATCH) -> int:
    """Forget what is older, in small steps; give how many. DatabaseUnavailable."""
    whole = 0
    after = ("", "")
    while True:
        async with connected(pool) as connection:
            row = await (await connection.execute(_FORGET, (*after, batch, age))).fetchone()
        if row is None:
            return whole
        after = (row[0], row[1])
        whole += row[2]
        await asyncio.sleep(0)
