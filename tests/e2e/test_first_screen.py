"""What `foldtable up` prints can be pasted, and works."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.running_system import System
from tests.support.shell import paste

pytestmark = pytest.mark.slow


def commands_of(output: str) -> str:
    """The indented lines of the greeting."""
    return "\n".join(line.strip() for line in output.splitlines() if line.startswith("  "))


def test_the_printed_commands_create_a_match_and_show_its_table(system: System, tmp_path: Path) -> None:
    done = paste(commands_of(system.output), folder=tmp_path, tools=tmp_path / "tools")
    assert done.returncode == 0, done.stderr
    view = json.loads(done.stdout)
    assert view["version"] == 1
    assert f'"match_id":"{view["match_id"]}"' in done.stderr.replace(" ", "")
    assert len(view["view"]["seats"]) == 4


def test_it_tells_the_address_the_key_and_how_to_stop(system: System) -> None:
    assert system.address in system.output
    assert system.key in system.output
    assert system.key.startswith("ft_dev_")
    assert "Ctrl-C stops all of it" in system.output


def test_the_key_is_kept_for_its_owner_only(system: System) -> None:
    assert (system.home / "development_key").stat().st_mode & 0o077 == 0
    assert (system.home / "token_private.pem").stat().st_mode & 0o077 == 0
    for name in ("gateway", "rules"):
        assert system.key not in (system.home / "logs" / f"{name}.log").read_text()
