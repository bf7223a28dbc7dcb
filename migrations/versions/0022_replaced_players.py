"""Players who were replaced while their match was running, and whom an event of such a replacement is about.

`seats.player` is who has the seat now. `replaced` lists who had it before, in order: `player`, `name`, `until_version` (the last
version of the match at which the player had the seat) and `replaced_at`. It is one value of the seat's row, because it is written
with the row and read with it, and nearly always empty.
"""

from __future__ import annotations

from alembic import op

revision = "0022"
down_revision = "0021"

UPGRADE = (
    "ALTER TABLE seats ADD replaced jsonb NOT NULL DEFAULT '[]'",
    # Of the events `seat.replaced`: the id of the player who had the seat before.
    "ALTER TABLE events ADD replaced text NOT NULL DEFAULT ''",
)

DOWNGRADE = ("ALTER TABLE events DROP replaced", "ALTER TABLE seats DROP replaced")


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
