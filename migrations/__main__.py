"""Bring the database of FOLDTABLE_DATABASE_URL to the newest schema: `python -m migrations`."""

from __future__ import annotations

import argparse
import os

import psycopg
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy.exc import DBAPIError

from migrations.logs import configure_logs, give_up
from migrations.migrate import current_revision, migrate


def main() -> None:
    argparse.ArgumentParser(
        prog="python -m migrations",
        description="Bring the database of FOLDTABLE_DATABASE_URL to the newest schema.",
    ).parse_args()
    log = configure_logs()
    url = os.environ.get("FOLDTABLE_DATABASE_URL")
    if not url:
        give_up("the settings do not fit", problems=["FOLDTABLE_DATABASE_URL is not set"])
    try:
        given = conninfo_to_dict(url)
    except psycopg.ProgrammingError:  # its text quotes the address, including the password
        problem = (
            "FOLDTABLE_DATABASE_URL cannot be read: it should look like postgresql://user:password@host:5432/name, "
            "with special characters of the password percent-encoded"
        )
        give_up("the settings do not fit", problems=[problem])
    try:
        migrate(url)
        log.info("the database is migrated", revision=current_revision(url))
    except DBAPIError as problem:
        _failed(given, problem.orig)  # without SQLAlchemy's text around it
    except psycopg.Error as problem:
        _failed(given, problem)


def _failed(given: dict[str, object], problem: BaseException | None) -> None:
    """Say what went wrong, and whether there was a database at all: only one that was reached can be as it was."""
    why = " ".join(str(problem).split())
    reached = not isinstance(problem, psycopg.OperationalError) or problem.sqlstate is not None
    if reached:
        give_up("the database is as it was", why=why)
    where = f"{given.get('host') or os.environ.get('PGHOST') or 'localhost'}:{given.get('port') or 5432}"
    event = "the database refuses the connection" if "FATAL:" in why else "the database cannot be reached"
    give_up(event, database=where, why=why)


if __name__ == "__main__":
    main()
