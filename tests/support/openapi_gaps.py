"""Finds what an OpenAPI document leaves unsaid: words, examples, who may call, where answers lead. For tests; used by name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from gateway.schemas.webhooks import EventTypeName

Json = dict[str, Any]

_ID: Final = re.compile(r"[a-z][A-Za-z]+")
_EXPRESSION: Final = re.compile(
    r"\$(request\.path\.(?P<path>\w+)|(?P<side>response|request)\.body(#(?P<at>.*))?)"
)
_BODY: Final = "#/components/schemas/"


def gaps(document: Json) -> list[str]:
    """Return what is missing, in words."""
    return sorted(_Reader(document).gaps())


class _Reader:
    def __init__(self, document: Json) -> None:
        self._document = document
        self._schemas: Json = document["components"]["schemas"]
        self._operations = {
            operation["operationId"]: (f"{method.upper()} {path}", operation)
            for path, item in document["paths"].items()
            for method, operation in item.items()
            if "operationId" in operation
        }

    def gaps(self) -> Iterator[str]:
        for name, schema in self._schemas.items():
            yield from self._schema(name, schema)
        for path, item in self._document["paths"].items():
            for method, operation in item.items():
                yield from self._operation(f"{method.upper()} {path}", path, operation)
        yield from self._without_way_in()
        for event_type in set(EventTypeName.__args__) ^ self._document["webhooks"].keys():
            yield f"webhook {event_type} has no description"

    # ── schemas ────────────────────────────────────────────────────────────────────────────────────

    def _schema(self, name: str, schema: Json) -> Iterator[str]:
        yield from (
            f"{name} has no {word}" for word in ("title", "description", "examples") if not schema.get(word)
        )
        options = schema.get("anyOf", ())
        kinds = [self._resolved(option).get("properties", {}).get("type", {}) for option in options]
        tags = [kind.get("const", *kind.get("enum", [])[:1]) for kind in kinds]
        if tags and all(tags) and len(set(tags)) == len(tags):
            mapping = schema.get("discriminator", {}).get("mapping", {})
            if set(mapping.values()) != {option.get("$ref") for option in options}:
                yield f"{name} has no discriminator"
        for member, value in schema.get("properties", {}).items():
            if not self._is_described(value):
                yield f"{name}.{member} has no description"

    def _is_described(self, schema: Json) -> bool:
        """Is it said what it is: here, or where it leads?"""
        if schema.get("description"):
            return True
        if "$ref" in schema:
            return self._is_described(self._resolved(schema))
        return any(self._is_described(option) for key in ("anyOf", "oneOf") for option in schema.get(key, ()))

    def _resolved(self, schema: Json) -> Json:
        while "$ref" in schema:
            schema = self._schemas[schema["$ref"].removeprefix(_BODY)]
        return schema

    # ── operations ─────────────────────────────────────────────────────────────────────────────────

    def _operation(self, name: str, path: str, operation: Json) -> Iterator[str]:
        if not _ID.fullmatch(operation.get("operationId", "")):
            yield f"{name} has no operationId"
        yield from (
            f"{name} has no {word}" for word in ("summary", "description", "tags") if not operation.get(word)
        )
        if "security" not in operation:
            yield f"{name} has no security"
        for parameter in operation.get("parameters", ()):
            yield from self._parameter(f"{name}, parameter {parameter['name']}", parameter)
        for status, response in operation["responses"].items():
            if status.startswith("2"):
                yield from self._answer(name, path, operation, response)
            elif (
                status >= "4"
                and "$ref" not in response
                and "application/json" not in response.get("content", {})
            ):
                yield f"{name} describes {status} with a text of its own"

    def _parameter(self, name: str, parameter: Json) -> Iterator[str]:
        if not parameter.get("description"):
            yield f"{name} has no description"
        if not parameter["schema"].keys() & {"examples", "enum", "const", "default"}:
            yield f"{name} has no example"

    def _answer(self, name: str, path: str, operation: Json, response: Json) -> Iterator[str]:
        content = response.get("content", {}).get("application/json")
        links = response.get("links", {})
        if content is not None and not links and self._names_something(content["schema"]):
            yield f"{name} leads nowhere"
        for link_name, link in links.items():
            yield from self._link(f"{name}, link {link_name}", path, operation, content or {}, link)

    # ── links ──────────────────────────────────────────────────────────────────────────────────────

    def _without_way_in(self) -> Iterator[str]:
        """Whoever needs an id is led there by a link."""
        targets = {
            link["operationId"]
            for _, operation in self._operations.values()
            for response in operation["responses"].values()
            for link in response.get("links", {}).values()
        }
        for operation_id, (name, _) in self._operations.items():
            if "_id}" in name and operation_id not in targets:
                yield f"no link leads to {name}"

    def _names_something(self, schema: Json) -> bool:
        """Does the answer hold the id of something that has a path of its own, in itself or one level below?"""
        ids = {name for path in self._document["paths"] for name in re.findall(r"\{(\w+)\}", path)} - {"seat"}
        members = self._resolved(schema).get("properties", {})
        return any(name in ids or ids & self._below(value).keys() for name, value in members.items())

    def _below(self, schema: Json) -> Json:
        found: Json = self._resolved(schema.get("items", schema)).get("properties", {})
        return found

    def _link(self, name: str, path: str, operation: Json, content: Json, link: Json) -> Iterator[str]:
        if link["operationId"] not in self._operations:
            yield f"{name} leads to no operation"
            return
        target = self._operations[link["operationId"]][1]
        known = {parameter["name"] for parameter in target.get("parameters", ())}
        yield from (f"{name} fills no parameter {one}" for one in link.get("parameters", {}).keys() - known)
        if not link.get("description"):
            yield f"{name} has no description"
        for expression in _expressions(
            [*link.get("parameters", {}).values(), link.get("requestBody"), link.get("x-request-body")]
        ):
            if not self._is_there(expression, path, operation, content):
                yield f"{name}: there is no {expression}"

    def _is_there(self, expression: str, path: str, operation: Json, content: Json) -> bool:
        found = _EXPRESSION.fullmatch(expression)
        if found is None:
            return False
        if found["path"]:
            return f"{{{found['path']}}}" in path
        if found["side"] == "request":
            content = operation["requestBody"]["content"]["application/json"]
        elif not content:
            return found["at"] is None
        return self._member(content["schema"], (found["at"] or "").split("/")[1:])

    def _member(self, schema: Json, steps: list[str]) -> bool:
        schema = self._resolved(schema)
        options = [option for key in ("anyOf", "oneOf") for option in schema.get(key, ())]
        if not steps or any(self._member(option, steps) for option in options):
            return True
        inner = schema.get("items") if steps[0].isdecimal() else schema.get("properties", {}).get(steps[0])
        return inner is not None and self._member(inner, steps[1:])


def _expressions(value: Any) -> Iterator[str]:
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _expressions(inner)
    elif isinstance(value, str):
        yield value
