"""Parameters as the OpenAPI document describes them: what FastAPI leaves unsaid."""

from __future__ import annotations

from typing import Any, Final

from gateway.openapi.examples import example_of

JSONObject = dict[str, Any]

SCHEMAS: Final = "#/components/schemas/{name}"


def reference(shape: type) -> JSONObject:
    """Return the reference to the component of a struct."""
    return {"$ref": SCHEMAS.format(name=shape.__name__)}


def completed(parameter: JSONObject) -> JSONObject:
    """Return a parameter of FastAPI's making with an example, and without the null that cannot be sent."""
    described = _described(_without_null(dict(parameter["schema"])))
    return {**parameter, **described, "description": parameter.get("description") or described["description"]}


def _described(schema: JSONObject) -> JSONObject:
    """Move a schema's description to its parameter, and give it an example unless its values are known already."""
    description = schema.pop("description", "")
    if not schema.keys() & {"examples", "enum", "const", "default"}:
        schema["examples"] = [example_of(schema, {})]
    return {"description": description, "schema": schema}


def _without_null(schema: JSONObject) -> JSONObject:
    """A query parameter that is not given is absent, not null."""
    if "anyOf" in schema:
        (value,) = [option for option in schema.pop("anyOf") if option != {"type": "null"}]
        schema = {**value, **schema}
    if schema.get("default", ...) is None:
        del schema["default"]
    return schema
