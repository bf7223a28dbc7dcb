"""Reads matches for feeds: by id, by player, by the time of their last change."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec

from services.movelog.notes import NO_METADATA
from services.movelog.postgres.proposal_queries import HAS_TODO, TODOS
from services.movelog.postgres.proposals import todos_from
from services.movelog.proposals import Todo
from services.movelog.records import Status, Visibility
from services.postgres.database import Pool, connected
from services.postgres.records import Reader, named_rows

MAX_AT_ONCE: Final = 1_000


class FeedRow(msgspec.Struct, frozen=True, kw_only=True):
    """The current state of a match for feeds."""

    match_id: UUID
    known_as: UUID
    """The id that its tenant knows it by."""
    tenant: str
    game: str
    version: int
    status: Status
    to_act: tuple[int, ...]
    players: tuple[str, ...]
    """By seat; empty where no player with an id sits."""
    bots: tuple[str, ...] = ()
    """By seat, as in SeatRecord; empty where no bot plays."""
    todos: tuple[Todo, ...] = ()
    """What players have to do at the match, besides moving."""
    updated_at: datetime
    title: str = ""
    visibility: Visibility = Visibility.PRIVATE
    deadline: datetime | None = None
    """When the first clock runs out that runs now."""
    reference: str = ""
    """What the tenant notes about the match, as in Notes."""
    metadata: bytes = NO_METADATA

    def is_of(self, player: str) -> bool:
        """Return whether a player sits at the match, or is asked to."""
        return player in self.players or any(todo.player == player for todo in self.todos)


_COLUMNS: Final = f"""
id AS match_id, tenant, game, version, status, seats_to_act AS to_act, updated_at,
ARRAY (SELECT CASE WHEN state = 'taken' THEN player ELSE '' END
       FROM seats WHERE match_id = matches.id ORDER BY seat) AS players,
ARRAY (SELECT bot FROM seats WHERE match_id = matches.id ORDER BY seat) AS bots,
coalesce(original_id, id) AS known_as, coalesce({TODOS}, '[]') AS todos, title, visibility,
(SELECT min(deadline_at + INTERVAL '0 s') FROM clocks WHERE match_id = matches.id) AS deadline,
coalesce((SELECT reference FROM match_notes WHERE match_id = matches.id), '') AS reference,
coalesce((SELECT metadata FROM match_notes WHERE match_id = matches.id), '{{}}') AS metadata
"""  # noqa: S608 - our own words
"""Named as the fields of FeedRow. The sum keeps a plan from walking along the index of all matches' deadlines for the least one."""
_row_from: Final = Reader(
    FeedRow,
    status=Status,
    to_act=tuple,
    players=tuple,
    bots=tuple,
    todos=todos_from,
    metadata=str.encode,
    visibility=Visibility,
)
_KEPT: Final = "state IN ('taken', 'invited', 'reserved')"
"""The states of a seat whose player has the match in the feed."""
_BY_ID: Final = f"SELECT {_COLUMNS} FROM matches WHERE id = ANY ($1::uuid[]) AND tenant = ANY ($2::text[])"  # noqa: S608 - our own words
_OPEN_OF_PLAYER: Final = f"""
SELECT {_COLUMNS} FROM matches
WHERE tenant = $1::text AND id IN (
    SELECT match_id FROM seats
    WHERE tenant = $1::text AND player = $2::text AND player <> '' AND match_open AND {_KEPT}
)
ORDER BY updated_at DESC LIMIT $3::int4
"""  # noqa: S608 - our own words
_CHANGED_OF_PLAYER: Final = f"""
SELECT {_COLUMNS} FROM matches
WHERE tenant = $1::text AND id IN (
    SELECT match_id FROM seats WHERE tenant = $1::text AND player = $2::text AND player <> '' AND {_KEPT}
) AND active_minute >= $4::timestamptz - INTERVAL '1 minute' AND updated_at >= $4::timestamptz
ORDER BY updated_at DESC LIMIT $3::int4
"""  # noqa: S608 - our own words
_WAIT_FOR_A_BOT: Final = f"""
SELECT {_COLUMNS} FROM matches
WHERE tenant = $1::text AND status = 'running' AND EXISTS (
    SELECT FROM seats AS own WHERE match_id = matches.id AND bot <> '' AND (seat = ANY (seats_to_act) OR {HAS_TODO})
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
WITH RECURSIVE played (game) AS (
    (SELECT game FROM matches WHERE tenant = $1::text ORDER BY game LIMIT 1)
    UNION ALL
    SELECT (SELECT game FROM matches WHERE tenant = $1::text AND game > played.game ORDER BY game LIMIT 1)
    FROM played WHERE played.game IS NOT NULL
)
SELECT {_COLUMNS} FROM matches
WHERE tenant = $1::text AND game = ANY (ARRAY (SELECT game FROM played WHERE game IS NOT NULL))
  AND status = ANY ($3::text[]) AND visibility = ANY ($4::text[])
  AND active_minute >= $5::timestamptz - INTERVAL '1 minute' AND updated_at >= $5::timestamptz
ORDER BY updated_at DESC LIMIT $2::int4
"""  # noqa: S608 - our own words
"""The condition lists every game, status and visibility, so that it can use the index `matches_by_activity`, which has these
columns before the time: each combination is one range of the index. The games are those of the tenant's matches, installed or
no longer; each costs one step down the same index."""
_CHANGED_KINDS: Final = [status.value for status in Status], [seen.value for seen in Visibility]


class FeedRows:
    """Reads rows. Every statement is bounded and uses an index. All methods raise DatabaseUnavailable if there is no database."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def by_id(self, match_ids: Sequence[UUID], tenants: Sequence[str]) -> list[FeedRow]:
        """Return those of these matches that belong to one of these tenants."""
        return await self._ask(_BY_ID, (list(match_ids), list(tenants)))

    async def open_of(self, tenant: str, player: str) -> list[FeedRow]:
        """Return a player's open matches, the latest change first; at most MAX_AT_ONCE + 1, which shows that there are more."""
        return await self._ask(_OPEN_OF_PLAYER, (tenant, player, MAX_AT_ONCE + 1))

    async def changed(self, tenant: str, player: str, since: datetime) -> list[FeedRow]:
        """Return the matches (of a player, if one is named) that changed since a moment, as `open_of` does."""
        if player:
            return await self._ask(_CHANGED_OF_PLAYER, (tenant, player, MAX_AT_ONCE + 1, since))
        return await self._ask(_CHANGED, (tenant, MAX_AT_ONCE + 1, *_CHANGED_KINDS, since))

    async def waiting_for_bots(self, tenant: str) -> list[FeedRow]:
        """Return the matches that wait for a bot, as `open_of` does."""
        return await self._ask(_WAIT_FOR_A_BOT, (tenant, MAX_AT_ONCE + 1))

    async def changed_of_bots(self, tenant: str, since: datetime) -> list[FeedRow]:
        """Return the matches that bots sit at and that changed since a moment, as `open_of` does."""
        return await self._ask(_CHANGED_OF_BOTS, (tenant, MAX_AT_ONCE + 1, since))

    async def now(self) -> datetime:
        """Return the database's time."""
        async with connected(self._pool) as connection:
            (row,) = await named_rows(connection, "SELECT now()", ())
        moment: datetime = row["now"]
        return moment

    async def _ask(self, query: str, values: tuple[object, ...]) -> list[FeedRow]:
        async with connected(self._pool) as connection:
            rows = await named_rows(connection, query, values)
        return [_row_from(row) for row in rows]
