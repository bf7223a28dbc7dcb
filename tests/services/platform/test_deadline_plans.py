"""The first deadline of a match is read from the match's own clocks, however many clocks run elsewhere, and with old statistics."""

from __future__ import annotations

import psycopg
import pytest

from services.movelog.postgres.events import EVENT_COLUMNS, EVENT_TABLES
from services.platform.live.feed_rows import _BY_ID

FILL = """
INSERT INTO clocks (match_id, seat, left_us, deadline_at)
SELECT gen_random_uuid(), 0, 1, now() + n * interval '1 s' FROM generate_series(1, 20000) AS n
"""
STATEMENTS = {
    "a feed": (_BY_ID, "ARRAY[gen_random_uuid()], ARRAY['t']"),
    "events": (f"SELECT {EVENT_COLUMNS} FROM {EVENT_TABLES} WHERE events.tenant = $1::text", "'t'"),
}


@pytest.mark.parametrize("analyzed", [False, True])
@pytest.mark.parametrize("what", STATEMENTS)
def test_no_statement_walks_along_the_deadlines_of_all_matches(
    database_url: str, what: str, analyzed: bool
) -> None:
    statement, values = STATEMENTS[what]
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(FILL)
        if analyzed:
            connection.execute("ANALYZE clocks")
        connection.execute("SET plan_cache_mode = force_generic_plan")
        connection.execute(f"PREPARE asked AS {statement}")  # type: ignore[arg-type]
        rows = connection.execute(f"EXPLAIN EXECUTE asked ({values})").fetchall()  # type: ignore[arg-type]
    plan = "\n".join(row for (row,) in rows)
    assert "clocks_by_deadline" not in plan, plan
