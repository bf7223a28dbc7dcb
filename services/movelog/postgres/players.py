"""The players of seats in Postgres. Replacing one takes two statements, each step of revoking all of one takes one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from uuid import UUID

from psycopg import Rollback
from psycopg.errors import UniqueViolation

from services.movelog.checks import check_limit, check_seat, check_text
from services.movelog.failures import MatchUnknown, StaleVersion
from services.movelog.identities import SeatIdentities
from services.movelog.lobby import PlayerRule, SeatRequestTaken
from services.movelog.players import (
    MAX_REPLACED,
    ConsentOutdated,
    NotRunning,
    Reached,
    ReplacedTooOften,
    Replacement,
    RevokedSeats,
)
from services.movelog.postgres.asking import ask, ask_on, in_our_words
from services.movelog.postgres.lobby import must_hold
from services.movelog.postgres.lobby_queries import NOTE, SEAT_COLUMNS
from services.movelog.postgres.queries import FIND
from services.movelog.postgres.rows import identities_from, match_from, seat_from
from services.movelog.records import JoinedBy, SeatRecord, Status
from services.postgres.database import Pool

REPLACE: Final = f"""
WITH running AS (
    UPDATE matches SET revocations = revocations + 1
    WHERE id = $1::uuid AND status = 'running' AND version = $9::int4
      AND EXISTS (
          SELECT FROM seats
          WHERE match_id = $1::uuid AND seat = $8::int4 AND jsonb_array_length(replaced) < $11::int4
      )
    RETURNING id, tenant, version, seats_to_act
), claimed AS (
    UPDATE seats
    SET player = $2::text, name = $3::text, joined_by = $4::text, data = $10::bytea, bot = '', account = '', ready = false,
        generation = generation + 1, invite_generation = invite_generation + 1, claimed_at = now(),
        salt = DEFAULT, erased = NULL,
        replaced = seats.replaced || jsonb_strip_nulls(jsonb_build_object(
            'player', seats.player, 'name', seats.name, 'until_version', running.version, 'replaced_at', now(),
            'salt', encode(seats.salt, 'hex'), 'erased', encode(seats.erased, 'hex')
        ))
    FROM running
    WHERE seats.match_id = running.id AND seats.seat = $8::int4
      AND ($12::int4 IS NULL OR coalesce((seats.replaced -> -1 ->> 'until_version')::int4, 0) < $12::int4)
    RETURNING seats.match_id, {SEAT_COLUMNS}
), {NOTE}, outbox AS (
    INSERT INTO events (tenant, match_id, version, recorded_at, to_act, type, seat, player, replaced)
    SELECT running.tenant, running.id, running.version, now(), running.seats_to_act, 'seat.replaced',
           claimed.seat, claimed.player, claimed.replaced -> -1 ->> 'player'
    FROM running JOIN claimed ON claimed.match_id = running.id
    JOIN recorded_events AS wanted ON wanted.tenant = running.tenant
    WHERE 'seat.replaced' = ANY (wanted.types)
)
SELECT {SEAT_COLUMNS} FROM claimed AS seats
"""  # noqa: S608 - only constants of ours
"""The match is locked first, as by every move: so the version until which the player before had the seat is exact. Whether the
table was asked for the seat's present player is a condition of the row that changes, so it is looked at after any wait for it."""

REPLACED: Final = (
    "SELECT jsonb_array_length(replaced) AS number FROM seats WHERE match_id = $1::uuid AND seat = $2::int4"
)

REVOKE: Final = """
WITH own AS MATERIALIZED (
    SELECT DISTINCT match_open, match_id FROM seats
    WHERE tenant = $1::text AND player = $2::text AND player <> ''
      AND (match_open, match_id) < ($3::boolean, $4::uuid)
    ORDER BY match_open DESC, match_id DESC LIMIT $5::int8
), held AS MATERIALIZED (
    SELECT id FROM matches WHERE id IN (SELECT match_id FROM own) ORDER BY id FOR NO KEY UPDATE
), counted AS (
    UPDATE matches SET revocations = revocations + 1 FROM held WHERE matches.id = held.id RETURNING matches.id
), revoked AS (
    UPDATE seats SET generation = generation + 1, invite_generation = invite_generation + 1
    FROM counted
    WHERE seats.match_id = counted.id AND seats.player = $2::text
    RETURNING seats.match_id
), by_match AS (
    SELECT match_id, count(*)::int4 AS seats FROM revoked GROUP BY match_id
)
SELECT own.match_open AS is_open, own.match_id, coalesce(by_match.seats, 0) AS seats
FROM own LEFT JOIN by_match ON by_match.match_id = own.match_id
ORDER BY own.match_open DESC, own.match_id DESC
"""
"""It follows the index of a player's matches backwards. The matches are locked in the order of their ids, as batches of moves
lock them, so the two wait for each other and never deadlock."""

IDENTITIES: Final = """
SELECT seat, salt, erased, replaced FROM seats WHERE match_id = $1::uuid ORDER BY seat
"""

FROM_THE_START: Final = Reached(is_open=True, match_id=UUID(int=2**128 - 1))


class PostgresSeatPlayers:
    """See `SeatPlayers`."""

    def __init__(self, pool: Pool, announce: Callable[[UUID, int], None]) -> None:
        self._pool = pool
        self._announce = announce

    async def replace(self, match_id: UUID, wanted: Replacement) -> SeatRecord:
        """See `SeatPlayers.replace`."""
        check_text(wanted.player, wanted.name)
        rule = PlayerRule(tenant=wanted.tenant, player=wanted.player, only_seat=True)
        request = wanted.request
        values = (
            match_id,
            wanted.player,
            wanted.name,
            JoinedBy.JOIN.value,
            *((None,) * 3 if request is None else (request.tenant, request.request_id, request.mark)),
            wanted.seat,
            wanted.version,
            wanted.data,
            MAX_REPLACED,
            wanted.asked_at,
        )
        try:
            with in_our_words():
                async with self._pool.connection() as connection, connection.transaction():
                    await must_hold(connection, rule, match_id)
                    rows = await ask_on(connection, REPLACE, values)
                    if not rows:
                        raise Rollback  # the match may have been counted as changed already
        except UniqueViolation:
            raise SeatRequestTaken("this request id has been used to take a seat") from None
        if not rows:
            await self._why_not_replaced(match_id, wanted)
        self._announce(match_id, 0)
        return seat_from(rows[0])

    async def revoke(
        self, tenant: str, player: str, *, after: Reached | None = None, limit: int
    ) -> RevokedSeats:
        """See `SeatPlayers.revoke`."""
        check_text(player)
        check_limit(limit)
        rows = await ask(self._pool, REVOKE, (tenant, player, *(after or FROM_THE_START), limit))
        for row in rows:
            if row[
                "is_open"
            ]:  # nobody follows a match that is over, and whoever reads it is checked again soon
                self._announce(row["match_id"], 0)
        last = Reached(rows[-1]["is_open"], rows[-1]["match_id"]) if rows else None
        return RevokedSeats(sum(row["seats"] for row in rows), last if len(rows) == limit else None)

    async def identities(self, match_id: UUID) -> tuple[SeatIdentities, ...]:
        """See `SeatPlayers.identities`."""
        return tuple([identities_from(row) for row in await ask(self._pool, IDENTITIES, (match_id,))])

    async def _why_not_replaced(self, match_id: UUID, wanted: Replacement) -> None:
        """Raise the error that prevents the replacement."""
        rows = await ask(self._pool, FIND, (match_id,))
        if not rows:
            raise MatchUnknown(f"no match {match_id}")
        match = match_from(rows[0])
        check_seat(wanted.seat, match.seats)
        if match.version != wanted.version:
            raise StaleVersion(f"match {match_id} is not at version {wanted.version}")
        if match.status is not Status.RUNNING:
            raise NotRunning(f"match {match_id} is {match.status}")
        (seat,) = await ask(self._pool, REPLACED, (match_id, wanted.seat))
        if wanted.asked_at is not None and seat["number"] < MAX_REPLACED:
            raise ConsentOutdated(f"seat {wanted.seat} of match {match_id} has another player since")
        raise ReplacedTooOften(f"seat {wanted.seat} of match {match_id} had {MAX_REPLACED} other players")
