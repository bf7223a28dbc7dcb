"""Converting values to arguments of texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from engine.kernel.text.text import NONE, Text

Arg = int | str | Text | tuple[Text, ...]


@dataclass(frozen=True)
class Word:
    """How the values of one type are written. `keys` are the keys of all texts that `arg` may return."""

    arg: Callable[[Any], Arg]
    keys: tuple[str, ...] = ()


def named(prefix: str, values: Iterable[str]) -> Word:
    """Return how values are written that have a message each, `<prefix>.<value>`, such as `component.stone1`."""
    return Word(
        lambda value: Text(f"{prefix}.{value}"), tuple(f"{prefix}.{value}" for value in map(str, values))
    )


def components(values: type[StrEnum] | Iterable[str]) -> Word:
    """Return how components in the box and on the board are written."""
    return named("component", values)


def seat(value: int) -> Text:
    """Return the text of a seat. A client that knows the player's name shows it instead."""
    return Text("seat", {"seat": value})


SEAT = Word(seat, ("seat",))


def several(values: Iterable[Any], word: Word) -> Arg:
    """Return a list of texts, or NONE if it is empty. Numbers and words become texts of their own."""
    return tuple(_text(word.arg(value)) for value in values) or NONE


def _text(arg: Arg) -> Text:
    match arg:
        case Text():
            return arg
        case int():
            return Text("number", {"number": arg})
        case str():
            return Text("word", {"word": arg})
        case tuple():
            return Text("list", {"items": arg})
