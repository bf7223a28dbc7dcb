"""Who may import whom. The arrows keep rules pure, hidden cards out of the gateway, and games apart."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from engine.registry import GAMES
from services.kit.records.imports import NOT_CALLED, NOT_IN_THE_RULES
from tests.support.our_games import OUR_GAMES

ROOT = Path(__file__).resolve().parents[2]
OURS = (
    "engine",
    "services",
    "gateway",
    "migrations",
    "foldtable",
    "foldtable_client",
    "proto",
    "tests",
)
"""Top-level packages of this repository; `foldtable` are the stubs, `foldtable_client` is the published Python client."""
CLIENTS = ("services/bots/", "services/cli/", "services/client/")
CLIENT = "clients/python/src/foldtable_client"

ALLOWED = {
    "engine": {"engine"},
    "services": {"engine", "services", "foldtable", "foldtable_client"},
    "gateway": {"gateway", "foldtable", "services.process"},
    "services/process": {"services.process"},
    "migrations": {"migrations"},
    CLIENT: {"foldtable_client"},
}
"""`services.process` is what every process stands on, the gateway too; it imports nothing of ours."""

PYTEST_PLUGIN = "services/kit/pytest_plugin.py"
"""What only pytest itself imports, with the tests of a game."""

ENGINE_LIBRARIES = {"msgspec"}
"""What the rules may use beside the standard library."""

RESEARCH = "engine/research/"
"""Environments around the rules; the only place that may use the libraries of the extra `research`."""
RESEARCH_LIBRARIES = {"numpy", "gymnasium", "pettingzoo", "pyspiel"}


TEMPLATE = ROOT / "services/cli/new_game/template"
"""A package of its own, which `foldtable new-game` copies: nothing here imports it. tests/kit/test_template.py checks it."""


def modules(folder: str) -> list[Path]:
    return sorted(path for path in (ROOT / folder).rglob("*.py") if not path.is_relative_to(TEMPLATE))


@cache
def imported(path: Path) -> list[tuple[int, str]]:
    """Return every module an import statement names, wherever it stands in the file, with its line."""
    return list(_imported(path))


def _imported(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(path.read_text(), str(path))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute here"
            yield node.lineno, node.module or ""
            for alias in node.names:
                yield node.lineno, f"{node.module}.{alias.name}"


def wrong(folder: str, forbidden: object) -> list[str]:
    """List the imports below a folder that `forbidden` is true for."""
    assert callable(forbidden)
    assert modules(folder), folder
    return [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in modules(folder)
        for line, name in imported(path)
        if forbidden(name)
    ]


@pytest.mark.parametrize("folder", ALLOWED)
def test_a_folder_imports_only_what_its_arrows_point_at(folder: str) -> None:
    allowed = ALLOWED[folder]

    def leads_elsewhere(name: str) -> bool:
        is_ours = name.split(".", maxsplit=1)[0] in OURS
        return is_ours and not any(name == one or name.startswith(f"{one}.") for one in allowed)

    assert wrong(folder, leads_elsewhere) == []


def test_the_engine_needs_the_standard_library_and_msgspec_only() -> None:
    import sys

    allowed = sys.stdlib_module_names | ENGINE_LIBRARIES | {"engine"}
    foreign = wrong("engine", lambda name: name.split(".")[0] not in allowed)
    assert [line for line in foreign if not line.startswith(RESEARCH)] == []
    allowed |= RESEARCH_LIBRARIES
    assert wrong(RESEARCH, lambda name: name.split(".")[0] not in allowed) == []


def test_nobody_needs_the_environments_of_research() -> None:
    """They come with an extra that a server does without."""
    used = [
        line for folder in ALLOWED for line in wrong(folder, lambda name: name.startswith("engine.research"))
    ]
    assert [line for line in used if not line.startswith(RESEARCH)] == []


def test_the_environments_name_no_game() -> None:
    """What is special to one game's numbers is beside the game: `action_space.py`, `features.py`."""
    games = tuple(f"engine.{game}" for game in OUR_GAMES)
    assert wrong(RESEARCH, lambda name: name.startswith(games)) == []


TRIAL = "engine/trial.py"
"""Tries packages of others in another process; it is called by the registry, and by no rule."""


def test_the_rules_know_no_luck_but_chance_no_clock_no_files_no_network() -> None:
    found = wrong("engine", lambda name: name.split(".")[0] in NOT_IN_THE_RULES)
    assert [line for line in found if not line.startswith(TRIAL)] == []


def test_the_rules_open_and_print_nothing() -> None:
    calls = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in modules("engine")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in NOT_CALLED
    ]
    assert calls == []


@pytest.mark.parametrize("game", OUR_GAMES)
def test_games_never_import_each_other_and_kernel_and_bots_import_no_game(game: str) -> None:
    others = {f"engine.{other}" for other in OUR_GAMES if other != game}
    package = GAMES[game].python_package.removeprefix("engine.")
    assert wrong(f"engine/{package}", lambda name: any(name.startswith(other) for other in others)) == []
    for folder in ("engine/kernel", "engine/bots"):
        assert wrong(folder, lambda name: name.startswith((f"engine.{package}", "engine.registry"))) == []


def test_the_rules_do_not_know_who_plays_by_them() -> None:
    for folder in ("kernel", *OUR_GAMES):
        assert wrong(f"engine/{folder}", lambda name: name.startswith("engine.bots")) == []


@pytest.mark.parametrize("folder", ["services", "gateway"])
def test_no_service_and_no_gateway_names_a_game(folder: str) -> None:
    """What is special to one game belongs to the engine; only folders of a game's own may name it."""
    named = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in modules(folder)
        for line, name in imported(path)
        for game in OUR_GAMES
        if f".{game}" in f".{name}" and game not in path.relative_to(ROOT).parts
    ]
    assert named == []


def test_the_published_client_needs_httpx_only() -> None:
    import sys

    allowed = sys.stdlib_module_names | {"foldtable_client", "httpx"}
    assert wrong(CLIENT, lambda name: name.split(".")[0] not in allowed) == []


def test_only_clients_of_the_api_know_the_published_client() -> None:
    used = wrong("services", lambda name: name.split(".")[0] == "foldtable_client")
    assert [line for line in used if not line.startswith(CLIENTS)] == []
    assert wrong("services/bots", lambda name: name.split(".")[0] in {"httpx", "httpcore"}) == []


def test_production_code_imports_no_test_library() -> None:
    libraries = {"pytest", "hypothesis", "unittest", "httpx_sse", "jsonschema"}
    used = [
        line for folder in ALLOWED for line in wrong(folder, lambda name: name.split(".")[0] in libraries)
    ]
    assert [line for line in used if not line.startswith(PYTEST_PLUGIN)] == []
