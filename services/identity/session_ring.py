"""How often a player's sessions were revoked: counted in the database, and cached for a short time."""

from __future__ import annotations

import time
from typing import Final

from services.identity.expiring import Expiring
from services.identity.key_ring import MAX_REMEMBERED, REMEMBER_SECONDS
from services.postgres.database import Pool, connected
from services.process.bounds import MAX_CODE_VALIDITY, MAX_SESSION_LIFETIME

ALL_PLAYERS: Final = ""
"""In place of a player: the sessions of all players of the tenant."""

ERASED: Final = "'erased:' || encode(sha256(convert_to({tenant} || ' ' || {player}, 'UTF8')), 'hex')"
"""In place of a player who is erased: longer than any id, and only to be compared with."""
_ERASED: Final = ERASED.format(tenant="$1::text", player="$2::text")
_GENERATION: Final = f"""
SELECT coalesce(sum(revocations), 0)::int4 FROM session_revocations
WHERE tenant = $1::text AND player = ANY (ARRAY ['', $2::text, {_ERASED}])
"""  # noqa: S608 - only constants of ours
_REVOKE: Final = """
INSERT INTO session_revocations (tenant, player, revocations) VALUES ($1::text, $2::text, 1)
ON CONFLICT (tenant, player) DO UPDATE SET revocations = session_revocations.revocations + 1
"""
_ERASE: Final = f"""
WITH known AS (
    DELETE FROM session_revocations WHERE tenant = $1::text AND player = $2::text RETURNING revocations
)
INSERT INTO session_revocations (tenant, player, revocations, until)
VALUES ($1::text, {_ERASED}, 1 + coalesce((SELECT revocations FROM known), 0), now() + $3::interval)
ON CONFLICT (tenant, player) DO UPDATE
SET revocations = session_revocations.revocations + excluded.revocations, until = excluded.until
"""  # noqa: S608 - only constants of ours
"""Sessions are stored nowhere, so it must stay known that the player's are revoked until the last of them has expired. The row has
a digest in place of the id until then."""
KNOWN_AGAIN: Final = f"""
WITH erased AS (
    DELETE FROM session_revocations WHERE tenant = $1::text AND player = {_ERASED} RETURNING revocations
)
INSERT INTO session_revocations (tenant, player, revocations) SELECT $1::text, $2::text, revocations FROM erased
ON CONFLICT (tenant, player) DO UPDATE SET revocations = session_revocations.revocations + excluded.revocations
"""  # noqa: S608 - only constants of ours
"""For a player who comes back: without the row a number would go down when it is forgotten, and what was revoked be good again."""
_FORGET: Final = "DELETE FROM session_revocations WHERE until < now()"


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

    async def to_issue(self, tenant: str, player: str) -> int:
        """Return the generation of a session, or of a code, that is issued now. A player who was erased is known again."""
        async with connected(self._pool) as connection:
            await connection.execute(KNOWN_AGAIN, (tenant, player))
        return await self.generation(tenant, player, fresh=True)

    async def erase(self, tenant: str, player: str) -> None:
        """Revoke the sessions of a player, and forget the id: what is left is a digest, until the last session has expired."""
        async with connected(self._pool) as connection:
            await connection.execute(_ERASE, (tenant, player, MAX_SESSION_LIFETIME + MAX_CODE_VALIDITY))
        self._known.clear()

    async def revoke(self, tenant: str, player: str = ALL_PLAYERS) -> None:
        """Revoke the sessions of a player, or of all players of a tenant. Other processes may accept them until they ask again."""
        async with connected(self._pool) as connection:
            await connection.execute(KNOWN_AGAIN, (tenant, player))
            await connection.execute(_REVOKE, (tenant, player))
        self._known.clear()


async def forget_erased(pool: Pool) -> int:
    """Delete what is known of erased players none of whose sessions can be valid; return of how many. Raises DatabaseUnavailable."""
    async with connected(pool) as connection:
        return (await connection.execute(_FORGET)).rowcount
