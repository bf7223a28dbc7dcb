"""`foldtable migrate`: an empty database gets the schema; done twice it changes nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from migrations.migrate import current_revision, newest_revision

pytestmark = pytest.mark.slow


def test_an_empty_database_is_brought_to_the_newest_schema(foldtable: Any, empty_database_url: str) -> None:
    for _ in range(2):
        assert foldtable("migrate", FOLDTABLE_DATABASE_URL=empty_database_url).exit_code == 0
        assert current_revision(empty_database_url) == newest_revision()


def test_a_database_that_is_not_there_ends_with_an_error(foldtable: Any) -> None:
    done = foldtable("migrate", FOLDTABLE_DATABASE_URL="postgresql://nobody@127.0.0.1:1/nothing")
    assert done.exit_code == 1


@pytest.mark.parametrize("command", [("up",), ("migrate",), ("keys", "create", "somebody")])
@pytest.mark.parametrize(
    "url",
    [
        pytest.param("postgresql://u:hu%shHUSH@127.0.0.1:1/x", id="a password that is not percent-encoded"),
        pytest.param("mysql://u:hushHUSH@127.0.0.1:1/x", id="another database"),
    ],
)
def test_an_address_that_cannot_be_read_is_refused_without_its_password(
    tmp_path: Path, command: tuple[str, ...], url: str
) -> None:
    words = [sys.executable, "-m", "services.cli.main", *command]
    environment = {**os.environ, "FOLDTABLE_DATABASE_URL": url, "FOLDTABLE_HOME": str(tmp_path)}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=60, check=False)
    said = done.stdout + done.stderr
    assert done.returncode in {1, 2}
    assert "percent-encoded" in said.replace("\n", " ")
    assert "HUSH" not in said
