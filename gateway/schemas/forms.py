"""The regular expressions of the API's texts, each with words: a refusal says what is right, and shows no regular expression."""

from __future__ import annotations

from typing import Final

_WORDS: Final[dict[str, str]] = {}


def form(pattern: str, words: str) -> str:
    """Return the pattern of a text, for a `Meta` or a `Field`. `words` says what the text must be, after "must be"."""
    _WORDS[pattern] = words
    return pattern


def words_of(pattern: str) -> str:
    """Return what a text with this pattern must be."""
    return _WORDS.get(pattern, "of the form that is described for it")
