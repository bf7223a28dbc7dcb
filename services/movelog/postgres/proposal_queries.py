"""The SQL of open proposals, and of what a player has to do besides moving, named."""

from __future__ import annotations

from typing import Final

from services.movelog.postgres.downtime_queries import HAS_STOOD

CONSENT: Final = """, settled AS (
    DELETE FROM proposals USING advanced, (SELECT {change}::text::jsonb AS change) AS told
    WHERE proposals.match_id = advanced.id AND proposals.version IS DISTINCT FROM (told.change ->> 'version')::int4
    RETURNING proposals.match_id, proposals.kind, proposals.seat, proposals.at_version,
              CASE WHEN proposals.expires_at <= {recorded_at} THEN 'expired' ELSE told.change ->> 'result' END AS result
), opened AS (
    INSERT INTO proposals (match_id, expires_at, version, at_version, seat, kind, asked)
    SELECT advanced.id, (told.change ->> 'expires_at')::timestamptz, (told.change ->> 'version')::int4, {seq},
           (told.change ->> 'seat')::int2, told.change ->> 'kind',
           ARRAY(SELECT asked::int2 FROM jsonb_array_elements_text(told.change -> 'asked') AS asked)
    FROM advanced, (SELECT {change}::text::jsonb AS change) AS told
    WHERE (told.change ->> 'is_new')::bool
), kept AS (
    UPDATE proposals
    SET at_version = {seq}, asked = ARRAY(SELECT one::int2 FROM jsonb_array_elements_text(told.change -> 'asked') AS one)
    FROM advanced, (SELECT {change}::text::jsonb AS change) AS told
    WHERE proposals.match_id = advanced.id AND proposals.version = (told.change ->> 'version')::int4
), told_settled AS (
    INSERT INTO events (tenant, match_id, version, recorded_at, to_act, type, seat, proposal, result)
    SELECT advanced.tenant, advanced.id, {seq}, {recorded_at}, {to_act}::int2[], 'consent.settled',
           settled.seat, settled.kind, settled.result
    FROM settled JOIN advanced ON advanced.id = settled.match_id
    JOIN recorded_events AS wanted ON wanted.tenant = advanced.tenant
    WHERE settled.at_version = {seq} - 1 AND 'consent.settled' = ANY (wanted.types)
)
"""
"""A step of the statement of a move that makes, answers or closes a proposal. Each proposal is settled once, because whoever
deletes its row tells so: one that has expired is not stored again by a row that leaves it open."""

EXPIRE: Final = f"""
WITH late AS (
    SELECT proposals.match_id, proposals.version FROM proposals JOIN matches ON matches.id = proposals.match_id
    WHERE proposals.expires_at <= now() AND NOT {HAS_STOOD}
    ORDER BY proposals.expires_at LIMIT $1::int4
    FOR NO KEY UPDATE OF proposals, matches SKIP LOCKED
), expired AS (
    DELETE FROM proposals USING late
    WHERE proposals.match_id = late.match_id AND proposals.version = late.version
    RETURNING proposals.*
), outbox AS (
    INSERT INTO events (tenant, match_id, version, recorded_at, to_act, type, seat, proposal, result)
    SELECT matches.tenant, matches.id, matches.version, now(), matches.seats_to_act, 'consent.settled',
           expired.seat, expired.kind, 'expired'
    FROM expired JOIN matches ON matches.id = expired.match_id
    JOIN recorded_events AS wanted ON wanted.tenant = matches.tenant
    WHERE matches.version = expired.at_version AND matches.status = 'running'
      AND 'consent.settled' = ANY (wanted.types)
)
SELECT match_id FROM expired
"""  # noqa: S608 - only constants of ours
"""A proposal waits, as clocks do, while no server takes moves. The match's row is locked, so that the event is written in the order
of versions, and never of a match that is deleted meanwhile."""

PAUSED: Final = """,
        paused_by = CASE WHEN {change}::text::jsonb ->> 'paused' IS NULL THEN matches.paused_by
                         ELSE nullif({change}::text::jsonb ->> 'paused', '') END"""
"""Who pauses the match, as a part of the same statement."""

_TODO: Final = """
    SELECT 'answer_' || proposals.kind AS kind, asked.seat, proposals.expires_at AS deadline
    FROM proposals CROSS JOIN unnest(proposals.asked) AS asked (seat)
    WHERE proposals.match_id = matches.id AND proposals.at_version = matches.version
      AND matches.status = 'running' AND proposals.expires_at > now()
    UNION ALL
    SELECT 'return', clocks.seat, NULL FROM clocks
    WHERE clocks.match_id = matches.id AND matches.status = 'running' AND matches.clock ->> 'absent' <> 'forfeit'
      AND clocks.time_outs >= (matches.clock ->> 'away_after')::int4
    UNION ALL
    SELECT CASE kept.state WHEN 'invited' THEN 'take_invite' WHEN 'reserved' THEN 'take_seat' ELSE 'get_ready' END,
           kept.seat, NULL
    FROM seats AS kept
    WHERE kept.match_id = matches.id AND matches.status = 'waiting' AND matches.version = 0
      AND (kept.state IN ('invited', 'reserved')
           OR (kept.state = 'taken' AND kept.bot = '' AND NOT kept.ready AND matches.start = 'on_demand'))
"""
TODOS: Final = f"""
(SELECT jsonb_agg(jsonb_build_object(
            'kind', todo.kind, 'seat', todo.seat, 'player', coalesce(holder.player, ''), 'deadline', todo.deadline
        ) ORDER BY todo.seat, todo.kind)::text
 FROM ({_TODO}) AS todo
 LEFT JOIN seats AS holder ON holder.match_id = matches.id AND holder.seat = todo.seat)
"""  # noqa: S608 - only constants of ours
"""What players have to do at a match (a row of `matches`), as JSON; NULL: nothing. `todos_from` reads it."""

HAS_TODO: Final = f"EXISTS (SELECT FROM ({_TODO}) AS todo WHERE todo.seat = own.seat)"
"""The condition that the seat `own` has something to do at a match (a row of `matches`), besides moving."""
