"""Finds in an OpenAPI document what breaks clients made for an earlier one. For tests; used by name.

What is sent may only be asked for less, what is answered may only become more: optional parameters and fields, new
operations, new members of answers, new kinds of events and new values of enumerations break no client that expects them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count
from typing import Any, Final

Json = dict[str, Any]

METHODS: Final = ("get", "put", "post", "delete", "patch")
UNION: Final = frozenset({"anyOf", "discriminator", "title", "description", "examples", "x-unions"})
"""What a schema has that is nothing but a union."""
SENT: Final = "sent"
ANSWERED: Final = "answered"


def broken(before: Json, after: Json) -> list[str]:
    """Return what a client of the document before can no longer rely on, in words."""
    return sorted(set(_Comparison(before, after).differences()))


class _Comparison:
    def __init__(self, before: Json, after: Json) -> None:
        self._before, self._after = before, after
        self._seen: set[tuple[str, str, str]] = set()

    def differences(self) -> Iterator[str]:
        for path, methods in self._before["paths"].items():
            for method in METHODS:
                if method not in methods:
                    continue
                now = self._after["paths"].get(path, {}).get(method)
                name = f"{method.upper()} {path}"
                if now is None:
                    yield f"{name} is gone"
                else:
                    yield from self._operation(name, methods[method], now)

    def _operation(self, name: str, then: Json, now: Json) -> Iterator[str]:
        if then["operationId"] != now["operationId"]:
            yield f"{name} has another operationId"
        yield from self._parameters(name, then, now)
        yield from self._bodies(name, then, now)
        for status, answer in then["responses"].items():
            if status not in now["responses"]:
                if status.startswith("2"):
                    yield f"{name} does not answer {status}"
                continue
            contents = [
                self._resolved(side, doc).get("content", {}) for side, doc in self._sides(answer, now, status)
            ]
            yield from self._contents(f"{name} {status}", *contents, ANSWERED)

    def _sides(self, answer: Json, now: Json, status: str) -> tuple[tuple[Json, Json], tuple[Json, Json]]:
        return (answer, self._before), (now["responses"][status], self._after)

    def _parameters(self, name: str, then: Json, now: Json) -> Iterator[str]:
        old = {(one["in"], one["name"]): one for one in then.get("parameters", ())}
        new = {(one["in"], one["name"]): one for one in now.get("parameters", ())}
        for key in old.keys() | new.keys():
            where = f"{name}, {key[0]} parameter {key[1]}"
            if key not in new:
                yield f"{where} is gone"
            elif new[key].get("required") and not old.get(key, {}).get("required"):
                yield f"{where} is required"
            elif key in old:
                yield from self._schema(where, old[key]["schema"], new[key]["schema"], SENT)

    def _bodies(self, name: str, then: Json, now: Json) -> Iterator[str]:
        old, new = then.get("requestBody", {}), now.get("requestBody", {})
        if new.get("required") and not old.get("required"):
            yield f"{name} requires a body"
        yield from self._contents(f"{name}, body", old.get("content", {}), new.get("content", {}), SENT)

    def _contents(self, where: str, then: Json, now: Json, direction: str) -> Iterator[str]:
        for media_type, media in then.items():
            if media_type not in now:
                yield f"{where} is no {media_type}"
            else:
                yield from self._schema(
                    where, media.get("schema", {}), now[media_type].get("schema", {}), direction
                )

    def _schema(self, where: str, then: Json, now: Json, direction: str) -> Iterator[str]:
        names = (then.get("$ref", ""), now.get("$ref", ""))
        if all(names):
            if (*names, direction) in self._seen:
                return
            self._seen.add((*names, direction))
            where = f"{names[0].rpartition('/')[2]} ({direction})"
        then, now = self._resolved(then, self._before), self._resolved(now, self._after)
        if _type(then) != _type(now):
            yield f"{where} has another type"
            return
        yield from self._values(where, then, now, direction)
        yield from self._members(where, then, now, direction)
        for key in ("items", "additionalProperties"):
            if isinstance(then.get(key), dict) and isinstance(now.get(key), dict):
                yield from self._schema(f"{where}[]", then[key], now[key], direction)
        before, after = (
            list(self._flat(_alternatives(one), document))
            for one, document in ((then, self._before), (now, self._after))
        )
        yield from self._options(where, before, after, direction)

    def _values(self, where: str, then: Json, now: Json, direction: str) -> Iterator[str]:
        if then.get("const") != now.get("const"):
            yield f"{where} has another value"
        if direction == SENT and "enum" in now and not set(then.get("enum", ())) <= set(now["enum"]):
            yield f"{where} takes fewer values"

    def _members(self, where: str, then: Json, now: Json, direction: str) -> Iterator[str]:
        old, new = then.get("properties", {}), now.get("properties", {})
        for name in old.keys() - new.keys():
            yield f"{where}.{name} is gone"
        required_then, required_now = set(then.get("required", ())), set(now.get("required", ()))
        if direction == SENT:
            yield from (f"{where}.{name} is required" for name in required_now - required_then)
        else:
            yield from (
                f"{where}.{name} may be missing" for name in (required_then - required_now) & new.keys()
            )
        for name in old.keys() & new.keys():
            yield from self._schema(f"{where}.{name}", old[name], new[name], direction)

    def _options(self, where: str, then: list[Json], now: list[Json], direction: str) -> Iterator[str]:
        """Compare unions: members are known by their names; those without one stand in their order."""
        new = dict(_keyed(now))
        for key, option in _keyed(then):
            if key in new:
                yield from self._schema(f"{where}|{key.rpartition('/')[2]}", option, new[key], direction)
            else:
                yield f"{where} has no {key.rpartition('/')[2]}"

    def _flat(self, options: Iterable[Json], document: Json) -> Iterator[Json]:
        """Yield the members of a union: those of a union in it as well, as it allows what they allow."""
        for option in options:
            inner = self._resolved(option, document)
            members = _alternatives(inner) if inner.keys() <= UNION else ()
            if members:
                yield from self._flat(members, document)
            else:
                yield option

    @staticmethod
    def _resolved(value: Json, document: Json) -> Json:
        while "$ref" in value:
            found: Any = document
            for step in value["$ref"].removeprefix("#/").split("/"):
                found = found[step]
            value = found
        return value


def _keyed(options: list[Json]) -> Iterator[tuple[str, Json]]:
    """Yield members of a union with what they are known by."""
    unnamed = count()
    for option in options:
        yield option.get("$ref") or str(next(unnamed)), option


def _alternatives(schema: Json) -> list[Json]:
    """Return the members of a union; `x-unions` names them where the schema allows any object."""
    found = [*schema.get("oneOf", ()), *schema.get("anyOf", ())]
    return found or list(schema.get("x-unions", ()))


def _type(schema: Json) -> Any:
    """Return the type of a value: one or several texts are texts, whether or not that is said as well."""
    if "x-unions" in schema:
        return None
    values = schema.get("enum", [schema[key] for key in ("const",) if key in schema])
    return "string" if values and all(isinstance(one, str) for one in values) else schema.get("type")
