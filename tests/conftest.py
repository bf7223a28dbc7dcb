"""What everybody's tests share: a Postgres for the session, and a fresh, migrated database for each test."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import hypothesis
import pytest
from psycopg.conninfo import make_conninfo

from migrations.migrate import migrate
from services.embedded_postgres import EmbeddedPostgres
from tests.support.own_databases import drop_database, run_on
from tests.support.running_house import House, running_house

TEMPLATE = "foldtable_template"

hypothesis.settings.register_profile(
    "house", deadline=None, derandomize="FOLDTABLE_FUZZ_MATCHES" not in os.environ
)
hypothesis.settings.load_profile("house")
"""How long an example takes says more of the machine than of the code; and but for `make fuzz`, what fails fails again."""


@pytest.fixture(scope="session")
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An embedded Postgres of the tests' own, in which databases may be created and processes killed."""
    with EmbeddedPostgres(tmp_path_factory.mktemp("postgres") / "embedded") as postgres, _tethered(postgres):
        yield postgres.url


@contextmanager
def _tethered(postgres: EmbeddedPostgres) -> Iterator[None]:
    """End the server also when the tests are killed: the other end of the shell's input is ours alone."""
    script = f"cat; kill -INT {postgres.pid}"
    with subprocess.Popen(["sh", "-c", script], stdin=subprocess.PIPE, start_new_session=True) as tether:
        yield
        tether.kill()


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


@pytest.fixture
def database_url(postgres_url: str, template_database: str) -> Iterator[str]:
    """A migrated, empty database of the test's own, dropped afterwards."""
    name = f"foldtable_test_{uuid4().hex[:12]}"
    run_on(postgres_url, "CREATE DATABASE {} TEMPLATE {}", name, template_database)
    yield make_conninfo(postgres_url, dbname=name)
    drop_database(postgres_url, name)


@pytest.fixture(scope="module")
def module_database_url(postgres_url: str, template_database: str) -> Iterator[str]:
    """The same for a whole module, whose tests do not get in each other's way."""
    name = f"foldtable_test_{uuid4().hex[:12]}"
    run_on(postgres_url, "CREATE DATABASE {} TEMPLATE {}", name, template_database)
    yield make_conninfo(postgres_url, dbname=name)
    drop_database(postgres_url, name)


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The whole house in its own processes, one for the session. Tests that stop or harm it start their own.

    Pages of http://table.localhost may use it.
    """
    home = tmp_path_factory.mktemp("house") / "home"
    with running_house(home, FOLDTABLE_CORS_ORIGINS="http://table.localhost") as house:
        yield house
