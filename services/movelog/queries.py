"""The SQL of the log, named. Every statement is about one match, or about a batch of matches given by id.

Parameters are cast where they stand, so that a statement has one plan whatever Python sends.
"""

from __future__ import annotations

from typing import Final

MATCH_COLUMNS: Final = (
    "id, tenant, game, rules_version, seats, options, secret, commitment, created_at, request_id, "
    "status, version, seats_to_act, outcome, updated_at, visibility, start, title, rematch_of, watch_generation, "
    "seats_left_out, undo_rule, undo_seconds, forked_from"
)
"""In the order of `rows.match_from`."""

MOVE_COLUMNS: Final = "match_id, seq, seat, request_id, request, events, previous_hash, hash, recorded_at"
"""In the order of `records.Move`."""

_CLOSED: Final = """, closed AS (
    UPDATE seats SET match_open = false FROM advanced
    WHERE seats.match_id = advanced.{match_id} AND {status} = 'ended'
)
"""
"""With a move that ends its match, its seats leave the list of those in play. Other moves do without this step."""

_APPEND: Final = """
WITH advanced AS (
    UPDATE matches
    SET version = $2::int4, updated_at = $3::timestamptz, status = $10::text,
        seats_to_act = $11::text::int2[], outcome = $12::bytea
    WHERE id = $1::uuid AND version = $2::int4 - 1
    RETURNING id
){closed}
INSERT INTO moves (match_id, seq, recorded_at, seat, request_id, previous_hash, hash, request, events)
SELECT id, $2::int4, $3::timestamptz, $4::int2, $5::text, $6::bytea, $7::bytea, $8::bytea, $9::bytea
FROM advanced
RETURNING match_id
"""
APPEND: Final = _APPEND.format(closed="")
"""One move, one round trip: a row back means written, none means not at the expected version."""
APPEND_LAST: Final = _APPEND.format(closed=_CLOSED.format(match_id="id", status="$10::text"))
"""The same for a move that ends its match."""

_APPEND_BATCH: Final = """
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
){closed}
INSERT INTO moves (match_id, seq, recorded_at, seat, request_id, previous_hash, hash, request, events)
SELECT match_id, seq, recorded_at, seat, request_id, previous_hash, hash, request, events
FROM advanced
RETURNING match_id
"""
APPEND_BATCH: Final = _APPEND_BATCH.format(closed="")
"""The same for moves of different matches: the rows that come back are those that were written.

The moves are given in the order of their match ids, and the writers' session (`writer.WRITER_SESSION`) leaves
nested loops over the primary key as the only plan. Either way round that plan locks matches in the order of
their ids, so batches of several processes wait for each other but never in a circle. Locking in a step of its
own (FOR UPDATE, sorted) was measured too: 8 % slower for 16 moves, 20 % for 64. Should another engine plan it
differently, a deadlock is found by the server and the batch is repeated move by move.
"""
APPEND_BATCH_WITH_LAST: Final = _APPEND_BATCH.format(
    closed=_CLOSED.format(match_id="match_id", status="advanced.status")
)
"""The same where at least one of the moves ends its match."""

WHY_NOT: Final = """
SELECT EXISTS (SELECT FROM matches WHERE id = $1::uuid),
       EXISTS (SELECT FROM moves WHERE match_id = $1::uuid AND request_id = $2::text)
"""

INSERT_MATCH: Final = """
created AS (
    INSERT INTO matches (id, tenant, game, rules_version, seats, options, secret, commitment, created_at,
                         request_id, status, version, seats_to_act, outcome, updated_at,
                         visibility, start, title, rematch_of, watch_generation, undo_rule, undo_seconds,
                         forked_from)
    VALUES ($1::uuid, $2::text, $3::text, $4::text, $5::int2, $6::bytea, $7::bytea, $8::bytea, $9::timestamptz,
            $10::text, $11::text, $12::int4, $13::int2[], $14::bytea, $15::timestamptz,
            $16::text, $17::text, $18::text, $19::uuid, $20::int4, $21::text, $22::int4, $23::bytea)
    ON CONFLICT DO NOTHING
    RETURNING id, tenant
), seated AS (
    INSERT INTO seats (match_id, tenant, seat, state, player, name, generation, joined_by, match_open)
    SELECT created.id, created.tenant, row.seat, row.state, row.player, row.name, row.generation, row.joined_by,
           $11::text <> 'ended'
    FROM created, unnest($24::int2[], $25::text[], $26::text[], $27::text[], $28::int4[], $29::text[])
        AS row (seat, state, player, name, generation, joined_by)
)"""
CREATE: Final = f"WITH {INSERT_MATCH} SELECT id FROM created"  # noqa: S608 - our own words

TAKE_IN: Final = f"""
WITH {INSERT_MATCH}, stored AS (
    INSERT INTO moves (match_id, seq, recorded_at, seat, request_id, previous_hash, hash, request, events)
    SELECT created.id, row.*
    FROM created, unnest($30::int4[], $31::timestamptz[], $32::int2[], $33::text[],
                        $34::bytea[], $35::bytea[], $36::bytea[], $37::bytea[]) AS row
)
SELECT id FROM created
"""  # noqa: S608 - our own words
"""A whole match that has ended, or nothing where its id is taken."""

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

PROGRESS: Final = """
SELECT id, version, watch_generation + (
    SELECT coalesce(sum(seats.generation), 0)::int4 FROM seats WHERE seats.match_id = matches.id
)
FROM matches WHERE id = ANY ($1::uuid[])
"""

NOTIFY: Final = "SELECT pg_notify($1::text, payload) FROM unnest($2::text[]) AS payload"
