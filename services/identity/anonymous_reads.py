"""Which matches may be read without a token: the public ones of tenants that have allowed it."""

from __future__ import annotations

import time
from typing import Final
from uuid import UUID

from services.identity.expiring import Expiring
from services.identity.key_ring import MAX_REMEMBERED
from services.postgres.database import Pool, connected

REMEMBER_SECONDS: Final = 4.0
"""How long a tenant's earlier setting may still apply. An open stream asks every five seconds, so it ends within ten."""

_ALLOWED: Final = """
SELECT 1 FROM matches JOIN tenants ON tenants.id = matches.tenant
WHERE matches.id = $1::uuid AND matches.visibility = 'public' AND tenants.anonymous_read
"""


class AnonymousReads:
    """Answers for one match at a time, private and unknown matches alike. Belongs to one event loop."""

    def __init__(self, pool: Pool, *, remember_seconds: float = REMEMBER_SECONDS) -> None:
        self._pool = pool
        self._known = Expiring[UUID, bool | None](remember_seconds, MAX_REMEMBERED, time.monotonic)

    async def allowed(self, match_id: UUID) -> bool:
        """Return whether anybody may read a match. Raises DatabaseUnavailable."""
        known = self._known.get(match_id, None)
        if known is None:
            async with connected(self._pool) as connection:
                cursor = await connection.execute(_ALLOWED, (match_id,))
                known = await cursor.fetchone() is not None
            self._known.put(match_id, known)
        return known
