"""The commands of docs/run/backups.md, run as they stand there: by the heading or the number they stand under."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from services.embedded_postgres.binaries import binaries_folder
from tests.support.documents import ROOT, blocks

PAGE: Final = ROOT / "docs" / "run" / "backups.md"
COMMAND_SECONDS: Final = 600


def archiving(archive: Path) -> dict[str, str]:
    """Return the page's settings of Postgres, with a folder of our own in place of the one it names."""
    (block,) = [one for one in blocks(PAGE) if one.content.startswith("archive_mode")]
    settings = {}
    for line in block.content.splitlines():
        name, _, value = line.partition(" = ")
        settings[name] = value.strip("'").replace("/var/lib/foldtable-archive", str(archive))
    return settings


class Runbook:
    """Runs the page's commands with values for its variables."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._environment = {
            **os.environ,
            **variables,
            "PATH": os.pathsep.join((str(binaries_folder()), str(Path(sys.executable).parent), os.defpath)),
        }
        self._scripts = [one.content for one in blocks(PAGE) if one.language == "sh"]

    def take_base_backup(self) -> str:
        """Run the commands of "Take a base backup"."""
        return self._run(0, "pg_basebackup")

    def put_in_place(self, moment: str) -> str:
        """Run step 2 of "Go back": put the backup in place of the data folder."""
        self._environment["MOMENT"] = moment
        return self._run(1, "recovery.signal")

    def look_at_everything(self, database_url: str) -> str:
        """Run step 4: audit the database."""
        self._environment["FOLDTABLE_DATABASE_URL"] = database_url
        return self._run(2, "foldtable audit")

    def forget_the_settings(self) -> str:
        """Run step 5."""
        return self._run(3, "ALTER SYSTEM RESET")

    def _run(self, number: int, contains: str) -> str:
        """Run a block; AssertionError if it fails, or is not the one that is meant."""
        script = self._scripts[number]
        assert contains in script, f"block {number} of {PAGE.name} is another one now"
        done = subprocess.run(
            ["sh", "-eu", "-c", script],
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=COMMAND_SECONDS,
            check=False,
        )
        assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
        return done.stdout
