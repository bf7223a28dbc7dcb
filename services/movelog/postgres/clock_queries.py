"""The SQL of clocks, named. The statement that writes a move also changes the clocks, by the database's time.

It is not used for matches without a clock. `ticked_all` and `resumed` in ticking.py implement the same in Python.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from services.movelog.clocks import MAX_LEFT, SETTLING
from services.movelog.downtimes import BEAT as BEAT_EVERY
from services.movelog.postgres.downtime_queries import HAS_STOOD, NOW, SILENT, seconds
from services.movelog.postgres.lobby_queries import START
from services.movelog.postgres.proposal_queries import CONSENT, PAUSED
from services.movelog.postgres.queries import (
    CLOSED,
    EVENTS_OF_BATCH,
    FOLLOWS,
    FOLLOWS_TOGETHER,
    GOOD,
    GOOD_TOGETHER,
)

_MICROSECONDS: Final = "interval '1 microsecond'"

_OWN_US: Final = """CASE WHEN {time_outs} >= ({clock} ->> 'away_after')::int4 OR {left_us} = 0
              THEN ({clock} ->> 'time_us')::int8 ELSE {left_us} END"""
"""`own_time` in ticking.py."""

_SETTLING_US: Final = SETTLING // timedelta(microseconds=1)
_MAX_LEFT_US: Final = MAX_LEFT // timedelta(microseconds=1)
_REMIND_AT: Final = f"""CASE WHEN {{deadline}} - ({{clock}} ->> 'remind_us')::int8 * {_MICROSECONDS} > {NOW}
            THEN {{deadline}} - ({{clock}} ->> 'remind_us')::int8 * {_MICROSECONDS} END"""
"""`reminder` in ticking.py; NULL without a deadline or a reminder."""

_TICK: Final = f"""
SELECT clocks.match_id, clocks.seat, this.rests,
       CASE WHEN this.goes_on THEN clocks.time_outs ELSE counted.time_outs END AS time_outs,
       CASE WHEN this.goes_on THEN clocks.spent ELSE now.spent END AS spent,
       filled.left_us, ends.deadline_at,
       this.runs_on AND ends.deadline_at = clocks.deadline_at AS keeps_reminder,
       {_REMIND_AT.format(deadline="ends.deadline_at", clock="advanced.clock")} AS remind_at
FROM advanced
JOIN clocks ON clocks.match_id = advanced.match_id
CROSS JOIN LATERAL (
    SELECT clocks.seat = ANY (advanced.kept::int2[]) AS goes_on,
           clocks.seat = ANY (advanced.begun::int2[]) AS begins,
           clocks.seat = ANY (advanced.resting::int2[]) AS rests,
           clocks.seat = ANY (advanced.kept::int2[]) AND NOT clocks.seat = ANY (advanced.resting::int2[])
               AND clocks.deadline_at IS NOT NULL AS runs_on,
           CASE WHEN clocks.seat = ANY (advanced.given::int2[]) THEN advanced.added_us ELSE 0 END AS added_us,
           coalesce(clocks.seat = advanced.seat, false) AS moves,
           coalesce(clocks.seat = advanced.seat, false) AND advanced.cause = 'time_out' AS times_out,
           advanced.cause NOT IN ('turn', 'redo', 'pause') AS gives_time,
           CASE WHEN clocks.deadline_at IS NULL THEN clocks.left_us
                ELSE least(clocks.left_us,
                           greatest(0, (extract(epoch FROM clocks.deadline_at - {NOW}) * 1000000)::int8))
           END AS rest_us,
           EXISTS (
               SELECT FROM clocks AS other
               WHERE other.match_id = advanced.match_id AND other.seat <> clocks.seat
                 AND other.seat = ANY (advanced.people::int2[])
                 AND NOT other.seat = ANY (advanced.kept::int2[] || advanced.begun::int2[])
                 AND CASE WHEN other.seat IS NOT DISTINCT FROM advanced.seat AND advanced.cause = 'time_out'
                          THEN other.time_outs + 1
                          WHEN other.seat IS NOT DISTINCT FROM advanced.seat
                               AND advanced.cause NOT IN ('turn', 'redo', 'pause', 'resume')
                          THEN 0
                          ELSE other.time_outs END < (advanced.clock ->> 'away_after')::int4
           ) AS is_waited_for
) AS this
CROSS JOIN LATERAL (
    SELECT so_far.time_outs, so_far.time_outs >= (advanced.clock ->> 'away_after')::int4 AS is_away
    FROM (SELECT CASE WHEN this.goes_on THEN clocks.time_outs
                      WHEN this.times_out THEN clocks.time_outs + 1
                      WHEN this.moves AND advanced.cause NOT IN ('turn', 'redo', 'pause', 'resume') THEN 0
                      ELSE clocks.time_outs END AS time_outs) AS so_far
) AS counted
CROSS JOIN LATERAL (
    SELECT CASE WHEN advanced.cause = 'pause' THEN clocks.spent
                WHEN this.begins
                THEN advanced.cause = 'turn'
                     OR (clocks.spent AND this.moves AND advanced.cause IN ('move', 'redo'))
                WHEN clocks.deadline_at IS NOT NULL THEN advanced.cause = 'turn' AND NOT counted.is_away
                ELSE clocks.spent END AS spent
) AS now
CROSS JOIN LATERAL (
    SELECT this.begins AND this.gives_time AND NOT now.spent AS is_fresh,
           counted.is_away OR this.rests OR (clocks.spent AND advanced.cause <> 'return') AS had_it
) AS it
CROSS JOIN LATERAL (
    SELECT CASE WHEN this.runs_on THEN clocks.left_us
                WHEN this.goes_on THEN this.rest_us
                WHEN advanced.clock ->> 'kind' = 'budget' THEN
                    this.rest_us + CASE WHEN it.is_fresh AND NOT it.had_it
                                        THEN (advanced.clock ->> 'increment_us')::int8 ELSE 0 END
                WHEN it.is_fresh OR this.times_out THEN (advanced.clock ->> 'time_us')::int8
                ELSE this.rest_us END AS left_us
) AS kept
CROSS JOIN LATERAL (
    SELECT greatest(kept.left_us, least(kept.left_us + this.added_us, {_MAX_LEFT_US})) AS left_us
) AS filled
CROSS JOIN LATERAL (
    SELECT {_OWN_US.format(time_outs="counted.time_outs", left_us="filled.left_us", clock="advanced.clock")} AS own_us
) AS usual
CROSS JOIN LATERAL (
    SELECT CASE WHEN this.runs_on
                THEN greatest(clocks.deadline_at,
                              least(clocks.deadline_at + this.added_us * {_MICROSECONDS},
                                    {NOW} + {_MAX_LEFT_US} * {_MICROSECONDS}))
                WHEN (this.begins OR this.goes_on) AND NOT this.rests
                THEN {NOW} + {_MICROSECONDS} * CASE
                    WHEN this.is_waited_for AND counted.is_away THEN 0
                    WHEN this.goes_on
                    THEN greatest(CASE WHEN this.is_waited_for THEN filled.left_us ELSE usual.own_us END,
                                  least({_SETTLING_US}, (advanced.clock ->> 'time_us')::int8))
                    WHEN this.is_waited_for THEN filled.left_us
                    ELSE usual.own_us END
           END AS deadline_at
) AS starts
CROSS JOIN LATERAL (
    SELECT CASE WHEN this.runs_on AND this.is_waited_for AND (counted.is_away OR filled.left_us = 0)
                THEN least(starts.deadline_at, {NOW}) ELSE starts.deadline_at END AS deadline_at
) AS ends
WHERE advanced.status <> 'ended'
  AND (NOT this.runs_on OR this.added_us > 0
       OR (this.is_waited_for AND (clocks.left_us = 0 OR clocks.time_outs >= (advanced.clock ->> 'away_after')::int4)))
"""  # noqa: S608 - only constants of ours
"""The state after the move of every clock that does not simply run on."""

_PERMITTED: Final = f"""coalesce((
          SELECT CASE {{cause}}
                 WHEN 'time_out' THEN clocks.deadline_at <= {NOW}
                 WHEN 'return' THEN clocks.time_outs >= (matches.clock ->> 'away_after')::int4
                 ELSE clocks.deadline_at IS NULL OR clocks.deadline_at > {NOW} END
          FROM clocks WHERE clocks.match_id = matches.id AND clocks.seat = {{seat}}
      ), {{cause}} IN ('move', 'turn', 'redo', 'pause', 'resume'))"""  # noqa: S608 - only constants of ours
"""`may_move` in ticking.py."""

_IN_TIME: Final = f"""NOT EXISTS (
          SELECT FROM clocks
          WHERE clocks.match_id = matches.id AND clocks.deadline_at <= {NOW}
            AND ({{cause}} = 'pause' OR clocks.seat = ANY ({{given}}::int2[]))
      )"""
"""`in_time` in ticking.py. Only pauses and added time look at other clocks than the mover's."""

APPEND: Final = f"""
WITH advanced AS (
    UPDATE matches
    SET version = move.seq, updated_at = move.recorded_at, status = move.status,
        seats_to_act = move.seats_to_act::int2[], outcome = move.outcome
    FROM unnest(
        $1::uuid[], $2::int4[], $3::timestamptz[], $4::int2[], $5::text[],
        $6::bytea[], $7::bytea[], $8::bytea[], $9::bytea[], $10::text[], $11::text[], $12::bytea[],
        $13::int4[], $14::text[], $15::text[], $16::text[], $17::text[], $18::text[], $19::text[], $20::int8[],
        $21::text[]
    ) AS move (match_id, seq, recorded_at, seat, request_id,
               previous_hash, hash, request, events, status, seats_to_act, outcome, revocations,
               cause, kept, begun, people, resting, given, added_us, kinds)
    WHERE matches.id = move.match_id AND matches.version = move.seq - 1 {FOLLOWS_TOGETHER} {GOOD_TOGETHER}
      AND NOT {HAS_STOOD} AND {_PERMITTED.format(cause="move.cause", seat="move.seat")}
      AND ((move.cause <> 'pause' AND move.given = '{{}}') OR {_IN_TIME.format(cause="move.cause", given="move.given")})
    RETURNING move.*, matches.id, matches.tenant, matches.clock
){EVENTS_OF_BATCH}{CLOSED.format(match_id="match_id", status="advanced.status")}, after AS ({_TICK}), ticked AS (
    UPDATE clocks
    SET left_us = after.left_us, deadline_at = after.deadline_at,
        time_outs = after.time_outs, spent = after.spent, resting = after.rests,
        remind_at = CASE WHEN after.keeps_reminder THEN clocks.remind_at ELSE after.remind_at END
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

_CHANGE: Final = "$22"
APPEND_WITH_PROPOSAL: Final = APPEND.replace(
    "\nINSERT INTO moves",
    CONSENT.format(
        change=_CHANGE,
        seq="advanced.seq",
        recorded_at="advanced.recorded_at",
        to_act="advanced.seats_to_act",
    )
    + "INSERT INTO moves",
    1,
).replace("outcome = move.outcome", "outcome = move.outcome" + PAUSED.format(change=_CHANGE), 1)
"""The same for a single move that makes, answers or closes a proposal, pauses its match or ends a pause."""

WOUND: Final = f""", wound AS (
    INSERT INTO clocks (match_id, seat, left_us, deadline_at, remind_at)
    SELECT advanced.{{match_id}}, one.seat, given.time_us, begun.deadline_at,
           {_REMIND_AT.format(deadline="begun.deadline_at", clock="advanced.clock")}
    FROM advanced
    CROSS JOIN generate_series(0, {{seats}} - 1) AS one (seat)
    CROSS JOIN LATERAL (
        SELECT (advanced.clock ->> 'time_us')::int8
             + CASE WHEN one.seat = ANY ({{to_act}}::int2[])
                    THEN (advanced.clock ->> 'increment_us')::int8 ELSE 0 END AS time_us
    ) AS given
    CROSS JOIN LATERAL (
        SELECT CASE WHEN one.seat = ANY ({{to_act}}::int2[])
                    THEN {NOW} + given.time_us * {_MICROSECONDS} END AS deadline_at
    ) AS begun
    WHERE advanced.clock IS NOT NULL AND {{status}} <> 'ended'
)
"""  # noqa: S608 - only constants of ours
"""A step of the statement of a match's first move: its clocks, of which those of the seats to act run. The increment is zero if the
clock has none."""

START_WITH_CLOCK: Final = START.replace("RETURNING id, tenant\n", "RETURNING id, tenant, clock\n", 1).replace(
    "\nINSERT INTO moves",
    WOUND.format(match_id="id", seats="$15::int4", to_act="$11", status="$10::text") + "INSERT INTO moves",
    1,
)
"""The first move of a match with a clock."""

_FOLLOWS: Final = FOLLOWS.format(match_id="$1::uuid", seq="$4::int4", previous_hash="$5::bytea")
WHY_NOT: Final = f"""
SELECT EXISTS (SELECT FROM matches WHERE id = $1::uuid),
       EXISTS (SELECT FROM matches WHERE id = $1::uuid {GOOD.format(revocations="$3::int4")}),
       EXISTS (SELECT FROM moves WHERE match_id = $1::uuid AND request_id = $2::text),
       EXISTS (SELECT FROM matches WHERE id = $1::uuid AND version = $4::int4 - 1 {_FOLLOWS}),
       EXISTS (SELECT FROM matches
               WHERE id = $1::uuid AND ({HAS_STOOD} OR ({_PERMITTED.format(cause="$6::text", seat="$7::int2")}
                                        AND {_IN_TIME.format(cause="$6::text", given="$8::text")})))
"""  # noqa: S608 - only constants of ours
"""The last column: the clocks of the match stand, or permit the row in this moment."""

OF: Final = f"""
SELECT matches.version, {NOW} AS as_of, clocks.seat, clocks.left_us, clocks.time_outs, clocks.spent, clocks.resting,
       clocks.remind_at,
       CASE WHEN clocks.deadline_at > stood.beat_at THEN clocks.deadline_at + ({NOW} - stood.beat_at)
            ELSE clocks.deadline_at END AS deadline
FROM matches JOIN clocks ON clocks.match_id = matches.id
LEFT JOIN heartbeats AS stood ON stood.game = matches.game AND stood.rules_version = matches.rules_version
                             AND stood.beat_at < {SILENT}
WHERE matches.id = $1::uuid
ORDER BY clocks.seat
"""  # noqa: S608 - only constants of ours
"""In a downtime a clock stands as it stood when that began."""

DUE: Final = f"""
SELECT clocks.match_id, clocks.seat, clocks.deadline_at - {NOW} AS left
FROM clocks JOIN matches ON matches.id = clocks.match_id
WHERE clocks.deadline_at IS NOT NULL AND clocks.match_id <> ALL ($3::uuid[])
  AND (matches.game, matches.rules_version) IN (SELECT * FROM unnest($1::text[], $2::text[]))
  AND NOT {HAS_STOOD}
ORDER BY clocks.deadline_at
LIMIT $4::int8
"""  # noqa: S608 - only constants of ours

REMIND: Final = f"""
WITH near AS (
    SELECT clocks.match_id, clocks.seat, matches.version, matches.tenant, matches.seats_to_act
    FROM clocks JOIN matches ON matches.id = clocks.match_id
    WHERE clocks.remind_at <= {NOW} AND NOT {HAS_STOOD}
    ORDER BY clocks.remind_at LIMIT $1::int4
    FOR NO KEY UPDATE OF clocks, matches SKIP LOCKED
), told AS (
    UPDATE clocks SET remind_at = NULL FROM near
    WHERE clocks.match_id = near.match_id AND clocks.seat = near.seat
), outbox AS (
    INSERT INTO events (tenant, match_id, version, recorded_at, to_act, type, seat)
    SELECT near.tenant, near.match_id, near.version, {NOW}, near.seats_to_act, 'deadline.near', near.seat
    FROM near JOIN recorded_events AS wanted ON wanted.tenant = near.tenant
    WHERE 'deadline.near' = ANY (wanted.types)
)
SELECT match_id FROM near
"""  # noqa: S608 - only constants of ours
"""Remind of deadlines, once each. The match's row is locked, so that the event is written in the order of versions."""

BEAT: Final = f"""
WITH served AS (
    SELECT * FROM unnest($1::text[], $2::text[]) AS served (game, rules_version)
), due AS (
    SELECT heartbeats.game, heartbeats.rules_version FROM heartbeats JOIN served USING (game, rules_version)
    WHERE beat_at >= {SILENT} AND (beat_at < {NOW} - {seconds(BEAT_EVERY / 2)} OR beat_at > {NOW})
    FOR UPDATE OF heartbeats SKIP LOCKED
), beaten AS (
    UPDATE heartbeats SET beat_at = {NOW} FROM due
    WHERE heartbeats.game = due.game AND heartbeats.rules_version = due.rules_version
)
SELECT served.game, served.rules_version
FROM served LEFT JOIN heartbeats USING (game, rules_version)
WHERE heartbeats.beat_at IS NULL OR heartbeats.beat_at < {SILENT}
"""  # noqa: S608 - only constants of ours
"""Say that moves are taken; return the rules of which this was not said in time. What another server says need not be said twice."""

FIRST_BEAT: Final = f"""
INSERT INTO heartbeats (game, rules_version, beat_at)
SELECT game, rules_version, {NOW} FROM unnest($1::text[], $2::text[]) AS served (game, rules_version)
ORDER BY game, rules_version
ON CONFLICT DO NOTHING
"""  # noqa: S608 - only constants of ours

HOLD_BEATS: Final = """
SELECT FROM heartbeats
WHERE (game, rules_version) IN (SELECT * FROM unnest($1::text[], $2::text[]))
ORDER BY game, rules_version
FOR UPDATE
"""
"""Followed by RESUME as a separate statement, which sees what another server has done meanwhile."""

_RESUMED: Final = f"""greatest(
            clocks.deadline_at + (down.until - least(down.until, greatest(down.since, clocks.deadline_at - own.time))),
            down.until + least({seconds(SETTLING)}, own.time))"""
RESUME: Final = f"""
WITH down AS (
    SELECT game, rules_version, beat_at AS since, {NOW} AS until FROM heartbeats
    WHERE (game, rules_version) IN (SELECT * FROM unnest($1::text[], $2::text[])) AND beat_at < {SILENT}
), recorded AS (
    INSERT INTO downtimes (game, rules_version, since, until)
    SELECT game, rules_version, since, until FROM down
    RETURNING game, rules_version, since, until
), moved AS (
    UPDATE clocks
    SET deadline_at = {_RESUMED}, remind_at = clocks.remind_at + ({_RESUMED} - clocks.deadline_at)
    FROM down
    JOIN matches ON matches.game = down.game AND matches.rules_version = down.rules_version
    JOIN clocks AS one ON one.match_id = matches.id AND one.deadline_at > down.since
    CROSS JOIN LATERAL (
        SELECT {_MICROSECONDS} * (
            {_OWN_US.format(time_outs="one.time_outs", left_us="one.left_us", clock="matches.clock")}
        ) AS time
    ) AS own
    WHERE clocks.match_id = one.match_id AND clocks.seat = one.seat AND clocks.deadline_at > down.since
    RETURNING clocks.seat
), waited AS (
    UPDATE proposals
    SET expires_at = proposals.expires_at
        + (down.until - least(down.until, greatest(down.since, proposals.expires_at - matches.undo_seconds * interval '1 s')))
    FROM down JOIN matches ON matches.game = down.game AND matches.rules_version = down.rules_version
    WHERE proposals.match_id = matches.id AND proposals.expires_at > down.since
)
SELECT game, rules_version, since, until, (SELECT count(*) FROM moved) AS clocks FROM recorded
"""  # noqa: S608 - only constants of ours
"""Record the downtimes and move the deadlines of clocks and proposals; `resumed` in ticking.py, `served_until` in downtimes.py."""

BEATEN: Final = """
UPDATE heartbeats SET beat_at = clock_timestamp()
WHERE (game, rules_version) IN (SELECT * FROM unnest($1::text[], $2::text[]))
"""
"""After RESUME, which may take longer than the tolerance: moving the deadlines must not count as a downtime itself."""

RULES_OF: Final = "SELECT game, rules_version FROM matches WHERE id = $1::uuid"

DOWNTIMES: Final = """
SELECT game, rules_version, since, until FROM downtimes
WHERE (game, rules_version) IN (SELECT * FROM unnest($1::text[], $2::text[]))
  AND until > coalesce($3::timestamptz, '-infinity')
ORDER BY until, game, rules_version
"""

STANDING: Final = f"""
SELECT game, rules_version, beat_at AS since, {NOW} AS until FROM heartbeats
WHERE (game, rules_version) IN (SELECT * FROM unnest($1::text[], $2::text[])) AND beat_at < {SILENT}
ORDER BY game, rules_version
"""  # noqa: S608 - only constants of ours
