"""Many matches in a database, copied inside Postgres from a few that were really played.

A copy has rows in every table that its original has: the match, its seats with players, its moves. Half of the copies
run; half were called off, as a tenant does. Every tenth has a snapshot, every tenth clocks. A copy that runs has the
original's secret and moves, so it can be played on; its chain of hashes is the original's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from uuid import UUID

import psycopg

from engine.kernel.codec import encode
from engine.match.aborting import ABORTED

VERSION: Final = 10
"""Of every copy."""
CHUNK: Final = 20_000
"""Matches copied in one transaction."""
SECONDS_APART: Final = 20
"""Between the creations of two matches; their ids say it."""
PLAYERS: Final = 20
"""A player for every so many matches."""

_COPIES: Final = f"""
CREATE TEMPORARY TABLE copies AS
SELECT number, uuidv7(make_interval(secs => -{SECONDS_APART} * (%(total)s::int8 - number + 1))) AS id,
       (%(originals)s::uuid[])[1 + number %% cardinality(%(originals)s::uuid[])] AS original
FROM generate_series(%(first)s::int8, %(last)s::int8) AS number
"""
_MATCHES: Final = """
INSERT INTO matches (id, created_at, updated_at, version, seats, tenant, game, rules_version, options, secret, commitment,
                     status, seats_to_act, outcome, undo_rule, undo_seconds, title)
SELECT copies.id, uuid_extract_timestamp(copies.id), uuid_extract_timestamp(copies.id), version, seats, tenant, game,
       rules_version, options, secret, commitment,
       CASE number % 2 WHEN 0 THEN status ELSE 'ended' END,
       CASE number % 2 WHEN 0 THEN seats_to_act ELSE '{}' END,
       CASE number % 2 WHEN 1 THEN %(outcome)s::bytea END, undo_rule, undo_seconds, 'copy'
FROM copies JOIN matches ON matches.id = original ORDER BY number
""".replace("number % 2", "number %% 2")
_SEATS: Final = f"""
INSERT INTO seats (match_id, seat, tenant, match_open, state, player)
SELECT copies.id, seat, tenant, number %% 2 = 0, state,
       'player-' || abs(hashint8(number * 8 + seat)::int8) %% greatest(1, %(total)s::int8 / {PLAYERS})
FROM copies JOIN seats ON match_id = original ORDER BY number, seat
"""
_MOVES: Final = """
INSERT INTO moves (match_id, recorded_at, seq, seat, request_id, previous_hash, hash, request, events)
SELECT copies.id, recorded_at, seq, seat, request_id, previous_hash, hash, request, events
FROM copies JOIN moves ON match_id = original ORDER BY number, seq
"""
_SNAPSHOTS: Final = """
INSERT INTO snapshots (match_id, version, rules_version, state, state_hash)
SELECT copies.id, 50, rules_version, convert_to(repeat(md5(number::text), 60), 'UTF8'), commitment
FROM copies JOIN matches ON matches.id = original WHERE number %% 10 = 1
"""
_CLOCKS: Final = """
INSERT INTO clocks (match_id, seat, left_us, deadline_at)
SELECT copies.id, seat, 86400000000, CASE seat WHEN 0 THEN now() + INTERVAL '30 days' END
FROM copies JOIN seats ON match_id = original WHERE number %% 10 = 3
"""
TABLES: Final = ("matches", "seats", "moves", "snapshots", "clocks")


def fill(database_url: str, originals: Sequence[str], total: int) -> None:
    """Copy matches until there are so many copies, then let Postgres gather its statistics."""
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute("SET synchronous_commit = off")  # for the copies alone
        for first in range(1, total + 1, CHUNK):
            values = {
                "originals": [UUID(one) for one in originals],
                "first": first,
                "last": min(total, first + CHUNK - 1),
                "total": total,
                "outcome": encode(ABORTED),
            }
            with connection.transaction():
                connection.execute(_COPIES, values)
                connection.execute("ANALYZE copies")
                for statement in (_MATCHES, _SEATS, _MOVES, _SNAPSHOTS, _CLOCKS):
                    connection.execute(statement, values)
                connection.execute("DROP TABLE copies")
        connection.execute(f"VACUUM (ANALYZE) {', '.join(TABLES)}")


def some_running(database_url: str, number: int) -> list[tuple[str, bytes]]:
    """Return the ids of running copies at random, each with the commitment, which is the original's."""
    with psycopg.connect(database_url) as connection:
        chosen = connection.execute(
            "SELECT id::text, commitment FROM matches WHERE title = 'copy' AND status = 'running' AND version = %s "
            "ORDER BY random() LIMIT %s",
            (VERSION, number),
        )
        return chosen.fetchall()


def bytes_of_tables(database_url: str) -> dict[str, int]:
    """Return the bytes of each table with its indexes."""
    with psycopg.connect(database_url) as connection:
        return {
            table: connection.execute("SELECT pg_total_relation_size(%s)", (table,)).fetchone()[0]
            for table in TABLES
        }
