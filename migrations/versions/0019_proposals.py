"""Open proposals: whom a match waits for besides those who have to move, so that lists and feeds find it.

The log decides whether a proposal is open. A row here is written with the move that makes or answers the proposal, and counts only
while the match is at the version that the row names: so a move that closes a proposal needs to know nothing of this table, also
in a process of the previous release.
"""

from __future__ import annotations

from alembic import op

revision = "0019"
down_revision = "0018"

UPGRADE = (
    # version: at which it was made. at_version: at which it was made or answered last. kind: undo or abort. seat: whose it is.
    # asked: the seats that have not answered yet.
    """
    CREATE TABLE proposals (
        match_id uuid NOT NULL REFERENCES matches ON DELETE CASCADE,
        expires_at timestamptz NOT NULL,
        version integer NOT NULL,
        at_version integer NOT NULL,
        seat smallint NOT NULL,
        kind text NOT NULL,
        asked smallint[] NOT NULL,
        PRIMARY KEY (match_id, version)
    )
    """,
    "CREATE INDEX proposals_expires_at ON proposals (expires_at)",
    # Of the events `consent.asked` and `consent.settled`: what was proposed, and how it ended.
    "ALTER TABLE events ADD COLUMN proposal text NOT NULL DEFAULT '', ADD COLUMN result text NOT NULL DEFAULT ''",
)

DOWNGRADE = (
    "ALTER TABLE events DROP COLUMN proposal, DROP COLUMN result",
    "DROP TABLE proposals",
)


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
