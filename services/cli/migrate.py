"""`foldtable migrate`: brings a database to this release's schema."""

from __future__ import annotations

import subprocess
import sys

import typer


def migrate() -> None:
    """Bring the database of FOLDTABLE_DATABASE_URL to the newest schema; `up` does this by itself."""
    done = subprocess.run((sys.executable, "-m", "migrations"), check=False)
    raise typer.Exit(done.returncode)  # it has said itself what was wrong
