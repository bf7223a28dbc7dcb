"""Bring the database of FOLDTABLE_DATABASE_URL to the newest schema: `python -m migrations`."""

from __future__ import annotations

import argparse
import os
import sys

import psycopg
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy.exc import DBAPIError

from migrations.migrate import current_revision, migrate


def main() -> None:
    argparse.ArgumentParser(
        prog="python -m migrations",
        description="Bring the database of FOLDTABLE_DATABASE_URL to the newest schema.",
    ).parse_args()
    url = os.environ.get("FOLDTABLE_DATABASE_URL")
    if not url:
        sys.exit("FOLDTABLE_DATABASE_URL is not set")
    try:
        conninfo_to_dict(url)
    except psycopg.ProgrammingError:  # its text quotes the address, password and all
        sys.exit(
            "FOLDTABLE_DATABASE_URL cannot be read: it should look like postgresql://user:password@host:5432/name, "
            "with special characters of the password percent-encoded"
        )
    try:
        migrate(url)
        sys.stdout.write(f"the database is at revision {current_revision(url)}\n")
    except DBAPIError as problem:
        sys.exit(f"the database is as it was: {problem.orig}")  # without SQLAlchemy's own words around it
    except psycopg.Error as problem:
        sys.exit(f"the database is as it was: {problem}")


if __name__ == "__main__":
    main()
