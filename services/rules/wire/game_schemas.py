"""A game's JSON Schemas: its types, described with the comments of its gRPC contract."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, Literal

import msgspec

from engine.kernel.codec import encode
from engine.kernel.package import GamePackage
from services.rules.wire.contract_comments import contract_comments

Kind = Literal["Options", "Action", "Event", "Template", "View"]
KINDS: Final[tuple[Kind, ...]] = ("Options", "Action", "Event", "Template", "View")
Schema = dict[str, Any]

TAG: Final = "Which kind it is."
_SHARED: Final = "foldtable.rules.v1"
_ELSEWHERE: Final = {"Pending": f"{_SHARED}.PendingDecision"}
"""Types whose messages have other names, with those names."""


@cache
def game_schema(kind: Kind, shape: Any, package: GamePackage) -> bytes:
    """Return the schema of a type (or of a union of types) as JSON; `package` is the game's."""
    document: Schema = msgspec.json.schema(shape)
    root = document.get("$ref", "").rpartition("/")[2]
    said = contract_comments(package)
    for name, definition in document.get("$defs", {}).items():
        found = _full_name(name, package)  # a union of one has a message for that one, too
        _describe(definition, found if found or name != root else _full_name(kind, package), said)
    described = said.get(_full_name(kind, package), "")
    return encode({"title": kind, "description": described, **document})


def _full_name(name: str, package: GamePackage) -> str:
    """Return the full name of the message for a type; empty if no contract has one with a comment."""
    candidates = (_ELSEWHERE.get(name, ""), f"{package.contract}.{name}", f"{_SHARED}.{name}")
    return next((one for one in candidates if one in contract_comments(package)), "")


def _describe(definition: Schema, message: str, said: Mapping[str, str]) -> None:
    """Add the contract's comments to a definition and its members, where the type itself has no description."""
    if message:
        definition.setdefault("description", said[message])
    for name, member in definition.get("properties", {}).items():
        told = TAG if name == "type" else said.get(f"{message}.{name}")
        if told:
            member.setdefault("description", told)
