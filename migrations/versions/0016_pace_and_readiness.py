"""How long built-in bots wait before they move, chosen with the match; and whether the player of a seat is ready to start.

Bots of every match there is move as fast as they can, and nobody has said to be ready: the defaults say so.
"""

from __future__ import annotations

from alembic import op

revision = "0016"
down_revision = "0015"

UPGRADE = (
    "ALTER TABLE matches ADD bot_pace_ms int4 NOT NULL DEFAULT 0",
    "ALTER TABLE seats ADD ready boolean NOT NULL DEFAULT false",
)

DOWNGRADE = ("ALTER TABLE seats DROP ready", "ALTER TABLE matches DROP bot_pace_ms")


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
