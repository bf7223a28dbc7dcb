"""Erasing a player of a tenant from the database, a bounded number of rows at a time.

What is erased is found by the id alone, and then no longer there: so every step finds what the ones before it have left, whoever
made them, and a player who is erased halfway when a process dies is erased wholly by the next request.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec

from services.identity.player_sessions import player_account
from services.movelog.checks import check_text
from services.movelog.identities import SALT_BYTES
from services.movelog.postgres.asking import ask_on, in_our_words
from services.movelog.postgres.rows import identities_from
from services.postgres.database import Connection, Pool
from services.postgres.records import NamedRow
from services.rules.forgetting.erased_seats import ErasedSeat, StoredSeat, erased_seat

_EARLIER: Final = "jsonb_set('{}'::jsonb, ARRAY[tenant], replaced) @> $3::text::jsonb AND replaced <> '[]'"
"""The condition of a seat that a player had before, in the words of the index `seats_by_earlier_player`."""
_FIND: Final = f"""
(SELECT match_id FROM seats WHERE tenant = $1::text AND player = $2::text AND player <> '' LIMIT $4::int8)
UNION
(SELECT match_id FROM seats WHERE {_EARLIER} LIMIT $4::int8)
LIMIT $4::int8
"""  # noqa: S608 - only constants of ours
_HOLD: Final = """
SELECT id, coalesce(original_id, id) AS known_as, version > 0 AS has_begun
FROM matches WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE
"""
"""The matches are locked in the order of their ids, as batches of moves lock them, and before their seats."""
_SEATS: Final = f"""
SELECT match_id, seat, player, name, salt, erased, replaced FROM seats
WHERE match_id = ANY ($4::uuid[]) AND tenant = $1::text AND (player = $2::text OR {_EARLIER})
ORDER BY match_id, seat FOR UPDATE
"""  # noqa: S608 - only constants of ours
_OF_A_SESSION: Final = "request_id ~ '^(player|fork):[0-9a-f]{48}$'"
"""The condition of a request that a player made with a session: its id is kept as a digest of the player's id and its own."""
_REQUESTS: Final = """
seat_requests.match_id = given.match_id AND seat_requests.seat = given.seat
      AND seats.match_id = given.match_id AND seats.seat = given.seat
      AND (given.is_left OR seat_requests.created_at < seats.claimed_at)
"""
"""The condition of requests for a seat that may have been for the player: of all, or of those before another player got it."""
_ERASE: Final = f"""
WITH given AS (
    SELECT * FROM unnest($1::uuid[], $2::int2[], $3::boolean[], $4::boolean[], $5::bytea[], $6::text[])
        AS given (match_id, seat, is_left, is_freed, erased, replaced)
), cleared AS (
    UPDATE seats
    SET replaced = given.replaced::jsonb,
        player = CASE WHEN is_left THEN '' ELSE player END,
        name = CASE WHEN is_left THEN '' ELSE name END,
        data = CASE WHEN is_left THEN '' ELSE data END,
        account = CASE WHEN is_left THEN '' ELSE account END,
        ready = ready AND NOT is_left,
        renamed = renamed OR is_left,
        bot = CASE WHEN is_freed THEN '' ELSE bot END,
        state = CASE WHEN NOT is_freed THEN state
                     WHEN state = 'taken' AND joined_by = 'invite' THEN 'invited' ELSE 'open' END,
        generation = generation + is_left::int4,
        invite_generation = invite_generation + is_left::int4,
        salt = CASE WHEN is_freed THEN uuid_send(gen_random_uuid()) WHEN is_left THEN NULL ELSE salt END,
        erased = CASE WHEN is_left THEN given.erased ELSE seats.erased END
    FROM given
    WHERE seats.match_id = given.match_id AND seats.seat = given.seat
), counted AS (
    UPDATE matches
    SET revocations = revocations + touched.is_left::int4,
        request_id = CASE WHEN touched.may_have_made AND {_OF_A_SESSION} THEN NULL ELSE request_id END
    FROM (
        SELECT given.match_id, bool_or(is_left) AS is_left, bool_or(joined_by = 'created' OR NOT is_left) AS may_have_made
        FROM given JOIN seats USING (match_id, seat) GROUP BY given.match_id
    ) AS touched
    WHERE matches.id = touched.match_id
), forgotten AS (
    UPDATE seat_requests SET mark = '' FROM given, seats
    WHERE {_REQUESTS} AND NOT {_OF_A_SESSION}
), dropped AS (
    DELETE FROM seat_requests USING given, seats
    WHERE {_REQUESTS} AND {_OF_A_SESSION}
)
INSERT INTO events (tenant, match_id, recorded_at, type, seat)
SELECT wanted.tenant, given.match_id, now(), 'seat.left', given.seat
FROM given JOIN seats AS before ON before.match_id = given.match_id AND before.seat = given.seat
JOIN recorded_events AS wanted ON wanted.tenant = $7::text
WHERE given.is_freed AND before.state = 'taken' AND 'seat.left' = ANY (wanted.types)
"""  # noqa: S608 - only constants of ours
"""As by `lobby_queries.LEAVE`, a seat that was taken with an invite is kept for another one, and nobody leaves a seat that nobody had
taken; `before` has the rows as they were.

A request to join with the id of one whose mark is emptied is refused: nobody knows any more what the id was used for. Whoever creates a match
with a session has the first seat of it, as it was created, and nobody else has."""
_EVENTS: Final = """
WITH named AS (
    SELECT number FROM events WHERE tenant = $1::text AND {column} = $2::text AND {column} <> ''
    ORDER BY number LIMIT $3::int8 FOR UPDATE
)
UPDATE events SET {column} = '' FROM named WHERE events.number = named.number RETURNING events.number
"""
_COLUMNS: Final = ("player", "replaced")
_VACATIONS: Final = "DELETE FROM vacations WHERE tenant = $1::text AND player = $2::text"
_FORKS: Final = "DELETE FROM forks WHERE account = $1::text"


class ErasedStep(NamedTuple):
    """What one step has erased."""

    seats: int
    """How often the player stood in rows of seats, as who has the seat or as who had it before."""
    events: int
    is_last: bool
    """Nothing is left."""


class Erasing:
    """Erases players in Postgres. All methods raise LogUnavailable."""

    def __init__(self, pool: Pool, announce: Callable[[UUID], None]) -> None:
        """`announce` wakes, in all processes, whoever follows a match or has it cached."""
        self._pool = pool
        self._announce = announce

    async def forget_account(self, tenant: str, player: str) -> int:
        """Delete the player's vacations, and what is counted of the player; return the number of vacations."""
        check_text(player)
        with in_our_words():
            async with self._pool.connection() as connection, connection.transaction():
                vacations = await connection.execute(_VACATIONS, (tenant, player))
                await connection.execute(_FORKS, (player_account(tenant, player),))
        return vacations.rowcount

    async def step(self, tenant: str, player: str, *, limit: int) -> ErasedStep:
        """Erase the player in at most `limit` matches and `limit` events. Each step is a transaction."""
        check_text(player)
        with in_our_words():
            async with self._pool.connection() as connection, connection.transaction():
                erased = await self._erase_seats(connection, tenant, player, limit)
                events = [
                    len(await ask_on(connection, _EVENTS.format(column=column), (tenant, player, limit)))
                    for column in _COLUMNS
                ]
        matches = {one.match_id for one in erased}
        for match_id in matches:
            self._announce(match_id)
        return ErasedStep(
            seats=sum(one.count for one in erased),
            events=sum(events),
            is_last=len(matches) < limit and max(events) < limit,
        )

    async def _erase_seats(
        self, connection: Connection, tenant: str, player: str, limit: int
    ) -> Sequence[ErasedSeat]:
        who = (tenant, player, msgspec.json.encode({tenant: [{"player": player}]}).decode())
        match_ids = [row["match_id"] for row in await ask_on(connection, _FIND, (*who, limit))]
        if not match_ids:
            return ()
        held = {row["id"]: row for row in await ask_on(connection, _HOLD, (match_ids,))}
        rows = await ask_on(connection, _SEATS, (*who, match_ids))
        erased = [erased_seat(_stored(row, held), player, os.urandom(SALT_BYTES)) for row in rows]
        await ask_on(connection, _ERASE, (*_columns(erased), tenant))
        return erased


def _stored(row: NamedRow, matches: dict[UUID, NamedRow]) -> StoredSeat:
    """Return a row of `_SEATS`. A seat without its match, which only a damaged database has, counts as one of a match that has begun."""
    match = matches.get(row["match_id"], {"known_as": row["match_id"], "has_begun": True})
    identities = identities_from(row)
    return StoredSeat(
        match_id=row["match_id"],
        known_as=match["known_as"],
        has_begun=match["has_begun"],
        seat=row["seat"],
        player=row["player"],
        name=row["name"],
        present=identities.present,
        replaced=row["replaced"],
        earlier=identities.earlier,
    )


def _columns(erased: Sequence[ErasedSeat]) -> tuple[list[Any], ...]:
    return (
        [one.match_id for one in erased],
        [one.seat for one in erased],
        [one.is_left for one in erased],
        [one.is_freed for one in erased],
        [one.erased for one in erased],
        [one.replaced for one in erased],
    )
