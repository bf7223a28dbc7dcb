"""What a platform notes about its matches: a reference of its own, and metadata.

A table of its own, because every move rewrites the row of its match, and an index on a table without rows is made at once.
"""

from __future__ import annotations

from alembic import op

revision = "0021"
down_revision = "0020"

UPGRADE = (
    # reference: empty for none. metadata: JSON as it is sent back, which jsonb would write differently. changed: the match
    # was changed since it was created, also in its title or visibility.
    """
    CREATE TABLE match_notes (
        match_id uuid PRIMARY KEY REFERENCES matches ON DELETE CASCADE,
        tenant text NOT NULL,
        reference text NOT NULL DEFAULT '',
        metadata text NOT NULL DEFAULT '{}',
        changed boolean NOT NULL DEFAULT false
    )
    """,
    "CREATE UNIQUE INDEX match_notes_reference ON match_notes (tenant, reference) WHERE reference <> ''",
    # The metadata are indexed under their tenant: what one tenant looks for is not among the entries of others. Without
    # fastupdate, so that no reader goes through a list of entries that wait for a vacuum.
    """
    CREATE INDEX match_notes_by_metadata ON match_notes
    USING gin (jsonb_set('{}'::jsonb, ARRAY[tenant], metadata::jsonb) jsonb_path_ops) WITH (fastupdate = off)
    WHERE metadata <> '{}'
    """,
)

DOWNGRADE = ("DROP TABLE match_notes",)


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
