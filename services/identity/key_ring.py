"""Looks API keys up in the database, and caches the results for a short time."""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable
from typing import Final

from services.identity.api_keys import KEY_COLUMNS, ApiKey, key_of_row
from services.identity.expiring import Expiring
from services.identity.key_format import hash_of, is_well_formed
from services.postgres.database import Pool, connected

REMEMBER_SECONDS: Final = 10.0
"""How long a revoked key may still be accepted, and how long a new one may be refused if somebody guessed it before."""
MAX_REMEMBERED: Final = 10_000
"""Most entries of each cache: one for keys that were found, one for the others, so that guesses cannot displace valid keys."""

FIND: Final = f"SELECT hash, {KEY_COLUMNS} FROM api_keys WHERE hash = $1::bytea"  # noqa: S608 - columns of our own


class KeyRing:
    """Looks keys up. Belongs to one event loop."""

    def __init__(
        self,
        pool: Pool,
        *,
        remember_seconds: float = REMEMBER_SECONDS,
        most: int = MAX_REMEMBERED,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pool = pool
        self._found = Expiring[bytes, ApiKey | None](remember_seconds, most, clock)
        self._not_found = Expiring[bytes, bool](remember_seconds, most, clock)

    async def lookup(self, presented: str, *, fresh: bool = False) -> ApiKey | None:
        """Return the key that was presented, or None if there is none or it was revoked. Garbage costs no query.

        `fresh`: not a cached answer. What is found is cached for the requests that follow.

        An expired key is returned, too, so that the refusal can say that it has expired. Raises DatabaseUnavailable if the
        database cannot be reached.
        """
        if not is_well_formed(presented):
            return None
        digest = hash_of(presented)
        known = None if fresh else self._found.get(digest, None)
        if known is not None:
            return known
        if not fresh and self._not_found.get(digest, False):
            return None
        key = await self._ask(digest)
        if key is None:
            self._found.forget(digest)
            self._not_found.put(digest, True)
        else:
            self._found.put(digest, key)
        return key

    async def _ask(self, digest: bytes) -> ApiKey | None:
        async with connected(self._pool) as connection:
            cursor = await connection.execute(FIND, (digest,), binary=True)
            row = await cursor.fetchone()
        if row is None or not hmac.compare_digest(row[0], digest):
            return None
        key = key_of_row(row[1:])
        return None if key.revoked_at is not None else key
