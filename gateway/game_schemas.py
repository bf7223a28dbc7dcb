"""The games' own JSON Schemas as components of one OpenAPI document.

A game's schemas arrive as separate documents with `$defs` of their own. Here every definition becomes a component under
the game's name, such as `river_dragons.Plank`, and every reference follows it there.
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
    """Give the components of all games, and for each kind the union of the games' own."""
    components: dict[str, Schema] = {}
    for game in games:
        _add_game(components, game)
    names = [game.summary.game for game in games]
    for kind in KINDS:
        components[kind] = {
            "description": f"{kind} of a game; which one, the match's `game` says.",
            "anyOf": [{"$ref": f"{COMPONENT}{name}.{kind}"} for name in names],
        }
    components["HouseEvent"] = _house_event()
    components["Event"]["anyOf"].append({"$ref": f"{COMPONENT}HouseEvent"})
    components["RequestedAction"] = {
        "description": "What was asked: an action of the game, a resignation, a time-out, or something of the house.",
        "anyOf": [
            {"$ref": f"{COMPONENT}Action"},
            _tagged("resign"),
            _tagged("undo", to=_VERSION),
            _tagged("redo"),
            _tagged("answer_undo", accept={"type": "boolean"}),
            _tagged("abort"),
            _tagged("answer_abort", accept={"type": "boolean"}),
            _tagged("return_to_seat"),
            _tagged("time_out", action=_INSTEAD, decision={"type": "string"}),
        ],
    }
    return components


_VERSION: Final[Schema] = {"type": "integer", "minimum": 1}
_SEAT: Final[Schema] = {"type": "integer", "minimum": 0}
_INSTEAD: Final[Schema] = {
    "description": "What the house did in the seat's stead: an action of the game, or a resignation.",
    "type": "object",
}


def _house_event() -> Schema:
    return {
        "description": "An event of no game: moves were taken back or put back, the match was called off or begins as a fork, the others were asked, or somebody is back. Public.",
        "anyOf": [
            _tagged("move_undone", seat=_SEAT, to=_VERSION),
            _tagged("move_redone", seat=_SEAT, to=_VERSION),
            _tagged("undo_proposed", seat=_SEAT, to=_VERSION),
            _tagged("undo_answered", seat=_SEAT, accept={"type": "boolean"}),
            _tagged("abort_proposed", seat=_SEAT),
            _tagged("abort_answered", seat=_SEAT, accept={"type": "boolean"}),
            _tagged(
                "forked",
                of={"type": "string", "format": "uuid"},
                version=_VERSION,
                audience={"$ref": f"{COMPONENT}Audience"},
                state={"description": "The whole table; null for everybody but a referee."},
            ),
            _tagged("match_aborted", by={"enum": ["tenant", "consent"]}, seat={"type": ["integer", "null"]}),
            _tagged("seat_returned", seat=_SEAT),
        ],
    }


def _tagged(tag: str, **properties: Schema) -> Schema:
    return {
        "type": "object",
        "required": ["type", *properties],
        "properties": {"type": {"const": tag}, **properties},
    }


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
            components[names[name]] = {**_renamed(definition, follow), _ORIGINAL: definition}
        if root.get("$ref") != f"{_DEFINITION}{kind}":  # else the definition itself has the kind's name
            components[f"{prefix}.{kind}"] = _renamed(root, follow)
    for component in components.values():
        component.pop(_ORIGINAL, None)


_ORIGINAL: Final = "x-original"
"""Kept while a game is added: two documents may define the same name alike, and share it then."""


def _component_name(
    components: dict[str, Schema], prefix: str, kind: str, name: str, definition: Schema
) -> str:
    """Give a definition's name: the plain one, or with its document's where two documents differ."""
    plain = f"{prefix}.{name}"
    taken = components.get(plain)
    reserved = name in KINDS and name != kind
    if not reserved and (taken is None or taken.get(_ORIGINAL) == definition):
        return plain
    return f"{prefix}.{kind}.{name}"


def _renamed(node: Any, follow: Callable[[str], str]) -> Any:
    """Give a copy in which every reference into `$defs` leads to its component."""
    if isinstance(node, list):
        return [_renamed(item, follow) for item in node]
    if isinstance(node, str):
        return follow(node) if node.startswith(_DEFINITION) else node
    if isinstance(node, dict):
        return {key: _renamed(value, follow) for key, value in node.items()}
    return node
