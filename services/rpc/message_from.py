"""Turns records into the protobuf messages of responses, by the record's type hints and the message's descriptor.

`message_from(match_pb2.Seat, SeatRecord)` returns a function that makes a Seat of a SeatRecord. So a field is named only in
the contract and in the record. If the record has nothing for a field of the message, making the function raises TypeError
as soon as the module is imported. So a field that is added to a contract must be filled, or named as one that stays empty.

The function is generated as source code with one expression per field, as `dataclasses` generates `__init__`, so that it is
as fast as one written by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple, TypeVar, cast, get_type_hints

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.timestamp_pb2 import Timestamp
from msgspec.inspect import (
    BoolType,
    BytesType,
    DataclassType,
    DateTimeType,
    EnumType,
    FloatType,
    FrozenSetType,
    IntType,
    ListType,
    Metadata,
    NoneType,
    SetType,
    StrType,
    StructType,
    TimeDeltaType,
    Type,
    UnionType,
    UUIDType,
    VarTupleType,
    type_info,
)

from foldtable.rules.v1.text_pb2 import Text
from services.rpc.enums import numbers_of

Filled = TypeVar("Filled", bound=Message)

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_SCALARS: Final[Mapping[int, type[Type]]] = {
    FieldDescriptor.TYPE_BOOL: BoolType,
    FieldDescriptor.TYPE_BYTES: BytesType,
    FieldDescriptor.TYPE_DOUBLE: FloatType,
    FieldDescriptor.TYPE_INT32: IntType,
    FieldDescriptor.TYPE_INT64: IntType,
    FieldDescriptor.TYPE_SINT32: IntType,
    FieldDescriptor.TYPE_STRING: StrType,
}
"""Types whose values are put into a message unchanged."""


def timestamp(moment: datetime) -> Timestamp:
    """Return a moment with a time zone as a message."""
    since = moment - _EPOCH
    return Timestamp(seconds=since.days * 86_400 + since.seconds, nanos=since.microseconds * 1000)


def duration(length: timedelta) -> Duration:
    """Return a span of time as a message."""
    message = Duration()
    message.FromTimedelta(length)
    return message


def message_from(
    message: type[Filled],
    record: type[Any],
    *,
    given: tuple[str, ...] = (),
    unset: tuple[str, ...] = (),
    inside: str = "",
    **otherwise: str | Callable[[Any], Any],
) -> Callable[..., Filled]:
    """Return a function that fills a message from a record. What is None in the record is absent in the message.

    A field is read from the attribute of the same name, and a time such as `create_time` also from `created_at`.
    `otherwise` names another attribute, or a function of the record, for a field. `given` names the fields that are passed
    to the function as keyword arguments, `unset` those that stay empty. `inside` is an attribute of the record: what the
    record itself lacks is read from there.
    Raises TypeError if the record lacks any other field of the message, or has it with another type.
    """
    descriptor = cast("Descriptor", message.DESCRIPTOR)
    fields = descriptor.fields_by_name
    if strangers := {*given, *unset, *otherwise} - {*fields}:
        raise TypeError(f"{descriptor.full_name} has no {sorted(strangers)}")
    code = _Code({"_message": message, "_timestamp": timestamp, "_duration": duration})
    values = [f"{name}={name}" for name in given]
    for name, field in fields.items():
        source = otherwise.get(name, name)
        if name not in given and is_text(field):
            continue  # added later, if the caller asks for a language
        if not isinstance(source, str):
            values.append(f"{name}={code.named(source)}(record)")
        elif name not in (*given, *unset):
            values.append(f"{name}={code.read(field, _attribute(record, field, source, inside))}")
    parameters = ", ".join(["record", *(f"{name}=None" for name in given)])
    exec(f"def fill({parameters}): return _message({', '.join(values)})", code.names)  # noqa: S102 - the source is made of the two types at import, and of nothing from outside
    return cast("Callable[..., Filled]", code.names["fill"])


def is_text(field: FieldDescriptor) -> bool:
    """Return whether a field holds text for people. Records have none; it is added if the caller asks for a language."""
    kind = field.message_type
    return kind is not None and kind.full_name == Text.DESCRIPTOR.full_name


class _Attribute(NamedTuple):
    """Where a record keeps a value."""

    value: str
    """The expression that reads it."""
    kind: Type


def _attribute(record: type[Any], field: FieldDescriptor, name: str, inside: str) -> _Attribute:
    """Return the attribute for a field; `name` is the field's name, or the one that replaces it."""
    hints = get_type_hints(record)
    for candidate in _names(name):
        if candidate in hints:
            return _Attribute(f"record.{candidate}", type_info(hints[candidate]))
        if isinstance(found := getattr(record, candidate, None), property):
            return _Attribute(f"record.{candidate}", type_info(get_type_hints(found.fget)["return"]))
    if inside:
        value, kind = _attribute(hints[inside], field, name, "")
        return _Attribute(value.replace("record.", f"record.{inside}.", 1), kind)
    raise TypeError(f"{field.full_name}: {record.__name__} has no {name}")


def _names(name: str) -> Iterator[str]:
    """Yield the names that a record may have for a field: for a time (AIP-142), `created_at` for `create_time` and so on."""
    yield name
    if name.endswith("_time"):
        stem = name.removesuffix("_time")
        yield from (f"{stem}d_at", f"{stem}ed_at", f"{stem}s_at", f"{stem}_at", stem)


class _Code:
    """Makes expressions that read `record`, and keeps the names that they use."""

    def __init__(self, names: dict[str, Any]) -> None:
        self.names = names

    def named(self, value: object) -> str:
        """Return a new name for a value, under which expressions can use it."""
        name = f"_{len(self.names)}"
        self.names[name] = value
        return name

    def read(self, field: FieldDescriptor, attribute: _Attribute) -> str:
        """Return the expression that reads a field's value. Raises TypeError if the types do not match."""
        value, kind = attribute.value, _bare(attribute.kind)
        if field.is_repeated:
            if not isinstance(kind, ListType | VarTupleType | SetType | FrozenSetType):
                raise TypeError(f"{field.full_name} cannot be made of {kind}")
            one = self._converted("one", field, _bare(kind.item_type))
            many = f"sorted({value})" if isinstance(kind, SetType | FrozenSetType) else value
            return many if one == "one" else f"[{one} for one in {many}]"
        if not isinstance(kind, UnionType):
            return self._converted(value, field, kind)
        kinds = [bare for one in kind.types if not isinstance(bare := _bare(one), NoneType)]
        if len(kinds) != 1:
            raise TypeError(f"{field.full_name} cannot be made of {kind}")
        converted = self._converted(value, field, kinds[0])
        return value if converted == value else f"None if {value} is None else {converted}"

    def _converted(self, value: str, field: FieldDescriptor, kind: Type) -> str:
        """Return the expression that converts one value of type `kind` for a field. Raises TypeError if there is none."""
        if field.enum_type is not None:
            if isinstance(kind, EnumType):
                return f"{self.named(numbers_of(kind.cls, field.enum_type))}[{value}]"
        elif field.message_type is not None:
            if (made := self._message(field.message_type, kind)) is not None:
                return f"{made}({value})"
        elif isinstance(kind, UUIDType) and field.type == FieldDescriptor.TYPE_STRING:
            return f"str({value})"
        elif type(kind) is _SCALARS.get(field.type):
            return value
        raise TypeError(f"{field.full_name} cannot be made of {kind}")

    def _message(self, message: Descriptor, kind: Type) -> str | None:
        """Return the name of the function that makes a message of a value of type `kind`; None if there is none."""
        if message.full_name == Timestamp.DESCRIPTOR.full_name:
            return "_timestamp" if isinstance(kind, DateTimeType) else None
        if message.full_name == Duration.DESCRIPTOR.full_name:
            return "_duration" if isinstance(kind, TimeDeltaType) else None
        if isinstance(kind, StructType | DataclassType):
            return self.named(message_from(GetMessageClass(message), kind.cls))
        return None


def _bare(kind: Type) -> Type:
    """Return a type without its metadata."""
    return kind.type if isinstance(kind, Metadata) else kind
