"""Revocations: how often tokens of a match have been revoked, in the row that every move of the match advances.

A move that is asked for with a token is written only while this is what it was when the token was found good.
"""

from __future__ import annotations

from alembic import op

revision = "0012"
down_revision = "0011"

# The same in the row of the match as its seats and watchers have in theirs, but counted from here on: only changes matter.
UPGRADE = ("ALTER TABLE matches ADD revocations integer NOT NULL DEFAULT 0",)

DOWNGRADE = ("ALTER TABLE matches DROP revocations",)


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
