"""Whose rate limits a seat's tokens count for, and how often somebody has forked a match.

`account` is empty for a seat that has limits of its own, as every seat up to now. `forks` has a row for each match and
account, written in the transaction that makes the fork, so that requests to several replicas cannot pass the bound.
"""

from __future__ import annotations

from alembic import op

revision = "0013"
down_revision = "0012"

UPGRADE = (
    "ALTER TABLE seats ADD account text NOT NULL DEFAULT ''",
    """
    CREATE TABLE forks (
        match_id uuid NOT NULL,
        account text NOT NULL,
        made int4 NOT NULL,
        PRIMARY KEY (match_id, account)
    )
    """,
)

DOWNGRADE = ("DROP TABLE forks", "ALTER TABLE seats DROP account")


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
