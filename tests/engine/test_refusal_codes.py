"""The catalogue of errors tells the truth: every code a rulebook refuses with, its paragraphs, its facts."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine
from engine.kernel.errors import RefusalCode, TableCode
from engine.registry import GAMES, game

FOLDER = Path(engine.__file__).parent


def refusals(game_id: str) -> Iterator[tuple[str, str | None, set[str], str]]:
    """Every `RuleViolation(Code.NAME, rule=…, fact=…)` in a game's source: name, paragraph if written out, facts, place."""
    for path in sorted((FOLDER / game_id).rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text())):
            if not (
                isinstance(call, ast.Call)
                and isinstance(call.func, ast.Name)
                and call.func.id == "RuleViolation"
            ):
                continue
            code = call.args[0]
            if not (
                isinstance(code, ast.Attribute)
                and isinstance(code.value, ast.Name)
                and code.value.id == "Code"
            ):
                continue
            rule = next(word.value for word in call.keywords if word.arg == "rule")
            written = rule.value if isinstance(rule, ast.Constant) else None
            facts = {word.arg for word in call.keywords if word.arg not in ("rule", "field", None)}
            yield (
                code.attr,
                written if isinstance(written, str) else None,
                {str(fact) for fact in facts},
                f"{path.name}:{call.lineno}",
            )


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_a_refusal_names_a_paragraph_that_its_code_lists(game_id: str) -> None:
    codes = game(game_id).codes
    told = list(refusals(game_id))
    assert len(told) > 20
    for name, rule, _, place in told:
        assert rule is None or rule in codes[name].rules, f"{place}: {name} §{rule}"


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_a_code_names_every_fact_that_comes_with_it(game_id: str) -> None:
    codes = game(game_id).codes
    for name, _, facts, place in refusals(game_id):
        named = set(re.findall(r"`(\w+)`", codes[name].meaning))
        assert facts <= named, f"{place}: {name} lacks {facts - named}"


@pytest.mark.parametrize("codes", [TableCode, *(game(game_id).codes for game_id in sorted(GAMES))])
def test_a_code_can_be_read_by_machines_and_people(codes: type[RefusalCode]) -> None:
    for code in codes:
        assert code == code.value == code.name
        assert re.fullmatch(r"[A-Z][A-Z0-9_]{1,61}[A-Z0-9]", code)
        assert code.rules or codes is TableCode
        assert re.fullmatch(r"[A-Z`].*\.", code.meaning)


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_no_game_takes_a_code_that_every_game_knows(game_id: str) -> None:
    assert not {code.value for code in game(game_id).codes} & {code.value for code in TableCode}
