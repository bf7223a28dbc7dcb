"""Bring a database to a revision.

All steps of a run share one transaction: a database is at one revision or at another, never between. Two
migrators at once are safe: the second waits for the first and then finds nothing to do.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import psycopg
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, NullPool, create_engine, text

HEAD: Final = "head"
EMPTY: Final = "base"
LOCK: Final = 0x666F6C647461626C
"""The advisory lock of migrators: «foldtabl» in ASCII."""
DDL_PATIENCE: Final = "10s"
"""How long a step waits for a table's lock. Moves queue up behind a waiting step, so rather fail and try again."""


def migrate(url: str, revision: str = HEAD) -> None:
    """Upgrade the database to a revision, by default the newest; blocks until done.

    Raises psycopg.OperationalError or sqlalchemy.exc.DBAPIError; the database is then unchanged.
    """
    _run(url, lambda config: command.upgrade(config, revision))


def downgrade(url: str, revision: str) -> None:
    """Take steps back, to a revision or to EMPTY. What the undone steps stored is lost."""
    _run(url, lambda config: command.downgrade(config, revision))


def current_revision(url: str) -> str | None:
    """Give the revision the database is at; None before the first step."""
    with _engine(url).connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def newest_revision() -> str:
    """Give the revision of the last step there is."""
    newest = ScriptDirectory.from_config(_config()).get_current_head()
    assert newest is not None
    return newest


def _run(url: str, steps: Callable[[Config], None]) -> None:
    with _engine(url).begin() as connection:
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})
        connection.execute(text(f"SET LOCAL lock_timeout = '{DDL_PATIENCE}'"))
        config = _config()
        config.attributes["connection"] = connection
        steps(config)


def _engine(url: str) -> Engine:
    """An address is given to libpq as it is; SQLAlchemy's own form of it knows less."""
    return create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(url), poolclass=NullPool)


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
