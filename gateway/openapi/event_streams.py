"""Streams of server-sent events, as the document describes them."""

from __future__ import annotations

from collections.abc import Mapping

from gateway.openapi.parameters import JSONObject, reference


def event_stream(events: Mapping[str, type]) -> JSONObject:
    """Return the schema of a stream of these events: their names, and the structs of their `data`.

    OpenAPI 3.1 has no place for the items of a stream (3.2: `itemSchema`).
    """
    return {
        "description": "One event of the stream, read as WHATWG HTML §9.2.6 says; `data` is JSON.",
        "oneOf": [_event(name, shape) for name, shape in events.items()],
    }


def _event(name: str, shape: type) -> JSONObject:
    return {
        "title": name,
        "type": "object",
        "required": ["event", "data"],
        "properties": {
            "event": {"const": name, "description": "Its kind."},
            "id": {
                "type": "string",
                "description": "Where to go on after it: `Last-Event-ID`.",
                "examples": ["42"],
            },
            "data": {
                "type": "string",
                "description": f"What it says: {shape.__name__} as JSON.",
                "contentMediaType": "application/json",
                "contentSchema": reference(shape),
            },
            "retry": {
                "type": "integer",
                "description": "After how many milliseconds to come back when the stream breaks.",
                "examples": [3000],
            },
        },
    }
