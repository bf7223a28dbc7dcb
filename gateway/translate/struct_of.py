"""Translation of protobuf messages to the msgspec structs of REST by the descriptors of both.

`struct_of(answers.SeatToken, match_pb2.SeatToken)` makes the function that converts the message to the struct. So a field is
declared only twice: in the contract with its words, in the struct with what JSON needs. If a struct has a field for which the message has no value, making
the function fails, which happens when its module is imported.

The function is generated as source, one expression per field, as `dataclasses` generates `__init__`, so it is as fast as
one written by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeVar, cast

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.timestamp_pb2 import Timestamp
from msgspec import NODEFAULT, UNSET, Raw
from msgspec.inspect import (
    Field,
    FloatType,
    ListType,
    LiteralType,
    Metadata,
    NoneType,
    RawType,
    StructType,
    Type,
    UnionType,
    type_info,
)

from foldtable.rules.v1 import text_pb2
from gateway.contract.described_by import described_by
from gateway.contract.names import enum_names, fields_for
from gateway.translate.texts import text

Struct = TypeVar("Struct")

TIMESTAMP: Final = Timestamp.DESCRIPTOR.full_name
DURATION: Final = Duration.DESCRIPTOR.full_name
TEXT: Final = text_pb2.Text.DESCRIPTOR.full_name
PAYLOAD: Final = "foldtable.rules.v1.Payload"
ABSENT: Final = "absent"
"""Key of a struct field's `Meta(extra=…)`: the JSON to use for absent data; `null` without it."""

UNSPECIFIED: Final[Mapping[str, str]] = {
    "foldtable.matches.v1.MatchVisibility": "private",
    "foldtable.matches.v1.StartRule": "when_full",
    "foldtable.matches.v1.UndoRule": "consent",
}
"""Defaults for fields that a rules server of an earlier release does not send, while an update is being rolled out. Every
match of that release has these values; the migrations give stored matches the same ones."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def instant(timestamp: Timestamp) -> str:
    """Return a time as RFC 3339 with microseconds, in UTC."""
    time = _EPOCH + timedelta(seconds=timestamp.seconds, microseconds=timestamp.nanos // 1000)
    return f"{time.isoformat(timespec='microseconds')[:-6]}Z"


def struct_of(
    struct: type[Struct],
    message: type[Message],
    *,
    given: tuple[str, ...] = (),
    inside: str = "",
    **computed: Callable[[Any], Any],
) -> Callable[..., Struct]:
    """Return a function from messages of a type to a struct.

    `computed` holds a function of the message for each field that the message does not have. `given` names fields that are
    passed as keyword arguments in every call. `inside` names a message field in which fields are looked up that the message
    itself does not have. A field whose default is `UNSET` is left out if the message does not have it.
    Raises TypeError for any other field without a value in the message, and for an enum with different values.
    """
    info = type_info(struct)
    assert isinstance(info, StructType)
    descriptor = cast("Descriptor", message.DESCRIPTOR)
    described_by(struct, descriptor, *([descriptor.fields_by_name[inside].message_type] if inside else []))
    code = _Code({"struct": struct, "Raw": Raw, "UNSET": UNSET, "instant": instant, **computed})
    values = []
    for field in info.fields:
        if field.name in computed:
            values.append(f"{field.name}={field.name}(message)")
        elif field.name not in given:
            if _left_out(field):
                value = code.present(descriptor, field.name, field.type)
            else:
                value = code.field(descriptor, field.name, field.type, inside)
            values.append(f"{field.name}={value}")
    values += [f"{name}={name}" for name in given]
    source = f"def read({', '.join(['message', *given])}): return struct({', '.join(values)})"
    exec(source, code.names)  # noqa: S102 - generated from two descriptors at import, without external input
    return cast("Callable[..., Struct]", code.names["read"])


class _Code:
    """Source expressions over `message`, and the names that they use."""

    def __init__(self, names: dict[str, Any]) -> None:
        self.names = names

    def _name(self, value: object) -> str:
        """Return a name by which the generated source can refer to a value."""
        name = f"_{len(self.names)}"
        self.names[name] = value
        return name

    def field(self, message: Descriptor, name: str, wanted: Type, inside: str, *, of: str = "message") -> str:
        """Return the expression that reads a struct's field from a message."""
        for candidate in fields_for(name):
            if (field := message.fields_by_name.get(candidate)) is not None:
                return self._read(field, wanted, of)
        if not inside:
            raise TypeError(f"{message.full_name} has no field for {name}")
        inner = cast("Descriptor", message.fields_by_name[inside].message_type)
        return self.field(inner, name, wanted, "", of=f"{of}.{inside}")

    def present(self, message: Descriptor, name: str, wanted: Type) -> str:
        """Return the expression that reads a struct's field from a message, or UNSET if the message does not have it."""
        read = self.field(message, name, wanted, "")
        field = next(one for one in fields_for(name) if one in message.fields_by_name)
        return f"{read} if message.HasField({field!r}) else UNSET"

    def _read(self, field: FieldDescriptor, wanted: Type, of: str) -> str:
        value = f"{of}.{field.name}"
        wanted, extra = _bare(wanted)
        if isinstance(wanted, ListType):
            item, _ = _bare(wanted.item_type)
            if field.message_type is None:
                return f"list({value})"
            return f"[{self._converted('one', field, item, extra)} for one in {value}]"
        if not isinstance(wanted, UnionType):
            return self._converted(value, field, wanted, extra)
        (wanted,) = (bare for one in wanted.types if not isinstance(bare := _bare(one)[0], NoneType))
        converted = self._converted(value, field, wanted, extra)
        if field.has_presence:
            return f"{converted} if {of}.HasField({field.name!r}) else None"
        return f"{converted} or None"

    def _converted(self, value: str, field: FieldDescriptor, wanted: Type, extra: Mapping[str, Any]) -> str:
        """Return the expression that converts one value of a field to a type."""
        if isinstance(wanted, RawType):  # data of a game or a player passes through
            data = value if field.message_type is None else f"{value}.json"
            return f"Raw({data}) if {data} else {self._name(Raw(extra.get(ABSENT, b'null')))}"
        if field.enum_type is not None:
            return self._enum(value, field, wanted)
        if field.message_type is not None:
            return self._message(value, field.message_type, wanted)
        return f"{value}.hex()" if field.type == FieldDescriptor.TYPE_BYTES else value

    def _enum(self, value: str, field: FieldDescriptor, wanted: Type) -> str:
        enum = field.enum_type
        assert enum is not None, field.full_name
        names = enum_names(enum)
        if not isinstance(wanted, LiteralType) or set(names.values()) != set(wanted.values):
            raise TypeError(
                f"{field.full_name} has the values {sorted(names.values())}, the struct has {wanted}"
            )
        known = self._name(names)
        if (otherwise := UNSPECIFIED.get(enum.full_name)) is not None:
            return f"{known}.get({value}, {otherwise!r})"
        return f"{known}[{value}]"

    def _message(self, value: str, message: Descriptor, wanted: Type) -> str:
        if message.full_name == TEXT:
            return f"{self._name(text)}({value})"
        if message.full_name == TIMESTAMP:
            return f"instant({value})"
        if message.full_name == DURATION:  # whole seconds, or seconds to the millisecond
            exact = f"round({value}.ToMicroseconds() / 1_000_000, 3)"
            return exact if isinstance(wanted, FloatType) else f"{value}.seconds"
        assert isinstance(wanted, StructType), message.full_name
        return f"{self._name(struct_of(wanted.cls, GetMessageClass(message)))}({value})"


def _left_out(field: Field) -> bool:
    """Return whether a field may be absent from the JSON: msgspec reports a default of `UNSET` as no default."""
    return not field.required and field.default is NODEFAULT and field.default_factory is NODEFAULT


def _bare(wanted: Type) -> tuple[Type, Mapping[str, Any]]:
    """Return a type without its annotations, and their `extra`."""
    return (wanted.type, wanted.extra or {}) if isinstance(wanted, Metadata) else (wanted, {})
