"""Undo: what may be taken back in a match, and how long a proposal waits for its answers.

Matches that are there already get what a new one gets unasked.
"""

from __future__ import annotations

from alembic import op

revision = "0005"
down_revision = "0004"

UPGRADE = (
    """
    ALTER TABLE matches
        ADD undo_rule text NOT NULL DEFAULT 'consent',
        ADD undo_seconds integer NOT NULL DEFAULT 86400
    """,
)

DOWNGRADE = ("ALTER TABLE matches DROP undo_rule, DROP undo_seconds",)


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
