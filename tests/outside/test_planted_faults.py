"""One mistake in a copy of the game from outside: the command finds it, and says what to do, in sentences."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.outside.conftest import GAME, Outside
from tests.outside.planted import BROKEN, FAULTS, Broken, Fault, planted

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("fault", [pytest.param(each, id=each.id) for each in FAULTS])
def test_a_planted_fault_is_found(outside: Outside, tmp_path: Path, fault: Fault) -> None:
    """By the check for it, with what is wrong and what to do."""
    copy = planted(outside.package / GAME, tmp_path, *fault.edits)
    words = ("check-game", GAME, "--only", fault.check, "--json")
    done = outside.environment.run("foldtable", *words, PYTHONPATH=str(copy))
    assert (done.returncode, done.stderr) == (1, "")
    (check,) = json.loads(done.stdout)["games"][GAME]
    assert check["name"] == fault.check
    found = [one for one in check["faults"] if fault.what in one["what"]]
    assert found, check["faults"]
    assert all(fault.do in one["do"] for one in found)


def test_the_other_checks_do_not_drown_it(outside: Outside, tmp_path: Path) -> None:
    """A piece without a place is under one heading, once, although every seat has it."""
    (fault,) = (each for each in FAULTS if each.id == "no place for a piece")
    copy = planted(outside.package / GAME, tmp_path, *fault.edits)
    done = outside.environment.run("foldtable", "check-game", GAME, PYTHONPATH=str(copy))
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert [line.split()[1] for line in lines if line.startswith("FAULT")] == ["pieces"]
    (at,) = (number for number, line in enumerate(lines) if line.startswith("FAULT"))
    what, where, do, following = lines[at + 1 : at + 5]
    assert what.strip() == "the piece points:1 lies at points@1, which is no place of this table"
    assert where.strip().startswith("at match 0, ")
    assert do.strip().startswith("Do: add the place to the layout")
    assert following.startswith("ok ")


@pytest.mark.parametrize("broken", [pytest.param(each, id=each.id) for each in BROKEN])
def test_a_broken_package_is_told_in_a_sentence(outside: Outside, tmp_path: Path, broken: Broken) -> None:
    """With all checks, and never as a traceback; what ends several checks is under the first."""
    copy = planted(outside.package / GAME, tmp_path, *broken.edits)
    done = outside.environment.run("foldtable", "check-game", GAME, PYTHONPATH=str(copy))
    printed = done.stdout + done.stderr
    assert "Traceback" not in printed
    assert done.returncode == broken.code, printed
    assert broken.told in printed
    told = [line for line in printed.splitlines() if broken.told in line]
    assert len(told) == 1
