"""The words of docs/build/glossary.md in the code: one word for one thing, and names that say what they name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from typing import Final

import pytest

from tests.architecture.test_files import ROOT, production

BARE: Final = ("Answer", "Outcome", "Place", "Reason", "Step")
"""Names that say too little without a noun in front: each is the name of at most one class, besides those below."""
ALLOWED: Final = {
    ("engine/kernel/outcome.py", "Outcome"): "the one that all others would be taken for",
    ("services/process/reasons.py", "Reason"): "the same",
    ("engine/kernel/layout.py", "Place"): "a name of the interface for games",
    ("engine/match/playout.py", "Step"): "a name of the interface for games",
    ("gateway/schemas/outcome.py", "Outcome"): "the name of the schema in OpenAPI",
    ("engine/river_dragons/actions.py", "Step"): "the name of the action in the game's contract",
    ("engine/river_of_gold/event_parts.py", "Step"): "the name of the enum in the game's contract",
    (
        "services/cli/new_game/template/example_game/actions.py",
        "Place",
    ): "the name of the action in the contract",
}
"""Where a class has such a name, and why."""

_LIVE_READING: Final = re.compile(r"Watcher|Follow(?!ing)|Listener|Topic")
"""Other words for a subscription, a subscriber, and what subscriptions share."""


@cache
def classes() -> dict[tuple[str, str], int]:
    """Every class of production code, by file and name, with its line."""
    return {(file, node.name): node.lineno for file, node in _definitions() if isinstance(node, ast.ClassDef)}


def _definitions() -> Iterator[tuple[str, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]]:
    for path in production():
        file = path.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield file, node


def bare(names: dict[tuple[str, str], int]) -> list[str]:
    """Return the classes that have one of the names alone, and may not."""
    return [
        f"{file}:{line} {name}: put a noun in front"
        for (file, name), line in names.items()
        if name.lstrip("_") in BARE and (file, name) not in ALLOWED
    ]


def test_classes_have_their_noun_in_front() -> None:
    assert bare(classes()) == []


def test_every_exception_is_still_one() -> None:
    assert [one for one in ALLOWED if one not in classes()] == []


@pytest.mark.parametrize("name", [*BARE, "_Step"])
def test_this_test_sees_another_class_of_the_name(name: str) -> None:
    assert bare({("services/rules/match/moves.py", name): 7}) == [
        f"services/rules/match/moves.py:7 {name}: put a noun in front"
    ]


def test_no_function_says_only_that_something_is_told() -> None:
    """Its name says what it returns: a text, a sentence, facts."""
    told = [f"{file}:{node.lineno}" for file, node in _definitions() if node.name.lstrip("_") == "told"]
    assert told == []


def test_live_reading_has_one_noun() -> None:
    """A subscription; whoever reads by it is a subscriber."""
    others = [
        f"{file}:{line} {name}" for (file, name), line in classes().items() if _LIVE_READING.search(name)
    ]
    assert others == []


@pytest.mark.parametrize("name", ["Watchers", "FollowStream", "_Listener", "TopicKey"])
def test_this_test_sees_another_word_for_it(name: str) -> None:
    assert _LIVE_READING.search(name)
