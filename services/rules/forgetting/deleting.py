"""Deleting a match with everything that belongs to it, in one transaction.

Only the id stays, with its tenant, for thirty days: so a repeated request is answered like the first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from uuid import UUID

from services.movelog.match_ids import imported_id
from services.movelog.postgres.asking import ask, ask_on, in_our_words
from services.postgres.database import Connection, Pool

_HOLD: Final = """
SELECT coalesce(original_id, id) AS known_as, version FROM matches
WHERE id = $1::uuid AND tenant = $2::text AND (version = 0 OR NOT $3::boolean) FOR UPDATE
"""
"""Whoever writes something of a match locks its row, so nothing of it is written after this."""
_WAITING_FORKS: Final = """
SELECT fork.id FROM matches AS origin JOIN matches AS fork
    ON fork.tenant = origin.tenant AND fork.game = origin.game AND fork.status = 'waiting' AND fork.id > origin.id
WHERE origin.id = $1::uuid AND origin.tenant = $2::text
  AND convert_from(fork.forked_from, 'UTF8')::jsonb ->> 'match_id' = $1::uuid::text
ORDER BY fork.id
"""
"""Forks that have not begun. Their first row is made from the match, so nobody can play them without it. They came after it, and so do
their ids, also after that of an imported match."""
_HOLD_EVENTS: Final = (
    "SELECT FROM events WHERE match_id = $1::uuid AND tenant = $2::text ORDER BY number FOR UPDATE"
)
"""Events are locked in the order of their numbers, and before their deliveries, as retention does."""
_DELIVERIES: Final = """
DELETE FROM webhook_deliveries
WHERE event IN (SELECT number FROM events WHERE match_id = $1::uuid AND tenant = $2::text)
"""
_EVENTS: Final = "DELETE FROM events WHERE match_id = $1::uuid AND tenant = $2::text"
"""Another tenant that imported the match, and deleted its copy, has an event of that under the same id."""
OF_A_MATCH: Final = (
    "moves",
    "seats",
    "clocks",
    "snapshots",
    "seat_requests",
    "forks",
    "stuck_calls",
)
"""Tables besides `events` with rows of a match that do not go with its row by themselves, as those of `match_notes` and `proposals` do."""
_DELETE: Final = """
WITH followed AS (
    UPDATE matches SET rematch_of = NULL WHERE rematch_of = $1::uuid
), gone AS (
    DELETE FROM matches WHERE id = $1::uuid
), remembered AS (
    INSERT INTO deleted_matches (tenant, match_id) VALUES ($2::text, $1::uuid)
    ON CONFLICT (tenant, match_id) DO UPDATE SET deleted_at = now()
)
INSERT INTO events (tenant, match_id, version, recorded_at, type)
SELECT tenant, $3::uuid, $4::int4, now(), 'match.deleted' FROM recorded_events
WHERE tenant = $2::text AND 'match.deleted' = ANY (types)
"""
_DELETED: Final = "SELECT FROM deleted_matches WHERE tenant = $1::text AND match_id = ANY ($2::uuid[])"


class Deleting:
    """Deletes matches in Postgres. All methods raise LogUnavailable."""

    def __init__(self, pool: Pool, announce: Callable[[UUID], None]) -> None:
        """`announce` wakes, in all processes, whoever follows a match or has it cached."""
        self._pool = pool
        self._announce = announce

    async def delete(self, tenant: str, match_id: UUID) -> bool:
        """Delete a match of a tenant, and the forks of it that wait; return False if it has none of this id.

        Each fork is a transaction, so a request that is cut off has deleted some, and a repeat goes on. Forks that are made
        meanwhile go together with the match.
        """
        for row in await ask(self._pool, _WAITING_FORKS, (match_id, tenant)):
            with in_our_words():
                async with self._pool.connection() as connection, connection.transaction():
                    await _delete(connection, tenant, row["id"], only_waiting=True)
            self._announce(row["id"])
        with in_our_words():
            async with self._pool.connection() as connection, connection.transaction():
                gone = await _delete_with_forks(connection, tenant, match_id)
        for one in gone:
            self._announce(one)
        return bool(gone)

    async def was_deleted(self, tenant: str, match_id: UUID) -> bool:
        """Return whether the tenant has deleted a match lately that it knew by this id."""
        known = [match_id, imported_id(tenant, match_id)]
        return bool(await ask(self._pool, _DELETED, (tenant, known)))


async def _delete_with_forks(connection: Connection, tenant: str, match_id: UUID) -> list[UUID]:
    """Return what was deleted."""
    if not await ask_on(connection, _HOLD, (match_id, tenant, False)):
        return []
    forks = [row["id"] for row in await ask_on(connection, _WAITING_FORKS, (match_id, tenant))]
    for fork in forks:
        await _delete(connection, tenant, fork, only_waiting=True)
    await _delete(connection, tenant, match_id)
    return [*forks, match_id]


async def _delete(connection: Connection, tenant: str, match_id: UUID, *, only_waiting: bool = False) -> bool:
    held = await ask_on(connection, _HOLD, (match_id, tenant, only_waiting))
    if not held:
        return False
    await ask_on(connection, _HOLD_EVENTS, (match_id, tenant))
    await ask_on(connection, _DELIVERIES, (match_id, tenant))
    await ask_on(connection, _EVENTS, (match_id, tenant))
    for table in OF_A_MATCH:
        await ask_on(connection, f"DELETE FROM {table} WHERE match_id = $1::uuid", (match_id,))  # noqa: S608 - our own tables
    (match,) = held
    await ask_on(connection, _DELETE, (match_id, tenant, match["known_as"], match["version"]))
    return True
