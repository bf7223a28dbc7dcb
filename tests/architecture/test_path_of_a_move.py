"""The architecture page names the stops of a move in order. They are there, each is reached from one before, and none is about undo."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HEADING = "### Its stops, file by file"
STOP = re.compile(r"^\| `(?P<file>[\w/]+\.py)` `(?P<name>\w+)` \|", re.MULTILINE)
FEWEST, MOST = 18, 22
"""Stops; with less the list has lost its form, or the test its eyes."""
OF_COMMANDS = frozenset(
    f"services.rules.{place}"
    for place in (
        "api.clocks",
        "api.aborts",
        "api.commands",
        "api.pauses",
        "api.undo",
        "match.bot_consent",
        "match.commands",
        "match.undo",
    )
)
COMPOSED_OF_ALL = "services/rules/api/match_service.py"
"""It holds the object of every call, and passes a move to one of them."""


@cache
def tree(file: str) -> ast.Module:
    return ast.parse((ROOT / file).read_text(), file)


def stops() -> list[tuple[str, str]]:
    (page,) = (ROOT / "docs").rglob("architecture.md")
    _, _, rest = page.read_text().partition(f"\n{HEADING}\n")
    section, _, _ = rest.partition("\nNothing needs a lock")
    return [(found["file"], found["name"]) for found in STOP.finditer(section)]


def defined(file: str) -> set[str]:
    names = set()
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return names


def used(file: str) -> set[str]:
    """Return every name that a file reads, of its own or of another."""
    return {
        node.id if isinstance(node, ast.Name) else node.attr
        for node in ast.walk(tree(file))
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load)
    }


def imported(file: str) -> set[str]:
    return {
        name
        for node in ast.walk(tree(file))
        if isinstance(node, ast.ImportFrom) and node.module
        for name in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))
    }


def calls() -> set[str]:
    """Return the names of the calls of MatchService."""
    contract = (ROOT / "proto/foldtable/matches/v1/match_service.proto").read_text()
    return set(re.findall(r"^  rpc (\w+)\(", contract, re.MULTILINE))


def is_operation(file: str, name: str) -> bool:
    """Return whether a function is an operation of REST, which is found by method and path."""
    return any(
        isinstance(node, ast.AsyncFunctionDef)
        and node.name == name
        and any("router." in ast.unparse(decorator) for decorator in node.decorator_list)
        for node in ast.walk(tree(file))
    )


def test_every_stop_is_where_the_page_says() -> None:
    assert FEWEST <= len(stops()) <= MOST, "a path that is longer is one that nobody reads to its end"
    missing = [f"{file}: {name}" for file, name in stops() if name not in defined(file)]
    assert missing == []


def test_every_stop_is_reached_from_one_before_it() -> None:
    listed = stops()
    unreached = [
        f"{file}: {name}"
        for number, (file, name) in enumerate(listed)
        if number
        and not any(name in used(before) for before, _ in listed[:number])
        and not is_operation(file, name)
        and not (file == COMPOSED_OF_ALL and any(calls() & used(before) for before, _ in listed[:number]))
    ]
    assert unreached == []


def test_a_plain_move_passes_no_file_about_undo_and_other_commands() -> None:
    passed = {file: imported(file) & OF_COMMANDS for file, _ in stops() if file != COMPOSED_OF_ALL}
    assert {file: names for file, names in passed.items() if names} == {}
    assert imported(COMPOSED_OF_ALL) & OF_COMMANDS, "the names of commands' files are still these"


def test_every_call_is_passed_on_in_one_table() -> None:
    """Each RPC of MatchService is a row of the table, with a function of one of the service's objects."""
    rows = [
        (key.value, value.args[0] if isinstance(value, ast.Call) else value)
        for table in ast.walk(tree(COMPOSED_OF_ALL))
        if isinstance(table, ast.Dict)
        for key, value in zip(table.keys, table.values, strict=True)
        if isinstance(key, ast.Constant)
    ]
    assert sorted(name for name, _ in rows) == sorted(calls())
    assert [ast.unparse(one) for _, one in rows if not isinstance(one, ast.Attribute)] == []
