"""What every file of this repository keeps to."""

from __future__ import annotations

import ast
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PRODUCTION = ("engine", "services", "gateway", "migrations")
MAX_FILE = 400
"""Lines; past this only tables of data, and the rulebook is the judge of those."""
DATA_TABLES = frozenset(
    {
        "engine/river_dragons/box/board.py",
        "engine/river_dragons/box/sites.py",
        "engine/river_dragons/box/catalogue.py",
    }
)
MAX_FUNCTION = 70
"""Lines with signature and docstring: a function fits on a screen."""
TEXT = {".py", ".proto", ".md", ".toml", ".yaml", ".yml", ".txt", ".example", ".json", ""}


@cache
def files() -> tuple[Path, ...]:
    """Every file that belongs to the repository, committed yet or not."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listed.returncode == 0:
        names = [name for name in listed.stdout.decode().split("\0") if name]
        return tuple(path for name in names if (path := ROOT / name).is_file())
    hidden = {".git", ".venv", ".foldtable", "build", "dist", "gen"}
    return tuple(path for path in ROOT.rglob("*") if path.is_file() and not hidden & set(path.parts))


def production() -> list[Path]:
    return [
        path for path in files() if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in PRODUCTION
    ]


def test_no_file_holds_more_than_one_idea_can_take() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in production()
        if (lines := len(path.read_text().splitlines())) > MAX_FILE
    }
    assert set(long) <= DATA_TABLES, long


def test_every_function_fits_on_a_screen() -> None:
    long = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}: {lines} lines"
        for path in production()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (lines := (node.end_lineno or 0) - node.lineno + 1) > MAX_FUNCTION
    ]
    assert long == []


def test_every_module_says_in_its_first_line_what_it_is_for() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in production()
        if path.read_text().strip() and not ast.get_docstring(ast.parse(path.read_text()))
    ]
    assert silent == []


def test_no_file_is_called_after_nothing() -> None:
    names = {"utils.py", "util.py", "helpers.py", "helper.py", "common.py", "misc.py", "manager.py"}
    assert [str(path) for path in files() if path.name in names] == []


def test_the_tests_of_the_gateway_lie_as_the_gateway_does() -> None:
    """A folder of tests for each folder it has; directly in tests/gateway are those of files directly in gateway."""
    tested, tests = ROOT / "gateway", ROOT / "tests" / "gateway"
    folders = {path.parent for path in tests.rglob("test_*.py")} - {tests}
    assert [str(folder) for folder in folders if not (tested / folder.relative_to(tests)).is_dir()] == []
    of_files = {path.name.removeprefix("test_") for path in tests.glob("test_*.py")}
    assert of_files <= {path.name for path in tested.glob("*.py")}


def test_no_path_of_a_machine_is_written_down() -> None:
    machine = re.compile(r"/(?:home|root|Users|work)/[a-z]|/opt/pypi")
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in files()
        if path.suffix in TEXT and path != Path(__file__)
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), start=1)
        if machine.search(line)
    ]
    assert found == []


@pytest.mark.parametrize("word", ["TODO", "FIXME", "XXX", "HACK"])
def test_nothing_is_left_for_later(word: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in files()
        if path.suffix in {".py", ".proto", ".yaml"} and path != Path(__file__)
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), start=1)
        if re.search(rf"\b{word}\b", line)
    ]
    assert found == []


def test_every_exception_to_a_lint_rule_names_the_rule_and_in_production_its_reason() -> None:
    bare = re.compile(r"#\s*(?:noqa(?!:)|type:\s*ignore(?!\[))")
    reasoned = re.compile(r"#\s*noqa: [A-Z]+\d+(?:, [A-Z]+\d+)* - \S")
    nameless = []
    first_of_rule: dict[tuple[Path, str], bool] = {}
    for path in files():
        if path.suffix != ".py" or path == Path(__file__):
            continue
        for number, line in enumerate(path.read_text().splitlines(), start=1):
            if bare.search(line):
                nameless.append(f"{path.relative_to(ROOT)}:{number}")
            for rule in re.findall(r"# noqa: ([A-Z]+\d+)", line):
                given = first_of_rule.get((path, rule), False)
                first_of_rule[path, rule] = given or bool(reasoned.search(line))
    assert nameless == []
    unreasoned = [
        f"{path.relative_to(ROOT)}: {rule}"
        for (path, rule), given in first_of_rule.items()
        if not given and path.relative_to(ROOT).parts[0] in PRODUCTION
    ]
    assert unreasoned == []


def test_the_folders_at_the_root_are_those_that_readers_know() -> None:
    known = {"clients", "docs", "engine", "gateway", "k8s", "migrations", "proto", "services", "tests"}
    assert {path.relative_to(ROOT).parts[0] for path in files() if path.parent != ROOT} - {".ci"} == known
