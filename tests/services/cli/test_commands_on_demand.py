"""A command is imported when it is named: whoever asks for one does not wait for all of them."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from typing import Any

import pytest

from services.cli.main import COMMANDS


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_where_the_list_says(foldtable: Any, name: str) -> None:
    module, _, attribute = COMMANDS[name].partition(":")
    assert getattr(import_module(module), attribute)
    done = foldtable(name, "--help")
    assert done.exit_code == 0
    assert f"foldtable {name}" in done.output


def test_the_help_names_every_command(foldtable: Any) -> None:
    lines = foldtable("--help").output.splitlines()
    for name in COMMANDS:
        assert any(line.startswith(f"│ {name} ") for line in lines), name


def test_no_command_is_imported_before_it_is_named() -> None:
    script = "import sys, services.cli.main; print(*(m for m in sys.modules if m.startswith('services.')))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == {
        "services.cli",
        "services.cli.main",
        "services.process",
        "services.process.rare_collection",
    }
