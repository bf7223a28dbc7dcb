"""Our games count themselves: every ruling, worked example and chapter has its test, every event and decision its function."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest

from engine.registry import newest
from tests.support.our_games import OUR_GAMES

HERE = Path(__file__).parent
EVERY_GAME = pytest.mark.parametrize("name", OUR_GAMES)
RULING = r"[ARF]\d+"


class Rulebook(NamedTuple):
    """What there is in the documents that a game was made from."""

    rulings: tuple[str, ...]
    """Unclear paragraphs; we have found further ones."""
    examples: frozenset[str]
    """Worked examples."""
    chapters: str
    """Chapters that have a file of tests of this name; River of Gold's files have the names of what they are about."""


def numbered(letter: str, last: int) -> tuple[str, ...]:
    return tuple(f"{letter}{number}" for number in range(1, last + 1))


RULEBOOKS = {
    "al_rashid": Rulebook(
        numbered("R", 41),
        frozenset((*numbered("w", 23), *numbered("d", 10))),
        "1 2 4 5 6 7 8 9 10 11 12 13 15",
    ),
    "river_dragons": Rulebook(
        numbered("R", 31),
        frozenset(),
        "1 3 4 5 6 7_1 7_2 7_3 7_4 7_5 8 9 10 11 13 14",
    ),
    "river_of_gold": Rulebook(numbered("A", 45), frozenset(numbered("w", 24)), ""),
}
NOTHING_TO_TEST = {"river_dragons": {"R27"}}
"""A consequence that nothing computes."""


def package(name: str) -> Path:
    return Path(import_module(f"engine.{name}").__file__ or "").parent


def rulings(name: str) -> str:
    return (package(name) / "RULINGS.md").read_text(encoding="utf-8")


def listed(name: str) -> list[str]:
    return re.findall(rf"^\| ({RULING}) \|", rulings(name), re.MULTILINE)


@cache
def functions(name: str) -> dict[str, str]:
    """Return every test function of a game with its source, decorators included, below what its file is about."""
    return {
        f"{path.name}::{test}": text for path in HERE.glob(f"{name}/test_*.py") for test, text in _in(path)
    }


def _in(path: Path) -> Iterator[tuple[str, str]]:
    text = path.read_text(encoding="utf-8")
    lines, module = text.splitlines(), ast.parse(text)
    for node in module.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            about = ast.get_docstring(module) or ""
            yield node.name, "\n".join([about, *lines[first - 1 : node.end_lineno]])


def test_every_game_is_asked() -> None:
    assert {*RULEBOOKS} == {*OUR_GAMES}


@EVERY_GAME
def test_a_test_function_cites_every_ruling_and_none_that_does_not_exist(name: str) -> None:
    """In its docstring, its cases or its body, or its whole file does; a comment between functions is not enough."""
    cited = {ruling for text in functions(name).values() for ruling in re.findall(rf"\[({RULING})\]", text)}
    assert {*listed(name)} - cited - NOTHING_TO_TEST.get(name, set()) == set()
    assert cited <= {*listed(name)}
    assert {*RULEBOOKS[name].rulings} <= {*listed(name)}


@EVERY_GAME
def test_a_ruling_says_where_it_lives_and_the_code_cites_no_other(name: str) -> None:
    for path in re.findall(r"`((?:[a-z]+/)?[a-z_0-9]+\.py)`", rulings(name)):
        assert (package(name) / path).is_file(), path
    for path in package(name).rglob("*.py"):
        cited = set(re.findall(rf"\[({RULING})\]", path.read_text(encoding="utf-8")))
        assert cited <= {*listed(name)}, path


@EVERY_GAME
def test_every_worked_example_is_a_test_and_every_chapter_has_a_file_of_them(name: str) -> None:
    tests = " ".join(functions(name))
    assert {*re.findall(r"::test_([wd]\d+)_", tests)} == RULEBOOKS[name].examples
    assert [each for each in RULEBOOKS[name].chapters.split() if f"test_ch{each}_" not in tests] == []


@EVERY_GAME
def test_every_code_is_provoked_by_a_test(name: str) -> None:
    """The one for who leaves twice is provoked for all games together."""
    told = "\n".join(path.read_text(encoding="utf-8") for path in HERE.glob(f"{name}/test_*.py"))
    provoked = {*re.findall(r"\bCode\.([A-Z_]+)", told), "ALREADY_LEFT"}
    assert {*newest(name).codes.__members__} - provoked == set()


@pytest.mark.parametrize("name", ["al_rashid", "river_of_gold"])
def test_every_event_is_folded_and_every_decision_answered(name: str) -> None:
    """River Dragons has a `match` for each, of which the type checker asks the same."""
    folds = import_module(f"engine.{name}.evolve").FOLDS
    started = import_module(f"engine.{name}.events").MatchStarted
    turn = import_module(f"engine.{name}.rules.turn")
    types = newest(name).types
    assert {*folds} | {started} == {*types.event.__args__}
    assert {*turn.ANSWERS} == {*turn.PARAGRAPH} == {*import_module(f"engine.{name}.phases").Decision}
    assert {action for actions in turn.ANSWERS.values() for action in actions} == {*types.action.__args__}
