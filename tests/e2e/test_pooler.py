"""A whole system with PgBouncer between it and Postgres, and no more connections than its settings allow."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import httpx
import psycopg
import pytest

from engine.registry import GAMES
from services.postgres.sessions import Pooler
from tests.support.deployment import GENEROUS
from tests.support.pgbouncer import pgbouncer, why_not
from tests.support.several_of_each import Several, several_of_each

pytestmark = pytest.mark.slow

READERS, WRITERS, NOTIFYING = 4, 1, 2
SERVERS = 3
"""Connections of the pooler to Postgres: fewer than the processes open to the pooler, so in transaction mode they are shared."""


@pytest.fixture(scope="module", params=[Pooler.SESSION, Pooler.TRANSACTION])
def mode(request: pytest.FixtureRequest) -> Pooler:
    found: Pooler = request.param
    if why_not(found):
        pytest.skip(why_not(found))
    return found


@pytest.fixture(scope="module")
def several(
    mode: Pooler, postgres_url: str, template_database: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Several]:
    folder = tmp_path_factory.mktemp("pooled")

    @contextmanager
    def pooled(url: str) -> Iterator[Mapping[str, str]]:
        if mode is Pooler.TRANSACTION:
            give_the_role_its_settings(url)
        servers = SERVERS if mode is Pooler.TRANSACTION else 40
        with pgbouncer(folder, url, mode, servers=servers) as address:
            yield {
                "database_url": address,
                "database_direct_url": url if mode is Pooler.TRANSACTION else "",
                "database_pooler": mode.value,
                "database_readers": str(READERS),
                "database_writers": str(WRITERS),
            }

    with several_of_each(
        postgres_url, template_database, folder, reached=pooled, rate_limits=GENEROUS
    ) as system:
        yield system


def give_the_role_its_settings(url: str) -> None:
    """As docs/run/databases.md says; for this database alone, since the tests share their role."""
    with psycopg.connect(url, autocommit=True) as operator:
        name = operator.info.dbname
        for setting in ("timezone = 'UTC'", "statement_timeout = '5s'", "enable_seqscan = off"):
            operator.execute(f'ALTER DATABASE "{name}" SET {setting}')


def play(client: httpx.Client, game: str) -> None:
    """Play a whole match and verify it."""
    made = client.post("/v1/matches", json={"game": game, "seats": 2})
    assert made.status_code == 201, made.text
    path = f"/v1/matches/{made.json()['match']['match_id']}"
    while (match := client.get(path).json())["status"] == "running":
        seat = match["to_act"][0]
        legal = client.get(f"{path}/legal-actions", params={"seat": seat, "samples": 1}).json()
        move = {"seat": seat, "action": legal["samples"][0], "expected_version": legal["version"]}
        answer = client.post(f"{path}/moves", json=move)
        assert answer.status_code == 200, answer.text
    assert client.get(f"{path}/verify").json()["ok"]


def test_whole_matches_are_played_through_a_pooler(several: Several, mode: Pooler) -> None:
    most = 0
    done = threading.Event()

    def watch() -> int:
        """Return the most connections that were open at once, as Postgres counts them."""
        nonlocal most
        with psycopg.connect(several.database_url, autocommit=True) as operator:
            while not done.wait(0.05):
                found = operator.execute(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
                    " AND backend_type = 'client backend'"
                ).fetchone()
                assert found
                most = max(most, found[0])
        return most

    def play_at(gateway: int, game: str) -> None:
        with several.client(several.key, gateway=gateway) as client:
            play(client, game)

    with ThreadPoolExecutor(1 + 2 * len(GAMES)) as pool:
        counted = pool.submit(watch)
        try:
            played = [pool.submit(play_at, gateway, game) for game in GAMES for gateway in (0, 1)]
            for match in played:
                match.result()
        finally:
            done.set()
        assert counted.result() > 0
    processes = len(several.rules) + 1
    of_each = WRITERS + NOTIFYING + (READERS if mode is Pooler.SESSION else 0)
    shared = SERVERS if mode is Pooler.TRANSACTION else 0
    assert most <= processes * of_each + shared
    assert all("connection lost" not in log for log in several.logs().values())


def test_a_watcher_at_another_server_is_woken(several: Several) -> None:
    """Notifications get through, so nobody waits for the next slow poll."""
    with several.client(several.key) as mover, several.client(several.key, gateway=1) as watcher:
        match = mover.post("/v1/matches", json={"game": "river_dragons", "seats": 2}).json()["match"]
        path = f"/v1/matches/{match['match_id']}"
        seat = match["to_act"][0]
        with watcher.stream("GET", f"{path}/stream") as stream:
            lines = stream.iter_lines()
            assert next(lines)
            legal = mover.get(f"{path}/legal-actions", params={"seat": seat, "samples": 1}).json()
            move = {"seat": seat, "action": legal["samples"][0], "expected_version": legal["version"]}
            assert mover.post(f"{path}/moves", json=move).status_code == 200
            assert any(line == f"id: {legal['version'] + 1}" for line in lines)
