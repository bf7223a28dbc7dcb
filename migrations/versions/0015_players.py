"""Revocations of players' sessions, and whether a tenant's public matches may be read without a token.

A row of `session_revocations` counts how often the sessions of a player were revoked; the row of the empty player, those of
all players of the tenant. Without a row nothing was revoked. The sum of both rows only grows, and a session contains the sum
of the moment it was issued.
"""

from __future__ import annotations

from alembic import op

revision = "0015"
down_revision = "0014"

UPGRADE = (
    """
    CREATE TABLE session_revocations (
        tenant text NOT NULL,
        player text NOT NULL,
        revocations int4 NOT NULL,
        PRIMARY KEY (tenant, player)
    )
    """,
    "ALTER TABLE tenants ADD anonymous_read boolean NOT NULL DEFAULT false",
)

DOWNGRADE = ("ALTER TABLE tenants DROP anonymous_read", "DROP TABLE session_revocations")


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
