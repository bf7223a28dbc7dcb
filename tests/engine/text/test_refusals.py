"""Whatever the rules refuse can be said to the player, in every language and with its facts."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from engine.kernel.chance import SeededChance
from engine.kernel.errors import RuleViolation
from engine.kernel.game import AnyGame
from engine.kernel.text.text import NONE
from engine.kernel.text.texts import LANGUAGES
from engine.match.playout import random_match
from engine.registry import GAMES, newest
from services.texts.formatting import sentence
from tests.support.documents import ROOT
from tests.support.icu_messages import uses_of

TRIES = 8
"""Actions of other moments that are tried at each moment of a match."""
AT_LEAST = 8
"""Codes that random tries find in each game; a few more, usually."""


def refused(game: AnyGame, state: Any, seat: Any, action: Any) -> RuleViolation | None:
    try:
        game.decide(state, seat, action, SeededChance(bytes(32), 1))
    except RuleViolation as violation:
        return violation
    return None


@pytest.mark.parametrize("name", GAMES)
def test_what_the_rules_refuse_can_be_read(name: str) -> None:
    game, random = newest(name), Random(5)
    pool: list[Any] = []
    found: dict[str, RuleViolation] = {}
    for number in range(4):
        secret, choices = random.randbytes(32), SeededChance(random.randbytes(32), 1)
        seats = game.seat_counts[number % len(game.seat_counts)]
        for step in random_match(game, game.types.options(), seats, secret, choices):
            if step.action is not None:
                pool.append(step.action)
            for seat in game.to_act(step.state)[:1]:
                for action in random.sample(pool, min(TRIES, len(pool))):
                    violation = refused(game, step.state, seat, action)
                    if violation is not None:
                        found.setdefault(f"{violation.code} {sorted(violation.facts)}", violation)
    assert len(found) >= AT_LEAST
    for violation in found.values():
        text = game.texts.refusal(violation)
        for language in LANGUAGES:
            assert sentence(game, language, text), text


def raised(name: str) -> Iterator[tuple[str, str, set[str]]]:
    """Every place in a game's code that makes a violation: where, its code, and the names of its facts."""
    for path in sorted((ROOT / "engine" / name).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(func=ast.Name(id="RuleViolation"), args=[ast.Attribute(attr=code), *_]):
                    names = {word.arg for word in node.keywords if word.arg is not None}
                    if all(word.arg is not None for word in node.keywords):
                        yield f"{path.relative_to(ROOT)}:{node.lineno}", code, names - {"rule", "field"}


@pytest.mark.parametrize("name", GAMES)
def test_every_refusal_has_the_facts_that_its_message_needs(name: str) -> None:
    """A message may do without a fact only if it selects by its absence."""
    game = newest(name)
    places = list(raised(name))
    assert len(places) > 15
    missing = {}
    for place, code, facts in places:
        for language in LANGUAGES:
            uses = uses_of(game.texts.catalogues[language][f"refusal.{code}"])
            optional = {use.name for use in uses if use.kind == "select" and NONE in use.options}
            if lacking := {use.name for use in uses} - optional - facts:
                missing[place, language] = lacking
    assert missing == {}
