"""Which tests are run against a mutant: those that reach what it changes, the nearest and quickest, and not too many."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Final

from tests.proofs.mutants.coverage_map import Record, TimedTest, is_imported, is_recorded, reaching
from tests.proofs.mutants.mutants import Mutant

MAX_TESTS: Final = 60
MAX_SECONDS: Final = 90.0
"""How long the chosen tests took when they were recorded, unless another bound is given. The first is run however long it takes."""


@dataclass(frozen=True)
class Choice:
    """The tests for a mutant."""

    tests: list[str]
    """Their ids, the quickest first; none: no test reaches what it changes."""
    seconds: float
    """What they took when they were recorded."""
    left_out: int
    """How many more reach it."""


def chosen(
    mutant: Mutant, source: str, records: Mapping[str, Record], root: Path, most: float = MAX_SECONDS
) -> Choice:
    """Return the tests for a mutant of a module."""
    lines: Iterable[int] = range(mutant.line, mutant.last_line + 1)
    if not is_recorded(records, mutant.path, lines):
        lines = _statement(source, mutant.line)
    names: set[str] = set()
    found = reaching(records, mutant.path, lines)
    if is_imported(records, mutant.path, lines):
        names = _defined(source, mutant.line)
        found |= _using(names, records, root)
        found = found or reaching(records, mutant.path, range(1, source.count("\n") + 2))
    ranked = sorted(
        found, key=lambda test: (_distance(test, mutant.path, names, root), found[test].seconds, test)
    )
    tests = list(_bounded(ranked, found, most))
    tests.sort(key=lambda test: (found[test].seconds, test))
    return Choice(tests, sum(found[test].seconds for test in tests), len(found) - len(tests))


def _bounded(ranked: list[str], found: Mapping[str, TimedTest], most: float) -> Iterator[str]:
    seconds = 0.0
    for number, test in enumerate(ranked[:MAX_TESTS]):
        seconds += found[test].seconds
        if seconds <= most or number == 0:
            yield test


def _distance(test: str, path: str, names: Iterable[str], root: Path) -> tuple[bool, int]:
    """Tests that name what is changed are nearest, then those whose file lies and is called like the module's."""
    module = PurePosixPath(test.partition("::")[0])
    shared = len(set(module.parts[1:-1]) & set(PurePosixPath(path).parts[:-1]))
    called_like_it = PurePosixPath(path).stem.strip("_") in module.stem
    return not _mentions(root / module, names), -shared - called_like_it


def _using(names: set[str], records: Mapping[str, Record], root: Path) -> dict[str, TimedTest]:
    """Return the tests that run a line of the product with one of these names, or whose module has one."""
    found: dict[str, TimedTest] = {}
    if not names:
        return found
    for path in {path for record in records.values() for path in record.lines}:
        if lines := [number for number, line in enumerate(_lines(root / path), 1) if _has(line, names)]:
            found |= reaching(records, path, lines)
    for module, record in records.items():
        if _mentions(root / module, names):
            found |= {test: timed for test, timed in record.tests.items() if timed.passed}
    return found


def _has(text: str, names: Iterable[str]) -> bool:
    return any(name in text and re.search(rf"\b{re.escape(name)}\b", text) for name in names)


def _mentions(path: Path, names: Iterable[str]) -> bool:
    return any(_has(line, names) for line in _lines(path)) if names else False


@cache
def _lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def _statement(source: str, line: int) -> range:
    """Return the lines of the innermost statement around a line; of one with a body only its head."""
    found = range(line, line + 1)
    for node in ast.walk(ast.parse(source)):  # outer ones first
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0):
            body = getattr(node, "body", None)
            end = body[0].lineno if body else (node.end_lineno or 0) + 1
            if line < end:
                found = range(node.lineno, end)
    return found


def _defined(source: str, line: int) -> set[str]:
    """Return the names that the module's own statement around a line defines, and those of a class's."""
    names: set[str] = set()
    node: ast.AST = ast.parse(source)
    while (inner := _child(node, line)) is not None:
        match inner:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names = {name}
            case ast.Assign() | ast.AnnAssign() if isinstance(node, ast.Module):
                targets = inner.targets if isinstance(inner, ast.Assign) else [inner.target]
                names = {
                    one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)
                }
        if not isinstance(inner, ast.ClassDef):
            break
        node = inner
    return names


def _child(node: ast.AST, line: int) -> ast.stmt | None:
    for child in getattr(node, "body", []):
        first = min([child.lineno, *(one.lineno for one in getattr(child, "decorator_list", []))])
        if first <= line <= (child.end_lineno or 0):
            return child  # type: ignore[no-any-return]
    return None
