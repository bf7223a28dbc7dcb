"""Structs of REST that are made from protobuf messages, for answers that only mirror one.

`mirror_of(layout_pb2.Board)` decorates a class that declares what the descriptor does not say: a pattern, a format, that a value
may be null. All other fields, and the messages within, follow from the descriptor; their words do anyway (`openapi/comments`).
A field that code reads by its name is declared as well, so that mypy knows it.
"""

from __future__ import annotations

from collections.abc import Callable
from types import GenericAlias
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar, get_type_hints

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from msgspec import Struct, defstruct

from gateway.contract.names import enum_names, fields_for

if TYPE_CHECKING:
    Mirror = Struct
else:

    class Mirror:
        """The base of every decorated class. The struct that takes its place is one of msgspec, which type checkers see."""


Declared = TypeVar("Declared", bound=Mirror)

_SCALARS: Final[dict[int, type]] = {
    FieldDescriptor.CPPTYPE_BOOL: bool,
    FieldDescriptor.CPPTYPE_INT32: int,
    FieldDescriptor.CPPTYPE_INT64: int,
    FieldDescriptor.CPPTYPE_STRING: str,  # bytes too: hexadecimal digits
}
_MADE: Final[dict[str, Any]] = {}
"""Structs by the full names of their messages."""


def mirror_of(
    message: type[Message], *, tag: str | None = None
) -> Callable[[type[Declared]], type[Declared]]:
    """Return the decorator that makes the struct of a message of the fields that a class declares and those that it does not.

    What the message does not have comes first, everything else in the order of the message. `tag` is the struct's `type`.
    Raises TypeError for a field whose type the class has to declare.
    """
    descriptor: Descriptor = message.DESCRIPTOR  # type: ignore[assignment]  # the stubs declare it as Any

    def fill(declared: type[Declared]) -> Any:
        said = get_type_hints(declared, include_extras=True)
        return _made(descriptor, declared.__name__, said, declared.__module__, tag, declared.__doc__)

    return fill


def _made(
    message: Descriptor,
    name: str,
    said: dict[str, Any],
    module: str,
    tag: str | None = None,
    doc: str | None = None,
) -> Any:
    names = {field: one for one in said for field in fields_for(one) if field in message.fields_by_name}
    fields = [(one, kind) for one, kind in said.items() if one not in names.values()]
    for field in message.fields:
        declared = names.get(field.name, field.name)
        fields.append((declared, said[declared] if declared in said else _type(field, module)))
    struct = defstruct(
        name,
        fields,
        module=module,
        namespace={"__doc__": doc},
        tag_field=None if tag is None else "type",
        tag=tag,
        frozen=True,
        kw_only=True,
    )
    _MADE[message.full_name] = struct
    return struct


def _type(field: FieldDescriptor, module: str) -> Any:
    one = _one(field, module)
    if field.is_repeated:
        return GenericAlias(list, (one,))
    return one | None if field.has_presence and field.message_type is None else one


def _one(field: FieldDescriptor, module: str) -> Any:
    if field.enum_type is not None:
        return Literal[tuple(enum_names(field.enum_type).values())]
    if field.message_type is None:
        return _SCALARS[field.cpp_type]
    if field.message_type.file.package.startswith("google."):
        raise TypeError(f"{field.full_name}: declare its type")
    inner = field.message_type
    return _MADE.get(inner.full_name) or _made(inner, inner.name, {}, module)
