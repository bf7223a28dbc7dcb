"""Actions as numbers, for machine learning: every legal action is a word, a sequence of indices into a fixed list of names.

Most words have one index. An action from a set too large for individual numbers is spelled: each index narrows the set, and
the last one completes the action. In every state a legal action has exactly one word, and no word is a prefix of another.
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
        """Return every index that can follow, in ascending order; none after a complete word."""
        ...

    def action(self, word: Word, /) -> Any | None:
        """Return the action of a complete word; None for any other."""
        ...


class ActionSpace(Protocol):
    """The numbering of one game's actions, for certain options and a number of seats. It never changes during a match."""

    @property
    def names(self) -> Sequence[str]:
        """Return the meaning of each index, as text."""
        ...

    @property
    def parts(self) -> Sequence[int]:
        """Return the indices that spell words; every other index is a complete word."""
        ...

    def choices(self, legal: LegalActions[Any, Any], view: Any, /) -> Choices:
        """Return the words of the result of `Game.legal_actions`. `view` is the acting seat's view."""
        ...

    def word(self, action: Any, view: Any, /) -> Word:
        """Return the word of a legal action."""
        ...


class Listed:
    """Actions that are numbered individually."""

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
    """The union of two sets of choices that have no index in common."""

    def __init__(self, one: Choices, other: Choices) -> None:
        self._one, self._other = one, other

    def following(self, begun: Word, /) -> Sequence[int]:
        return sorted([*self._one.following(begun), *self._other.following(begun)])

    def action(self, word: Word, /) -> Any | None:
        found = self._one.action(word)
        return self._other.action(word) if found is None else found
