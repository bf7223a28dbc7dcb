"""Unions in a form that generators of clients can compile.

A schema may be a union of unions, or of a number and a list, or of objects of which one is empty. Generators for languages without
unions write a class with one member per alternative, and go wrong: of a union of unions they take the discriminators of the inner
ones for its own (openapi-generator for Go), a list has no class to be named (for Java), and what is empty is refused (for Go).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from gateway.openapi.games import COMPONENT, Schema

UNIONS: Final = "x-unions"
"""The member of a union that refers to the unions it was made of, such as each game's own."""


def compilable(schemas: dict[str, Schema]) -> None:
    """Change all components in place: unions of unions become unions of the members, unions with a list any value, and unions
    with an object that has no members any object, which is what they allow.

    The members of a union that have different tags are told apart by a discriminator. Tags of two games may be the same: then
    there is none, and a client tries one member after the other.
    """
    unions = {name: schema for name, schema in schemas.items() if _is_union(schema, schemas)}
    for schema in unions.values():
        inner = [option["$ref"] for option in schema["anyOf"] if _named(option) in unions]
        if inner:
            schema["anyOf"] = list(_members(schema, schemas, unions))
            schema[UNIONS] = [{"$ref": reference} for reference in inner]
            _tell_apart(schema, schemas)
    for schema in schemas.values():
        if any(_is_empty(option, schemas) for option in schema.get("anyOf", ())):
            schema[UNIONS] = schema.pop("anyOf")
            schema |= {"type": "object", "additionalProperties": True}
        for member in schema.get("properties", {}).values():
            _without_lists(member)


def _is_union(schema: Schema, schemas: dict[str, Schema]) -> bool:
    """Is this a union of components, each with a tag or a union itself?"""
    options = schema.get("anyOf", ())
    return bool(options) and all(
        "type" in target.get("properties", {}) or _is_union(target, schemas)
        for target in (schemas.get(_named(option), {}) for option in options)
    )


def _is_empty(option: Schema, schemas: dict[str, Schema]) -> bool:
    """Is this an object without members?"""
    target = schemas.get(_named(option), option)
    while "$ref" in target:
        target = schemas[_named(target)]
    return target.get("type") == "object" and not target.get("properties")


def _named(option: Schema) -> str:
    return str(option.get("$ref", "")).removeprefix(COMPONENT)


def _members(schema: Schema, schemas: dict[str, Schema], unions: dict[str, Schema]) -> Iterator[Schema]:
    for option in schema["anyOf"]:
        name = _named(option)
        if name in unions:
            yield from _members(schemas[name], schemas, unions)
        else:
            yield option


def _tell_apart(schema: Schema, schemas: dict[str, Schema]) -> None:
    mapping = {_tag(schemas[_named(option)]): option["$ref"] for option in schema["anyOf"]}
    if len(mapping) == len(schema["anyOf"]):
        schema["discriminator"] = {"propertyName": "type", "mapping": mapping}


def _tag(schema: Schema) -> str:
    kind: Schema = schema["properties"]["type"]
    return str(kind["const"] if "const" in kind else kind["enum"][0])


def _without_lists(member: Any) -> None:
    """Let the values of an object be any if they are a union with a list in it; the object's description says which."""
    values = member.get("additionalProperties")
    if isinstance(values, dict) and any(option.get("type") == "array" for option in values.get("anyOf", ())):
        member["additionalProperties"] = True
