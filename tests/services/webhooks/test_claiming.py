"""Whose lanes a worker is given: fairly, within its room, and without reading much of what waits."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from services.postgres.database import Pool
from services.webhooks.claiming import CLAIM, Room
from services.webhooks.lanes import Lanes
from tests.support.own_databases import drop_database

HOUR = timedelta(hours=1)
TENANT = "INSERT INTO tenants (id) VALUES ($1) ON CONFLICT DO NOTHING"
ENDPOINT = """
INSERT INTO webhook_endpoints (tenant, url, types, secret, paused_until)
VALUES ($1, 'http://127.0.0.1:1/', '{}', '', now() + $2::interval) RETURNING id
"""
LANES = """
INSERT INTO webhook_lanes (endpoint_id, lane, due_at)
SELECT $1::uuid, gen_random_uuid(), now() - interval '1 hour' FROM generate_series(1, $2::int)
"""


@pytest.fixture
def pool(telling: Any) -> Pool:
    return telling.log.pool


@pytest.fixture
def lanes(pool: Pool) -> Lanes:
    return Lanes(pool, lease=HOUR)


async def endpoint(pool: Pool, tenant: str, waiting: int, *, paused: timedelta | None = None) -> UUID:
    """Create an endpoint with so many lanes."""
    async with pool.connection() as connection:
        await connection.execute(TENANT, (tenant,))
        row = await (await connection.execute(ENDPOINT, (tenant, paused))).fetchone()
        assert row is not None
        await connection.execute(LANES, (row[0], waiting))
    return row[0]


def room(lanes: int, **served: Any) -> Room:
    return Room(**{"lanes": lanes, "per_tenant": 16, "per_endpoint": 4} | served)


async def given(lanes: Lanes, wanted: Room) -> Counter[str]:
    """Count whose lanes a worker is given."""
    claimed, missed = await lanes.claim(wanted)
    assert not missed
    return Counter(lane.tenant for lane in claimed)


async def test_an_endpoint_gets_four_lanes(pool: Pool, lanes: Lanes) -> None:
    ours = await endpoint(pool, "acme", 100)
    assert await given(lanes, room(32)) == {"acme": 4}
    assert await given(lanes, room(28, tenants={"acme": 3}, endpoints={ours: 3})) == {"acme": 1}
    assert await given(lanes, room(28, tenants={"acme": 4}, endpoints={ours: 4})) == {}


async def test_a_tenant_by_itself_gets_half(pool: Pool, lanes: Lanes) -> None:
    for _ in range(20):
        await endpoint(pool, "acme", 10)
    assert await given(lanes, room(32)) == {"acme": 16}
    assert await given(lanes, room(16, tenants={"acme": 16})) == {}
    assert await given(lanes, room(32, tenants={"acme": 15})) == {
        "acme": 1
    }  # 15 of them wait, without a place
    assert await given(lanes, room(1, tenants={"rival": 31})) == {"acme": 1}


async def test_many_tenants_share_and_leave_something_for_who_comes_next(pool: Pool, lanes: Lanes) -> None:
    for tenant in ("one", "two", "three"):
        for _ in range(10):
            await endpoint(pool, tenant, 10)
    shares = await given(lanes, room(32))
    assert set(shares.values()) == {8}
    await endpoint(pool, "next", 10)
    assert (await given(lanes, room(8, tenants=shares)))["next"] > 0


async def test_many_endpoints_do_not_crowd_out_one(pool: Pool, lanes: Lanes) -> None:
    for _ in range(100):
        await endpoint(pool, "many", 3)
    for number in range(10):
        await endpoint(pool, f"one-{number}", 1)
        assert await given(lanes, room(2)) == {"many": 1, f"one-{number}": 1}


async def test_whoever_is_served_least_comes_first(pool: Pool, lanes: Lanes) -> None:
    for tenant in ("busy", "idle"):
        for _ in range(5):
            await endpoint(pool, tenant, 10)
    assert await given(lanes, room(4, tenants={"busy": 2})) == {"idle": 2}


async def test_an_endpoint_on_trial_gets_one_lane_and_one_that_rests_none(pool: Pool, lanes: Lanes) -> None:
    trial = await endpoint(pool, "trial", 10, paused=timedelta(0))
    await endpoint(pool, "resting", 10, paused=HOUR)
    assert await given(lanes, room(32)) == {"trial": 1}
    assert await given(lanes, room(31, tenants={"trial": 1}, endpoints={trial: 1})) == {}


async def test_what_others_have_locked_is_not_waited_for_and_looked_for_again(
    pool: Pool, lanes: Lanes
) -> None:
    await endpoint(pool, "acme", 2)
    async with pool.connection() as connection, connection.transaction():
        await connection.execute("SELECT FROM webhook_lanes LIMIT 1 FOR UPDATE")
        claimed, missed = await lanes.claim(room(32))
        assert (len(claimed), missed) == (1, True)
    claimed, missed = await lanes.claim(room(32))
    assert (len(claimed), missed) == (1, False)


ENDPOINTS, WAITING, PER_ENDPOINT = 1_000, 100_000, 4
FILL = f"""
INSERT INTO tenants (id) SELECT 'tenant-' || n FROM generate_series(0, 99) AS n;
INSERT INTO webhook_endpoints (tenant, url, types, secret, state, paused_until)
SELECT 'tenant-' || n % 100, 'u', '{{}}', '', CASE n % 10 WHEN 0 THEN 'failed' ELSE 'enabled' END,
       CASE n % 10 WHEN 1 THEN now() + interval '1 hour' WHEN 2 THEN now() END
FROM generate_series(1, {ENDPOINTS}) AS n;
INSERT INTO webhook_lanes (endpoint_id, lane, due_at)
SELECT id, gen_random_uuid(), now() + (n - 50) * interval '1 minute'
FROM webhook_endpoints, generate_series(1, {WAITING // ENDPOINTS}) AS n;
VACUUM ANALYZE webhook_endpoints;
VACUUM ANALYZE webhook_lanes;
"""


@pytest.fixture(scope="module")
def crowded_url(postgres_url: str, template_database: str) -> Iterator[str]:
    """A database in which 10^5 lanes wait at 10^3 endpoints of 10^2 tenants."""
    name = f"foldtable_test_{uuid4().hex[:12]}"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template_database}")
    url = make_conninfo(postgres_url, dbname=name)
    with psycopg.connect(url, autocommit=True) as connection:
        for part in filter(str.strip, FILL.split(";\n")):
            connection.execute(part)
    yield url
    drop_database(postgres_url, name)


@pytest.mark.slow
@pytest.mark.parametrize("plan", ["force_custom_plan", "force_generic_plan"])
def test_a_look_reads_little_of_what_waits(crowded_url: str, plan: str) -> None:
    """One lane of each endpoint that has any, by the index, and the few that are given."""
    values = (32, 16, PER_ENDPOINT, [], [], [], [], HOUR, uuid4())
    with psycopg.connect(crowded_url, cursor_factory=psycopg.RawCursor) as connection:
        cursor = connection.cursor()
        cursor.execute(f"SET plan_cache_mode = {plan}")
        types = "int, int, int, uuid[], int[], text[], int[], interval, uuid"
        cursor.execute(f"PREPARE claim ({types}) AS {CLAIM}")
        literals = ", ".join(sql.Literal(value).as_string(connection) for value in values)
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE claim ({literals})")
        row = cursor.fetchone()
        assert row is not None
        connection.rollback()
    text = json.dumps(row[0])
    nodes = list(walk(row[0][0]["Plan"]))
    read = [
        node for node in nodes if node.get("Relation Name") == "webhook_lanes" and "Scan" in node["Node Type"]
    ]
    assert all("Index" in node["Node Type"] for node in read), text
    rows = sum(
        (node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"] for node in read
    )
    assert rows <= ENDPOINTS + 10 * 32, text


def walk(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for child in node.get("Plans", ()):
        yield from walk(child)
