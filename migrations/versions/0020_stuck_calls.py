"""Calls of a game's rules that did not return: every rules server reads here what it must not call again."""

from __future__ import annotations

from alembic import op

revision = "0020"
down_revision = "0019"

UPGRADE = (
    # distribution: name and version of the package whose rules they are; another version is judged anew. match_id, digest: what
    # is refused from then on, an action at a match, a whole match, or a request without a match; with neither, nothing is.
    # digest is keyed with the match's secret, so nobody can use it to test a guess. action: the type of the action alone.
    """
    CREATE TABLE stuck_calls (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        recorded_at timestamptz NOT NULL DEFAULT now(),
        distribution text NOT NULL,
        game text NOT NULL,
        function text NOT NULL,
        match_id uuid,
        version int8,
        seat int4,
        action text NOT NULL,
        digest bytea,
        lifted_at timestamptz
    )
    """,
    "CREATE INDEX stuck_calls_game ON stuck_calls (game, id) WHERE lifted_at IS NULL",
)

DOWNGRADE = ("DROP TABLE stuck_calls",)


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
