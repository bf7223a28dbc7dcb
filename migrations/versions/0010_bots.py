"""Bots: who plays a seat in its player's place.

Seats that are there already are played by persons. The index finds what bots are waited for, and holds their seats only.
"""

from __future__ import annotations

from alembic import op

revision = "0010"
down_revision = "0009"

UPGRADE = (
    "ALTER TABLE seats ADD bot text NOT NULL DEFAULT ''",
    "CREATE INDEX seats_by_bot ON seats (tenant, match_open, match_id) WHERE bot <> ''",
)

DOWNGRADE = ("ALTER TABLE seats DROP bot",)


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
