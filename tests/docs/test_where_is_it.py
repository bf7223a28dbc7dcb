"""The table "Where is it?" names files that exist, and names that are in them."""

from __future__ import annotations

import re

import pytest

from tests.support.documents import ROOT

TEXT = (ROOT / "docs" / "build" / "architecture.md").read_text().partition("## Where is it?")[2]
ROWS = re.findall(r"^\| ([^|]+\?) \| `([^`|]+)` \| `([^`|]+)` \|$", TEXT, re.MULTILINE)
NEWCOMERS_ASK = (
    "requests may a credential",
    "signed for a webhook",
    "undo requested over REST",
    "SQL appends",
    "tied players",
    "event streams may be open",
    "Postgres refuses a row",
    "past the web framework",
    "does not return",
    "logged of an error",
)


def test_what_newcomers_ask_is_answered() -> None:
    asked = [question for question, _, _ in ROWS]
    assert [words for words in NEWCOMERS_ASK if not any(words in question for question in asked)] == []
    assert len(ROWS) == TEXT.count("\n| ") - 1, "a row is not understood"


@pytest.mark.parametrize(("question", "file", "name"), ROWS, ids=[question for question, _, _ in ROWS])
def test_the_file_exists_and_contains_the_name(question: str, file: str, name: str) -> None:
    path = ROOT / file
    assert path.is_file(), f"{question} {file} does not exist"
    assert re.search(rf"(?<!\w){re.escape(name)}(?!\w)", path.read_text()), f"{question} {file} has no {name}"
