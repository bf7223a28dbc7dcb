"""Login codes: a link that signs a player in contains one, and it is exchanged once for a session.

Unlike stream tickets they are valid for up to a day, so the table is logged: they survive a crash of the database.
"""

from __future__ import annotations

from alembic import op

revision = "0017"
down_revision = "0016"

UPGRADE = (
    # hash: SHA-256 of the code. scopes, lifetime: of the session to come. generation: of the player's sessions when the code
    # was made, so that a revocation of the sessions is one of the code.
    """
    CREATE TABLE login_codes (
        hash bytea PRIMARY KEY,
        tenant text NOT NULL,
        player text NOT NULL,
        scopes text[] NOT NULL,
        lifetime interval NOT NULL,
        generation int4 NOT NULL,
        expires_at timestamptz NOT NULL
    )
    """,
    "CREATE INDEX login_codes_expires_at ON login_codes (expires_at)",
    "CREATE INDEX login_codes_tenant ON login_codes (tenant, expires_at)",
)

DOWNGRADE = ("DROP TABLE login_codes",)


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
