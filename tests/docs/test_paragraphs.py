"""Every paragraph that a rule can be named by can be read, and what is generated is current."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from random import Random

import pytest

from engine.kernel.chance import SeededChance
from engine.kernel.text.paragraphs import SHARED, paragraphs
from engine.match.playout import random_match
from engine.registry import newest
from tests.docs.paragraphs import files
from tests.support.documents import ROOT
from tests.support.our_games import OUR_GAMES

MATCHES = 3
ENGINE = ROOT / "engine"
MATCH_RULES = (
    *("aborting", "absence", "certain_end", "clock_changes", "forking", "pausing", "replacement", "undoing"),
)
_NUMBER = re.compile(r"\d+\.\d+|[1-9]\d?|[ARF]\d+")
_CITED = re.compile(r"§(\d+(?:\.\d+)?)|\[([ARF]\d+)\]")
EVERY_GAME = pytest.mark.parametrize("name", OUR_GAMES)


def texts(name: str) -> str:
    return f"engine.{name}.text"


def test_what_is_generated_is_current() -> None:
    assert [path for path, content in files().items() if path.read_text() != content] == [], "run `make docs`"


@EVERY_GAME
def test_every_paragraph_in_the_code_can_be_read(name: str) -> None:
    """Those of refusals, decisions and score lines: whatever looks like an id in these files is one."""
    written = paragraphs(texts(name))
    named = set(_in_sources(ENGINE / name))
    assert len(named) > 10
    assert sorted(named - set(written)) == []


def _in_sources(package: Path) -> Iterator[str]:
    """Every id in the rules, and in the other files that name paragraphs."""
    for file in (*package.glob("rules/*.py"), package / "legal.py", package / "phases.py"):
        module = ast.parse(file.read_text())
        for node in ast.walk(module):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and _NUMBER.fullmatch(node.value)
            ):
                yield node.value


@EVERY_GAME
def test_every_paragraph_of_a_refusal_can_be_read(name: str) -> None:
    written = paragraphs(texts(name))
    missing = {(code, rule) for code in newest(name).codes for rule in code.rules if rule not in written}
    assert missing == set()


@EVERY_GAME
def test_every_rule_that_random_matches_name_can_be_read(name: str) -> None:
    written, game, random = paragraphs(texts(name)), newest(name), Random(11)
    for _ in range(MATCHES):
        secret, choices = random.randbytes(32), SeededChance(random.randbytes(32), 1)
        for step in random_match(
            game, game.types.options(), random.choice(game.seat_counts), secret, choices
        ):
            for pending in game.pending(step.state):
                assert pending.rule in written
            outcome = game.outcome(step.state)
            if outcome is not None:
                assert outcome.rule in written
                for result in outcome.results:
                    assert {line.rule for line in result.breakdown} <= set(written)


@EVERY_GAME
def test_every_paragraph_that_code_or_contracts_cite_can_be_read(name: str) -> None:
    """The docstrings become descriptions in JSON Schemas, and the comments of the contracts go to clients."""
    written = paragraphs(texts(name))
    files_of_the_game = [
        *(ENGINE / name).rglob("*.py"),
        *(ROOT / "proto" / "foldtable" / name).rglob("*.proto"),
    ]
    for file in files_of_the_game:
        cited = {one or other for one, other in _CITED.findall(file.read_text())}
        assert sorted(cited - set(written)) == [], file
    for one in written.values():
        cited = {rule or other for rule, other in _CITED.findall(one.text)}
        assert sorted(cited - set(written)) == [], one.id


def test_the_rules_of_every_match_can_be_read() -> None:
    rules = {import_module(f"engine.match.{module}").RULE for module in MATCH_RULES}
    assert rules == set(paragraphs(SHARED))


def test_every_file_with_a_rule_of_the_match_is_known() -> None:
    found = {file.stem for file in (ENGINE / "match").glob("*.py") if "RULE: Final" in file.read_text()}
    assert found == set(MATCH_RULES)


@EVERY_GAME
def test_a_paragraph_has_a_short_title_and_plain_sentences(name: str) -> None:
    for number, one in paragraphs(texts(name)).items():
        assert one.id == number
        assert len(one.title) <= 60, number
        assert one.title[0].isupper() or one.title[0].isdigit(), number
        assert one.text.endswith((".", "].")), number
        assert one.text[0].isupper() or one.text[0] in '`"2', number


@EVERY_GAME
def test_the_page_has_an_anchor_for_every_paragraph(name: str) -> None:
    page = (ROOT / "docs" / "play" / "rules" / f"{name}.md").read_text()
    anchors = re.findall(r'<a id="p-([^"]+)"></a>', page)
    assert anchors == list(paragraphs(texts(name)))
