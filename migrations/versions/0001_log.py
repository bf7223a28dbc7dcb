"""Tenants and their keys, matches, seats and moves."""

from __future__ import annotations

from alembic import op

revision = "0001"
down_revision = None

UPGRADE = (
    # One row; see services/postgres/database.py. A step that takes something away raises it.
    "CREATE TABLE schema_support (oldest_code text NOT NULL)",
    "INSERT INTO schema_support VALUES ('0001')",
    """
    CREATE TABLE tenants (
        id text PRIMARY KEY,
        created_at timestamptz NOT NULL DEFAULT now()
    )
    """,
    """
    CREATE TABLE api_keys (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        tenant text NOT NULL REFERENCES tenants,
        prefix text NOT NULL,
        hash bytea NOT NULL UNIQUE,
        scopes text[] NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        revoked_at timestamptz
    )
    """,
    "CREATE INDEX api_keys_tenant ON api_keys (tenant)",
    # Each move updates one row here in place (HOT), so no column that changes with a move may have an
    # index, and pages keep room for the new version of a row.
    """
    CREATE TABLE matches (
        id uuid PRIMARY KEY,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        version integer NOT NULL,
        seats smallint NOT NULL,
        tenant text NOT NULL,
        game text NOT NULL,
        rules_version text NOT NULL,
        request_id text,
        options bytea NOT NULL,
        secret bytea NOT NULL,
        commitment bytea NOT NULL,
        status text NOT NULL,
        seats_to_act smallint[] NOT NULL,
        outcome bytea
    ) WITH (fillfactor = 70)
    """,
    "CREATE UNIQUE INDEX matches_request_id ON matches (tenant, request_id) WHERE request_id IS NOT NULL",
    """
    CREATE TABLE seats (
        match_id uuid NOT NULL,
        seat smallint NOT NULL,
        generation integer NOT NULL DEFAULT 0,
        claimed_at timestamptz NOT NULL DEFAULT now(),
        player text NOT NULL,
        PRIMARY KEY (match_id, seat)
    )
    """,
    # No foreign key to matches: the statement that inserts a move updates its match, so there is one; and
    # the check would lock and read the match a second time for each move.
    """
    CREATE TABLE moves (
        match_id uuid NOT NULL,
        recorded_at timestamptz NOT NULL,
        seq integer NOT NULL,
        seat smallint,
        request_id text NOT NULL,
        previous_hash bytea NOT NULL,
        hash bytea NOT NULL,
        request bytea NOT NULL,
        events bytea NOT NULL,
        PRIMARY KEY (match_id, seq),
        CONSTRAINT moves_request_id UNIQUE (match_id, request_id)
    )
    """,
    """
    CREATE VIEW moves_readable WITH (security_barrier) AS
    SELECT match_id, seq, seat, recorded_at, moves.request_id,
           convert_from(moves.request, 'UTF8')::jsonb AS request,
           convert_from(moves.events, 'UTF8')::jsonb AS events
    FROM moves JOIN matches ON matches.id = moves.match_id
    WHERE matches.status = 'ended'
    """,
    """
    COMMENT ON VIEW moves_readable IS
    'Moves of ended matches as JSON, for analysts. Running matches are left out: their moves hold hidden cards.'
    """,
)

DOWNGRADE = (
    "DROP VIEW moves_readable",
    "DROP TABLE moves, seats, matches, api_keys, tenants, schema_support",
)


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
