"""The SQL of the log, named. Every statement is about one match, or about a batch of matches given by id.

Parameters are cast in place, so that a statement has one plan whatever Python sends.
"""

from __future__ import annotations

from typing import Final

from engine.kernel.codec import encode
from engine.match.aborting import ABORTED
from services.movelog.postgres.note_queries import NOTED
from services.movelog.postgres.proposal_queries import CONSENT, PAUSED

MATCH_COLUMNS: Final = (
    "id, tenant, game, rules_version, seats, options, secret, commitment, created_at, request_id, "
    "status, version, seats_to_act AS to_act, outcome, updated_at, visibility, start, title, rematch_of, "
    "watch_generation, seats_left_out, undo_rule AS undo, undo_seconds AS undo_timeout, forked_from, clock, original_id, "
    "bot_pace_ms AS bot_pace, paused_by"
)
"""Columns named like the fields of `records.Match`; `rows.match_from` reads them."""

NOT_ABORTED: Final = (
    f"coalesce(position('{encode({'reason': ABORTED.reason})[:-1].decode()}'::bytea IN outcome), 0) <> 1"
)
"""The condition that a match was not called off: an outcome is canonical JSON, and its reason comes first."""

MOVE_COLUMNS: Final = "match_id, seq, seat, request_id, request, events, previous_hash, hash, recorded_at"
"""In the order of `rows.move_from`."""

CLOSED: Final = """, closed AS (
    UPDATE seats SET match_open = false FROM advanced
    WHERE seats.match_id = advanced.{match_id} AND {status} = 'ended'
)
"""
"""A move that ends its match marks its seats as no longer in play. Other moves omit this step."""

_EVENTS: Final = """, outbox AS (
    INSERT INTO events (tenant, match_id, version, recorded_at, to_act, outcome, type, seat, proposal)
    SELECT advanced.tenant, advanced.id, {seq}, {recorded_at}, {to_act}::int2[],
           CASE WHEN kind = 'match.ended' THEN {outcome} END,
           split_part(kind, '/', 1), nullif(split_part(kind, '/', 2), '')::int2, split_part(kind, '/', 3)
    FROM advanced
    JOIN recorded_events AS wanted ON wanted.tenant = advanced.tenant
    CROSS JOIN unnest({kinds}::text[]) AS kind
    WHERE split_part(kind, '/', 1) = ANY (wanted.types)
)
"""
"""The events of a move, `kind/seat` each (events.py), of the types that its tenant wants."""

_NO_EVENTS_WANTED: Final = (
    "AND (SELECT true FROM recorded_events AS wanted WHERE wanted.tenant = matches.tenant) IS NULL"
)
"""The condition that the tenant wants no events, as most do. The statement without events costs the database a fifth less,
and this lookup in the index of a small table keeps it correct: if the tenant does want events, nothing is written,
and the writer uses the statement with events. So no process needs to know beforehand, and no event is missed."""

FOLLOWS: Final = """AND ({seq} = 1 OR (
        SELECT before.hash FROM moves AS before WHERE before.match_id = {match_id} AND before.seq = {seq} - 1
    ) = {previous_hash})"""
"""The condition that the previous row is the one the move was decided on. Its number alone does not prove that: a log that
lost rows (a restored backup, an incomplete replica) may have another row with that number now, and a move judged on the
lost one would break the chain. This is a scalar subquery, so that no plan reads more than one row."""

GOOD: Final = "AND matches.revocations = coalesce({revocations}, matches.revocations)"
"""The condition that no token of the match was revoked since the caller's was checked; null: the caller has no token.

The number is in the row that the move updates, and every revocation increments it there. So the two wait for each
other: either the move is durable before the revocation, or it finds the number changed and is not written. Reading
the seats themselves would not work: a statement sees other tables as they were when it began.
"""

_FOLLOWS_ALONE: Final = FOLLOWS.format(match_id="$1::uuid", seq="$2::int4", previous_hash="$6::bytea")
FOLLOWS_TOGETHER: Final = FOLLOWS.format(
    match_id="move.match_id", seq="move.seq", previous_hash="move.previous_hash"
)

_GOOD_ALONE: Final = GOOD.format(revocations="$13::int4")
GOOD_TOGETHER: Final = GOOD.format(revocations="move.revocations")

_APPEND: Final = """
WITH advanced AS (
    UPDATE matches
    SET version = $2::int4, updated_at = $3::timestamptz, status = $10::text,
        seats_to_act = $11::text::int2[], outcome = $12::bytea{paused}
    WHERE id = $1::uuid AND version = $2::int4 - 1 {follows} {good} {only}
    RETURNING id{tenant}
){events}{closed}
INSERT INTO moves (match_id, seq, recorded_at, seat, request_id, previous_hash, hash, request, events)
SELECT id, $2::int4, $3::timestamptz, $4::int2, $5::text, $6::bytea, $7::bytea, $8::bytea, $9::bytea
FROM advanced
RETURNING match_id
"""
ALONE: Final = _EVENTS.format(
    seq="$2::int4",
    recorded_at="$3::timestamptz",
    to_act="$11::text",
    outcome="$12::bytea",
    kinds="$14::text",
)
APPEND: Final = _APPEND.format(
    follows=_FOLLOWS_ALONE,
    good=_GOOD_ALONE,
    only=_NO_EVENTS_WANTED,
    tenant="",
    events="",
    closed="",
    paused="",
)
"""One move, one round trip. A returned row means written; none means another version, or a tenant that wants events."""
APPEND_LAST: Final = _APPEND.format(
    follows=_FOLLOWS_ALONE,
    good=_GOOD_ALONE,
    only=_NO_EVENTS_WANTED,
    tenant="",
    events="",
    closed=CLOSED.format(match_id="id", status="$10::text"),
    paused="",
)
"""The same for a move that ends its match."""

_APPEND_BATCH: Final = """
WITH advanced AS (
    UPDATE matches
    SET version = move.seq, updated_at = move.recorded_at, status = move.status,
        seats_to_act = move.seats_to_act::int2[], outcome = move.outcome
    FROM unnest(
        $1::uuid[], $2::int4[], $3::timestamptz[], $4::int2[], $5::text[],
        $6::bytea[], $7::bytea[], $8::bytea[], $9::bytea[], $10::text[], $11::text[], $12::bytea[], $13::int4[]{kinds}
    ) AS move (match_id, seq, recorded_at, seat, request_id,
               previous_hash, hash, request, events, status, seats_to_act, outcome, revocations{and_kinds})
    WHERE matches.id = move.match_id AND matches.version = move.seq - 1 {follows} {good} {only}
    RETURNING move.*{tenant}
){events}{closed}
INSERT INTO moves (match_id, seq, recorded_at, seat, request_id, previous_hash, hash, request, events)
SELECT match_id, seq, recorded_at, seat, request_id, previous_hash, hash, request, events
FROM advanced
RETURNING match_id
"""
EVENTS_OF_BATCH: Final = _EVENTS.format(
    seq="advanced.seq",
    recorded_at="advanced.recorded_at",
    to_act="advanced.seats_to_act",
    outcome="advanced.outcome",
    kinds="advanced.kinds",
)
_BATCH_WITHOUT_EVENTS: Final = {
    "follows": FOLLOWS_TOGETHER,
    "good": GOOD_TOGETHER,
    "only": _NO_EVENTS_WANTED,
    "tenant": "",
    "events": "",
    "kinds": "",
    "and_kinds": "",
}
_BATCH_WITH_EVENTS: Final = {
    "follows": FOLLOWS_TOGETHER,
    "good": GOOD_TOGETHER,
    "only": "",
    "tenant": ", matches.id, matches.tenant",
    "events": EVENTS_OF_BATCH,
    "kinds": ", $14::text[]",
    "and_kinds": ", kinds",
}
APPEND_BATCH: Final = _APPEND_BATCH.format(closed="", **_BATCH_WITHOUT_EVENTS)
"""The same for moves of different matches: the returned rows are those that were written.

The moves are given in the order of their match ids, and the writers' session (`writer.WRITER_SESSION`) leaves
nested loops over the primary key as the only plan. Either way round that plan locks matches in the order of
their ids, so batches of several processes wait for each other but never deadlock. Locking in a step of its
own (FOR UPDATE, sorted) was measured too: 8 % slower for 16 moves, 20 % for 64. Should another engine plan it
differently, a deadlock is found by the server and the batch is repeated move by move.
"""
_CLOSED_TOGETHER: Final = CLOSED.format(match_id="match_id", status="advanced.status")
APPEND_BATCH_WITH_LAST: Final = _APPEND_BATCH.format(closed=_CLOSED_TOGETHER, **_BATCH_WITHOUT_EVENTS)
"""The same if at least one of the moves ends its match."""

APPEND_WITH_EVENTS: Final = _APPEND.format(
    follows=_FOLLOWS_ALONE, good=_GOOD_ALONE, only="", tenant=", tenant", events=ALONE, closed="", paused=""
)
APPEND_LAST_WITH_EVENTS: Final = _APPEND.format(
    follows=_FOLLOWS_ALONE,
    good=_GOOD_ALONE,
    only="",
    tenant=", tenant",
    events=ALONE,
    closed=CLOSED.format(match_id="id", status="$10::text"),
    paused="",
)
APPEND_BATCH_WITH_EVENTS: Final = _APPEND_BATCH.format(closed="", **_BATCH_WITH_EVENTS)
APPEND_BATCH_WITH_LAST_AND_EVENTS: Final = _APPEND_BATCH.format(closed=_CLOSED_TOGETHER, **_BATCH_WITH_EVENTS)
"""The same four statements, with events for tenants that want them."""
APPEND_WITH_PROPOSAL: Final = _APPEND.format(
    follows=_FOLLOWS_ALONE,
    good=_GOOD_ALONE,
    only="",
    tenant=", tenant",
    events=ALONE,
    closed=CLOSED.format(match_id="id", status="$10::text")
    + CONSENT.format(change="$15", seq="$2::int4", recorded_at="$3::timestamptz", to_act="$11::text"),
    paused=PAUSED.format(change="$15"),
)
"""One move that makes, answers or closes a proposal, pauses its match or ends a pause. It writes the events that are wanted, and ends the match if need be."""

WHY_NOT: Final = f"""
SELECT EXISTS (SELECT FROM matches WHERE id = $1::uuid),
       EXISTS (SELECT FROM matches WHERE id = $1::uuid {GOOD.format(revocations="$3::int4")}),
       EXISTS (SELECT FROM moves WHERE match_id = $1::uuid AND request_id = $2::text)
"""  # noqa: S608 - only constants of ours

FOLLOWED: Final = "(SELECT followed.id FROM matches AS followed WHERE followed.id = {before} FOR KEY SHARE)"
"""The match that a new one follows; null if it was deleted meanwhile. Whoever deletes it waits for the new one, and takes it out."""

INSERT_MATCH: Final = f"""
created AS (
    INSERT INTO matches (id, tenant, game, rules_version, seats, options, secret, commitment, created_at,
                         request_id, status, version, seats_to_act, outcome, updated_at,
                         visibility, start, title, rematch_of, watch_generation, undo_rule, undo_seconds,
                         forked_from, clock, original_id, bot_pace_ms)
    VALUES ($1::uuid, $2::text, $3::text, $4::text, $5::int2, $6::bytea, $7::bytea, $8::bytea, $9::timestamptz,
            $10::text, $11::text, $12::int4, $13::int2[], $14::bytea, $15::timestamptz,
            $16::text, $17::text, $18::text, {FOLLOWED.format(before="$19::uuid")}, $20::int4, $21::text, $22::int4, $23::bytea,
            $24::text::jsonb, $25::uuid, $26::int4)
    ON CONFLICT DO NOTHING
    RETURNING id, tenant
), seated AS (
    INSERT INTO seats (match_id, tenant, seat, state, player, name, generation, joined_by, bot, data, account,
                       match_open)
    SELECT created.id, created.tenant, row.seat, row.state, row.player, row.name, row.generation, row.joined_by, row.bot,
           row.data, row.account, $11::text <> 'ended'
    FROM created, unnest($27::int2[], $28::text[], $29::text[], $30::text[], $31::int4[], $32::text[], $33::text[],
                         $34::bytea[], $35::text[])
        AS row (seat, state, player, name, generation, joined_by, bot, data, account)
), {NOTED.format(reference="$36", metadata="$37")}"""  # noqa: S608 - only constants of ours
_EVENTS_OF_CREATION: Final = """
outbox AS (
    INSERT INTO events (tenant, match_id, recorded_at, type, seat, player)
    SELECT created.tenant, created.id, $9::timestamptz, kind.type, kind.seat, kind.player
    FROM created
    JOIN recorded_events AS wanted ON wanted.tenant = created.tenant
    CROSS JOIN (VALUES ('match.created', NULL::int2, ''){joined}) AS kind (type, seat, player)
    WHERE kind.type = ANY (wanted.types)
)"""
EVENT_OF_CREATION: Final = _EVENTS_OF_CREATION.format(joined="")
"""Written with a new match, but not with an imported one, which was created long ago and elsewhere."""
EVENTS_OF_CREATION_AND_JOINING: Final = _EVENTS_OF_CREATION.format(
    joined=", ('seat.joined', $41::int2, ($29::text[])[$41::int2 + 1])"
)
"""Written with a match that is created for a player who joins it; $41 is the seat."""
CREATE: Final = f"WITH {INSERT_MATCH}, {EVENT_OF_CREATION} SELECT id FROM created"  # noqa: S608 - only constants of ours

COUNT_FORK: Final = """
WITH origin AS (
    SELECT id FROM matches WHERE id = $1::uuid FOR KEY SHARE
)
INSERT INTO forks (match_id, account, made) SELECT id, $2::text, 1 FROM origin
ON CONFLICT (match_id, account) DO UPDATE SET made = forks.made + 1 WHERE forks.made < $3::int4
RETURNING made
"""
"""Run before CREATE, in its transaction. The row stays locked until the end, so concurrent requests are counted one after
the other in all processes. So does the match that is forked: whoever deletes it finds the fork. No returned row: the quota is used up,
or there is no such match."""

IMPORT: Final = f"""
WITH {INSERT_MATCH}, stored AS (
    INSERT INTO moves (match_id, seq, recorded_at, seat, request_id, previous_hash, hash, request, events)
    SELECT created.id, row.*
    FROM created, unnest($38::int4[], $39::timestamptz[], $40::int2[], $41::text[],
                        $42::bytea[], $43::bytea[], $44::bytea[], $45::bytea[]) AS row
)
SELECT id FROM created
"""  # noqa: S608 - only constants of ours
"""Store a whole match that has ended, or nothing if its id is taken."""

IMPORT_PLAYERS: Final = """
UPDATE seats
SET replaced = given.replaced::jsonb,
    salt = CASE WHEN given.is_known THEN given.salt ELSE seats.salt END,
    erased = CASE WHEN given.is_known THEN given.erased END
FROM unnest($2::int2[], $3::text[], $4::bytea[], $5::bytea[], $6::boolean[])
    AS given (seat, replaced, salt, erased, is_known)
WHERE seats.match_id = $1::uuid AND seats.seat = given.seat
"""
"""Run after IMPORT, in its transaction, for seats whose players were replaced, or that the document commits to."""

FIND: Final = f"SELECT {MATCH_COLUMNS} FROM matches WHERE id = $1::uuid"  # noqa: S608 - only column names of ours

OWN: Final = """
SELECT id FROM matches WHERE tenant = $1::text AND id = ANY ($2::uuid[]) ORDER BY id = $3::uuid DESC LIMIT 1
"""
"""The match that a tenant names: one created here with this id comes before one imported with it."""

FIND_REQUESTED: Final = f"""
SELECT {MATCH_COLUMNS} FROM matches WHERE tenant = $1::text AND request_id = $2::text
"""  # noqa: S608 - only column names of ours

READ: Final = f"""
SELECT {MOVE_COLUMNS} FROM moves
WHERE match_id = $1::uuid AND seq > $2::int8
ORDER BY seq
LIMIT $3::int8
"""  # noqa: S608 - only column names of ours

PROGRESS: Final = """
SELECT id, version, revocations FROM matches WHERE id = ANY ($1::uuid[])
"""

HOLD_GOOD: Final = """
SELECT id FROM matches WHERE id = $1::uuid AND revocations = $2::int4 FOR SHARE
"""
"""Returns a row if no token of the match was revoked since; a revocation then waits for the end of the transaction."""

NOTIFY: Final = "SELECT pg_notify($1::text, payload) FROM unnest($2::text[]) AS payload"
