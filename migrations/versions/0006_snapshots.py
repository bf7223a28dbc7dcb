"""Snapshots: states that were put aside, so that views in the middle of a long match are cheap.

Nothing depends on them. The rows may be deleted at any time, all or some; the release before does not know them.
"""

from __future__ import annotations

from alembic import op

revision = "0006"
down_revision = "0005"

UPGRADE = (
    # state holds what is hidden, like the moves do. state_hash is keyed with the match's secret. No foreign key: a
    # snapshot of a match that is gone is never asked for.
    """
    CREATE TABLE snapshots (
        match_id uuid NOT NULL,
        version integer NOT NULL,
        rules_version text NOT NULL,
        state bytea NOT NULL,
        state_hash bytea NOT NULL,
        PRIMARY KEY (match_id, version)
    )
    """,
)

DOWNGRADE = ("DROP TABLE snapshots",)


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
