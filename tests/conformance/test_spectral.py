"""Spectral finds nothing in the OpenAPI document that it would rather see otherwise."""

from __future__ import annotations

from pathlib import Path

from tests.support.node import SCRIPTS, run
from tests.support.several_of_each import Several


def test_spectral_has_nothing_to_say(stack: Several, tmp_path: Path) -> None:
    document = tmp_path / "openapi.json"
    with stack.client(None) as client:
        document.write_bytes(client.get("/openapi.json").content)
    ruleset = str(SCRIPTS / "spectral.yaml")
    said = run("spectral", "lint", str(document), "--ruleset", ruleset, "--fail-severity", "warn")
    assert "No results with a severity of 'warn' or higher found!" in said, said
