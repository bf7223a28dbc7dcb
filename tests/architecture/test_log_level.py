"""The log level decides which lines are logged, and nothing else: what is debugged is what runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("engine", "gateway", "services")
ASKS = frozenset(
    {"is_debugging", "isEnabledFor", "getEffectiveLevel", "is_enabled_for", "get_effective_level"}
)
WITHOUT_CONSEQUENCES = frozenset({"debug"})
"""Calls that log a line and return nothing that anybody uses."""


def files() -> list[Path]:
    return [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]


def is_question(node: ast.AST) -> bool:
    called = node.func if isinstance(node, ast.Call) else None
    name = (
        called.id
        if isinstance(called, ast.Name)
        else called.attr
        if isinstance(called, ast.Attribute)
        else ""
    )
    return name in ASKS


def only_logs(statement: ast.stmt) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    return (
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in WITHOUT_CONSEQUENCES
    )


def harmless(tree: ast.AST) -> set[int]:
    """Return the questions that are the whole condition of a block which only logs. What `elif` hangs from is judged itself."""
    return {
        id(node.test)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and all(map(only_logs, node.body)) and not node.orelse
    }


def questions(source: str) -> Iterator[int]:
    """Yield the lines that ask for the log level to do more than log a line."""
    tree = ast.parse(source)
    fine = harmless(tree)
    for node in ast.walk(tree):
        if is_question(node) and id(node) not in fine and isinstance(node, ast.Call):
            yield node.lineno


def test_the_log_level_changes_no_way_that_the_code_takes() -> None:
    found = [f"{path.relative_to(ROOT)}:{line}" for path in files() for line in questions(path.read_text())]
    assert found == []


def test_this_test_sees_a_way_that_depends_on_the_log_level() -> None:
    logs = "if is_debugging():\n    _log.debug('received')\n"
    assert list(questions(logs)) == []
    assert list(questions("if is_debugging() or not begin():\n    start()\n")) == [1]
    assert list(questions("if is_debugging():\n    start()\n")) == [1]
    assert list(questions("way = slow if log.isEnabledFor(10) else fast\n")) == [1]
    assert list(questions(logs + "else:\n    start()\n")) == [1]


def test_somebody_asks() -> None:
    asked = [path for path in files() if any(map(is_question, ast.walk(ast.parse(path.read_text()))))]
    assert len(asked) >= 3, "else nothing was judged"
