"""No statement about vacations reads the whole table, also where Postgres plans it without knowing the values."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from services.platform.vacations import stored

FILL = """
INSERT INTO vacations (id, tenant, player, since, until, by_tenant)
SELECT gen_random_uuid(), 't' || n % 20, 'p' || n % 2000, now() + (n % 400 - 100) * interval '1 day',
    now() + (n % 400 - 99) * interval '1 day', n % 2 = 0
FROM generate_series(1, 50000) AS n
"""
FIRST = "'0001-01-01 00:00+00', '00000000-0000-0000-0000-000000000000'"
STATEMENTS = {
    "a page of a tenant": (
        stored._LIST.format(columns=stored._COLUMNS, player="$6::text = ''"),
        f"'t3', {FIRST}, false, 101, ''",
    ),
    "a page of a player": (
        stored._LIST.format(columns=stored._COLUMNS, player="player = $6::text"),
        f"'t3', {FIRST}, true, 101, 'p3'",
    ),
    "how many": (stored._COUNT, "'t3', 'p3', now(), now(), 100"),
    "what overlaps": (stored._OVERLAPPING, "'t3', 'p3', now(), now() + interval '1 day'"),
    "what a player has announced": (stored._OWN, "'t3', 'p3', now()"),
    "what is forgotten with a new one": (
        stored._INSERT,
        "gen_random_uuid(), 't3', 'p3', now(), now() + interval '1 day', true, '', interval '90 days'",
    ),
    "who is away now, over all tenants": (
        "SELECT tenant, player FROM vacations WHERE since <= $1::timestamptz AND until > $1::timestamptz ORDER BY until LIMIT 100",
        "now()",
    ),
}


@pytest.mark.parametrize("what", STATEMENTS)
def test_a_statement_reads_by_an_index(database_url: str, what: str) -> None:
    statement, values = STATEMENTS[what]
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(FILL)
        connection.execute("ANALYZE vacations")
        connection.execute("SET plan_cache_mode = force_generic_plan")
        connection.execute(f"PREPARE asked AS {statement}")
        rows: list[Any] = connection.execute(f"EXPLAIN EXECUTE asked ({values})").fetchall()
    plan = "\n".join(row for (row,) in rows)
    assert "Index Scan" in plan, plan
    assert "Seq Scan" not in plan, plan
