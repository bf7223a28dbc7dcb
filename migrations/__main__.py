"""Bring the database of FOLDTABLE_DATABASE_URL to the newest schema: `python -m migrations`."""

from __future__ import annotations

import argparse
import os
import sys

import psycopg
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
        migrate(url)
        sys.stdout.write(f"the database is at revision {current_revision(url)}\n")
    except (psycopg.Error, DBAPIError) as problem:
        sys.exit(f"the database is as it was: {problem}")


if __name__ == "__main__":
    main()
