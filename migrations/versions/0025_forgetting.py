"""Erasing a player, and deleting a match.

A seat has a salt, under which exports commit to its player. Erasing the player leaves the commitment in `erased`, and takes the
salt away with the id and the name: what is left leads back to nobody. Earlier players of the seat have both in `seats.replaced`.

The previous release runs on this schema. It writes no salt for a player who replaces another, so exports commit to both under
one; it does not know the entries of `session_revocations` for erased players, so while both releases run, erase nobody.
"""

from __future__ import annotations

from typing import Final

from alembic import op

revision = "0025"
down_revision = "0024"

INDEXES: Final = (
    "forks_by_account",
    "seats_by_earlier_player",
    "seat_requests_of_match",
    "events_of_match",
    "events_of_player",
    "events_of_replaced",
)
"""Those that an operator may have built before, which takes no lock for long: docs/run/upgrading.md has the statements."""
REFUSE_INVALID: Final = f"""
DO $$
DECLARE broken text;
BEGIN
    SELECT string_agg(pg_class.relname, ', ' ORDER BY pg_class.relname) INTO broken
    FROM pg_index JOIN pg_class ON pg_class.oid = pg_index.indexrelid
    WHERE pg_class.relname = ANY ('{{{",".join(INDEXES)}}}') AND NOT pg_index.indisvalid
      AND pg_class.relnamespace = current_schema()::regnamespace;
    IF broken IS NOT NULL THEN
        RAISE EXCEPTION 'indexes that CREATE INDEX CONCURRENTLY has not finished: %', broken
        USING HINT = 'Drop each with DROP INDEX CONCURRENTLY, build it again, and start the migration again.';
    END IF;
END $$
"""  # noqa: S608 - names of ours
"""Postgres leaves an invalid index where a build fails or still runs. It is there, so nothing else would be built, and no query uses it."""

UPGRADE = (
    # The indexes come first: while they are built, these tables can be read, and not be written. What changes a table shuts out
    # readers too, until all steps are done, so it comes last.
    REFUSE_INVALID,
    "CREATE INDEX IF NOT EXISTS forks_by_account ON forks (account)",
    # By tenant, so that what one looks for costs nothing for the matches of others. Hardly any seat is in it.
    """
    CREATE INDEX IF NOT EXISTS seats_by_earlier_player ON seats
    USING gin (jsonb_set('{}'::jsonb, ARRAY[tenant], replaced) jsonb_path_ops)
    WITH (fastupdate = off) WHERE replaced <> '[]'
    """,
    "CREATE INDEX IF NOT EXISTS seat_requests_of_match ON seat_requests (match_id)",
    "CREATE INDEX IF NOT EXISTS events_of_match ON events (match_id)",
    # Only events of the lobby and of replacements name a player, so moves cost nothing here.
    "CREATE INDEX IF NOT EXISTS events_of_player ON events (tenant, player, number) WHERE player <> ''",
    "CREATE INDEX IF NOT EXISTS events_of_replaced ON events (tenant, replaced, number) WHERE replaced <> ''",
    # Which matches were deleted, so that a repeated request is answered like the first.
    """
    CREATE TABLE deleted_matches (
        tenant text NOT NULL,
        match_id uuid NOT NULL,
        deleted_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (tenant, match_id)
    )
    """,
    "CREATE INDEX deleted_matches_by_age ON deleted_matches (deleted_at)",
    # Of erased players: `player` is a digest then, and the row goes with the last session there can be.
    "ALTER TABLE session_revocations ADD until timestamptz",
    # salt: 16 bytes, of which 122 bits are random; null in the rows of before. The default is set afterwards, because one that
    # differs from row to row would rewrite the table. erased: 32 bytes.
    "ALTER TABLE seats ADD salt bytea, ADD erased bytea",
    "ALTER TABLE seats ALTER salt SET DEFAULT uuid_send(gen_random_uuid())",
)

DOWNGRADE = (
    "DROP INDEX events_of_replaced, events_of_player, events_of_match, seat_requests_of_match",
    "DROP INDEX seats_by_earlier_player, forks_by_account",
    "DROP TABLE deleted_matches",
    "DELETE FROM session_revocations WHERE until < now()",
    "ALTER TABLE session_revocations DROP until",
    "ALTER TABLE seats DROP salt, DROP erased",
)


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
