"""Parameters as the OpenAPI document describes them: of paths, of queries, of headers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from gateway.schema_examples import example_of

JSONObject = dict[str, Any]

SCHEMAS: Final = "#/components/schemas/{name}"


def _id(description: str, example: str) -> JSONObject:
    return {"type": "string", "format": "uuid", "description": description, "examples": [example]}


_PATH: Final[Mapping[str, JSONObject]] = {
    "match_id": _id("The match.", "0197f0c4-6f5e-7c1a-9f53-2b1f6c0a7d11"),
    "seat": {
        "type": "integer",
        "minimum": 0,
        "maximum": 99,
        "description": "The seat, counted from 0.",
        "examples": [0],
    },
    "game": {
        "type": "string",
        "maxLength": 64,
        "description": "The game's id.",
        "examples": ["river_dragons"],
    },
    "tenant": {"type": "string", "maxLength": 63, "description": "The tenant.", "examples": ["acme"]},
    "endpoint_id": _id("The webhook endpoint's id.", "9d0f7a44-6f0b-4c84-8a39-6f7d3e5b1c20"),
    "event_id": _id("The event's id.", "4f6f1d0c-51f5-4bd0-9b0f-2f0e7a2f3c55"),
    "key_id": _id("The API key's id.", "0197f0c4-7a10-7d3e-8c55-6b1d2f3a4c5d"),
    "asset": {
        "type": "string",
        "maxLength": 63,
        "description": "A file of the page.",
        "examples": ["swagger-ui.css"],
    },
    "reason": {
        "type": "string",
        "maxLength": 63,
        "description": "A reason.",
        "examples": ["VERSION_CONFLICT"],
    },
}
_HEADERS: Final[Mapping[str, JSONObject]] = {
    "Idempotency-Key": {
        "type": "string",
        # A String of Structured Fields (RFC 9651 §3.3.3), or the same bare.
        "pattern": r'^("([\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,64}"|[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]{1,64})$',
        "examples": ['"0b8d2c1e-5c0e-4c55-9d1d-6e4a2f0f9c11"'],
    },
    "If-Match": {
        "type": "string",
        "pattern": r'^"v:(0|[1-9][0-9]{0,14})"$',  # bare is read too, but nobody should send it so
        "examples": ['"v:12"'],
    },
    "If-None-Match": {"type": "string", "examples": ['"v:12"']},
    "Last-Event-ID": {"type": "string", "examples": ["41"]},
}


def path_parameters(path: str) -> list[JSONObject]:
    """Give the parameters of a path."""
    return [
        {"name": name, "in": "path", "required": True, **_described(dict(_PATH[name]))}
        for name in re.findall(r"\{(\w+)", path)
    ]


def query_parameters(query: type[msgspec.Struct] | None) -> list[JSONObject]:
    """Give the parameters of a query: the fields of its struct."""
    if query is None:
        return []
    _, components = msgspec.json.schema_components([query], ref_template=SCHEMAS)
    properties: JSONObject = components[query.__name__]["properties"]
    return [
        {"name": name, "in": "query", "required": False, **_described(_without_null(dict(schema)))}
        for name, schema in properties.items()
    ]


def header_parameters(headers: Mapping[str, str]) -> list[JSONObject]:
    """Give request headers, whose descriptions are given by name; KeyError for one that has no schema here."""
    return [
        {"name": name, "in": "header", "required": False, "description": text, "schema": dict(_HEADERS[name])}
        for name, text in headers.items()
    ]


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
