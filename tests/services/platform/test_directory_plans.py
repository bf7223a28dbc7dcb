"""No listing reads more of the tables than it shows, among 10^5 matches of one tenant."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from services.movelog.postgres.lobby_queries import QUICK_JOIN
from services.movelog.postgres.log import READER_SESSION
from services.platform.directory.queries import ListingPosition, Question, statement
from services.postgres.database import DatabaseSettings, Pool, open_pool
from tests.support.own_databases import drop_database

pytestmark = pytest.mark.slow

MATCHES = 100_000
PAGE = 51
MAX_ROWS = 2_000
"""Rows a page may touch: of each of 27 stretches a page and its seats, or all of one player's matches."""
NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

FILL = f"""
INSERT INTO matches (id, created_at, updated_at, version, seats, tenant, game, rules_version, options, secret,
                     commitment, status, seats_to_act, visibility)
SELECT lpad(to_hex(n), 32, '0')::uuid, now(), TIMESTAMPTZ '2026-03-01 12:00+00' + n * INTERVAL '1 second',
       CASE WHEN n % 50 = 0 THEN 0 ELSE 5 END, 2, 'acme',
       (ARRAY['al_rashid', 'harbour', 'river_dragons'])[1 + n % 3], '1', '{{}}', 's', 'c',
       CASE WHEN n % 50 = 0 THEN 'waiting' WHEN n % 50 < 10 THEN 'running' ELSE 'ended' END,
       CASE WHEN n % 50 BETWEEN 1 AND 9 THEN '{{0}}'::int2[] ELSE '{{}}' END,
       (ARRAY['private', 'private', 'unlisted', 'public'])[1 + n % 4]
FROM generate_series(1, {MATCHES}) AS n;
INSERT INTO seats (match_id, seat, tenant, state, player, match_open)
SELECT id, seat, 'acme', CASE WHEN status = 'waiting' AND seat = 1 THEN 'open' ELSE 'taken' END,
       CASE WHEN status = 'waiting' AND seat = 1 THEN ''
            ELSE 'player-' || ((('x' || right(id::text, 6))::bit(24)::int / 7 + seat) % 500) END,
       status <> 'ended'
FROM matches, generate_series(0, 1) AS seat;
INSERT INTO match_notes (match_id, tenant, reference, metadata)
SELECT id, CASE WHEN n % 2 = 0 THEN 'acme' ELSE 'another' END, 'board-' || n,
       '{{"event":' || n / 40 || ',"season":"spring"}}'
FROM (SELECT id, ('x' || right(id::text, 6))::bit(24)::int AS n FROM matches) AS numbered;
VACUUM ANALYZE matches;
VACUUM ANALYZE seats;
VACUUM ANALYZE match_notes;
"""

FILL_ALIKE = """
INSERT INTO matches (id, created_at, updated_at, version, seats, tenant, game, rules_version, options, secret,
                     commitment, status, seats_to_act)
SELECT lpad(to_hex(n), 32, '0')::uuid, now(), now(), 5, 2, 'acme', 'harbour', '1', '{}', 's', 'c', 'running', '{0}'
FROM generate_series(1, 20000) AS n;
VACUUM ANALYZE matches;
"""


@contextmanager
def filled_database(postgres_url: str, template: str, name: str, fill: str) -> Iterator[str]:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    url = make_conninfo(postgres_url, dbname=name)
    with psycopg.connect(url, autocommit=True) as connection:
        for part in fill.split(";\n"):
            if part.strip():
                connection.execute(part)
    yield url
    drop_database(postgres_url, name)


@pytest.fixture(scope="module")
def crowded_url(postgres_url: str, template_database: str) -> Iterator[str]:
    """A database with 10^5 matches of one tenant, most of them over."""
    with filled_database(postgres_url, template_database, "foldtable_test_crowded", FILL) as url:
        yield url


@pytest.fixture(scope="module")
def uniform_url(postgres_url: str, template_database: str) -> Iterator[str]:
    """A database with matches of one game, status and visibility only: all other stretches are empty."""
    with filled_database(postgres_url, template_database, "foldtable_test_uniform", FILL_ALIKE) as url:
        yield url


@pytest.fixture
async def pool(crowded_url: str) -> AsyncIterator[Pool]:
    """Connections as the platform service has them."""
    async with opened_pool(crowded_url) as opened:
        yield opened


@asynccontextmanager
async def opened_pool(url: str) -> AsyncIterator[Pool]:
    settings = DatabaseSettings(url, statement_seconds=30)
    opened = await open_pool(settings, name="test", most=1, session=READER_SESSION)
    yield opened
    await opened.close()


def asked(**given: Any) -> Question:
    return Question(
        **{
            "tenant": "acme",
            "game": "",
            "statuses": ("ended", "running", "waiting"),
            "visibilities": ("private", "public", "unlisted"),
            "player": "",
            "waiting_for": "",
            "open_seats": False,
            "reference": "",
            "metadata": "",
            "updated_since": None,
            "by_activity": False,
            "descending": True,
            "limit": PAGE,
        }
        | given
    )


FILTERS: dict[str, dict[str, Any]] = {
    "nothing": {},
    "a game": {"game": "harbour"},
    "a game nobody plays": {"game": "chess"},
    "a status": {"statuses": ("waiting",)},
    "a visibility": {"visibilities": ("public",)},
    "a game, a status, a visibility": {
        "game": "harbour",
        "statuses": ("running",),
        "visibilities": ("unlisted",),
    },
    "open seats": {"statuses": ("waiting",), "open_seats": True},
    "a player": {"player": "player-7"},
    "a player nobody knows": {"player": "nobody"},
    "a player's running matches": {"player": "player-7", "statuses": ("running",)},
    "waiting for a player": {"waiting_for": "player-7", "statuses": ("running", "waiting")},
    "waiting for one player, with another": {"waiting_for": "player-7", "player": "player-8"},
    "a reference": {"reference": "board-4000"},
    "a reference of another tenant": {"reference": "board-4001"},
    "metadata": {"metadata": '{"event":1000,"season":"spring"}'},
    "metadata of nothing": {"metadata": '{"event":"1000"}'},
    "a player's matches with metadata": {"player": "player-7", "metadata": '{"season":"spring"}'},
}
ORDERS = tuple(itertools.product((False, True), (False, True)))


async def explained(pool: Pool, sql: str, values: list[Any]) -> list[dict[str, Any]]:
    """Return every node of the plan as it was executed."""
    async with pool.connection() as connection:
        cursor = await connection.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}", values)
        ((plans,),) = await cursor.fetchall()
    nodes: list[dict[str, Any]] = []
    waiting = [plans[0]["Plan"]]
    while waiting:
        nodes.append(waiting.pop())
        waiting += nodes[-1].get("Plans", [])
    return nodes


def rows_read(nodes: list[dict[str, Any]]) -> float:
    """Return how many rows of tables were looked at, kept or not."""
    scans = [node for node in nodes if "Relation Name" in node]
    return sum(
        node["Actual Loops"] * (node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) for node in scans
    )


@pytest.mark.parametrize(("by_activity", "descending"), ORDERS)
@pytest.mark.parametrize("name", FILTERS)
async def test_a_page_reads_little_more_than_it_shows(
    pool: Pool, name: str, by_activity: bool, descending: bool
) -> None:
    question = asked(**FILTERS[name], by_activity=by_activity, descending=descending)
    places = [
        None,
        ListingPosition(
            match_id=_match_id(MATCHES // 2), minute=_minute(MATCHES // 2) if by_activity else None
        ),
    ]
    for after in places:
        nodes = await explained(pool, *statement(question, after))
        tables = {node["Relation Name"] for node in nodes if node["Node Type"] == "Seq Scan"}
        assert tables == set()
        assert rows_read(nodes) < MAX_ROWS


@pytest.mark.parametrize(("by_activity", "descending"), ORDERS)
async def test_no_page_looks_for_an_empty_stretch_among_the_matches_of_others(
    uniform_url: str, by_activity: bool, descending: bool
) -> None:
    """The primary key has the order of a listing by creation, too, but not its stretches."""
    question = asked(by_activity=by_activity, descending=descending)
    async with opened_pool(uniform_url) as pool:
        assert rows_read(await explained(pool, *statement(question, None))) < MAX_ROWS


@pytest.mark.parametrize("since", [NOON, NOON + timedelta(seconds=MATCHES - 30)])
@pytest.mark.parametrize("name", FILTERS)
async def test_what_has_moved_on_since_reads_little_more_than_it_shows(
    pool: Pool, name: str, since: datetime
) -> None:
    question = asked(**FILTERS[name], by_activity=True, descending=False, updated_since=since)
    nodes = await explained(pool, *statement(question, None))
    assert not [node for node in nodes if node["Node Type"] == "Seq Scan"]
    assert rows_read(nodes) < MAX_ROWS


@pytest.mark.parametrize("game", ["harbour", "chess"])
async def test_quick_join_looks_at_the_first_matches_that_wait(pool: Pool, game: str) -> None:
    values = ["acme", "somebody", "", "quick_join", None, None, None, game, ["1"], None, None]
    nodes = await explained(pool, QUICK_JOIN, values)
    assert not [node for node in nodes if node["Node Type"] == "Seq Scan"]
    assert rows_read(nodes) < 100


def _match_id(number: int) -> Any:
    from uuid import UUID

    return UUID(int=number)


def _minute(number: int) -> datetime:
    return (NOON + timedelta(seconds=number)).replace(second=0)


async def test_metadata_that_another_tenant_has_as_well_cost_nothing(pool: Pool) -> None:
    """Half of the hundred thousand matches' notes are another tenant's; of a third one's there are none."""
    question = asked(tenant="third", metadata='{"season":"spring"}')
    assert rows_read(await explained(pool, *statement(question, None))) == 0
