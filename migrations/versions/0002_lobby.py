"""A row for every seat, how a match is joined and begun, and what the match directory looks things up by.

The release before runs on this schema: whatever it does not write has a default. What it writes while both
releases run is complete but for two things: its seats carry no tenant, so the directory does not find its
matches by player, and seats that nobody has taken get their rows when somebody wants one of them.
"""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"

UPGRADE = (
    # active_minute is when the match last moved on, to the minute. It is computed, so it cannot disagree; and an
    # index on it is touched once a minute while a match is played, where one on updated_at would be with every move.
    """
    ALTER TABLE matches
        ADD visibility text NOT NULL DEFAULT 'private',
        ADD start text NOT NULL DEFAULT 'when_full',
        ADD title text NOT NULL DEFAULT '',
        ADD rematch_of uuid,
        ADD watch_generation integer NOT NULL DEFAULT 0,
        ADD seats_left_out smallint NOT NULL DEFAULT 0,
        ADD active_minute timestamptz NOT NULL GENERATED ALWAYS AS
            (date_bin(INTERVAL '1 minute', updated_at, TIMESTAMPTZ '2000-01-01 00:00:00+00')) STORED
    """,
    # The match directory. Each combination of the first four columns is a stretch of the index, in order already:
    # a page takes the first rows of every stretch that is asked for, and merges them.
    "CREATE INDEX matches_by_creation ON matches (tenant, game, status, visibility, id)",
    "CREATE INDEX matches_by_activity ON matches (tenant, game, status, visibility, active_minute, id)",
    "CREATE UNIQUE INDEX matches_rematch_of ON matches (rematch_of) WHERE rematch_of IS NOT NULL",
    # state: open, invited, reserved or taken. match_open turns false with the move that ends the match.
    """
    ALTER TABLE seats
        ADD tenant text NOT NULL DEFAULT '',
        ADD match_open boolean NOT NULL DEFAULT true,
        ADD state text NOT NULL DEFAULT 'taken',
        ADD name text NOT NULL DEFAULT '',
        ADD invite_generation integer NOT NULL DEFAULT 0,
        ADD joined_by text NOT NULL DEFAULT 'created',
        ALTER player SET DEFAULT ''
    """,
    """
    UPDATE seats SET tenant = matches.tenant, match_open = matches.status <> 'ended'
    FROM matches WHERE matches.id = seats.match_id
    """,
    """
    INSERT INTO seats (match_id, seat, tenant, match_open, state)
    SELECT matches.id, free.seat, matches.tenant, matches.status <> 'ended', 'open'
    FROM matches, generate_series(0, matches.seats - 1) AS free (seat)
    WHERE matches.status = 'waiting'
    ON CONFLICT DO NOTHING
    """,
    "CREATE INDEX seats_by_player ON seats (tenant, player, match_open, match_id) WHERE player <> ''",
    # Which seat a request to join was given, for a repeat of it. `mark` distinguishes requests that use the same id.
    """
    CREATE TABLE seat_requests (
        tenant text NOT NULL,
        request_id text NOT NULL,
        match_id uuid NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        seat smallint NOT NULL,
        mark bytea NOT NULL,
        PRIMARY KEY (tenant, request_id)
    )
    """,
)

DOWNGRADE = (
    "DROP TABLE seat_requests",
    "DROP INDEX seats_by_player",
    "DELETE FROM seats WHERE state <> 'taken'",
    """
    ALTER TABLE seats
        DROP tenant, DROP match_open, DROP state, DROP name, DROP invite_generation, DROP joined_by,
        ALTER player DROP DEFAULT
    """,
    "DROP INDEX matches_by_creation, matches_by_activity, matches_rematch_of",
    """
    ALTER TABLE matches
        DROP active_minute, DROP visibility, DROP start, DROP title, DROP rematch_of, DROP watch_generation,
        DROP seats_left_out
    """,
)


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
