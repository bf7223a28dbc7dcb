"""How often a player's sessions were revoked: counted in the database, and cached for a short time."""

from __future__ import annotations

import time
from typing import Final

from services.identity.expiring import Expiring
from services.identity.key_ring import MAX_REMEMBERED, REMEMBER_SECONDS
from services.postgres.database import Pool, connected

ALL_PLAYERS: Final = ""
"""In place of a player: the sessions of all players of the tenant."""

_GENERATION: Final = """
SELECT coalesce(sum(revocations), 0)::int4 FROM session_revocations
WHERE tenant = $1::text AND player = ANY (ARRAY ['', $2::text])
"""
_REVOKE: Final = """
INSERT INTO session_revocations (tenant, player, revocations) VALUES ($1::text, $2::text, 1)
ON CONFLICT (tenant, player) DO UPDATE SET revocations = session_revocations.revocations + 1
"""


class SessionRing:
    """Reads and raises the generations of sessions. Belongs to one event loop."""

    def __init__(self, pool: Pool, *, remember_seconds: float = REMEMBER_SECONDS) -> None:
        """`remember_seconds`: how long a revoked session may still be accepted."""
        self._pool = pool
        self._known = Expiring[tuple[str, str], int | None](remember_seconds, MAX_REMEMBERED, time.monotonic)

    async def generation(self, tenant: str, player: str, *, fresh: bool = False) -> int:
        """Return the present generation of a player's sessions; `fresh`: not from the cache. Raises DatabaseUnavailable."""
        known = None if fresh else self._known.get((tenant, player), None)
        if known is not None:
            return known
        async with connected(self._pool) as connection:
            cursor = await connection.execute(_GENERATION, (tenant, player))
            row = await cursor.fetchone()
        assert row is not None, "a sum has one row"
        generation: int = row[0]
        self._known.put((tenant, player), generation)
        return generation

    async def revoke(self, tenant: str, player: str = ALL_PLAYERS) -> None:
        """Revoke the sessions of a player, or of all players of a tenant. Other processes may accept them until they ask again."""
        async with connected(self._pool) as connection:
            await connection.execute(_REVOKE, (tenant, player))
        self._known.clear()
