"""The SQL of clocks, named. The statement that writes a move also changes the clocks, by the database's time.

It is not used for matches without a clock. `ticked` in clocks.py implements the same in Python.
"""

from __future__ import annotations

from typing import Final

from services.movelog.postgres.lobby_queries import START
from services.movelog.postgres.proposal_queries import CONSENT
from services.movelog.postgres.queries import (
    CLOSED,
    EVENTS_OF_BATCH,
    FOLLOWS,
    FOLLOWS_TOGETHER,
    GOOD,
    GOOD_TOGETHER,
)

_NOW: Final = "statement_timestamp()"

_TICK: Final = f"""
SELECT clocks.match_id, clocks.seat, this.begins, counted.time_outs, now.spent, kept.left_us,
       CASE WHEN this.begins AND counted.is_away THEN {_NOW}
            WHEN this.begins THEN {_NOW} + kept.left_us * interval '1 microsecond' END AS deadline_at
FROM advanced
JOIN clocks ON clocks.match_id = advanced.match_id
CROSS JOIN LATERAL (
    SELECT clocks.seat = ANY (advanced.begun::int2[]) AS begins,
           coalesce(clocks.seat = advanced.seat, false) AS moves,
           coalesce(clocks.seat = advanced.seat, false) AND advanced.cause = 'time_out' AS times_out,
           advanced.cause NOT IN ('turn', 'redo') AS gives_time,
           CASE WHEN clocks.deadline_at IS NULL THEN clocks.left_us
                ELSE greatest(0, (extract(epoch FROM clocks.deadline_at - {_NOW}) * 1000000)::int8) END AS rest_us
) AS this
CROSS JOIN LATERAL (
    SELECT so_far.time_outs, so_far.time_outs >= (advanced.clock ->> 'away_after')::int4 AS is_away
    FROM (SELECT CASE WHEN this.times_out THEN clocks.time_outs + 1
                      WHEN this.moves AND this.gives_time THEN 0
                      ELSE clocks.time_outs END AS time_outs) AS so_far
) AS counted
CROSS JOIN LATERAL (
    SELECT CASE WHEN this.begins
                THEN advanced.cause = 'turn'
                     OR (clocks.spent AND this.moves AND advanced.cause IN ('move', 'redo'))
                WHEN clocks.deadline_at IS NOT NULL THEN advanced.cause = 'turn' AND NOT counted.is_away
                ELSE clocks.spent END AS spent
) AS now
CROSS JOIN LATERAL (
    SELECT this.begins AND this.gives_time AND NOT now.spent AS is_fresh,
           counted.is_away OR (clocks.spent AND advanced.cause <> 'return') AS had_it
) AS it
CROSS JOIN LATERAL (
    SELECT CASE WHEN advanced.clock ->> 'kind' = 'budget' THEN
                    this.rest_us + CASE WHEN it.is_fresh AND NOT it.had_it
                                        THEN (advanced.clock ->> 'increment_us')::int8 ELSE 0 END
                WHEN it.is_fresh OR this.times_out THEN (advanced.clock ->> 'time_us')::int8
                ELSE this.rest_us END AS left_us
) AS kept
WHERE advanced.status <> 'ended' AND NOT clocks.seat = ANY (advanced.kept::int2[])
"""  # noqa: S608 - only constants of ours
"""The state after the move of every clock that does not simply run on."""

APPEND: Final = f"""
WITH advanced AS (
    UPDATE matches
    SET version = move.seq, updated_at = move.recorded_at, status = move.status,
        seats_to_act = move.seats_to_act::int2[], outcome = move.outcome
    FROM unnest(
        $1::uuid[], $2::int4[], $3::timestamptz[], $4::int2[], $5::text[],
        $6::bytea[], $7::bytea[], $8::bytea[], $9::bytea[], $10::text[], $11::text[], $12::bytea[],
        $13::int4[], $14::text[], $15::text[], $16::text[], $17::text[]
    ) AS move (match_id, seq, recorded_at, seat, request_id,
               previous_hash, hash, request, events, status, seats_to_act, outcome, revocations,
               cause, kept, begun, kinds)
    WHERE matches.id = move.match_id AND matches.version = move.seq - 1 {FOLLOWS_TOGETHER} {GOOD_TOGETHER}
      AND coalesce((
          SELECT CASE move.cause
                 WHEN 'time_out' THEN clocks.deadline_at <= {_NOW}
                 WHEN 'return' THEN clocks.time_outs >= (matches.clock ->> 'away_after')::int4
                 ELSE clocks.deadline_at IS NULL OR clocks.deadline_at > {_NOW} END
          FROM clocks WHERE clocks.match_id = move.match_id AND clocks.seat = move.seat
      ), move.cause IN ('move', 'turn', 'redo'))
    RETURNING move.*, matches.id, matches.tenant, matches.clock
){EVENTS_OF_BATCH}{CLOSED.format(match_id="match_id", status="advanced.status")}, after AS ({_TICK}), ticked AS (
    UPDATE clocks
    SET left_us = after.left_us, deadline_at = after.deadline_at,
        time_outs = after.time_outs, spent = after.spent
    FROM after
    WHERE clocks.match_id = after.match_id AND clocks.seat = after.seat
), stopped AS (
    DELETE FROM clocks USING advanced WHERE clocks.match_id = advanced.match_id AND advanced.status = 'ended'
)
INSERT INTO moves (match_id, seq, recorded_at, seat, request_id, previous_hash, hash, request, events)
SELECT match_id, seq, recorded_at, seat, request_id, previous_hash, hash, request, events
FROM advanced
RETURNING match_id
"""  # noqa: S608 - only constants of ours
"""`queries.APPEND_BATCH_WITH_LAST_AND_EVENTS` for matches with a clock; also for a single move.

A move of a seat whose time is up is not written, nor is a time-out of a seat with time left: of a late move and the
time-out exactly one counts, whichever comes first and however late the sweeper is. A match's clocks change only with its
version, so a lock on its row covers them too.
"""

APPEND_WITH_PROPOSAL: Final = APPEND.replace(
    "\nINSERT INTO moves",
    CONSENT.format(
        change="$18",
        seq="advanced.seq",
        recorded_at="advanced.recorded_at",
        to_act="advanced.seats_to_act",
    )
    + "INSERT INTO moves",
    1,
)
"""The same for a single move that makes, answers or closes a proposal."""

START_WITH_CLOCK: Final = START.replace(
    "RETURNING id, tenant\n",
    """RETURNING id, tenant, clock
), wound AS (
    INSERT INTO clocks (match_id, seat, left_us, deadline_at)
    SELECT id, seats.seat, given.time_us,
           CASE WHEN seats.seat = ANY ($11::int2[])
                THEN statement_timestamp() + given.time_us * interval '1 microsecond' END
    FROM advanced
    CROSS JOIN generate_series(0, $15::int4 - 1) AS seats (seat)
    CROSS JOIN LATERAL (
        SELECT (clock ->> 'time_us')::int8
             + CASE WHEN seats.seat = ANY ($11::int2[]) THEN (clock ->> 'increment_us')::int8 ELSE 0 END AS time_us
    ) AS given
    WHERE $10::text <> 'ended'
""",
    1,
)
"""The first move of a match with a clock; the increment is zero if the clock has none."""

_FOLLOWS: Final = FOLLOWS.format(match_id="$1::uuid", seq="$4::int4", previous_hash="$5::bytea")
WHY_NOT: Final = f"""
SELECT EXISTS (SELECT FROM matches WHERE id = $1::uuid),
       EXISTS (SELECT FROM matches WHERE id = $1::uuid {GOOD.format(revocations="$3::int4")}),
       EXISTS (SELECT FROM moves WHERE match_id = $1::uuid AND request_id = $2::text),
       EXISTS (SELECT FROM matches WHERE id = $1::uuid AND version = $4::int4 - 1 {_FOLLOWS})
"""  # noqa: S608 - only constants of ours

OF: Final = """
SELECT matches.version, statement_timestamp() AS as_of,
       clocks.seat, clocks.left_us, clocks.deadline_at AS deadline, clocks.time_outs, clocks.spent
FROM matches JOIN clocks ON clocks.match_id = matches.id
WHERE matches.id = $1::uuid
ORDER BY clocks.seat
"""

DUE: Final = """
SELECT clocks.match_id, clocks.seat, clocks.deadline_at - statement_timestamp() AS left
FROM clocks JOIN matches ON matches.id = clocks.match_id
WHERE clocks.deadline_at IS NOT NULL AND clocks.match_id <> ALL ($3::uuid[])
  AND (matches.game, matches.rules_version) IN (SELECT * FROM unnest($1::text[], $2::text[]))
ORDER BY clocks.deadline_at
LIMIT $4::int8
"""
