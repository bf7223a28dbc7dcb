"""The SQL of the log, named. Every statement is about one match, or about a batch of matches given by id.

Parameters are cast where they stand, so that a statement has one plan whatever Python sends.
"""

from __future__ import annotations

from typing import Final

MATCH_COLUMNS: Final = (
    "id, tenant, game, rules_version, seats, options, secret, commitment, created_at, request_id, "
    "status, version, seats_to_act, outcome, updated_at"
)
"""In the order of `rows.match_from`."""

MOVE_COLUMNS: Final = "match_id, seq, seat, request_id, request, events, previous_hash, hash, recorded_at"
"""In the order of `records.Move`."""

APPEND: Final = """
WITH advanced AS (
    UPDATE matches
    SET version = $2::int4, updated_at = $3::timestamptz, status = $10::text,
        seats_to_act = $11::text::int2[], outcome = $12::bytea
    WHERE id = $1::uuid AND version = $2::int4 - 1
    RETURNING id
)
INSERT INTO moves (match_id, seq, recorded_at, seat, request_id, previous_hash, hash, request, events)
SELECT id, $2::int4, $3::timestamptz, $4::int2, $5::text, $6::bytea, $7::bytea, $8::bytea, $9::bytea
FROM advanced
RETURNING match_id
"""
"""One move, one round trip: a row back means written, none means not at the expected version."""

APPEND_BATCH: Final = """
WITH advanced AS (
    UPDATE matches
    SET version = move.seq, updated_at = move.recorded_at, status = move.status,
        seats_to_act = move.seats_to_act::int2[], outcome = move.outcome
    FROM unnest(
        $1::uuid[], $2::int4[], $3::timestamptz[], $4::int2[], $5::text[],
        $6::bytea[], $7::bytea[], $8::bytea[], $9::bytea[], $10::text[], $11::text[], $12::bytea[]
    ) AS move (match_id, seq, recorded_at, seat, request_id,
               previous_hash, hash, request, events, status, seats_to_act, outcome)
    WHERE matches.id = move.match_id AND matches.version = move.seq - 1
    RETURNING move.*
)
INSERT INTO moves (match_id, seq, recorded_at, seat, request_id, previous_hash, hash, request, events)
SELECT match_id, seq, recorded_at, seat, request_id, previous_hash, hash, request, events
FROM advanced
RETURNING match_id
"""
"""The same for moves of different matches: the rows that come back are those that were written.

The moves are given in the order of their match ids, and the writers' session (`writer.WRITER_SESSION`) leaves
nested loops over the primary key as the only plan. Either way round that plan locks matches in the order of
their ids, so batches of several processes wait for each other but never in a circle. Locking in a step of its
own (FOR UPDATE, sorted) was measured too: 8 % slower for 16 moves, 20 % for 64. Should another engine plan it
differently, a deadlock is found by the server and the batch is repeated move by move.
"""

WHY_NOT: Final = """
SELECT EXISTS (SELECT FROM matches WHERE id = $1::uuid),
       EXISTS (SELECT FROM moves WHERE match_id = $1::uuid AND request_id = $2::text)
"""

CREATE: Final = """
WITH created AS (
    INSERT INTO matches (id, tenant, game, rules_version, seats, options, secret, commitment, created_at,
                         request_id, status, version, seats_to_act, outcome, updated_at)
    VALUES ($1::uuid, $2::text, $3::text, $4::text, $5::int2, $6::bytea, $7::bytea, $8::bytea, $9::timestamptz,
            $10::text, $11::text, $12::int4, $13::int2[], $14::bytea, $15::timestamptz)
    ON CONFLICT DO NOTHING
    RETURNING id
), seated AS (
    INSERT INTO seats (match_id, seat, player, generation)
    SELECT created.id, claim.seat, claim.player, claim.generation
    FROM created, unnest($16::int2[], $17::text[], $18::int4[]) AS claim (seat, player, generation)
)
SELECT id FROM created
"""

FIND: Final = f"SELECT {MATCH_COLUMNS} FROM matches WHERE id = $1::uuid"  # noqa: S608 - our own column names

FIND_REQUESTED: Final = f"""
SELECT {MATCH_COLUMNS} FROM matches WHERE tenant = $1::text AND request_id = $2::text
"""  # noqa: S608 - our own column names

READ: Final = f"""
SELECT {MOVE_COLUMNS} FROM moves
WHERE match_id = $1::uuid AND seq > $2::int8
ORDER BY seq
LIMIT $3::int8
"""  # noqa: S608 - our own column names

CLAIMS: Final = "SELECT seat, player, generation FROM seats WHERE match_id = $1::uuid ORDER BY seat"

CLAIM_SEAT: Final = """
INSERT INTO seats (match_id, seat, player)
SELECT id, $2::int4, $3::text FROM matches WHERE id = $1::uuid AND $2::int4 BETWEEN 0 AND seats - 1
ON CONFLICT DO NOTHING
RETURNING seat, player, generation
"""

SEAT_HOLDER: Final = """
SELECT matches.seats, seats.seat, seats.player, seats.generation
FROM matches LEFT JOIN seats ON seats.match_id = matches.id AND seats.seat = $2::int4
WHERE matches.id = $1::uuid
"""

SEATS_LEFT: Final = """
SELECT matches.seats - (SELECT count(*) FROM seats WHERE seats.match_id = matches.id)
FROM matches WHERE id = $1::uuid
"""

CLAIM_LOWEST: Final = """
INSERT INTO seats (match_id, seat, player)
SELECT id, free.seat, $2::text
FROM matches, generate_series(0, matches.seats - 1) AS free (seat)
WHERE id = $1::uuid AND NOT EXISTS (SELECT FROM seats WHERE seats.match_id = id AND seats.seat = free.seat)
ORDER BY free.seat
LIMIT 1
ON CONFLICT DO NOTHING
RETURNING seat, player, generation
"""

NOTIFY: Final = "SELECT pg_notify($1::text, payload) FROM unnest($2::text[]) AS payload"
