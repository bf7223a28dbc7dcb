"""Forks: where a match begins that is one. Matches that are there already are none."""

from __future__ import annotations

from alembic import op

revision = "0007"
down_revision = "0006"

UPGRADE = ("ALTER TABLE matches ADD forked_from bytea",)
DOWNGRADE = ("ALTER TABLE matches DROP forked_from",)


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
