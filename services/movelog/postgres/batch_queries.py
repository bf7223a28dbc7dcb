"""The SQL of many matches at once, named. The statements for one match are in queries.py, lobby_queries.py and clock_queries.py.

No statement reads more than the rows of its own matches, whatever plan is made: a plan that was made while the tables were small is
kept. So what is looked up for each match is a scalar subquery or a LATERAL one that cannot be merged into its statement.
"""

from __future__ import annotations

from typing import Final

from services.movelog.postgres import clock_queries, lobby_queries
from services.movelog.postgres.queries import APPEND_BATCH_WITH_LAST_AND_EVENTS, FOLLOWED, MATCH_COLUMNS

CREATE: Final = f"""
WITH given AS (
    SELECT * FROM unnest(
        $1::uuid[], $2::text[], $3::text[], $4::text[], $5::int2[], $6::bytea[], $7::bytea[], $8::bytea[],
        $9::timestamptz[], $10::text[], $11::text[], $12::int4[], $13::bytea[], $14::timestamptz[],
        $15::text[], $16::text[], $17::text[], $18::uuid[], $19::int4[], $20::text[], $21::int4[], $22::bytea[],
        $23::text[], $24::uuid[], $25::int4[], $26::text[], $27::text[]
    ) AS given (id, tenant, game, rules_version, seats, options, secret, commitment,
                created_at, request_id, status, version, outcome, updated_at,
                visibility, start, title, rematch_of, watch_generation, undo_rule, undo_seconds, forked_from,
                clock, original_id, bot_pace_ms, reference, metadata)
), created AS (
    INSERT INTO matches (id, tenant, game, rules_version, seats, options, secret, commitment, created_at,
                         request_id, status, version, seats_to_act, outcome, updated_at,
                         visibility, start, title, rematch_of, watch_generation, undo_rule, undo_seconds,
                         forked_from, clock, original_id, bot_pace_ms)
    SELECT id, tenant, game, rules_version, seats, options, secret, commitment, created_at,
           request_id, status, version, '{{}}', outcome, updated_at,
           visibility, start, title, {FOLLOWED.format(before="given.rematch_of")}, watch_generation, undo_rule, undo_seconds,
           forked_from, clock::jsonb, original_id, bot_pace_ms
    FROM given
    WHERE (
        SELECT true FROM match_notes AS other
        WHERE other.tenant = given.tenant AND other.reference = given.reference AND other.reference <> ''
    ) IS NULL
    ON CONFLICT DO NOTHING
    RETURNING id, tenant, created_at
), seated AS (
    INSERT INTO seats (match_id, tenant, seat, state, player, name, generation, joined_by, bot, data, account,
                       match_open)
    SELECT created.id, created.tenant, row.seat, row.state, row.player, row.name, row.generation, row.joined_by, row.bot,
           row.data, row.account, true
    FROM unnest($28::uuid[], $29::int2[], $30::text[], $31::text[], $32::text[], $33::int4[], $34::text[], $35::text[],
                $36::bytea[], $37::text[])
        AS row (match_id, seat, state, player, name, generation, joined_by, bot, data, account)
    JOIN created ON created.id = row.match_id
), annotated AS (
    INSERT INTO match_notes (match_id, tenant, reference, metadata)
    SELECT created.id, created.tenant, given.reference, given.metadata
    FROM created JOIN given ON given.id = created.id
    WHERE given.reference <> '' OR given.metadata <> '{{}}'
), outbox AS (
    INSERT INTO events (tenant, match_id, recorded_at, type)
    SELECT created.tenant, created.id, created.created_at, 'match.created'
    FROM created JOIN recorded_events AS wanted ON wanted.tenant = created.tenant
    WHERE 'match.created' = ANY (wanted.types)
)
SELECT id FROM created
"""  # noqa: S608 - only constants of ours
"""`queries.CREATE` for several matches, which are all new. The returned ones were stored. A reference that another match gets in
this moment makes the whole statement fail."""

BY_KEYS: Final = """
SELECT set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
       set_config('enable_bitmapscan', 'off', true)
"""
"""Before START, in its transaction: it is then planned as the writers' sessions plan moves, with nested loops over primary keys."""

HOLD: Final = "SELECT FROM matches WHERE id = ANY ($1::uuid[]) ORDER BY id FOR UPDATE"
"""Before START, in its transaction, as `lobby_queries.HOLD`; in the order of ids, so that two of them never wait for each other."""

_WOUND: Final = clock_queries.WOUND.format(
    match_id="match_id", seats="advanced.seats", to_act="advanced.seats_to_act", status="advanced.status"
)
_IS_FULL: Final = """AND matches.seats = (
          SELECT count(*) FROM seats WHERE seats.match_id = move.match_id AND seats.state = 'taken'
      )"""

START: Final = APPEND_BATCH_WITH_LAST_AND_EVENTS.replace(
    "RETURNING move.*, matches.id, matches.tenant\n",
    f"{_IS_FULL}\n    RETURNING move.*, matches.id, matches.tenant, matches.clock, matches.seats\n",
    1,
).replace("\nINSERT INTO moves", f"{_WOUND}INSERT INTO moves", 1)
"""`lobby_queries.START` for several matches, which begin with all their seats, and `clock_queries.START_WITH_CLOCK` for those among
them that have a clock."""

FIND: Final = f"SELECT {MATCH_COLUMNS} FROM matches WHERE id = ANY ($1::uuid[])"  # noqa: S608 - only column names of ours


def _for_each(statement: str) -> str:
    """Return a statement about one match as one about several, whose rows begin with the match's id. It has an ORDER BY, so it is run
    match by match.
    """
    of_one = statement.replace("$1::uuid", "given.id", 1)
    return (
        f"SELECT given.id, one.* FROM unnest($1::uuid[]) AS given (id) CROSS JOIN LATERAL ({of_one}) AS one"  # noqa: S608
    )


SEATING: Final = _for_each(lobby_queries.SEATING)
CLOCKS: Final = _for_each(clock_queries.OF)

NOTES: Final = (
    "SELECT match_id, reference, metadata, changed FROM match_notes WHERE match_id = ANY ($1::uuid[])"
)

REQUESTED: Final = """
SELECT given.request_id, found.id FROM unnest($2::text[]) AS given (request_id)
CROSS JOIN LATERAL (
    SELECT id FROM matches WHERE tenant = $1::text AND request_id = given.request_id LIMIT 1
) AS found
"""

REFERRED: Final = """
SELECT given.reference, coalesce(found.original_id, found.id) AS known_as FROM unnest($2::text[]) AS given (reference)
CROSS JOIN LATERAL (
    SELECT matches.id, matches.original_id FROM match_notes JOIN matches ON matches.id = match_notes.match_id
    WHERE match_notes.tenant = $1::text AND match_notes.reference = given.reference AND match_notes.reference <> ''
    LIMIT 1
) AS found
"""
