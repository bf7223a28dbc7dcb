"""The names of a new game, and why some cannot be used."""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final

from engine.registry import GAMES, REFUSED
from services.free_text.rule import TextRefused, stored

LONGEST: Final = 40
MAX_TITLE: Final = 60
_NAME: Final = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_TAKEN: Final = frozenset({"given", "tests"})
"""Modules that the new package contains beside its own."""


class NameUnusable(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """A name or a title cannot be used. The error is one sentence that says why."""


@dataclass(frozen=True)
class Names:
    """What a game is called."""

    module: str
    """Its id, and its Python package: `three_bowls`."""
    title: str
    """Its name for people: `Three Bowls`."""

    @property
    def distribution(self) -> str:
        """The name of its distribution: `three-bowls`."""
        return self.module.replace("_", "-")


TEMPLATE: Final = Names(module="example_game", title="Example Game")
"""The names that the template has, and that are replaced."""


def names(name: str, title: str | None = None) -> Names:
    """Return the names of a new game; the title is made of the name if there is none. Raises NameUnusable."""
    _check(name)
    chosen = _title(name.replace("_", " ").title() if title is None else title)
    if not chosen or set(chosen) & set('"\\{}'):
        raise NameUnusable(
            f"a title has 1 to {MAX_TITLE} printable characters, without quotation marks, braces and backslashes"
        )
    return Names(module=name, title=chosen)


def _title(text: str) -> str:
    """Return a title as it is written; empty for a text that cannot be one."""
    try:
        return stored(text, MAX_TITLE)
    except TextRefused:
        return ""


def _check(name: str) -> None:
    if not _NAME.fullmatch(name) or len(name) > LONGEST:
        raise NameUnusable(
            f"{name!r} is no name of a game: it needs a lower case letter, then lower case letters, digits and single `_` "
            f"between them, {LONGEST} in all"
        )
    if keyword.iskeyword(name):
        raise NameUnusable(f"{name!r} is a word of Python, and cannot be the name of a module")
    if name in GAMES or name in REFUSED:
        raise NameUnusable(f"a game {name!r} is installed already")
    if name in _TAKEN or find_spec(name) is not None:
        raise NameUnusable(f"there is a Python module {name!r} already, which the game would hide")
