"""The system counts itself: the things every game and every command must have."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from engine.registry import newest
from tests.support.documents import documents
from tests.support.our_games import OUR_GAMES

ROOT = Path(__file__).resolve().parents[2]


def makefile_targets() -> dict[str, str]:
    lines = (ROOT / "Makefile").read_text().splitlines()
    return dict(found.groups() for line in lines if (found := re.match(r"([a-z-]+):.*?## (.+)", line)))  # type: ignore[misc]


def make(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", "--no-print-directory", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_bare_make_lists_every_target_with_a_line() -> None:
    listed = make().stdout
    phony = set(re.findall(r"^\.PHONY: (\S+)$", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert {name for name in phony if "$" not in name} == makefile_targets().keys()
    assert set(re.findall(r"^  make ([a-z-]+) +\S", listed, re.MULTILINE)) == makefile_targets().keys()


def test_the_targets_that_documents_name_exist() -> None:
    wanted = {"run", "demo", "prepare", "check", "test", "test-fast", "conformance", "bench", "prove"}
    assert wanted <= makefile_targets().keys()
    unknown = [
        f"{document.relative_to(ROOT)}: make {name}"
        for document in documents()
        if document.name != "CHANGELOG.md"
        for name in re.findall(
            r"(?:^|`)make ([a-z-]+)(?=$|`| +#| [A-Z]+=)", document.read_text(), re.MULTILINE
        )
        if name not in makefile_targets()
    ]
    assert unknown == []


def choices(target: str, variable: str) -> set[str]:
    """Return what a target lists when nothing is chosen."""
    return set(re.findall(rf"^  make {target} {variable}=(\S+) +\S", make(target).stdout, re.MULTILINE))


def test_every_benchmark_can_be_chosen() -> None:
    programs = {path.stem.removeprefix("bench_") for path in (ROOT / "tests" / "bench").glob("bench_*.py")}
    assert choices("bench", "B") == programs


def test_every_proof_can_be_chosen() -> None:
    folders = {path.parent.name for path in (ROOT / "tests" / "proofs").glob("*/*.py")}
    assert choices("prove", "P") == folders | {"browser", "failover", "fuzz", "replay", "schemathesis"}


@pytest.mark.parametrize(("target", "variable"), [("bench", "B"), ("prove", "P")])
def test_a_choice_that_does_not_exist_is_answered_with_those_that_do(target: str, variable: str) -> None:
    done = make(target, f"{variable}=nonsense")
    assert done.returncode == 2
    line = done.stderr.splitlines()[0]
    assert line.startswith(f"make {target} {variable}=nonsense: choose one of: ")
    assert set(line.rpartition(": ")[2].split()) == choices(target, variable)
    for choice in choices(target, variable):
        assert make("--dry-run", target, f"{variable}={choice}").returncode == 0


def test_the_version_is_the_same_everywhere() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    changelog = (ROOT / "CHANGELOG.md").read_text()
    assert re.search(rf"^## \[{re.escape(version)}\]", changelog, re.MULTILINE)


def test_every_dependency_says_in_a_line_why_it_is_there() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    for block in re.findall(r"^(?:dependencies|dev|research) = \[\n(.*?)^\]", text, re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            assert "#" in line or "pytest>=" in line, line


def test_every_dependency_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pinned = {
        line.split("==")[0] for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line
    }
    extras = [line for extra in project["optional-dependencies"].values() for line in extra]
    for requirement in [*project["dependencies"], *extras]:
        name = re.split(r"[\[><=; ]", requirement)[0].replace("_", "-")
        assert name in pinned, requirement


@pytest.mark.parametrize("game", OUR_GAMES)
def test_every_game_has_rulings_tests_and_a_contract(game: str) -> None:
    package = ROOT / "engine" / game
    assert (package / "RULINGS.md").exists()
    assert list((ROOT / "tests" / "engine" / game).glob("test_*.py"))
    assert list((ROOT / "proto" / "foldtable" / game / "v1").glob("*.proto"))
    assert (package / "package.py").exists()
    assert newest(game).id == game


def test_loading_the_rules_loads_no_service_and_no_gateway() -> None:
    program = (
        "import sys; from engine.registry import game\n"
        f"for name in {OUR_GAMES}: game(name)\n"
        "print([name for name in sys.modules if name.split('.')[0] in "
        "('services', 'gateway', 'foldtable', 'grpc', 'asyncio', 'psycopg', 'numpy')])"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert loaded.stdout.strip() == "[]"


def test_every_process_collects_garbage_rarely_before_it_imports_anything_else() -> None:
    begun = [
        *(ROOT / "services").glob("*/__main__.py"),
        ROOT / "gateway/__main__.py",
        ROOT / "services/cli/main.py",
    ]
    assert len(begun) > 4
    for path in begun:
        first = next(
            node
            for node in ast.parse(path.read_text()).body
            if isinstance(node, (ast.Import, ast.ImportFrom)) and getattr(node, "module", "") != "__future__"
        )
        assert ast.unparse(first) == "import services.process.rare_collection", path
