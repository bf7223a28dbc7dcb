"""Small instances of JSON Schemas, for examples in the OpenAPI document: well-formed, not necessarily legal moves."""

from __future__ import annotations

from typing import Any, Final

from gateway.game_schemas import COMPONENT, Schema

_DEEPEST: Final = 12


def example_of(schema: Schema, components: dict[str, Schema], depth: int = 0) -> Any:
    """Give an instance; `components` is where references lead. What is nested too deeply is null."""
    if depth > _DEEPEST:
        return None
    for key in ("example", "const", "default"):
        if key in schema:
            return schema[key]
    for key in ("examples", "enum"):
        if schema.get(key):
            return schema[key][0]
    if "$ref" in schema:
        return example_of(components[schema["$ref"].removeprefix(COMPONENT)], components, depth + 1)
    for key in ("anyOf", "oneOf"):
        if schema.get(key):
            return example_of(schema[key][0], components, depth + 1)
    return _of_type(schema, components, depth)


def _of_type(schema: Schema, components: dict[str, Schema], depth: int) -> Any:
    match schema.get("type"):
        case "object":
            properties = schema.get("properties", {})
            return {
                name: example_of(properties[name], components, depth + 1)
                for name in schema.get("required", ())
            }
        case "array":
            item = example_of(schema.get("items") or {}, components, depth + 1)
            return [item] * schema.get("minItems", 0)
        case "integer" | "number":
            return schema.get("minimum", 0)
        case "string":
            return "a" * max(1, schema.get("minLength", 0))
        case "boolean":
            return False
        case _:
            return None
