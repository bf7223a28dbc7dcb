"""No page holds a place that somebody meant to fill: a bare name in capitals, a note to oneself, an empty link or table cell of dashes."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.support.documents import ROOT, documents

_CODE = re.compile(r"^(?P<fence>```+)\w*\n.*?^(?P=fence)$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
LEFT_OVERS = {
    "a name in capitals with underscores, as a table or a figure is announced by": re.compile(
        r"(?<![\w$/{<.-])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?![\w/}>-])"
    ),
    "a word in capitals alone on a line": re.compile(r"^[ >*|_-]*[A-Z]{4,}[ .:|*_-]*$", re.MULTILINE),
    "a note to oneself": re.compile(r"\b(?:TO[D]O|FIX[M]E|TBD|TBC|XX[X]|T\.B\.D\.)(?!\w)|\?\?\?"),
    "a template's place": re.compile(
        r"\{\{[^}]*\}\}|<<[^>]*>>|\[\s*(?:insert|placeholder|tbd)[^\]]*\]", re.IGNORECASE
    ),
    "dummy text": re.compile(r"lorem ipsum", re.IGNORECASE),
    "a link to nowhere": re.compile(r"\]\(\s*\)|\]\(#\)"),
    "a heading with nothing under it": re.compile(
        r"^(?P<level>#{1,6}) .+\n\s*(?:\Z|(?=(?P=level) ))", re.MULTILINE
    ),
}


def prose(text: str) -> str:
    """Return a page without its code, line by line as it was."""
    return _CODE.sub(lambda code: re.sub(r"[^\n]+", "`…`", code[0]), text)


def left_overs(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield line, kind and text of everything that somebody meant to fill."""
    read = prose(text)
    for kind, pattern in LEFT_OVERS.items():
        for found in pattern.finditer(read):
            yield read.count("\n", 0, found.start()) + 1, kind, found[0].strip()


def test_no_page_has_a_place_that_somebody_meant_to_fill() -> None:
    found = [
        f"{page.relative_to(ROOT)}:{line}: {text!r} is {kind}"
        for page in documents()
        for line, kind, text in left_overs(page.read_text())
    ]
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "## What it brings\n\nCOMPILED_TABLE\n\nThe rest.\n",
        "It plays FIGURE_1 moves a second.\n",
        "| a | b |\n|---|---|\n| TBD | 7 |\n",
        "PLACEHOLDER\n",
        "TO{}: say how.\n".format("DO"),
        "See [the page]().\n",
        "Hello {{ name }}.\n",
        "# Title\n\nWords.\n\n## Measured\n\n## Next\n\nWords.\n",
    ],
)
def test_this_test_sees_one(text: str) -> None:
    assert list(left_overs(text))


@pytest.mark.parametrize(
    "text",
    [
        "Set `FOLDTABLE_LOG_LEVEL`, and `COMPILED=1`.\n",
        "```sh\nFOLDTABLE_COMPILED=1 pip wheel .\nEOF\n```\nWords.\n",
        "HTTP, JSON and SQL are fine, and so is GET /v1/matches.\n",
        "# Title\n\n## Part\n\n### Piece\n\nWords.\n",
    ],
)
def test_what_is_meant_as_it_stands_is_none(text: str) -> None:
    assert list(left_overs(text)) == []
