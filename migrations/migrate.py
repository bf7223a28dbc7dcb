"""Bring a database to a revision.

All steps of a run share one transaction, so a database is never between two revisions. Concurrent runs are safe: the
second waits for the first and then finds nothing to do.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import psycopg
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import LockNotAvailable
from sqlalchemy import Engine, NullPool, create_engine, text
from sqlalchemy.exc import DBAPIError

HEAD: Final = "head"
EMPTY: Final = "base"
LOCK: Final = 0x666F6C647461626C
"""The advisory lock of migrators: «foldtabl» in ASCII."""
CONNECT_SECONDS: Final = 10
"""How long to try each host of the address before the next one."""
DDL_LOCK_TIMEOUT: Final = timedelta(seconds=1)
"""How long a step waits for a table's lock. Moves queue up behind a waiting step, so it gives up soon, lets them pass, and
tries again."""
DDL_TRIES: Final = 10
DDL_PAUSE: Final = timedelta(seconds=1)
"""Pause between two tries, in which the queued statements get through."""


def migrate(url: str, revision: str = HEAD) -> None:
    """Upgrade the database to a revision, by default the newest; blocks until done.

    If another session holds a table's lock, it tries several times (DDL_TRIES). Raises psycopg.OperationalError or
    sqlalchemy.exc.DBAPIError; the database is then unchanged.
    """
    _run(url, lambda config: command.upgrade(config, revision))


def downgrade(url: str, revision: str) -> None:
    """Downgrade to a revision or to EMPTY. Data stored only by the undone steps is lost."""
    _run(url, lambda config: command.downgrade(config, revision))


def current_revision(url: str) -> str | None:
    """Return the current revision of the database; None before the first step."""
    with _engine(url).connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def newest_revision() -> str:
    """Return the revision of the newest step."""
    newest = ScriptDirectory.from_config(_config()).get_current_head()
    assert newest is not None
    return newest


def _run(url: str, steps: Callable[[Config], None]) -> None:
    for left in reversed(range(DDL_TRIES)):
        try:
            _try(url, steps)
        except DBAPIError as problem:
            if left == 0 or not isinstance(problem.orig, LockNotAvailable):
                raise
            time.sleep(DDL_PAUSE.total_seconds())
        else:
            return


def _try(url: str, steps: Callable[[Config], None]) -> None:
    with _engine(url).begin() as connection:
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        milliseconds = round(DDL_LOCK_TIMEOUT / timedelta(milliseconds=1))
        connection.execute(text(f"SET LOCAL lock_timeout = {milliseconds}"))
        config = _config()
        config.attributes["connection"] = connection
        steps(config)


def _engine(url: str) -> Engine:
    """Return an engine that passes the address to libpq unchanged: SQLAlchemy's own form of addresses supports less."""
    given = conninfo_to_dict(url)
    unless_said: dict[str, Any] = {
        "target_session_attrs": "read-write",  # of several hosts the primary
        "connect_timeout": CONNECT_SECONDS,
    }
    arguments = {key: value for key, value in unless_said.items() if key not in given}
    return create_engine(
        "postgresql+psycopg://", creator=lambda: psycopg.connect(url, **arguments), poolclass=NullPool
    )


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
