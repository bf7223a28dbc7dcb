"""The id that an imported match came with: its rows are hashed with it, and its tenant knows the match by it.

Empty for every match that was made here, and for those that older releases took in under the id they came with.
"""

from __future__ import annotations

from alembic import op

revision = "0014"
down_revision = "0013"

UPGRADE = ("ALTER TABLE matches ADD original_id uuid",)

DOWNGRADE = ("ALTER TABLE matches DROP original_id",)


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
