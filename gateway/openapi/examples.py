"""Small instances of JSON Schemas as examples in the OpenAPI document: valid for the schema, not necessarily legal moves."""

from __future__ import annotations

from typing import Any, Final

from gateway.openapi.games import COMPONENT, Schema

_DEEPEST: Final = 12
_OF_FORMATS: Final = {
    "uuid": "0197f0c4-6f5e-7c1a-9f53-2b1f6c0a7d11",
    "date-time": "2026-01-31T12:00:00.123456Z",
    "date": "2026-01-31",
    "uri-reference": "/v1/matches/0197f0c4-6f5e-7c1a-9f53-2b1f6c0a7d11",
}
_OF_PATTERNS: Final = {"^[0-9a-f]{64}$": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}


def add_examples(schemas: dict[str, Schema]) -> None:
    """Add an example with all members to every component that has none."""
    examples = {
        name: example_of(schema, schemas, full=True)
        for name, schema in schemas.items()
        if not schema.get("examples")
    }
    for name, example in examples.items():
        schemas[name]["examples"] = [example]


def example_of(schema: Schema, components: dict[str, Schema], depth: int = 0, *, full: bool = False) -> Any:
    """Return an instance of a schema. `components` resolves references. Values that are nested too deeply are null.

    `full`: with all members, not only the required ones.
    """
    if depth > _DEEPEST:
        return None
    for key in ("example", "const", "default"):
        if key in schema:
            return schema[key]
    for key in ("examples", "enum"):
        if schema.get(key):
            return schema[key][0]
    if "$ref" in schema:
        target = components[schema["$ref"].removeprefix(COMPONENT)]
        return example_of(target, components, depth + 1, full=full)
    for key in ("anyOf", "oneOf"):
        if schema.get(key):
            return example_of(schema[key][0], components, depth + 1, full=full)
    return _of_type(schema, components, depth, full=full)


def _of_type(schema: Schema, components: dict[str, Schema], depth: int, *, full: bool) -> Any:
    kinds = schema.get("type")
    match kinds[0] if isinstance(kinds, list) else kinds:
        case "object":
            properties = schema.get("properties", {})
            return {
                name: example_of(properties[name], components, depth + 1, full=full)
                for name in (properties if full else schema.get("required", ()))
            }
        case "array":
            item = example_of(schema.get("items") or {}, components, depth + 1, full=full)
            return [item] * schema.get("minItems", 0)
        case "integer" | "number":
            return schema.get("minimum", 0)
        case "string":
            return _text(schema)
        case "boolean":
            return False
        case _:
            return None


def _text(schema: Schema) -> str:
    known = _OF_FORMATS.get(schema.get("format", "")) or _OF_PATTERNS.get(schema.get("pattern", ""))
    return known or "a" * max(1, schema.get("minLength", 0))
