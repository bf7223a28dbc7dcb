"""How many matches that have not begun a player sits in: a session may not fill the lobby."""

from __future__ import annotations

from typing import Final

from services.identity.callers import PlayerCaller
from services.postgres.database import Pool, connected
from services.rpc.refusals import Reason, Refused

MOST_WAITING: Final = 50

_WAITING: Final = """
SELECT count(*) FROM (
    SELECT FROM seats JOIN matches ON matches.id = seats.match_id
    WHERE seats.tenant = $1::text AND seats.player = $2::text AND seats.player <> '' AND seats.match_open
      AND seats.state = 'taken' AND matches.version = 0
    LIMIT $3::int4
) AS waiting
"""
"""It reads the index of a player's open matches."""


class WaitingSeats:
    """Counts seats. Two simultaneous requests may both pass: the bound is there against floods, and need not be exact."""

    def __init__(self, pool: Pool, *, most: int = MOST_WAITING) -> None:
        self._pool = pool
        self._most = most

    async def must_be_few(self, caller: PlayerCaller) -> None:
        """Raise Refused TOO_MANY_WAITING if the player sits in as many matches that have not begun as may be."""
        async with connected(self._pool) as connection:
            cursor = await connection.execute(_WAITING, (caller.tenant, caller.player, self._most))
            row = await cursor.fetchone()
        assert row is not None, "a count has one row"
        if row[0] >= self._most:
            raise Refused(
                Reason.TOO_MANY_WAITING,
                f"you sit in {self._most} matches that have not begun, as many as may be; leave one, or wait",
                metadata={"limit": self._most},
            )
