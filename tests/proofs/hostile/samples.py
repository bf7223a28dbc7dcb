"""A good value of any type that requests are declared with: all fields filled in, so that each can be spoiled."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec
from msgspec import inspect

from gateway.openapi.examples import example_of

_TEXTS: Final = (
    "a",
    "test",
    "1",
    "river_dragons",
    "match.ended",
    "matches:read",
    "2026-01-31T12:00:00Z",
    "01890000-0000-7000-8000-000000000000",
    "https://example.org/hooks",
)
"""The first that a pattern lets in is taken."""


def sample(shape: Any) -> bytes:
    """Return JSON of a shape; where texts have a meaning beyond their pattern it may still be refused."""
    return msgspec.json.encode(_of(inspect.type_info(shape)))


def sample_of_schema(schema: dict[str, Any]) -> bytes:
    """Return JSON of a pydantic model's schema."""
    components = schema.get("$defs", {})
    return msgspec.json.encode(example_of(schema, components, full=True))


def query_of_schema(schema: dict[str, Any]) -> bytes:
    """Return a query string with every parameter of a pydantic model's schema."""
    components = schema.get("$defs", {})
    said = {name: one.get("anyOf", [one])[0] for name, one in schema["properties"].items()}
    values = {
        name: example_of({key: one[key] for key in one.keys() - {"default"}}, components, full=True)
        for name, one in said.items()
    }
    return "&".join(f"{name}={_word(value)}" for name, value in values.items()).encode()


def _word(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _of(info: inspect.Type) -> Any:
    match info:
        case inspect.Metadata(type=inner):
            return _of(inner)
        case inspect.StructType(fields=fields, tag=tag, tag_field=tag_field):
            tagged = {} if tag is None else {str(tag_field): tag}
            return tagged | {field.encode_name: _of(field.type) for field in fields}
        case inspect.UnionType(types=types):
            return _of(next(one for one in types if not isinstance(one, inspect.NoneType)))
        case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
            return [_of(item)]
        case inspect.DictType(value_type=value):
            return {"a": _of(value)}
        case inspect.StrType(pattern=pattern, min_length=least):
            fitting = (text for text in _TEXTS if pattern is None or re.search(pattern, text))
            return next(fitting, "x").ljust(least or 0, "x")
        case _:
            return _scalar(info)


def _scalar(info: inspect.Type) -> Any:
    match info:
        case inspect.IntType(ge=least):
            return max(1, least or 0)
        case inspect.FloatType():
            return 1.5
        case inspect.BoolType():
            return True
        case inspect.LiteralType(values=values):
            return values[0]
        case inspect.EnumType(cls=enum):
            return next(iter(enum)).value
        case inspect.DateTimeType():
            return "2026-01-31T12:00:00Z"
        case inspect.UUIDType():
            return "01890000-0000-7000-8000-000000000000"
        case _:
            return {}
