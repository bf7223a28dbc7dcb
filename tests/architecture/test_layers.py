"""Inside a folder too, imports run one way: the layers of each top-level folder, from the bottom up.

A module may import its own subfolder and the layers below, never its own layer's other members and never upwards. So a
subfolder can be read, tested and replaced with nothing but what is listed before it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

LAYERS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "gateway": (
        ("contract",),
        ("drain", "headers", "schemas"),
        ("telemetry",),
        ("problems",),
        ("access", "http", "server"),
        ("translate",),
        ("error_handlers", "middleware", "openapi"),
        ("upstream",),
        ("live", "settings"),
        ("context",),
        ("dependencies", "hot"),
        ("routes",),
        ("app",),
        ("__main__",),
    ),
    "services": (
        ("batch", "client", "embedded_postgres", "free_text", "postgres", "process", "texts"),
        ("movelog",),
        ("rpc",),
        ("identity", "bots"),
        ("rules", "webhooks"),
        ("audit", "kit", "platform"),
        ("replays",),
        ("cli",),
    ),
    "services/kit": (
        ("returned",),
        ("subject",),
        ("check", "contracts"),
        ("building",),
        ("records", "rules"),
        ("running",),
        ("every_check", "printed"),
        ("pytest_plugin",),
    ),
    "services/rules": (
        ("marks", "settings"),
        ("match",),
        ("seats", "watchdog", "wire"),
        ("players", "served_games", "views"),
        ("forgetting", "history", "streams", "sweeps"),
        ("api",),
        ("server",),
        ("__main__",),
    ),
    "engine": (
        ("kernel",),
        ("al_rashid", "match", "river_dragons", "river_of_gold", "trial"),
        ("interface", "registry"),
        ("bots", "research"),
    ),
}
"""`__init__` of a folder stands below everything in it."""

NAMED = re.compile(r"(?:engine|services|gateway|migrations)(?:\.\w+)+")
"""A text that is nothing but the name of a module of ours."""

MAX_FILES = 25
"""In one folder; more, and a reader no longer finds a file by its folder."""
CATALOGUES = frozenset({"gateway/routes"})
"""A file per noun or game: long lists, and each entry is found by its name."""
MAX_AT_THE_ROOT_OF_GATEWAY = 10


def modules(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


@cache
def imported_at_run_time(path: Path) -> list[tuple[int, str]]:
    """Return line and name of every import that runs; what only type checkers read makes no circle.

    A module that is named in a string is imported later, or started as a process: an arrow like any other.
    """
    return list(_imported_at_run_time(path))


def _imported_at_run_time(path: Path) -> Iterator[tuple[int, str]]:
    tree = ast.parse(path.read_text(), str(path))
    for_types = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield node.lineno, f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and NAMED.fullmatch(node.value):
            yield node.lineno, node.value


def member(folder: str, name: str) -> str | None:
    """Return the subfolder or module of a folder that a dotted name lies in."""
    prefix = folder.replace("/", ".") + "."
    return name.removeprefix(prefix).split(".")[0] if name.startswith(prefix) else None


@pytest.mark.parametrize("folder", LAYERS)
def test_every_subfolder_has_a_layer(folder: str) -> None:
    found = {path.relative_to(ROOT / folder).with_suffix("").parts[0] for path in modules(folder)}
    listed = [name for layer in LAYERS[folder] for name in layer]
    assert found - {"__init__"} == set(listed)
    assert len(listed) == len(set(listed))


def test_a_module_named_in_a_text_counts_as_imported(tmp_path: Path) -> None:
    hidden = tmp_path / "hidden.py"
    hidden.write_text('CHILD = ("-m", "services.cli.main")\nWORDS = "see services.cli.main"\n')
    assert imported_at_run_time(hidden) == [(1, "services.cli.main")]


@pytest.mark.parametrize("folder", LAYERS)
def test_imports_run_downwards(folder: str) -> None:
    height = {name: level for level, layer in enumerate(LAYERS[folder]) for name in layer}
    upwards = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in modules(folder)
        for own in [path.relative_to(ROOT / folder).with_suffix("").parts[0]]
        for line, name in imported_at_run_time(path)
        if (other := member(folder, name)) in height and other != own
        if own == "__init__" or height[other] >= height[own]
    ]
    assert upwards == []


def test_no_circle_of_imports_anywhere() -> None:
    found = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for folder in ("engine", "services", "gateway", "migrations")
        for path in modules(folder)
    }
    arrows = {
        module: {
            target
            for _, name in imported_at_run_time(path)
            for target in [name if name in found else name.rpartition(".")[0]]
            if target in found and target != module
        }
        for module, path in found.items()
    }
    while free := {module for module, targets in arrows.items() if not targets & arrows.keys()}:
        arrows = {module: targets for module, targets in arrows.items() if module not in free}
    assert sorted(arrows) == [], "these import each other, or import those that do"


def test_no_folder_is_a_heap() -> None:
    folders = {path.parent for top in ("engine", "services", "gateway") for path in modules(top)}
    heaps = {
        str(folder.relative_to(ROOT)): count
        for folder in folders
        if (count := len(list(folder.glob("*.py")))) > MAX_FILES
    }
    assert heaps.keys() - CATALOGUES == set(), heaps
    assert len(list((ROOT / "gateway").glob("*.py"))) <= MAX_AT_THE_ROOT_OF_GATEWAY
