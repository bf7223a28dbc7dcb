"""API keys have a label, may expire, and say which key they replaced.

The release before runs on this schema, but takes no notice of `expires_at`: while both run, a key that has
expired or was replaced is still good there. Revoking counts everywhere.
"""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"

UPGRADE = (
    """
    ALTER TABLE api_keys
        ADD label text NOT NULL DEFAULT '',
        ADD expires_at timestamptz,
        ADD replaces uuid REFERENCES api_keys
    """,
)

DOWNGRADE = (
    # A key that was to expire must not become good for ever.
    "UPDATE api_keys SET revoked_at = LEAST(expires_at, now()) WHERE expires_at IS NOT NULL AND revoked_at IS NULL",
    "ALTER TABLE api_keys DROP label, DROP expires_at, DROP replaces",
)


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
