"""Stream tickets: stored for a minute, redeemed once.

A browser's EventSource cannot send a header, so a page fetches a ticket and opens its stream with that. The gateway makes
the ticket and sends only its hash, with the content encrypted under a key that cannot be derived from the hash. So a copy
of this table reveals nothing and opens no stream.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from services.postgres.database import Pool, connected
from services.postgres.records import named_rows
from services.process.reasons import Reason
from services.rpc.refusals import Refused, malformed

LIFETIME: Final = timedelta(seconds=60)
HASH_BYTES: Final = 32
MAX_SEALED_BYTES: Final = 4_096
SWEPT: Final = 100
"""Most expired tickets removed with each new one: more than are added, so they never pile up."""

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
DELETE FROM stream_tickets WHERE hash = $1::bytea RETURNING sealed, expires_at > now() AS is_good
"""
"""Of two simultaneous requests exactly one gets the row, even if they come through different gateways."""


class Tickets:
    """Stores tickets in the database, so that any replica can redeem a ticket that another one has stored."""

    def __init__(self, pool: Pool, *, lifetime: timedelta = LIFETIME) -> None:
        self._pool = pool
        self._lifetime = lifetime

    async def create(self, digest: bytes, sealed: bytes) -> datetime:
        """Store a ticket; return when it expires.

        Raises Refused MALFORMED_REQUEST if hash or content have a wrong size or the hash is taken, DatabaseUnavailable.
        """
        if len(digest) != HASH_BYTES:
            raise malformed("$.hash", f"must have {HASH_BYTES} bytes")
        if not 0 < len(sealed) <= MAX_SEALED_BYTES:
            raise malformed("$.sealed", f"must have 1 to {MAX_SEALED_BYTES} bytes")
        async with connected(self._pool) as connection:
            rows = await named_rows(connection, _CREATE, (digest, sealed, self._lifetime, SWEPT))
        if not rows:
            raise malformed("$.hash", "is that of another ticket")
        expires_at: datetime = rows[0]["expires_at"]
        return expires_at

    async def redeem(self, digest: bytes) -> bytes:
        """Return the sealed content of a ticket, and delete the ticket.

        Raises Refused TICKET_INVALID if it is unknown, used or expired, DatabaseUnavailable if there is no database.
        """
        async with connected(self._pool) as connection:
            rows = await named_rows(connection, _REDEEM, (digest,))
        if not rows or not rows[0]["is_good"]:
            raise Refused(Reason.TICKET_INVALID, "this ticket was used, has expired, or never was")
        sealed: bytes = rows[0]["sealed"]
        return sealed
