"""Stream tickets: kept for a minute, given out once.

A browser's EventSource cannot send a header, so a page fetches a ticket and opens its stream with that. The ticket is
made where it is handed out, and only its hash comes here, with what it opens encrypted under a key that the hash does
not give. Whoever reads this table learns nothing and can open nothing.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from services.database import Pool, connected
from services.rpc.refusals import Reason, Refused, malformed

LIFETIME: Final = timedelta(seconds=60)
HASH_BYTES: Final = 32
MAX_SEALED_BYTES: Final = 4_096
SWEPT: Final = 100
"""Forgotten tickets that are removed with each new one: more than come in, so they never pile up."""

_CREATE: Final = """
WITH swept AS (
    DELETE FROM stream_tickets WHERE hash IN (
        SELECT hash FROM stream_tickets WHERE expires_at < now()
        ORDER BY expires_at LIMIT $4::int4 FOR UPDATE SKIP LOCKED
    )
)
INSERT INTO stream_tickets (hash, expires_at, sealed)
VALUES ($1::bytea, now() + $3::interval, $2::bytea)
ON CONFLICT DO NOTHING
RETURNING expires_at
"""
_REDEEM: Final = """
DELETE FROM stream_tickets WHERE hash = $1::bytea RETURNING sealed, expires_at > now()
"""
"""Of two at once exactly one gets the row, whichever gateways they come from."""


class Tickets:
    """Keeps tickets in the database, so that any replica redeems what another one has kept."""

    def __init__(self, pool: Pool, *, lifetime: timedelta = LIFETIME) -> None:
        self._pool = pool
        self._lifetime = lifetime

    async def create(self, digest: bytes, sealed: bytes) -> datetime:
        """Keep a ticket; give when it is forgotten. DatabaseUnavailable."""
        if len(digest) != HASH_BYTES:
            raise malformed("$.hash", f"must have {HASH_BYTES} bytes")
        if not 0 < len(sealed) <= MAX_SEALED_BYTES:
            raise malformed("$.sealed", f"must have 1 to {MAX_SEALED_BYTES} bytes")
        async with connected(self._pool) as connection:
            cursor = await connection.execute(_CREATE, (digest, sealed, self._lifetime, SWEPT), binary=True)
            row = await cursor.fetchone()
        if row is None:
            raise malformed("$.hash", "is that of another ticket")
        expires_at: datetime = row[0]
        return expires_at

    async def redeem(self, digest: bytes) -> bytes:
        """Give what a ticket opens, and forget it; Refused TICKET_INVALID, DatabaseUnavailable."""
        async with connected(self._pool) as connection:
            cursor = await connection.execute(_REDEEM, (digest,), binary=True)
            row = await cursor.fetchone()
        if row is None or not row[1]:
            raise Refused(Reason.TICKET_INVALID, "this ticket was used, has expired, or never was")
        sealed: bytes = row[0]
        return sealed
