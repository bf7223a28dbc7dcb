"""Which messages a game needs, and with which arguments: derived from its types."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any, Final, get_args, get_type_hints

import msgspec

from engine.kernel.errors import RefusalCode
from engine.kernel.game import AnyGame
from engine.kernel.text.texts import FACT

ANY: Final = None
"""Arguments that types do not say."""


def required(game: AnyGame) -> dict[str, frozenset[str] | None]:
    """Return every key that the game's own records need, with the names of its arguments, or ANY."""
    found: dict[str, frozenset[str] | None] = {}
    for prefix, union in (
        ("event", game.types.event),
        ("action", game.types.action),
        ("template", game.types.template),
    ):
        for record in members(union):
            arguments = game.texts.arguments(record)
            key = f"{prefix}.{record.__struct_config__.tag}"
            found[key] = frozenset(arguments)
            if prefix == "action":
                found[f"{key}.log"] = frozenset(arguments) | {"seat"}
            found |= {inner: ANY for keys in arguments.values() for inner in keys}
            found |= parts(game, record)
    found |= {f"decision.{name}": frozenset() for name in game.texts.decisions}
    found |= {f"score.{name}": frozenset({"points"}) for name in game.texts.scores}
    found |= {f"end.{name}": frozenset({"winners"}) for name in game.texts.ends}
    found |= {f"group.{name}": frozenset() for name in game.texts.groups}
    found |= {f"component.{name}": frozenset() for name in game.texts.components}
    found |= {f"component.{name}.text": frozenset() for name in game.texts.described}
    found |= {f"refusal.{code}": facts(code) for code in game.codes}
    found |= {key: frozenset() for key in options(game)}
    found |= {key: ANY for word in game.texts.words.values() for key in word.keys}
    found |= {key: ANY for word in game.texts.facts.values() for key in word.keys}
    return found


def members(union: Any) -> tuple[type[msgspec.Struct], ...]:
    """Return the types of a union, or the only one."""
    return get_args(union) or (union,)


def parts(game: AnyGame, record: type[msgspec.Struct]) -> dict[str, frozenset[str] | None]:
    """Return the keys of the structs in a record that are written field by field."""
    found: dict[str, frozenset[str] | None] = {}
    for inner in _structs(tuple(get_type_hints(record).values())):
        key = f"part.{snake(inner.__name__)}"
        if any(key in keys for keys in game.texts.arguments(record).values()):
            found[key] = frozenset(game.texts.arguments(inner))
            found |= parts(game, inner)
    return found


def _structs(annotations: tuple[Any, ...]) -> Iterator[type[msgspec.Struct]]:
    for annotation in annotations:
        if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
            yield annotation
        yield from _structs(get_args(annotation))


def snake(name: str) -> str:
    """Return the name of a class as it stands in keys."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


def facts(code: RefusalCode) -> frozenset[str]:
    """Return the names of the facts that the meaning of a code announces."""
    return frozenset(FACT.findall(code.meaning))


def options(game: AnyGame) -> Iterator[str]:
    """Yield the key of each option, and of each of its values if they have names."""
    for name, annotation in get_type_hints(game.types.options).items():
        yield f"option.{name}"
        for kind in (annotation, *get_args(annotation)):
            if isinstance(kind, type) and issubclass(kind, Enum):
                yield from (f"option.{name}.{member.value}" for member in kind)
