"""The SQL of the log, named. Every statement is about one match, or about a batch of matches given by id.

Parameters are cast where they stand, so that a statement has one plan whatever Python sends.
"""

from __future__ import annotations

from typing import Final

MATCH_COLUMNS: Final = (
    "id, tenant, game, rules_version, seats, options, secret, commitment, created_at, request_id, "
    "status, version, seats_to_act, outcome, updated_at, visibility, start, title, rematch_of, watch_generation, "
    "seats_left_out, undo_rule, undo_seconds, forked_from, clock"
)
"""In the order of `rows.match_from`."""

MOVE_COLUMNS: Final = "match_id, seq, seat, request_id, request, events, previous_hash, hash, recorded_at"
"""In the order of `records.Move`."""

CLOSED: Final = """, closed AS (
    UPDATE seats SET match_open = false FROM advanced
    WHERE seats.match_id = advanced.{match_id} AND {status} = 'ended'
)
"""
"""With a move that ends its match, its seats leave the list of those in play. Other moves do without this step."""

_TOLD: Final = """, told AS (
    INSERT INTO events (tenant, match_id, version, recorded_at, to_act, outcome, type, seat)
    SELECT advanced.tenant, advanced.id, {seq}, {recorded_at}, {to_act}::int2[],
           CASE WHEN kind = 'match.ended' THEN {outcome} END,
           split_part(kind, '/', 1), nullif(split_part(kind, '/', 2), '')::int2
    FROM advanced
    JOIN recorded_events AS wanted ON wanted.tenant = advanced.tenant
    CROSS JOIN unnest({kinds}::text[]) AS kind
    WHERE split_part(kind, '/', 1) = ANY (wanted.types)
)
"""
"""The events of a move, `kind/seat` each (events.py), of the types its tenant wants to be told."""

_UNTOLD: Final = (
    "AND (SELECT true FROM recorded_events AS wanted WHERE wanted.tenant = matches.tenant) IS NULL"
)
"""The tenant wants to be told nothing; most are like that. The statement without events is a fifth cheaper for the server,
and this look into an index of a small table keeps it honest: where the tenant does want to be told, nothing is written,
and the writer takes the statement with events. So nobody has to know beforehand, and nothing can be missed."""

FOLLOWS: Final = """AND ({seq} = 1 OR (
        SELECT before.hash FROM moves AS before WHERE before.match_id = {match_id} AND before.seq = {seq} - 1
    ) = {previous_hash})"""
"""The row before is the one the move was decided on. Its number alone does not say so: a log that went back (a backup, a replica
that had not everything) may have got another row of that number meanwhile, and a move judged on the lost one would break
the chain. A scalar question, so that no plan ever reads more than the one row."""

_FOLLOWS_ALONE: Final = FOLLOWS.format(match_id="$1::uuid", seq="$2::int4", previous_hash="$6::bytea")
FOLLOWS_TOGETHER: Final = FOLLOWS.format(
    match_id="move.match_id", seq="move.seq", previous_hash="move.previous_hash"
)

_APPEND: Final = """
WITH advanced AS (
    UPDATE matches
    SET version = $2::int4, updated_at = $3::timestamptz, status = $10::text,
        seats_to_act = $11::text::int2[], outcome = $12::bytea
    WHERE id = $1::uuid AND version = $2::int4 - 1 {follows} {only}
    RETURNING id{tenant}
){told}{closed}
INSERT INTO moves (match_id, seq, recorded_at, seat, request_id, previous_hash, hash, request, events)
SELECT id, $2::int4, $3::timestamptz, $4::int2, $5::text, $6::bytea, $7::bytea, $8::bytea, $9::bytea
FROM advanced
RETURNING match_id
"""
ALONE: Final = _TOLD.format(
    seq="$2::int4",
    recorded_at="$3::timestamptz",
    to_act="$11::text",
    outcome="$12::bytea",
    kinds="$13::text",
)
APPEND: Final = _APPEND.format(follows=_FOLLOWS_ALONE, only=_UNTOLD, tenant="", told="", closed="")
"""One move, one round trip: a row back means written, none means not at the expected version, or to be told."""
APPEND_LAST: Final = _APPEND.format(
    follows=_FOLLOWS_ALONE,
    only=_UNTOLD,
    tenant="",
    told="",
    closed=CLOSED.format(match_id="id", status="$10::text"),
)
"""The same for a move that ends its match."""

_APPEND_BATCH: Final = """
WITH advanced AS (
    UPDATE matches
    SET version = move.seq, updated_at = move.recorded_at, status = move.status,
        seats_to_act = move.seats_to_act::int2[], outcome = move.outcome
    FROM unnest(
        $1::uuid[], $2::int4[], $3::timestamptz[], $4::int2[], $5::text[],
        $6::bytea[], $7::bytea[], $8::bytea[], $9::bytea[], $10::text[], $11::text[], $12::bytea[]{kinds}
    ) AS move (match_id, seq, recorded_at, seat, request_id,
               previous_hash, hash, request, events, status, seats_to_act, outcome{and_kinds})
    WHERE matches.id = move.match_id AND matches.version = move.seq - 1 {follows} {only}
    RETURNING move.*{tenant}
){told}{closed}
INSERT INTO moves (match_id, seq, recorded_at, seat, request_id, previous_hash, hash, request, events)
SELECT match_id, seq, recorded_at, seat, request_id, previous_hash, hash, request, events
FROM advanced
RETURNING match_id
"""
TOLD_BATCH: Final = _TOLD.format(
    seq="advanced.seq",
    recorded_at="advanced.recorded_at",
    to_act="advanced.seats_to_act",
    outcome="advanced.outcome",
    kinds="advanced.kinds",
)
_UNTOLD_TOGETHER: Final = {
    "follows": FOLLOWS_TOGETHER,
    "only": _UNTOLD,
    "tenant": "",
    "told": "",
    "kinds": "",
    "and_kinds": "",
}
_TOLD_TOGETHER: Final = {
    "follows": FOLLOWS_TOGETHER,
    "only": "",
    "tenant": ", matches.id, matches.tenant",
    "told": TOLD_BATCH,
    "kinds": ", $13::text[]",
    "and_kinds": ", kinds",
}
APPEND_BATCH: Final = _APPEND_BATCH.format(closed="", **_UNTOLD_TOGETHER)
"""The same for moves of different matches: the rows that come back are those that were written.

The moves are given in the order of their match ids, and the writers' session (`writer.WRITER_SESSION`) leaves
nested loops over the primary key as the only plan. Either way round that plan locks matches in the order of
their ids, so batches of several processes wait for each other but never in a circle. Locking in a step of its
own (FOR UPDATE, sorted) was measured too: 8 % slower for 16 moves, 20 % for 64. Should another engine plan it
differently, a deadlock is found by the server and the batch is repeated move by move.
"""
_CLOSED_TOGETHER: Final = CLOSED.format(match_id="match_id", status="advanced.status")
APPEND_BATCH_WITH_LAST: Final = _APPEND_BATCH.format(closed=_CLOSED_TOGETHER, **_UNTOLD_TOGETHER)
"""The same where at least one of the moves ends its match."""

TELL: Final = _APPEND.format(follows=_FOLLOWS_ALONE, only="", tenant=", tenant", told=ALONE, closed="")
TELL_LAST: Final = _APPEND.format(
    follows=_FOLLOWS_ALONE,
    only="",
    tenant=", tenant",
    told=ALONE,
    closed=CLOSED.format(match_id="id", status="$10::text"),
)
TELL_BATCH: Final = _APPEND_BATCH.format(closed="", **_TOLD_TOGETHER)
TELL_BATCH_WITH_LAST: Final = _APPEND_BATCH.format(closed=_CLOSED_TOGETHER, **_TOLD_TOGETHER)
"""The same four, with events for tenants that want to be told."""

WHY_NOT: Final = """
SELECT EXISTS (SELECT FROM matches WHERE id = $1::uuid),
       EXISTS (SELECT FROM moves WHERE match_id = $1::uuid AND request_id = $2::text)
"""

INSERT_MATCH: Final = """
created AS (
    INSERT INTO matches (id, tenant, game, rules_version, seats, options, secret, commitment, created_at,
                         request_id, status, version, seats_to_act, outcome, updated_at,
                         visibility, start, title, rematch_of, watch_generation, undo_rule, undo_seconds,
                         forked_from, clock)
    VALUES ($1::uuid, $2::text, $3::text, $4::text, $5::int2, $6::bytea, $7::bytea, $8::bytea, $9::timestamptz,
            $10::text, $11::text, $12::int4, $13::int2[], $14::bytea, $15::timestamptz,
            $16::text, $17::text, $18::text, $19::uuid, $20::int4, $21::text, $22::int4, $23::bytea,
            $24::text::jsonb)
    ON CONFLICT DO NOTHING
    RETURNING id, tenant
), seated AS (
    INSERT INTO seats (match_id, tenant, seat, state, player, name, generation, joined_by, bot, data, match_open)
    SELECT created.id, created.tenant, row.seat, row.state, row.player, row.name, row.generation, row.joined_by, row.bot,
           row.data, $11::text <> 'ended'
    FROM created, unnest($25::int2[], $26::text[], $27::text[], $28::text[], $29::int4[], $30::text[], $31::text[],
                         $32::bytea[])
        AS row (seat, state, player, name, generation, joined_by, bot, data)
)"""
_TOLD_CREATED: Final = """
told AS (
    INSERT INTO events (tenant, match_id, recorded_at, type, seat, player)
    SELECT created.tenant, created.id, $9::timestamptz, kind.type, kind.seat, kind.player
    FROM created
    JOIN recorded_events AS wanted ON wanted.tenant = created.tenant
    CROSS JOIN (VALUES ('match.created', NULL::int2, ''){joined}) AS kind (type, seat, player)
    WHERE kind.type = ANY (wanted.types)
)"""
TOLD_CREATED: Final = _TOLD_CREATED.format(joined="")
"""With a new match, but not with one that is imported: that has happened long ago, and elsewhere."""
TOLD_CREATED_AND_JOINED: Final = _TOLD_CREATED.format(
    joined=", ('seat.joined', $36::int2, ($27::text[])[$36::int2 + 1])"
)
"""With a match that is made for somebody who joins it; $36 is the seat."""
CREATE: Final = f"WITH {INSERT_MATCH}, {TOLD_CREATED} SELECT id FROM created"  # noqa: S608 - our own words

TAKE_IN: Final = f"""
WITH {INSERT_MATCH}, stored AS (
    INSERT INTO moves (match_id, seq, recorded_at, seat, request_id, previous_hash, hash, request, events)
    SELECT created.id, row.*
    FROM created, unnest($33::int4[], $34::timestamptz[], $35::int2[], $36::text[],
                        $37::bytea[], $38::bytea[], $39::bytea[], $40::bytea[]) AS row
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
