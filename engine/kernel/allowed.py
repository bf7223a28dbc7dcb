"""The values that a type allows at a place, for error messages about that place."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

_STEP: Final = re.compile(r"\.(?P<name>[^.\[\]]+)|\[[^\]]*\]")


def allowed_at(shape: Any, pointer: str) -> tuple[str, ...]:
    """Return the values of an enum, or the tags of a union, at a path such as `$.cards[2]`; empty if there are too many."""
    info: msgspec.inspect.Type | None = msgspec.inspect.type_info(shape)
    for step in _STEP.finditer(pointer.removeprefix("$")):
        info = _bare(info)
        if step["name"] is None:
            info = _item(info)
        elif (tags := _tags(info, step["name"])) is not None:
            return tags
        else:
            info = _field(info, step["name"])
    info = _bare(info)
    if isinstance(info, msgspec.inspect.UnionType):
        return tuple([value for one in info.types for value in _values(_bare(one))])
    return _values(info) if isinstance(info, msgspec.inspect.EnumType) else ()


def _values(info: msgspec.inspect.Type | None) -> tuple[str, ...]:
    """Return the members of an enum, or the range of an integer."""
    if isinstance(info, msgspec.inspect.EnumType):
        return tuple(str(one.value) for one in info.cls)
    if isinstance(info, msgspec.inspect.IntType) and info.ge is not None and info.le is not None:
        return (f"{info.ge} to {info.le}",)
    return ()


def _bare(info: msgspec.inspect.Type | None) -> msgspec.inspect.Type | None:
    """Return a type without limits, descriptions and `| None`."""
    if isinstance(info, msgspec.inspect.Metadata):
        return _bare(info.type)
    if isinstance(info, msgspec.inspect.UnionType):
        rest = [one for one in info.types if not isinstance(one, msgspec.inspect.NoneType)]
        if len(rest) == 1:
            return _bare(rest[0])
    return info


def _item(info: msgspec.inspect.Type | None) -> msgspec.inspect.Type | None:
    return info.item_type if isinstance(info, msgspec.inspect.VarTupleType) else None


def _structs(info: msgspec.inspect.Type | None) -> list[msgspec.inspect.StructType]:
    types = info.types if isinstance(info, msgspec.inspect.UnionType) else (info,)
    return [one for one in types if isinstance(one, msgspec.inspect.StructType)]


def _tags(info: msgspec.inspect.Type | None, name: str) -> tuple[str, ...] | None:
    """Return the tags, if `name` is the tag field; None otherwise."""
    structs = _structs(info)
    if not structs or structs[0].tag_field != name:
        return None
    return tuple(str(one.tag) for one in structs)


def _field(info: msgspec.inspect.Type | None, name: str) -> msgspec.inspect.Type | None:
    """Return a field's type; in a union, that of the first struct with such a field."""
    for struct in _structs(info):
        for field in struct.fields:
            if field.encode_name == name:
                return field.type
    return None
