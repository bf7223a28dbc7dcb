"""What players say of themselves: a name of their own, and data beside it.

`data` is JSON, empty for none. `renamed` turns true with the first name that was given after the match was made: from
then on the name is no longer what the request that made the match has said.
"""

from __future__ import annotations

from alembic import op

revision = "0011"
down_revision = "0010"

UPGRADE = (
    """
    ALTER TABLE seats
        ADD renamed boolean NOT NULL DEFAULT false,
        ADD data bytea NOT NULL DEFAULT ''
    """,
)

DOWNGRADE = ("ALTER TABLE seats DROP renamed, DROP data",)


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
