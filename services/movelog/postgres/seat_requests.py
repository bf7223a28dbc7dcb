"""Deleting old requests to take a seat and to delete a match, which are stored for some time so that they can be repeated."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Final

from services.postgres.database import Pool, connected
from services.postgres.records import named_rows

KEPT: Final = timedelta(days=30)
"""After this time a request with the same id is a new one. It is longer than anybody waits for a response to joining."""
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
SELECT tenant, request_id, (SELECT count(*)::int FROM forgotten) AS forgotten
FROM batch ORDER BY tenant DESC, request_id DESC LIMIT 1
"""
"""Deletes along the primary key, because there is no index by age. It also reads the rows it keeps, so run it once a day."""


_FORGET_DELETED: Final = """
DELETE FROM deleted_matches WHERE (tenant, match_id) IN (
    SELECT tenant, match_id FROM deleted_matches WHERE deleted_at < now() - $1::interval ORDER BY deleted_at LIMIT $2::int
)
"""


async def forget_deleted(pool: Pool, age: timedelta = KEPT, batch: int = BATCH) -> int:
    """Forget which matches were deleted longer than `age` ago, in small steps; return how many. Raises DatabaseUnavailable."""
    whole = 0
    while True:
        async with connected(pool) as connection:
            forgotten = (await connection.execute(_FORGET_DELETED, (age, batch))).rowcount
        whole += forgotten
        if forgotten < batch:
            return whole
        await asyncio.sleep(0)


async def forget(pool: Pool, age: timedelta = KEPT, batch: int = BATCH) -> int:
    """Delete requests older than `age`, in small steps; return how many. Raises DatabaseUnavailable."""
    whole = 0
    after = ("", "")
    while True:
        async with connected(pool) as connection:
            rows = await named_rows(connection, _FORGET, (*after, batch, age))
        if not rows:
            return whole
        (last,) = rows
        after = (last["tenant"], last["request_id"])
        whole += last["forgotten"]
        await asyncio.sleep(0)
