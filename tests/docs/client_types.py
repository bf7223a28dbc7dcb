"""Write the types of the Python client from the gateway's own structs: `make docs`. The module is never edited by hand."""

from __future__ import annotations

import argparse
import keyword
import textwrap
from collections.abc import Iterator
from typing import Any, Final

import gateway.routes  # noqa: F401 - with its types, and what describes them
from gateway.openapi.document import input_components, our_components
from tests.support.documents import ROOT

MODULE: Final = ROOT / "clients/python/src/foldtable_client/types.py"
ROOTS: Final = (
    "CreateLoginCodeRequest",
    "CreateMatchRequest",
    "CreatePlayerSessionRequest",
    "CreatedMatch",
    "Credential",
    "FeedMatch",
    "FollowingMatch",
    "ForkRequest",
    "GameDescription",
    "GameSummary",
    "JoinRequest",
    "JoinedMatch",
    "Layout",
    "LegalActionsAnswer",
    "LoginCode",
    "Match",
    "Move",
    "MoveAnswer",
    "MoveRehearsed",
    "PlayerSession",
    "Problem",
    "QuickJoinRequest",
    "RematchRequest",
    "ReplacePlayerRequest",
    "ReplayTable",
    "RevokedPlayer",
    "RevokedSessions",
    "SeatsUpdatedData",
    "Table",
    "TablePatchedData",
    "UndoState",
    "UpdateMatchRequest",
    "UpdateSeatRequest",
    "Verification",
    "ViewAnswer",
)
"""What the client's methods take and give; whatever these name is written too."""
OF_A_GAME: Final = {
    "Action": "What a seat does",
    "Components": "What is in the box",
    "Event": "What happened",
    "Options": "How a match is set up",
    "RequestedAction": "What was asked for: an action, or an undo",
    "Template": "A set of actions too large to list",
    "View": "What an audience sees of the table",
}
"""Each game says what these are, in the schemas of `GET /v1/games/{game}`; here they are JSON objects."""
_SIMPLE: Final = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
_HEAD: Final = '''\
"""The API's objects as they travel: written by `make docs` from the gateway's own types, not by hand."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict
'''
_WIDTH: Final = 110


def write_module() -> str:
    """Return the module."""
    components = {**input_components(), **our_components()}
    named = _named(components)
    aliases = [
        f'{name} = dict[str, Any]\n"""{said}; the game says which fields it has."""\n'
        for name, said in OF_A_GAME.items()
    ]
    classes = ["".join(_class(name, components[name])) for name in sorted(named - set(OF_A_GAME))]
    return _HEAD + "\n" + "".join(aliases) + "".join(f"\n\n{each}" for each in classes)


def _named(components: dict[str, Any]) -> set[str]:
    """Return the roots and everything they refer to."""
    named, waiting = set[str](), list(ROOTS)
    while waiting:
        name = waiting.pop()
        if name not in named:
            named.add(name)
            waiting += [] if name in OF_A_GAME else _references(components[name])
    return named


def _references(schema: Any) -> list[str]:
    if isinstance(schema, list):
        return [name for part in schema for name in _references(part)]
    if not isinstance(schema, dict):
        return []
    here = [schema["$ref"].rpartition("/")[2]] if "$ref" in schema else []
    return here + [name for part in schema.values() for name in _references(part)]


def _class(name: str, schema: dict[str, Any]) -> Iterator[str]:
    yield f"class {name}(TypedDict):\n"
    yield _text(schema.get("description", f"{name}."))
    required = set(schema.get("required", ()))
    for position, (field, its) in enumerate(schema["properties"].items()):
        if keyword.iskeyword(field):
            raise ValueError(f"{name}.{field} cannot be written as an attribute")
        kind = _type(its)
        yield "" if position else "\n"
        yield f"    {field}: {kind}\n" if field in required else f"    {field}: NotRequired[{kind}]\n"
        if "description" in its:
            yield _text(its["description"])


def _text(said: str) -> str:
    lines = textwrap.wrap(" ".join(said.split()), _WIDTH - 10) or [""]
    if len(lines) == 1:
        return f'    """{lines[0]}"""\n'
    rest = "".join(f"    {line}\n" for line in lines[1:])
    return f'    """{lines[0]}\n{rest}    """\n'


def _type(schema: dict[str, Any]) -> str:
    """Return the Python type of a schema."""
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return " | ".join(dict.fromkeys(map(_type, schema[union])))
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema or "const" in schema:
        values = schema.get("enum", [schema.get("const")])
        return f"Literal[{', '.join(_literal(value) for value in values)}]"
    match schema.get("type"):
        case "array":
            return f"list[{_type(schema.get('items', {}))}]"
        case "object":
            inner = schema.get("additionalProperties")
            return f"dict[str, {_type(inner) if isinstance(inner, dict) else 'Any'}]"
        case str(name):
            return _SIMPLE[name]
        case list(names):
            return " | ".join(_SIMPLE[name] for name in names)
    return "Any"


def _literal(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    MODULE.write_text(write_module())
    print(f"{MODULE.relative_to(ROOT)} is written")
