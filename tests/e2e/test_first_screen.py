"""What `foldtable up` prints can be pasted, and works."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest

from tests.support.running_system import System, running_system
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


def test_the_first_link_signs_you_in_once_and_is_in_no_log(tmp_path: Path) -> None:
    with running_system(tmp_path / "home") as system, httpx.Client(base_url=system.address) as browser:
        page, _, code = next(line for line in system.output.splitlines() if "#login=" in line).partition(
            "#login="
        )
        assert page == f"Play in the browser:  {system.address}/"
        assert system.output.index(page) < system.output.index("Foldtable is up"), "what people want first"
        session = browser.post("/v1/login-codes/redeem", json={"code": code}).json()
        assert session["player"] == "you"
        again = browser.post("/v1/login-codes/redeem", json={"code": code})
        assert (again.status_code, again.json()["reason"]) == (401, "LOGIN_CODE_INVALID")
        for log in (system.home / "logs").iterdir():
            assert code not in log.read_text()
            assert session["token"] not in log.read_text()


def test_without_a_page_no_link_is_made(tmp_path: Path) -> None:
    with running_system(tmp_path / "home", FOLDTABLE_WEB="off") as system:
        assert "#login=" not in system.output
        assert "Play in the browser" not in system.output


def test_the_key_is_kept_for_its_owner_only(system: System) -> None:
    assert (system.home / "development_key").stat().st_mode & 0o077 == 0
    assert (system.home / "token_private.pem").stat().st_mode & 0o077 == 0
    for name in ("gateway", "rules"):
        assert system.key not in (system.home / "logs" / f"{name}.log").read_text()
