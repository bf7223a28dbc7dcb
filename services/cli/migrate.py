"""`foldtable migrate`: migrates a database to this release's schema."""

from __future__ import annotations

import os
import subprocess
import sys

import typer


def migrate() -> None:
    """Migrate the database of FOLDTABLE_DATABASE_URL to the newest schema; `up` does this by itself."""
    environment = {"FOLDTABLE_LOG_FORMAT": "console", **os.environ}  # readable for people
    done = subprocess.run((sys.executable, "-m", "migrations"), check=False, env=environment)
    raise typer.Exit(done.returncode)  # it has printed the error itself
