"""A game's JSON Schemas: its types, described with the comments of its gRPC contract."""

from __future__ import annotations

from functools import cache
from typing import Any, Final, Literal

import msgspec

from engine.kernel.codec import encode
from engine.kernel.package import GamePackage
from services.rules.wire.contract_comments import Comments, contract_comments

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
    for name, definition in document.get("$defs", {}).items():
        of_type = _comments(name, package)  # a union of one has a message for that one, too
        _describe(definition, of_type if of_type.message or name != root else _comments(kind, package))
    return encode({"title": kind, "description": _comments(kind, package).message, **document})


def _comments(name: str, package: GamePackage) -> Comments:
    said = contract_comments(package)
    for full_name in (_ELSEWHERE.get(name, ""), f"{package.contract}.{name}", f"{_SHARED}.{name}"):
        if full_name in said:
            return said[full_name]
    return Comments("", {})


def _describe(definition: Schema, comments: Comments) -> None:
    """Add the contract's comments to a definition and its members, where the type itself has no description."""
    if comments.message:
        definition.setdefault("description", comments.message)
    for name, member in definition.get("properties", {}).items():
        told = TAG if name == "type" else comments.fields.get(name)
        if told:
            member.setdefault("description", told)
