"""Vacations: the times for which players are away by announcement, and for how many days a month they may announce that themselves.

The rules servers read whose vacation goes on now, over all tenants; so one that ends, or is ended early, is seen by its `until`.
Two vacations of a player do not overlap, for which no constraint stands here: it would need the extension btree_gist, which may be
missing. Whoever writes a row holds the lock of its player (services/platform/vacations/stored.py).
"""

from __future__ import annotations

from alembic import op

revision = "0024"
down_revision = "0023"

UPGRADE = (
    # by_tenant: announced by the platform, not by the player. mark: the hash of a request with a request id, of which `id` is
    # made then; empty without one.
    """
    CREATE TABLE vacations (
        id uuid PRIMARY KEY,
        tenant text NOT NULL,
        player text NOT NULL,
        since timestamptz NOT NULL,
        until timestamptz NOT NULL CHECK (until > since),
        created_at timestamptz NOT NULL DEFAULT now(),
        by_tenant boolean NOT NULL,
        mark bytea NOT NULL DEFAULT ''
    )
    """,
    "CREATE INDEX vacations_until ON vacations (until)",
    "CREATE INDEX vacations_of_player ON vacations (tenant, player, until)",
    "CREATE INDEX vacations_of_tenant ON vacations (tenant, until, id)",
    """
    ALTER TABLE tenants ADD vacation_days smallint NOT NULL DEFAULT 0
    CONSTRAINT tenants_vacation_days CHECK (vacation_days BETWEEN 0 AND 31)
    """,
)

DOWNGRADE = ("ALTER TABLE tenants DROP vacation_days", "DROP TABLE vacations")


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
