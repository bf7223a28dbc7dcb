"""Stream tickets: what a browser opens an event stream with, once, within a minute.

The table is not logged: after a crash of the database it is empty, and a ticket that is gone is refused like one that
was used. That is the safe side, and a ticket costs no write-ahead log.
"""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"

UPGRADE = (
    # hash: SHA-256 of the ticket. sealed: what the ticket opens, encrypted with a key that only the ticket gives.
    """
    CREATE UNLOGGED TABLE stream_tickets (
        hash bytea PRIMARY KEY,
        expires_at timestamptz NOT NULL,
        sealed bytea NOT NULL
    )
    """,
    "CREATE INDEX stream_tickets_expires_at ON stream_tickets (expires_at)",
)

DOWNGRADE = ("DROP TABLE stream_tickets",)


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
