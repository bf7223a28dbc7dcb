"""Records as the protobuf messages that services answer with, by the type hints of the one and the descriptor of the other.

`message_from(match_pb2.Seat, SeatRecord)` makes the function that turns the one into the other. So a field is written twice:
in the contract, and in the record. A field of a message that nothing in the record answers is an error when the function is
made, which is when its module is imported: a field that is added to a contract is filled, or named as one that stays empty.

The function is made as source, one expression a field, as `dataclasses` makes `__init__`: it takes as long as one written
by hand.
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
"""What is put into a message as it is."""


def timestamp(moment: datetime) -> Timestamp:
    """Return a moment, which knows its time zone, as a message."""
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

    A field is read from the attribute of its name; a time from what has happened then, such as `create_time` from
    `created_at`. `otherwise` names another attribute of the record, or a function of the record, for a field. `given` names
    the fields that a call brings along, by name, and `unset` those that stay empty. `inside` is an attribute of the record,
    where what is not beside it is looked for.
    Raises TypeError for any other field of the message that the record does not have, or has with another type.
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
            continue  # for whoever asks for a language, added later
        if not isinstance(source, str):
            values.append(f"{name}={code.named(source)}(record)")
        elif name not in (*given, *unset):
            values.append(f"{name}={code.read(field, _attribute(record, field, source, inside))}")
    parameters = ", ".join(["record", *(f"{name}=None" for name in given)])
    exec(f"def fill({parameters}): return _message({', '.join(values)})", code.names)  # noqa: S102 - of the two types, at import; nothing from outside is in it
    return cast("Callable[..., Filled]", code.names["fill"])


def is_text(field: FieldDescriptor) -> bool:
    """Return whether a field holds words for people. No record has them; they are added for those who ask for a language."""
    kind = field.message_type
    return kind is not None and kind.full_name == Text.DESCRIPTOR.full_name


class _Attribute(NamedTuple):
    """Where a record keeps a value."""

    value: str
    """The expression that reads it."""
    kind: Type


def _attribute(record: type[Any], field: FieldDescriptor, name: str, inside: str) -> _Attribute:
    """Return the attribute that answers a field; `name` is the field's own, or what it was said to be."""
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
    """Yield what a record may call a field: AIP-142 has `create_time`, `expire_time` and `failing_since_time`."""
    yield name
    if name.endswith("_time"):
        stem = name.removesuffix("_time")
        yield from (f"{stem}d_at", f"{stem}ed_at", f"{stem}s_at", f"{stem}_at", stem)


class _Code:
    """Expressions over `record`, and the names that they use."""

    def __init__(self, names: dict[str, Any]) -> None:
        self.names = names

    def named(self, value: object) -> str:
        """Return a name under which a value can be used."""
        name = f"_{len(self.names)}"
        self.names[name] = value
        return name

    def read(self, field: FieldDescriptor, attribute: _Attribute) -> str:
        """Return what reads the value of a field."""
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
        """Return what makes one value of a field of a value of a type."""
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
        """Return the name of what makes a message of a value of a type, if anything does."""
        if message.full_name == Timestamp.DESCRIPTOR.full_name:
            return "_timestamp" if isinstance(kind, DateTimeType) else None
        if message.full_name == Duration.DESCRIPTOR.full_name:
            return "_duration" if isinstance(kind, TimeDeltaType) else None
        if isinstance(kind, StructType | DataclassType):
            return self.named(message_from(GetMessageClass(message), kind.cls))
        return None


def _bare(kind: Type) -> Type:
    """Return a type without what is said about it."""
    return kind.type if isinstance(kind, Metadata) else kind
