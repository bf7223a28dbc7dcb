"""Letting time go by for the clocks of one match, without waiting for it. For tests; used by name."""

from __future__ import annotations

from uuid import UUID

import psycopg


def run_out(database_url: str, match_id: str, *seats: int) -> None:
    """Let the time of some seats be up now."""
    with psycopg.connect(database_url, autocommit=True) as connection:
        changed = connection.execute(
            "UPDATE clocks SET deadline_at = statement_timestamp() "
            "WHERE match_id = %s AND seat = ANY (%s::int2[]) AND deadline_at IS NOT NULL",
            (UUID(match_id), list(seats)),
        )
        assert changed.rowcount == len(seats), "they have no clock that runs"
