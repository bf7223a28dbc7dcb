"""The SQL of seats, named. movelog/lobby.py describes the locks.

`FOR KEY SHARE` lets several seats be taken concurrently; `FOR UPDATE` waits for all of these, and they for it.
Where a common table expression locks a match, the statement's rows are locked after it. So every statement locks the
match before a seat, and there are no deadlocks.
"""

from __future__ import annotations

from typing import Final

from services.movelog.postgres.proposal_queries import TODOS
from services.movelog.postgres.queries import (
    ALONE,
    EVENTS_OF_CREATION_AND_JOINING,
    GOOD,
    INSERT_MATCH,
    MATCH_COLUMNS,
)
from services.movelog.records import SeatRecord

SEAT_COLUMNS: Final = ", ".join(f"seats.{field}" for field in SeatRecord.__struct_fields__)
"""Columns named like the fields of `records.SeatRecord`, in its order; `rows.seat_from` reads them."""

SEATING: Final = f"""
SELECT matches.watch_generation, matches.revocations, matches.title, matches.visibility, matches.seats, {SEAT_COLUMNS},
       CASE WHEN row_number() OVER (ORDER BY seats.seat) = 1 THEN {TODOS} END AS todos
FROM matches LEFT JOIN seats ON seats.match_id = matches.id
WHERE matches.id = $1::uuid
ORDER BY seats.seat
"""  # noqa: S608 - only column names of ours

_TAKE: Final = """
state = 'taken', claimed_at = now(), joined_by = $4::text, ready = false,
        player = CASE WHEN $2::text = '' THEN player ELSE $2::text END,
        name = CASE WHEN $3::text = '' THEN name ELSE $3::text END
"""
_AS_BEFORE: Final = """
        account = CASE WHEN $11::text = '' THEN account ELSE $11::text END
"""
"""For the player of the match before, who may have given this seat up since."""
NOTE: Final = """
noted AS (
    INSERT INTO seat_requests (tenant, request_id, mark, match_id, seat)
    SELECT $5::text, $6::text,
           $7::bytea || CASE WHEN generation = 0 THEN ''::bytea ELSE int4send(generation) END,
           match_id, seat
    FROM claimed WHERE $6::text IS NOT NULL
)
"""
"""A request id that was used before makes the whole statement fail.

The seat's generation is appended to the mark, except the first generation, which nearly all seats have. The previous
release wrote and compares marks alone: it takes a mark with a later generation for another request, and refuses it.
"""

_JOINED: Final = """
outbox AS (
    INSERT INTO events (tenant, match_id, recorded_at, type, seat, player)
    SELECT matches.tenant, claimed.match_id, now(), 'seat.joined', claimed.seat, claimed.player
    FROM claimed JOIN matches ON matches.id = claimed.match_id
    JOIN recorded_events AS wanted ON wanted.tenant = matches.tenant
    WHERE 'seat.joined' = ANY (wanted.types)
)
"""

CLAIM_SEAT: Final = f"""
WITH lobby AS (
    SELECT id FROM matches WHERE id = $1::uuid AND version = 0 FOR KEY SHARE
), claimed AS (
    UPDATE seats SET {_TAKE}, data = coalesce(nullif($10::bytea, ''), data), {_AS_BEFORE}
    FROM lobby
    WHERE seats.match_id = lobby.id AND seats.seat = $8::int4
      AND CASE WHEN $9::int4 IS NOT NULL THEN state = 'invited' AND invite_generation = $9::int4
               ELSE state = 'open'
                    OR (state = 'reserved' AND ($4::text = 'rematch' OR (player <> '' AND player = $2::text)))
               END
    RETURNING seats.match_id, {SEAT_COLUMNS}
), {NOTE}, {_JOINED}
SELECT {SEAT_COLUMNS} FROM claimed AS seats
"""  # noqa: S608 - only constants of ours

CLAIM_LOWEST: Final = f"""
WITH lobby AS (
    SELECT id FROM matches WHERE id = $1::uuid AND version = 0 FOR KEY SHARE
), free AS (
    SELECT seats.match_id, seats.seat FROM lobby JOIN seats ON seats.match_id = lobby.id
    WHERE seats.state = 'open'
    ORDER BY seats.seat LIMIT 1
    FOR UPDATE OF seats SKIP LOCKED
), claimed AS (
    UPDATE seats SET {_TAKE}, data = coalesce(nullif($8::bytea, ''), data)
    FROM free
    WHERE seats.match_id = free.match_id AND seats.seat = free.seat
    RETURNING seats.match_id, {SEAT_COLUMNS}
), {NOTE}, {_JOINED}
SELECT {SEAT_COLUMNS} FROM claimed AS seats
"""  # noqa: S608 - only constants of ours

QUICK_JOIN: Final = f"""
WITH free AS (
    SELECT seats.match_id, seats.seat
    FROM matches JOIN seats ON seats.match_id = matches.id
    WHERE matches.tenant = $1::text AND matches.game = $8::text
      AND matches.status = 'waiting' AND matches.visibility = 'public'
      AND matches.version = 0 AND matches.rules_version = ANY ($9::text[])
      AND ($10::int4 IS NULL OR matches.seats = $10::int4)
      AND ($11::bytea IS NULL OR matches.options = $11::bytea)
      AND seats.state = 'open'
      AND NOT EXISTS (
          SELECT FROM seats AS own
          WHERE own.match_id = matches.id AND own.player = $2::text AND $2::text <> ''
      )
    ORDER BY matches.id, seats.seat LIMIT 1
    FOR UPDATE OF seats SKIP LOCKED
    FOR KEY SHARE OF matches SKIP LOCKED
), claimed AS (
    UPDATE seats SET {_TAKE}
    FROM free
    WHERE seats.match_id = free.match_id AND seats.seat = free.seat
    RETURNING seats.match_id, {SEAT_COLUMNS}
), {NOTE}, {_JOINED}
SELECT seats.match_id, {SEAT_COLUMNS} FROM claimed AS seats
"""  # noqa: S608 - only constants of ours
"""The oldest match that fits; ids are in order of creation."""

ONE_OF_A_PLAYER: Final = "SELECT pg_advisory_xact_lock(hashtextextended($1::text || ' ' || $2::text, 1))"
"""Lock that a tenant's player takes seats under, one after another: each request sees the seat that the previous one took.

This is a separate statement, because a statement sees the data as it was when the statement began. Locked before
ONE_MAKER, never after.
"""

SEAT_OF: Final = """
SELECT seat FROM seats WHERE match_id = $1::uuid AND player = $2::text AND state = 'taken' ORDER BY seat LIMIT 1
"""

WAITING_SEATS: Final = """
SELECT count(*)::int AS waiting FROM (
    SELECT FROM seats JOIN matches ON matches.id = seats.match_id
    WHERE seats.tenant = $1::text AND seats.player = $2::text AND seats.player <> '' AND seats.match_open
      AND seats.state = 'taken' AND matches.version = 0
    LIMIT $3::int4
) AS waiting
"""
"""In how many matches that have not begun a player sits. It reads the index of a player's open matches."""

ONE_MAKER: Final = "SELECT pg_advisory_xact_lock(hashtextextended($1::text || ' ' || $2::text, 0))"
"""Lock that lets one player of a tenant's game at a time create a match if none fits, so that the next player finds it."""

REQUESTED: Final = """
SELECT match_id, seat, mark FROM seat_requests WHERE tenant = $1::text AND request_id = $2::text
"""
"""`rows.seat_given_from` converts its row."""

CREATE_FOR: Final = f"""
WITH {INSERT_MATCH}, {EVENTS_OF_CREATION_AND_JOINING}, noted AS (
    INSERT INTO seat_requests (tenant, request_id, mark, match_id, seat)
    SELECT $38::text, $39::text, $40::bytea, created.id, $41::int2 FROM created WHERE $39::text IS NOT NULL
)
SELECT id FROM created
"""  # noqa: S608 - only constants of ours

LEAVE: Final = f"""
WITH lobby AS (
    SELECT id, tenant FROM matches WHERE id = $1::uuid AND version = 0 FOR UPDATE
), held AS (
    SELECT seats.match_id, seats.seat, seats.state, seats.player, lobby.tenant
    FROM lobby JOIN seats ON seats.match_id = lobby.id AND seats.seat = $2::int4
    FOR UPDATE OF seats
), freed AS (
    UPDATE seats
    SET state = CASE WHEN seats.state = 'taken' AND joined_by = 'invite' THEN 'invited' ELSE 'open' END,
        player = CASE WHEN seats.state = 'taken' AND joined_by = 'invite' THEN seats.player ELSE '' END,
        name = CASE WHEN seats.state = 'taken' AND joined_by = 'invite' THEN name ELSE '' END,
        generation = generation + 1, invite_generation = invite_generation + 1, bot = '', data = '',
        account = '', ready = false
    FROM held
    WHERE seats.match_id = held.match_id AND seats.seat = held.seat AND seats.state <> 'open'
      AND ($3::int4 IS NULL OR (seats.state = 'taken' AND generation = $3::int4))
    RETURNING {SEAT_COLUMNS}, held.match_id, held.tenant, held.state AS was, held.player AS left_by
), counted AS (
    UPDATE matches SET revocations = revocations + 1 FROM freed WHERE matches.id = freed.match_id
), outbox AS (
    INSERT INTO events (tenant, match_id, recorded_at, type, seat, player)
    SELECT freed.tenant, freed.match_id, now(), 'seat.left', freed.seat, freed.left_by
    FROM freed JOIN recorded_events AS wanted ON wanted.tenant = freed.tenant
    WHERE freed.was = 'taken' AND 'seat.left' = ANY (wanted.types)
)
SELECT {SEAT_COLUMNS} FROM freed AS seats
"""  # noqa: S608 - only constants of ours

INVITE: Final = f"""
WITH lobby AS (
    SELECT id FROM matches WHERE id = $1::uuid AND version = 0 FOR KEY SHARE
), invited AS (
    UPDATE seats
    SET state = 'invited', invite_generation = invite_generation + 1, account = '',
        player = CASE WHEN $3::text = '' THEN player ELSE $3::text END,
        name = CASE WHEN $4::text = '' THEN name ELSE $4::text END
    FROM lobby
    WHERE seats.match_id = lobby.id AND seats.seat = $2::int4 AND state <> 'taken'
    RETURNING {SEAT_COLUMNS}
)
SELECT {SEAT_COLUMNS} FROM invited AS seats
"""  # noqa: S608 - only constants of ours

UPDATE_SEAT: Final = f"""
UPDATE seats
SET name = coalesce($4::text, name), data = coalesce($5::bytea, data), ready = coalesce($6::boolean, ready),
    renamed = renamed OR $4::text IS NOT NULL OR $5::bytea IS NOT NULL
WHERE match_id = $1::uuid AND seat = $2::int4 AND state = 'taken' AND ($3::int4 IS NULL OR generation = $3::int4)
  AND erased IS NULL
  AND ($6::boolean IS NULL OR EXISTS (SELECT FROM matches WHERE id = $1::uuid AND version = 0))
RETURNING {SEAT_COLUMNS}
"""  # noqa: S608 - only constants of ours
"""It locks no match: the player of the seat stays the same, whatever else happens at the match meanwhile. If that is the start,
a player may be ready just after it, which means nothing by then. If the player is erased, the seat has no name from then on: exports
commit to whom it had, and a name without an id is found by no later erasing.
"""
IS_ERASED: Final = """
SELECT FROM seats
WHERE match_id = $1::uuid AND seat = $2::int4 AND ($3::int4 IS NULL OR generation = $3::int4) AND erased IS NOT NULL
"""

REVOKE: Final = f"""
WITH counted AS (
    UPDATE matches SET revocations = revocations + 1 WHERE id = $1::uuid RETURNING id
)
UPDATE seats SET generation = generation + 1, invite_generation = invite_generation + 1
FROM counted
WHERE seats.match_id = counted.id AND seats.seat = $2::int4
RETURNING {SEAT_COLUMNS}
"""  # noqa: S608 - only constants of ours
"""Concurrent writes with a token of the match are committed before this, or not at all: see `queries.GOOD`."""

REVOKE_WATCHERS: Final = """
UPDATE matches SET watch_generation = watch_generation + 1, revocations = revocations + 1
WHERE id = $1::uuid
RETURNING watch_generation
"""

SEAT_BOT: Final = f"""
WITH lobby AS (
    SELECT id FROM matches WHERE id = $1::uuid AND status <> 'ended' FOR KEY SHARE
), handed AS (
    UPDATE seats
    SET bot = $3::text, state = 'taken',
        joined_by = CASE WHEN state = 'taken' THEN joined_by ELSE 'bot' END,
        player = CASE WHEN state = 'taken' THEN player ELSE '' END,
        name = CASE WHEN state = 'taken' THEN name ELSE '' END,
        data = CASE WHEN state = 'taken' THEN data ELSE '' END,
        account = CASE WHEN state = 'taken' THEN account ELSE '' END,
        ready = state = 'taken' AND ready,
        claimed_at = CASE WHEN state = 'taken' THEN claimed_at ELSE now() END,
        invite_generation = CASE WHEN state = 'taken' THEN invite_generation ELSE invite_generation + 1 END
    FROM lobby
    WHERE seats.match_id = lobby.id AND seats.seat = $2::int4
      AND CASE WHEN state = 'taken' THEN bot <> $3::text ELSE $3::text <> '' END
      AND ($4::int4 IS NULL OR (state = 'taken' AND generation = $4::int4))
    RETURNING {SEAT_COLUMNS}
)
SELECT {SEAT_COLUMNS} FROM handed AS seats
"""  # noqa: S608 - only constants of ours
"""No seat is free once the match has begun, so this takes a free one only before."""

SEAT_ROWS: Final = """
INSERT INTO seats (match_id, seat, tenant, state)
SELECT matches.id, free.seat, matches.tenant, 'open'
FROM matches, generate_series(0, matches.seats - 1) AS free (seat)
WHERE matches.id = $1::uuid AND matches.version = 0
ON CONFLICT DO NOTHING
RETURNING seat
"""
"""For a match of the previous release, which wrote rows for taken seats only."""

HOLD: Final = "SELECT FROM matches WHERE id = $1::uuid FOR UPDATE"

START: Final = f"""
WITH advanced AS (
    UPDATE matches
    SET version = $2::int4, updated_at = $3::timestamptz, status = $10::text,
        seats_to_act = $11::int2[], outcome = $12::bytea,
        seats = $15::int2, seats_left_out = seats - $15::int2
    WHERE id = $1::uuid AND version = $2::int4 - 1 {GOOD.format(revocations="$13::int4")}
      AND $15::int2 = (SELECT count(*) FROM seats WHERE match_id = $1::uuid AND state = 'taken')
      AND $15::int2 > (SELECT max(seat) FROM seats WHERE match_id = $1::uuid AND state = 'taken')
    RETURNING id, tenant
){ALONE}, dropped AS (
    DELETE FROM seats USING advanced WHERE seats.match_id = advanced.id AND seats.seat >= $15::int2
), ended AS (
    UPDATE seats SET match_open = false FROM advanced
    WHERE seats.match_id = advanced.id AND seats.seat < $15::int2 AND $10::text = 'ended'
)
INSERT INTO moves (match_id, seq, recorded_at, seat, request_id, previous_hash, hash, request, events)
SELECT id, $2::int4, $3::timestamptz, $4::int2, $5::text, $6::bytea, $7::bytea, $8::bytea, $9::bytea
FROM advanced
RETURNING match_id
"""  # noqa: S608 - only constants of ours
"""The first move. It follows HOLD as a separate statement, and so sees players who have left meanwhile."""

REMATCH_OF: Final = f"SELECT {MATCH_COLUMNS} FROM matches WHERE rematch_of = $1::uuid"  # noqa: S608 - only column names of ours
