"""Actions as numbers, for programs that learn: every legal action is a word of indices into a fixed list of names.

Most words have one index. An action of a set too large to number one by one is spelled: each index narrows the set, the
last one completes the action. At every table a legal action has exactly one word, and no word begins another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from engine.kernel.legal import LegalActions

Word = tuple[int, ...]
NOTHING_YET: Final[Word] = ()


class Choices(Protocol):
    """The legal actions of one open decision, as words."""

    def following(self, begun: Word, /) -> Sequence[int]:
        """Give every index that can come next, in ascending order; none after a whole word."""
        ...

    def action(self, word: Word, /) -> Any | None:
        """Give the action of a whole word; None for any other."""
        ...


class ActionSpace(Protocol):
    """How one game's actions are numbered, for given options and a given number of seats. Never changes during a match."""

    @property
    def names(self) -> Sequence[str]:
        """What each index means, in words."""
        ...

    @property
    def parts(self) -> Sequence[int]:
        """The indices that spell; every other one is a whole word."""
        ...

    def choices(self, legal: LegalActions[Any, Any], view: Any, /) -> Choices:
        """Put the answer of `Game.legal_actions` into words. `view` is the acting seat's."""
        ...

    def word(self, action: Any, view: Any, /) -> Word:
        """Spell a legal action."""
        ...


class Listed:
    """Actions that are there one by one."""

    def __init__(self, actions: Mapping[Word, Any]) -> None:
        self._actions = actions
        following: dict[Word, set[int]] = {}
        for word in actions:
            for place, index in enumerate(word):
                following.setdefault(word[:place], set()).add(index)
        self._following = {begun: sorted(indices) for begun, indices in following.items()}

    def following(self, begun: Word, /) -> Sequence[int]:
        return self._following.get(begun, ())

    def action(self, word: Word, /) -> Any | None:
        return self._actions.get(word)


class Both:
    """What either of two says; they have no index in common."""

    def __init__(self, one: Choices, other: Choices) -> None:
        self._one, self._other = one, other

    def following(self, begun: Word, /) -> Sequence[int]:
        return sorted([*self._one.following(begun), *self._other.following(begun)])

    def action(self, word: Word, /) -> Any | None:
        found = self._one.action(word)
        return self._other.action(word) if found is None else found
