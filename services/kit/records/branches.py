"""The values that a message may select by, where the field of its record is an enum that is written as it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, get_args, get_type_hints

import msgspec

from engine.kernel.game import AnyGame
from engine.kernel.text.text import NONE
from services.kit.records.icu_messages import Use
from services.kit.records.required_keys import members

ALWAYS = frozenset({"other", NONE})


def values_of(game: AnyGame) -> Mapping[str, Mapping[str, frozenset[str]]]:
    """Return the possible values of such arguments, by message and name."""
    found: dict[str, dict[str, frozenset[str]]] = {}
    for prefix, union in (
        ("event", game.types.event),
        ("action", game.types.action),
        ("template", game.types.template),
    ):
        for record in members(union):
            values = dict(_enums(game, record))
            key = f"{prefix}.{record.__struct_config__.tag}"
            found[key] = values
            if prefix == "action":
                found[f"{key}.log"] = values
    return found


def _enums(game: AnyGame, record: type[msgspec.Struct]) -> Iterator[tuple[str, frozenset[str]]]:
    replaced = game.texts.more.get(record, {})
    for name, annotation in get_type_hints(record).items():
        kinds = [one for one in (annotation, *get_args(annotation)) if one is not type(None)]
        enums = [one for one in kinds if isinstance(one, type) and issubclass(one, StrEnum)]
        if len(enums) == 1 and name not in replaced and _as_it_is(game, enums[0]):
            yield name, frozenset(member.value for member in enums[0])


def _as_it_is(game: AnyGame, enum: type[StrEnum]) -> bool:
    """Whether the argument is the value itself, and not a text or another word."""
    word: Any = game.texts.words.get(enum)
    return word is not None and all(word.arg(member) == member.value for member in enum)


def unknown_branches(uses: list[Use], values: Mapping[str, frozenset[str]]) -> Iterator[tuple[str, str]]:
    """Yield the argument and the branch for every branch of a select that no value leads to."""
    for use in uses:
        if use.kind == "select" and use.name in values:
            for option in use.options:
                if option not in values[use.name] | ALWAYS:
                    yield use.name, option
