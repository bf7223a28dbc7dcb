"""What the tests of the command line share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from services.cli.main import app
from tests.support.match_documents import a_match, document_of

Run = Callable[..., Result]


@pytest.fixture
def foldtable() -> Run:
    """Call the command line in this process."""

    def run(*words: str | Path, **environment: str) -> Result:
        env = {"COLUMNS": "200", **environment}
        return CliRunner().invoke(app, [str(word) for word in words], env=env)

    return run


@pytest.fixture(scope="session")
def export_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An export of an ended match of two."""
    file = tmp_path_factory.mktemp("export") / "match.json"
    file.write_bytes(document_of(*a_match()))
    return file
