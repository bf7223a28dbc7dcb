"""Downtimes: when the servers of some rules last took moves, and the times in which none of them did.

Clocks stand still in such a time. Of earlier times nothing is known, so nothing is credited for them.
"""

from __future__ import annotations

from alembic import op

revision = "0018"
down_revision = "0017"

UPGRADE = (
    # A row for each version of the rules of a game that a server has served; changed about once a second.
    """
    CREATE TABLE heartbeats (
        game text NOT NULL,
        rules_version text NOT NULL,
        beat_at timestamptz NOT NULL,
        PRIMARY KEY (game, rules_version)
    ) WITH (fillfactor = 50)
    """,
    # Kept for good: with them an audit computes what the clocks of a match should say.
    """
    CREATE TABLE downtimes (
        game text NOT NULL,
        rules_version text NOT NULL,
        since timestamptz NOT NULL,
        until timestamptz NOT NULL,
        PRIMARY KEY (game, rules_version, until)
    )
    """,
)

DOWNGRADE = ("DROP TABLE downtimes", "DROP TABLE heartbeats")


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
