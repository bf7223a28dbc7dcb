"""Format a text as a sentence: first the texts within it, then the text itself with ICU MessageFormat.

The same steps in JavaScript, with intl-messageformat, give the same strings; docs/play/texts.md shows them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from icu4py.messageformat import MessageFormat

from engine.kernel.game import AnyGame
from engine.kernel.text.text import Text

BETWEEN: Final = ", "
"""Separates the texts of a list, in every language."""


def sentence(game: AnyGame, language: str, text: Text) -> str:
    """Return a text as a sentence in one language. Raises KeyError if the catalogues lack the key or the language."""
    args = {name: _argument(game, language, arg) for name, arg in text.args.items()}
    return formatted(language, game.texts.catalogues[language][text.key], args)


def formatted(language: str, message: str, args: Mapping[str, float | str]) -> str:
    """Return a message in ICU MessageFormat, formatted with its arguments."""
    return str(_compiled(message, language).format({**args}))


def _argument(game: AnyGame, language: str, arg: int | str | Text | tuple[Text, ...]) -> int | str:
    match arg:
        case Text():
            return sentence(game, language, arg)
        case tuple():
            return BETWEEN.join(sentence(game, language, each) for each in arg)
        case _:
            return arg


@lru_cache(maxsize=16_384)
def _compiled(message: str, language: str) -> MessageFormat:
    """Return a compiled message, cached because compiling takes 200 times as long as formatting."""
    return MessageFormat(message, language)
