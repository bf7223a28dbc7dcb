"""Postgres is gone: whoever is asked says so with 503 and when to come again, in time, and all is well when it is back.

504 would say that something may have been done. Nothing was: no connection could be made.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import httpx
import pytest

from gateway.settings import Settings
from services.embedded_postgres import EmbeddedPostgres
from services.postgres.database import DatabaseSettings
from tests.support.authorisation import OK, ROUTES, RULES, Row
from tests.support.scenes import Stage
from tests.support.several_of_each import Several, several_on

pytestmark = pytest.mark.slow

WITHOUT_POSTGRES: Final = frozenset(
    [
        "getIndex",
        "getLiveness",
        "getReadiness",
        "getStartup",
        "listProblems",
        "getProblem",
        "getReference",
        "getReferenceAsset",
        "getFrontEndFile",
        "listGames",
        "describeGame",
        "getTexts",
        "getLayout",
        "listParagraphs",
        "getOpenapi",
        "getDescriptors",
        "getExportSchema",
        "getSigningKeys",
    ]
)
"""Answered from what the processes know."""
FROM_MEMORY: Final = frozenset({"getToken"})
"""Answered so as well, where a credential was checked a moment ago."""
SECONDS: Final = 5.0
"""As long as a read may take."""


@dataclass(frozen=True, eq=False)
class Asked:
    """A request that would succeed."""

    name: str
    operation: str
    method: str
    path: str
    query: dict[str, Any]
    json: Any
    credential: str | None


@dataclass(frozen=True)
class Answered:
    asked: Asked
    status: int
    reason: str
    retry_after: str
    seconds: float


@dataclass
class Downed:
    """A system whose Postgres can be taken away, and every request there is."""

    postgres: EmbeddedPostgres
    several: Several
    requests: list[Asked]

    @contextmanager
    def without_postgres(self) -> Iterator[None]:
        self.postgres.stop()
        try:
            yield
        finally:
            self.postgres.start()

    def ask(self, client: httpx.Client, asked: Asked) -> Answered:
        headers = {"authorization": f"Bearer {asked.credential}"} if asked.credential else {}
        begun = time.monotonic()
        with client.stream(
            asked.method, asked.path, params=asked.query, json=asked.json, headers=headers
        ) as answer:
            seconds = time.monotonic() - begun
            reason = "" if answer.is_success else httpx.Response(200, content=answer.read()).json()["reason"]
        return Answered(asked, answer.status_code, reason, answer.headers.get("retry-after", ""), seconds)


@pytest.fixture(scope="module")
def downed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Downed]:
    place = tmp_path_factory.mktemp("downed")
    with (
        EmbeddedPostgres(place / "postgres") as postgres,
        several_on(postgres, place, replicas=1) as several,
    ):
        stage = Stage(several)
        yield Downed(postgres, several, list(_requests(several, stage)))
        stage.close()


def _requests(several: Several, stage: Stage) -> Iterator[Asked]:
    """Make every kind of match there is, and a request of every row of the authorisation table."""
    with several.client(None) as client:
        paths = client.get("/openapi.json").json()["paths"]
    operations = {
        described["operationId"]: (method.upper(), path)
        for path, methods in paths.items()
        for method, described in methods.items()
    }
    for row in ROUTES:
        scene, (method, path) = stage.scene(row.scene), operations[row.operation]
        who = _somebody_who_may(row)
        more = row.asked(scene)
        yield Asked(
            row.id,
            row.operation,
            method,
            path.format(**scene.path),
            more.get("query") or {},
            more.get("json"),
            scene.credentials[who],
        )


def _somebody_who_may(row: Row) -> str:
    may = [who for who, told in RULES[row.rule].items() if told == OK]
    return next((who for who in ("tenant", "manager", "operator") if who in may), may[0])


def test_every_call_says_that_the_database_is_away_and_none_that_it_took_too_long(downed: Downed) -> None:
    """All at once, as callers come, and again when the outage has lasted a while."""
    reads = [asked for asked in downed.requests if asked.method == "GET" and "stream" not in asked.name]
    with downed.several.client(None) as client, ThreadPoolExecutor(16) as pool:
        before = {asked: downed.ask(client, asked).status for asked in reads}
        assert set(before.values()) <= {200, 404}, "404: an endpoint that a later row has taken away"
        with downed.without_postgres():
            for _ in range(2):
                answers = list(pool.map(lambda asked: downed.ask(client, asked), downed.requests))
                wrong = [answer for answer in answers if not _is_right(answer)]
                assert wrong == [], "\n".join(map(str, wrong))
        deadline = time.monotonic() + 60  # nothing has to be started again
        for asked, status in before.items():
            while (answer := downed.ask(client, asked)).status == 503:
                assert time.monotonic() < deadline, answer
                time.sleep(0.1)
            assert answer.status == status, answer


def _is_right(answer: Answered) -> bool:
    if answer.asked.operation in WITHOUT_POSTGRES:
        return answer.status == 200
    if answer.status == 200 and answer.asked.operation in FROM_MEMORY:
        return True
    if answer.status != 503 or answer.seconds > SECONDS:
        return False
    return answer.reason == "LOG_UNAVAILABLE" and int(answer.retry_after) >= 1


def test_what_a_gateway_waits_for_is_longer_than_what_a_service_waits_for() -> None:
    """Else the caller is told that there was no answer in time."""
    assert DatabaseSettings("").pool_seconds < Settings.model_fields["move_deadline_seconds"].default
    assert DatabaseSettings("").pool_seconds < Settings.model_fields["read_deadline_seconds"].default
