"""Texts as sentences for the terminal. Records may come from anybody, and a forged one may name things that no catalogue has."""

from __future__ import annotations

from collections.abc import Callable

from engine.kernel.errors import RuleViolation
from engine.kernel.game import AnyGame
from engine.kernel.text.text import Text
from services.cli.console import printable
from services.texts.formatting import sentence


def printable_sentence(game: AnyGame, language: str, text: Callable[[], Text], otherwise: str) -> str:
    """Return the sentence of a text, safe to print in a terminal; `otherwise` if the record contains what no rule produces."""
    try:
        return printable(sentence(game, language, text()))
    except Exception:  # noqa: BLE001 - a forged value can fail anywhere on its way to a sentence
        return printable(otherwise)


def refused(game: AnyGame, language: str, refusal: RuleViolation) -> str:
    """Return the explanation of a refusal, with its code and its paragraph."""
    return f"{sentence(game, language, game.texts.refusal(refusal))} ({refusal.code}, §{refusal.rule})"
