"""Pauses, seats whose players are on vacation, and reminders of deadlines.

The log decides whether a match is paused and which seats rest; `paused_by` and `resting` are written with its rows, for lists
and for those who look for vacations that have begun or ended. `remind_at` is emptied when the reminder has been sent.
"""

from __future__ import annotations

from alembic import op

revision = "0023"
down_revision = "0022"

UPGRADE = (
    "ALTER TABLE clocks ADD resting boolean NOT NULL DEFAULT false, ADD remind_at timestamptz",
    "CREATE INDEX clocks_by_reminder ON clocks (remind_at) WHERE remind_at IS NOT NULL",
    "CREATE INDEX clocks_resting ON clocks (match_id) WHERE resting",
    # tenant or consent; null: the match is not paused. Last, so that the table is locked for a moment only.
    "ALTER TABLE matches ADD paused_by text",
)

DOWNGRADE = (
    "ALTER TABLE clocks DROP resting, DROP remind_at",
    "ALTER TABLE matches DROP paused_by",
)


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
