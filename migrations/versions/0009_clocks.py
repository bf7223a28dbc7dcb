"""Clocks: how much time a match gives, and what each seat of a running match has left.

Matches that are there already have none. `clock` holds what services/movelog/clocks.py stores: lengths in microseconds.
"""

from __future__ import annotations

from alembic import op

revision = "0009"
down_revision = "0008"

UPGRADE = (
    "ALTER TABLE matches ADD clock jsonb",
    # A row per seat from the start to the end of a match with a clock. deadline_at is null while the clock stands still;
    # left_us is what was left when it was set, so it does not change while the clock runs.
    """
    CREATE TABLE clocks (
        match_id uuid NOT NULL,
        seat smallint NOT NULL,
        left_us bigint NOT NULL,
        deadline_at timestamptz,
        time_outs integer NOT NULL DEFAULT 0,
        spent boolean NOT NULL DEFAULT false,
        PRIMARY KEY (match_id, seat)
    )
    """,
    # What the sweepers look at: the next deadlines.
    "CREATE INDEX clocks_by_deadline ON clocks (deadline_at) WHERE deadline_at IS NOT NULL",
)

DOWNGRADE = ("DROP TABLE clocks", "ALTER TABLE matches DROP clock")


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
