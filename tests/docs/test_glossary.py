"""The glossary has a line for each word, in order, and names files that exist and contain the word."""

from __future__ import annotations

import re

import pytest

from tests.support.documents import ROOT

TEXT = (ROOT / "docs" / "build" / "glossary.md").read_text()
ROWS = re.findall(r"^\| ([^|]+) \| ([^|]+) \| `([^`|]+)` \|$", TEXT, re.MULTILINE)


def test_every_line_is_understood_and_in_order() -> None:
    assert len(ROWS) == TEXT.count("\n| ") - 1
    assert len(ROWS) >= 40
    words = [word for word, _, _ in ROWS]
    assert words == sorted(set(words))


@pytest.mark.parametrize(("word", "meaning", "file"), ROWS, ids=[word for word, _, _ in ROWS])
def test_a_word_is_at_home_in_its_file(word: str, meaning: str, file: str) -> None:
    path = ROOT / file
    assert path.is_file(), f"{word}: {file} does not exist"
    assert len(meaning.split()) > 3
    content = re.sub(r"[_\W]+", "", path.read_text().lower())
    parts = [part.removesuffix("s") for part in re.split(r"[\s-]+", word.lower())]
    assert all(part in content for part in parts), f"{file} does not speak of {word}"
