"""Structs to protobuf messages and back: one codec for every game, driven by the descriptors.

The correspondence, checked once for a pair of types when the codec is made (TypesDisagree says where):

=====================  ==========================================================
engine struct          protobuf message
=====================  ==========================================================
field                  field of the same name
union by tag           message with one oneof; its field names are the tags; a tagged struct
                       alone may be a union of one
tuple                  repeated
`T | None`             optional, or a message field that may be absent
`T | UnsetType`        likewise; what is absent is left out, not null
integer or enum        message with one oneof of an integer and that enum
enum member NAME       value `<ENUM>_<NAME>`; `…_UNSPECIFIED` stands for absent
int, str, bool         any integer type, string, bool
=====================  ==========================================================
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, cast

import msgspec
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from msgspec import UNSET

from engine.kernel.codec import unreadable
from services.rpc.message_from import is_text

Out = Callable[[Any], Any]
"""Struct field value to message field value."""
In = Callable[[Any], Any]
"""Message field value to the builtins msgspec converts from."""

_INTEGERS: Final = {
    FieldDescriptor.CPPTYPE_INT32,
    FieldDescriptor.CPPTYPE_INT64,
    FieldDescriptor.CPPTYPE_UINT32,
    FieldDescriptor.CPPTYPE_UINT64,
}
_SCALARS: Final[dict[type, set[int]]] = {
    msgspec.inspect.IntType: _INTEGERS,
    msgspec.inspect.StrType: {FieldDescriptor.CPPTYPE_STRING},
    msgspec.inspect.BoolType: {FieldDescriptor.CPPTYPE_BOOL},
}


class TypesDisagree(Exception):  # noqa: N818 - the name says what happened
    """A struct and its protobuf message do not correspond; the error names the field."""


@dataclass(frozen=True)
class _Field:
    name: str
    out: Out
    back: In
    repeated: bool
    optional: bool
    presence: bool
    unset: Any
    """The message's value that stands for absent, where presence is not tracked (an enum's UNSPECIFIED)."""


class TypedCodec:
    """One struct type, or union of tagged structs, and its message."""

    def __init__(self, shape: Any, message_class: type[Message]) -> None:
        """`shape` is the engine's type, `message_class` the generated class. Raises TypesDisagree if they do not correspond."""
        self.message_class = message_class
        self._shape = shape
        plans = _Plans()
        self._out, self._back = plans.for_type(
            msgspec.inspect.type_info(shape), cast("Descriptor", message_class.DESCRIPTOR)
        )

    def to_message(self, record: Any) -> Any:
        """Return the message of a struct."""
        return self._out(record)

    def from_message(self, message: Message) -> Any:
        """Return the struct of a message. Raises `Unreadable` with the place of what is wrong or missing."""
        try:
            return msgspec.convert(self._back(message), self._shape)
        except msgspec.ValidationError as error:
            raise unreadable(error, self._shape) from error


class _Plans:
    """Pairs of types met so far; a recursive type finds itself here."""

    def __init__(self) -> None:
        self._structs: dict[tuple[type, str], tuple[Out, In]] = {}

    def for_type(self, info: msgspec.inspect.Type, descriptor: Descriptor) -> tuple[Out, In]:
        """Return both directions for a struct or a union of tagged structs."""
        match info:
            case msgspec.inspect.StructType():
                if _holds_only(descriptor, info.tag):
                    return self._for_union([info], descriptor)
                return self._for_struct(info, descriptor)
            case msgspec.inspect.UnionType(types=types) if all(
                isinstance(one, msgspec.inspect.StructType) and one.tag is not None for one in types
            ):
                return self._for_union(
                    [one for one in types if isinstance(one, msgspec.inspect.StructType)], descriptor
                )
            case _:
                raise TypesDisagree(
                    f"{descriptor.full_name}: {info} is neither a struct nor a union of tagged structs"
                )

    def _for_union(self, structs: list[msgspec.inspect.StructType], descriptor: Descriptor) -> tuple[Out, In]:
        if len(descriptor.oneofs) != 1 or len(descriptor.oneofs[0].fields) != len(descriptor.fields):
            raise TypesDisagree(f"{descriptor.full_name} must hold one oneof and nothing else")
        members = {str(one.tag): one for one in structs}
        fields = {field.name: field for field in descriptor.fields}
        _same_names(descriptor, set(members), set(fields))
        plans = {tag: self._for_struct(one, _message_of(fields[tag])) for tag, one in members.items()}
        by_class = {one.cls: (tag, plans[tag][0]) for tag, one in members.items()}
        tag_field = str(structs[0].tag_field)
        oneof = descriptor.oneofs[0].name
        message_class = GetMessageClass(descriptor)

        def out(record: Any) -> Any:
            tag, member_out = by_class[type(record)]
            return message_class(**{tag: member_out(record)})

        def back(message: Any) -> Any:
            tag = message.WhichOneof(oneof)
            if tag is None:
                return {}
            return {tag_field: tag, **plans[tag][1](getattr(message, tag))}

        return out, back

    def _for_struct(self, info: msgspec.inspect.StructType, descriptor: Descriptor) -> tuple[Out, In]:
        key = (info.cls, descriptor.full_name)
        if key in self._structs:
            return self._structs[key]
        message_class = GetMessageClass(descriptor)
        plan: list[_Field] = []

        def out(record: Any) -> Any:
            values = {}
            for field in plan:
                value = getattr(record, field.name)
                if value is not None and value is not UNSET:
                    values[field.name] = (
                        [field.out(item) for item in value] if field.repeated else field.out(value)
                    )
            return message_class(**values)

        def back(message: Any) -> Any:
            values: dict[str, Any] = {}
            for field in plan:
                value = getattr(message, field.name)
                if field.repeated:
                    given = bool(value) or not field.optional
                else:
                    given = message.HasField(field.name) if field.presence else value != field.unset
                if given:
                    values[field.name] = (
                        [field.back(item) for item in value] if field.repeated else field.back(value)
                    )
                elif field.optional:
                    values[field.name] = None
            return values

        self._structs[key] = (out, back)
        theirs = {field.name: field for field in descriptor.fields if not is_text(field)}
        _same_names(descriptor, {field.encode_name for field in info.fields}, set(theirs))
        plan.extend(self._for_field(field, theirs[field.encode_name]) for field in info.fields)
        return out, back

    def _for_field(self, ours: msgspec.inspect.Field, theirs: FieldDescriptor) -> _Field:
        info, optional = _without_none(ours.type)
        repeated = isinstance(info, msgspec.inspect.VarTupleType)
        if repeated != theirs.is_repeated:
            raise TypesDisagree(f"{theirs.full_name}: one side is a list, the other is not")
        item = _bare(info.item_type) if isinstance(info, msgspec.inspect.VarTupleType) else info
        out, back, unset = self._for_value(item, theirs)
        if optional and not repeated and unset is _NEVER and not theirs.has_presence:
            raise TypesDisagree(f"{theirs.full_name} must be optional, as the struct's field is")
        if _may_be_unset(ours) and (repeated or not theirs.has_presence):
            raise TypesDisagree(f"{theirs.full_name} must tell absent from empty, as the struct's field does")
        return _Field(ours.encode_name, out, back, repeated, optional, theirs.has_presence, unset)

    def _for_value(self, info: msgspec.inspect.Type, theirs: FieldDescriptor) -> tuple[Out, In, Any]:
        if isinstance(info, msgspec.inspect.EnumType):
            if theirs.enum_type is None:
                raise TypesDisagree(f"{theirs.full_name} must be an enum")
            return *_for_enum(info.cls, theirs.enum_type), 0
        if isinstance(info, msgspec.inspect.UnionType) and (kinds := _integer_or_enum(info)) is not None:
            return *_for_integer_or_enum(kinds, _message_of(theirs)), _NEVER
        if isinstance(info, msgspec.inspect.StructType | msgspec.inspect.UnionType):
            return *self.for_type(info, _message_of(theirs)), _NEVER
        allowed = _SCALARS.get(type(info))
        if allowed is None or theirs.cpp_type not in allowed:
            raise TypesDisagree(f"{theirs.full_name}: {info} has another type here")
        return _same, _same, _NEVER


_NEVER: Final = object()
"""Equals no value of a message: the field is always read."""


def _same(value: Any) -> Any:
    return value


def _for_enum(enum: type[Enum], descriptor: EnumDescriptor) -> tuple[Out, In]:
    prefix = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", descriptor.name).upper() + "_"
    numbers = {value.name.removeprefix(prefix): value.number for value in descriptor.values}
    if numbers.pop("UNSPECIFIED", None) != 0:
        raise TypesDisagree(f"{descriptor.full_name} must begin with {prefix}UNSPECIFIED = 0")
    if set(numbers) != set(enum.__members__):
        differing = sorted(set(numbers) ^ set(enum.__members__))
        raise TypesDisagree(f"{descriptor.full_name} and {enum.__name__} differ in {', '.join(differing)}")
    to_number = {enum[name]: number for name, number in numbers.items()}
    to_value = {number: enum[name].value for name, number in numbers.items()}

    def back(number: int) -> Any:
        # A number newer than this server stays a number, and the struct's validation names its place.
        return to_value.get(number, number)

    return to_number.__getitem__, back


def _bare(info: msgspec.inspect.Type) -> msgspec.inspect.Type:
    """Take off the limits and descriptions around a type; the struct's own validation keeps them."""
    return info.type if isinstance(info, msgspec.inspect.Metadata) else info


def _integer_or_enum(info: msgspec.inspect.UnionType) -> type[Enum] | None:
    """Return the enum of a union of an integer and an enum; None for any other union."""
    types = [_bare(one) for one in info.types]
    enums = [one.cls for one in types if isinstance(one, msgspec.inspect.EnumType)]
    integers = [one for one in types if isinstance(one, msgspec.inspect.IntType)]
    return enums[0] if (len(types), len(enums), len(integers)) == (2, 1, 1) else None


def _for_integer_or_enum(enum: type[Enum], descriptor: Descriptor) -> tuple[Out, In]:
    """Pair an integer or a word with a message that holds either of them."""
    numbers = [field for field in descriptor.fields if field.cpp_type in _INTEGERS]
    words = [field for field in descriptor.fields if field.enum_type is not None]
    if (len(descriptor.oneofs), len(descriptor.fields), len(numbers), len(words)) != (1, 2, 1, 1):
        raise TypesDisagree(f"{descriptor.full_name} must hold one oneof of an integer and an enum")
    number, word, oneof = numbers[0].name, words[0].name, descriptor.oneofs[0].name
    word_out, word_back = _for_enum(enum, cast("EnumDescriptor", words[0].enum_type))
    message_class = GetMessageClass(descriptor)

    def out(value: Any) -> Any:
        return message_class(**({word: word_out(value)} if isinstance(value, enum) else {number: value}))

    def back(message: Any) -> Any:
        said = message.WhichOneof(oneof)
        if said is None:
            return None  # neither: the struct's validation refuses it and names the place
        if said == number:
            return getattr(message, number)
        meant = word_back(getattr(message, word))
        return str(meant) if isinstance(meant, int) else meant  # an unknown word must not read as a number

    return out, back


def _without_none(info: msgspec.inspect.Type) -> tuple[msgspec.inspect.Type, bool]:
    info = _bare(info)
    if not isinstance(info, msgspec.inspect.UnionType):
        return info, False
    rest = tuple(one for one in info.types if not isinstance(one, msgspec.inspect.NoneType))
    if len(rest) == len(info.types):
        return info, False
    return (_bare(rest[0]) if len(rest) == 1 else msgspec.inspect.UnionType(rest)), True


def _holds_only(descriptor: Descriptor, tag: object) -> bool:
    """Return whether a message is a oneof of a single record, as for a game with one template."""
    return len(descriptor.oneofs) == 1 and [field.name for field in descriptor.fields] == [tag]


def _may_be_unset(field: msgspec.inspect.Field) -> bool:
    """Return whether a field is declared `T | UnsetType`: it may be left out and has no default of its own."""
    nothing = msgspec.NODEFAULT
    return not field.required and field.default is nothing and field.default_factory is nothing


def _message_of(field: FieldDescriptor) -> Descriptor:
    if field.message_type is None:
        raise TypesDisagree(f"{field.full_name} must be a message")
    return field.message_type


def _same_names(descriptor: Descriptor, ours: set[str], theirs: set[str]) -> None:
    if ours != theirs:
        raise TypesDisagree(f"{descriptor.full_name}: only one side has {', '.join(sorted(ours ^ theirs))}")
