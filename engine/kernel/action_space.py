"""Actions as numbers, for machine learning: every legal action is a word, a sequence of indices into a fixed list of names.

Most words have one index. An action from a set too large for individual numbers is spelled: each index narrows the set, and
the last one completes the action. In every state a legal action has exactly one word, and no word is a prefix of another.

>>> from engine.river_of_gold.actions import Build
>>> from engine.river_of_gold.box.ids import BuildingId, ShoreId
>>> name_of(Build(shore=ShoreId.SHORE_16, building=BuildingId.ERA1_SHRINE_5))
'build(shore=shore_16, building=era1_shrine_5)'
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, Protocol

import msgspec

from engine.kernel.legal import LegalActions

Word = tuple[int, ...]
NOTHING_YET: Final[Word] = ()


def name_of(record: msgspec.Struct) -> str:
    """Return the name of an action, or of another tagged record: its tag and its fields, in ASCII.

    Fields with their default are left out. So the name stays the same when a record gets a new field, and it is
    the tag alone if nothing else is to be said.
    """
    fields = _fields(record)
    tag = str(record.__struct_config__.tag)
    return f"{tag}({fields})" if fields else tag


def _fields(record: msgspec.Struct) -> str:
    return ", ".join(f"{name}={_value(value)}" for name, value in _given_fields(record))


def _given_fields(record: msgspec.Struct) -> Iterator[tuple[str, Any]]:
    for name, default in _defaults(type(record)).items():
        value = getattr(record, name)
        if value != default:
            yield name, value


@cache
def _defaults(kind: type[msgspec.Struct]) -> Mapping[str, Any]:
    return {field.name: field.default for field in msgspec.structs.fields(kind)}


def _value(value: Any) -> str:
    match value:
        case msgspec.Struct():
            return f"({_fields(value)})"
        case tuple():
            return f"[{', '.join(map(_value, value))}]"
        case bool() | None:
            return str(value).lower()
        case _:
            return str(value)


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
