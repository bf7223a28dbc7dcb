"""How matches stand, read for feeds: by id, by player, by when they changed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from engine.registry import GAMES
from services.database import Pool, connected
from services.movelog.records import Status, Visibility

MOST_AT_ONCE: Final = 1_000


class FeedRow(msgspec.Struct, frozen=True, kw_only=True):
    """How a match stands."""

    match_id: UUID
    tenant: str
    game: str
    version: int
    status: Status
    to_act: tuple[int, ...]
    players: tuple[str, ...]
    """By seat; empty where nobody with an id sits."""
    bots: tuple[str, ...] = ()
    """By seat, as in SeatRecord; empty where no bot plays."""
    updated_at: datetime


_COLUMNS: Final = """
id, tenant, game, version, status, seats_to_act, updated_at,
ARRAY (SELECT CASE WHEN state = 'taken' THEN player ELSE '' END
       FROM seats WHERE match_id = matches.id ORDER BY seat),
ARRAY (SELECT bot FROM seats WHERE match_id = matches.id ORDER BY seat)
"""
_BY_ID: Final = f"SELECT {_COLUMNS} FROM matches WHERE id = ANY ($1::uuid[]) AND tenant = ANY ($2::text[])"  # noqa: S608 - our own words
_OPEN_OF_PLAYER: Final = f"""
SELECT {_COLUMNS} FROM matches
WHERE tenant = $1::text AND id IN (
    SELECT match_id FROM seats
    WHERE tenant = $1::text AND player = $2::text AND player <> '' AND match_open AND state = 'taken'
)
ORDER BY updated_at DESC LIMIT $3::int4
"""  # noqa: S608 - our own words
_CHANGED_OF_PLAYER: Final = f"""
SELECT {_COLUMNS} FROM matches
WHERE tenant = $1::text AND id IN (
    SELECT match_id FROM seats WHERE tenant = $1::text AND player = $2::text AND player <> '' AND state = 'taken'
) AND active_minute >= $4::timestamptz - INTERVAL '1 minute' AND updated_at >= $4::timestamptz
ORDER BY updated_at DESC LIMIT $3::int4
"""  # noqa: S608 - our own words
_WAIT_FOR_A_BOT: Final = f"""
SELECT {_COLUMNS} FROM matches
WHERE tenant = $1::text AND status = 'running' AND EXISTS (
    SELECT FROM seats WHERE match_id = matches.id AND bot <> '' AND seat = ANY (seats_to_act)
) AND id IN (
    SELECT match_id FROM seats WHERE tenant = $1::text AND bot <> '' AND match_open
)
ORDER BY updated_at DESC LIMIT $2::int4
"""  # noqa: S608 - our own words
_CHANGED_OF_BOTS: Final = f"""
SELECT {_COLUMNS} FROM matches
WHERE tenant = $1::text AND id IN (
    SELECT match_id FROM seats WHERE tenant = $1::text AND bot <> ''
) AND active_minute >= $3::timestamptz - INTERVAL '1 minute' AND updated_at >= $3::timestamptz
ORDER BY updated_at DESC LIMIT $2::int4
"""  # noqa: S608 - our own words
_CHANGED: Final = f"""
SELECT {_COLUMNS} FROM matches
WHERE tenant = $1::text AND game = ANY ($3::text[]) AND status = ANY ($4::text[]) AND visibility = ANY ($5::text[])
  AND active_minute >= $6::timestamptz - INTERVAL '1 minute' AND updated_at >= $6::timestamptz
ORDER BY updated_at DESC LIMIT $2::int4
"""  # noqa: S608 - our own words
"""Every value of the columns between is named, so that each is one stretch of the index `matches_by_activity`."""
_CHANGED_KINDS: Final = list(GAMES), [status.value for status in Status], [seen.value for seen in Visibility]


class FeedRows:
    """Reads rows. Every statement is bounded and goes by an index."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def by_id(self, match_ids: Sequence[UUID], tenants: Sequence[str]) -> list[FeedRow]:
        """Give those of these matches that belong to one of these tenants; DatabaseUnavailable."""
        return await self._ask(_BY_ID, (list(match_ids), list(tenants)))

    async def open_of(self, tenant: str, player: str) -> list[FeedRow]:
        """Give a player's open matches, the one that changed last first; one more than MOST_AT_ONCE at most."""
        return await self._ask(_OPEN_OF_PLAYER, (tenant, player, MOST_AT_ONCE + 1))

    async def changed(self, tenant: str, player: str, since: datetime) -> list[FeedRow]:
        """Give the matches (of a player, if one is named) that changed since a moment, as `open_of` does."""
        if player:
            return await self._ask(_CHANGED_OF_PLAYER, (tenant, player, MOST_AT_ONCE + 1, since))
        return await self._ask(_CHANGED, (tenant, MOST_AT_ONCE + 1, *_CHANGED_KINDS, since))

    async def waiting_for_bots(self, tenant: str) -> list[FeedRow]:
        """Give the matches that wait for a bot, as `open_of` does."""
        return await self._ask(_WAIT_FOR_A_BOT, (tenant, MOST_AT_ONCE + 1))

    async def changed_of_bots(self, tenant: str, since: datetime) -> list[FeedRow]:
        """Give the matches that bots sit at and that changed since a moment, as `open_of` does."""
        return await self._ask(_CHANGED_OF_BOTS, (tenant, MOST_AT_ONCE + 1, since))

    async def now(self) -> datetime:
        """Give the database's time."""
        async with connected(self._pool) as connection:
            cursor = await connection.execute("SELECT now()", binary=True)
            row = await cursor.fetchone()
        assert row is not None
        moment: datetime = row[0]
        return moment

    async def _ask(self, query: str, values: tuple[object, ...]) -> list[FeedRow]:
        async with connected(self._pool) as connection:
            cursor = await connection.execute(query, values, binary=True)
            rows = await cursor.fetchall()
        return [
            FeedRow(
                match_id=row[0],
                tenant=row[1],
                game=row[2],
                version=row[3],
                status=Status(row[4]),
                to_act=tuple(row[5]),
                updated_at=row[6],
                players=tuple(row[7]),
                bots=tuple(row[8]),
            )
            for row in rows
        ]
