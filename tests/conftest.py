"""What everybody's tests share: a Postgres for the session, and a fresh, migrated database for each test."""

from __future__ import annotations

import services.process.rare_collection  # noqa: F401 - before the imports that it makes cheaper

# isort: split
import gc
import os
from collections.abc import Iterator
from uuid import uuid4

import hypothesis
import pytest
from psycopg.conninfo import make_conninfo

from migrations.migrate import migrate
from services.embedded_postgres import EmbeddedPostgres
from tests.support.deployment import GENEROUS
from tests.support.hermetic import clean_environment, set_up_guard
from tests.support.own_databases import ReusedDatabase, drop_database, run_on
from tests.support.running_system import System, running_system
from tests.support.several_of_each import Several, several_of_each
from tests.support.tethers import tethered
from tests.support.workers import (  # noqa: F401 - hooks: the number is asked for before `pytest_configure`
    pytest_xdist_auto_num_workers,
    pytest_xdist_make_scheduler,
)

TEMPLATE = "foldtable_template"
PROGRAMS = frozenset({"system", "several", "world"})
"""Fixtures that start programs of ours and are used far and wide: their tests are slow. Other tests say so themselves."""


clean_environment()


def pytest_configure(config: pytest.Config) -> None:
    set_up_guard(config.pluginmanager)


def pytest_collection_finish() -> None:
    """Keep the collector of garbage from looking through ten thousand collected tests again and again."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what is slow by what it uses, and begin with the modules that have slow tests: several workers end together then."""
    for item in items:
        if PROGRAMS & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


hypothesis.settings.register_profile(
    "tests",
    deadline=None,
    derandomize="FOLDTABLE_FUZZ_MATCHES" not in os.environ,
    max_examples=int(os.environ.get("FOLDTABLE_FUZZ_MATCHES", "50")),
)
hypothesis.settings.load_profile("tests")
"""How long an example takes says more of the machine than of the code; and but for `make prove P=fuzz`, what fails fails again."""


@pytest.fixture(scope="session")
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An embedded Postgres of the tests' own, in which databases may be created and processes killed.

    It does not wait for the disk: what was committed outlives every process, if not the machine.
    """
    folder = tmp_path_factory.mktemp("postgres") / "embedded"
    with EmbeddedPostgres(folder, settings={"fsync": "off"}) as postgres, tethered(postgres.pid):
        yield postgres.url


@pytest.fixture(scope="session")
def template_database(postgres_url: str) -> Iterator[str]:
    """The name of a migrated database, from which the others are copied."""
    name = f"{TEMPLATE}_{uuid4().hex[:12]}"
    run_on(postgres_url, "CREATE DATABASE {}", name)
    migrate(make_conninfo(postgres_url, dbname=name))
    yield name
    drop_database(postgres_url, name)


@pytest.fixture
def empty_database_url(postgres_url: str) -> Iterator[str]:
    """A database without a schema, dropped afterwards."""
    name = f"foldtable_test_{uuid4().hex[:12]}"
    run_on(postgres_url, "CREATE DATABASE {}", name)
    yield make_conninfo(postgres_url, dbname=name)
    drop_database(postgres_url, name)


@pytest.fixture(scope="session")
def _reused_database(postgres_url: str, template_database: str) -> Iterator[ReusedDatabase]:
    database = ReusedDatabase(postgres_url, template_database)
    yield database
    database.drop()


@pytest.fixture
def database_url(_reused_database: ReusedDatabase) -> Iterator[str]:
    """A migrated, empty database that no other test uses at the same time."""
    yield _reused_database.acquire()
    _reused_database.release()


@pytest.fixture(scope="module")
def module_database_url(postgres_url: str, template_database: str) -> Iterator[str]:
    """The same for a whole module, whose tests do not get in each other's way."""
    name = f"foldtable_test_{uuid4().hex[:12]}"
    run_on(postgres_url, "CREATE DATABASE {} TEMPLATE {}", name, template_database)
    yield make_conninfo(postgres_url, dbname=name)
    drop_database(postgres_url, name)


@pytest.fixture(scope="session")
def system(tmp_path_factory: pytest.TempPathFactory) -> Iterator[System]:
    """The whole system in its own processes, one for the session. Tests that stop or harm it start their own.

    Pages of http://table.localhost may use it.
    """
    home = tmp_path_factory.mktemp("system") / "home"
    with running_system(home, FOLDTABLE_CORS_ORIGINS="http://table.localhost") as system:
        yield system


@pytest.fixture(scope="session")
def several(
    postgres_url: str, template_database: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Several]:
    """Two gateways before two rules servers, for the session. Every test makes matches of its own.

    Who kills or stops a process says `several.start_what_ended()` when he is done.
    """
    folder = tmp_path_factory.mktemp("several")
    with several_of_each(postgres_url, template_database, folder, rate_limits=GENEROUS) as running:
        yield running
