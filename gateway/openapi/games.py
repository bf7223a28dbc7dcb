"""The games' own JSON Schemas as components of one OpenAPI document.

A game's schemas arrive as separate documents with their own `$defs`. Here every definition becomes a component under
the game's name, such as `river_dragons.Plank`, and every reference is changed accordingly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from foldtable.rules.v1.rules_service_pb2 import DescribeGameResponse

Schema = dict[str, Any]

KINDS: Final = ("Options", "Action", "Event", "Template", "View")
COMPONENT: Final = "#/components/schemas/"
_DEFINITION: Final = "#/$defs/"


def game_components(games: Sequence[DescribeGameResponse]) -> dict[str, Schema]:
    """Return the components of all games, and for each kind of data a union over the games."""
    components: dict[str, Schema] = {}
    for game in games:
        _add_game(components, game)
    names = [game.summary.game for game in games]
    for kind in KINDS:
        components[kind] = {
            "title": kind,
            "description": f"{kind} of a game; the match's `game` decides which.",
            "anyOf": [{"$ref": f"{COMPONENT}{name}.{kind}"} for name in names],
        }
    components["Event"]["anyOf"].append({"$ref": f"{COMPONENT}MatchEvent"})
    return components


def _add_game(components: dict[str, Schema], game: DescribeGameResponse) -> None:
    documents = zip(
        KINDS,
        (
            game.options_schema,
            game.action_schema,
            game.event_schema,
            game.template_schema,
            game.view_schema,
        ),
        strict=True,
    )
    prefix = game.summary.game
    for kind, document in documents:
        root: Schema = msgspec.json.decode(document)
        definitions: dict[str, Schema] = root.pop("$defs", {})
        names = {
            name: _component_name(components, prefix, kind, name, definition)
            for name, definition in definitions.items()
        }

        def follow(reference: str, names: dict[str, str] = names) -> str:
            return COMPONENT + names[reference.removeprefix(_DEFINITION)]

        for name, definition in definitions.items():
            components[names[name]] = {**renamed(definition, follow), _ORIGINAL: definition}
        if root.get("$ref") != f"{_DEFINITION}{kind}":  # otherwise the definition itself has the kind's name
            components[f"{prefix}.{kind}"] = renamed(root, follow)
    for component in components.values():
        component.pop(_ORIGINAL, None)


_ORIGINAL: Final = "x-original"
"""Holds a definition while a game is added: two documents with equal definitions of a name share one component."""


def _component_name(
    components: dict[str, Schema], prefix: str, kind: str, name: str, definition: Schema
) -> str:
    """Return a definition's name; with its document's name added if two documents define it differently."""
    plain = f"{prefix}.{name}"
    taken = components.get(plain)
    reserved = name in KINDS and name != kind
    if not reserved and (taken is None or taken.get(_ORIGINAL) == definition):
        return plain
    return f"{prefix}.{kind}.{name}"


def renamed(node: Any, follow: Callable[[str], str]) -> Any:
    """Return a copy in which every reference into `$defs` points to its component."""
    if isinstance(node, list):
        return [renamed(item, follow) for item in node]
    if isinstance(node, str):
        return follow(node) if node.startswith(_DEFINITION) else node
    if isinstance(node, dict):
        return {key: renamed(value, follow) for key, value in node.items()}
    return node
