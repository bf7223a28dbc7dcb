"""Paragraphs of the rules, as `rule` fields name them: what each of them says, in English.

`make docs` writes them from the docstrings of the rules and from RULINGS.md; they are never edited by hand.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Final

import msgspec

FILE: Final = "paragraphs.json"
SHARED: Final = "engine.kernel.text"
"""The package with the paragraphs that all games share: those of `engine.match`."""


class Paragraph(msgspec.Struct, frozen=True, kw_only=True):
    """A paragraph of a rulebook, a ruling, or a rule of every match."""

    id: str
    """Its id as used in `rule` fields, such as `7.2`, `R17` or `undo`."""
    title: str
    """A title of a few words."""
    text: str
    """One to about five sentences. References such as `[R17]` and `§7.2` in it name other paragraphs."""


class _Written(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    title: str
    text: str


def paragraphs(package: str) -> dict[str, Paragraph]:
    """Return the paragraphs of the game whose texts are in the package, in the order of the rulebook, then the shared ones."""
    return {**_read(package), **shared()}


def shared() -> dict[str, Paragraph]:
    """Return the paragraphs that all games share."""
    return _read(SHARED)


def _read(package: str) -> dict[str, Paragraph]:
    written = msgspec.json.decode(files(package).joinpath(FILE).read_bytes(), type=dict[str, _Written])
    return {
        number: Paragraph(id=number, title=each.title, text=each.text) for number, each in written.items()
    }
