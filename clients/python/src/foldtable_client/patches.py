"""Changes of a JSON document (RFC 6902), as the API sends them: only `add`, `remove` and `replace`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeVar, cast

from foldtable_client.pointers import position, tokens
from foldtable_client.types import ReplayTable, Table

OPERATIONS: Final = ("add", "remove", "replace")
AnyTable = TypeVar("AnyTable", Table, ReplayTable)


def patched(table: AnyTable, patch: Sequence[dict[str, Any]]) -> AnyTable:
    """Return the table after a patch; the given one stays as it is, and what has not changed is shared with it.

    Raises ValueError if the patch is for another table, or none of these three operations.
    """
    changed: Any = table
    for operation in patch:
        if operation["op"] not in OPERATIONS:
            raise ValueError(f"{operation['op']!r} is none of {', '.join(OPERATIONS)}")
        changed = _changed(changed, tokens(operation["path"]), operation)
    return cast("AnyTable", changed)


def _changed(node: Any, way: list[str], operation: dict[str, Any]) -> Any:
    """Return a copy of a part in which something on the way has changed; the rest is shared with the old one."""
    if not way:
        if operation["op"] == "remove":
            raise ValueError("a whole table cannot be removed")
        return operation["value"]
    name, *rest = way
    if isinstance(node, dict):
        return _changed_object(node, name, rest, operation)
    if isinstance(node, list):
        return _changed_list(node, name, rest, operation)
    raise ValueError(_elsewhere(operation))


def _changed_object(node: dict[str, Any], name: str, rest: list[str], operation: dict[str, Any]) -> Any:
    if name not in node and (rest or operation["op"] != "add"):
        raise ValueError(_elsewhere(operation))
    if not rest and operation["op"] == "remove":
        return {key: value for key, value in node.items() if key != name}
    return {**node, name: _changed(node.get(name), rest, operation)}


def _changed_list(node: list[Any], name: str, rest: list[str], operation: dict[str, Any]) -> Any:
    adds = not rest and operation["op"] == "add"
    place = len(node) if adds and name == "-" else position(name)
    if place is None or place >= len(node) + adds:
        raise ValueError(_elsewhere(operation))
    if adds:
        return [*node[:place], operation["value"], *node[place:]]
    if not rest and operation["op"] == "remove":
        return [*node[:place], *node[place + 1 :]]
    return [*node[:place], _changed(node[place], rest, operation), *node[place + 1 :]]


def _elsewhere(operation: dict[str, Any]) -> str:
    return f"the patch is for another table: it has no {operation['path']!r} to {operation['op']}"
