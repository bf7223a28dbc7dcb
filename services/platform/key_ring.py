"""Who is calling? Looks API keys up, and remembers the answers for a short while."""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable
from typing import Final

from services.database import Pool, connected
from services.platform.api_keys import KEY_COLUMNS, ApiKey, key_of_row
from services.platform.expiring import Expiring
from services.platform.key_format import hash_of, is_well_formed

REMEMBER_SECONDS: Final = 10.0
"""How long a revoked key may still be good, and how long a new one may be refused after a guess of it."""
MOST_REMEMBERED: Final = 10_000
"""Of each kind, found and not found. Guesses cannot push out keys that are good."""

FIND: Final = f"SELECT hash, {KEY_COLUMNS} FROM api_keys WHERE hash = $1::bytea"  # noqa: S608 - columns of our own


class KeyRing:
    """Looks keys up. Belongs to one event loop."""

    def __init__(
        self,
        pool: Pool,
        *,
        remember_seconds: float = REMEMBER_SECONDS,
        most: int = MOST_REMEMBERED,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pool = pool
        self._found = Expiring[bytes, ApiKey | None](remember_seconds, most, clock)
        self._not_found = Expiring[bytes, bool](remember_seconds, most, clock)

    async def lookup(self, presented: str) -> ApiKey | None:
        """Give the key that was presented, or None if there is none or it was revoked. Garbage costs no query.

        A key that has expired is given all the same: its owner is told so. Raises DatabaseUnavailable.
        """
        if not is_well_formed(presented):
            return None
        digest = hash_of(presented)
        known = self._found.get(digest, None)
        if known is not None:
            return known
        if self._not_found.get(digest, False):
            return None
        key = await self._ask(digest)
        if key is None:
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
