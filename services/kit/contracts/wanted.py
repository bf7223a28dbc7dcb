"""The messages and enums that a game's types ask for, each with its fields and comments; numbers are no part of it.

=====================  ==========================================================
Python                 protobuf
=====================  ==========================================================
struct                 message of the same name; the options are `Options`, the view is `View`
union by tag           message with one oneof, whose field names are the tags
tuple                  repeated
`T | None`             optional, or a message or enum that may be absent
`T | UnsetType`        likewise
default that is not 0   optional in what callers send
int                    int32; sint32 if it may be negative; an int that stands with another width keeps it
integer or enum        message with one oneof of both, named after the field
StrEnum                enum; member NAME is `<ENUM>_<NAME>`, after `<ENUM>_UNSPECIFIED = 0`
str, bool              string, bool
=====================  ==========================================================
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass
from enum import Enum
from typing import Final

import msgspec
from google.protobuf.descriptor_pb2 import FieldDescriptorProto
from msgspec import inspect

from engine.kernel.game import Types
from engine.kernel.outcome import Outcome
from engine.kernel.pending import Pending
from services.kit.contracts.docstrings import said_of_class, said_of_members
from services.kit.contracts.standing import Standing, StandingField, StandingType

SEAT: Final = "The seat this is about, counted from 0."
"""What a field `seat` is if its struct says nothing of it."""
ABSENT: Final = "No value: the field is absent."
ONE_OF_THESE: Final = "Exactly one of these is set."
SHARED: Final = {
    Pending: ("foldtable.rules.v1.PendingDecision", "foldtable/rules/v1/table.proto"),
    Outcome: ("foldtable.rules.v1.Outcome", "foldtable/rules/v1/table.proto"),
}
"""The records that all games share: their messages, and the files that these are in."""
UNIONS: Final = {
    "Action": "What a seat asks the server to do for its open decision.",
    "Event": "Something that happened in the match.",
    "Template": "A set of legal actions that can be too large to list.",
}
LISTS: Final = {
    "Action": ("Actions", "A list of actions.", "The actions; their order is stable."),
    "Event": ("Events", "A list of events.", "The events, in the order in which they happened."),
    "Template": ("Templates", "A list of templates.", "The templates; their order is stable."),
}
FILES: Final = {
    "Options": "options",
    "Action": "actions",
    "Event": "events",
    "Template": "templates",
    "View": "view",
}
"""The file in which new messages of a root are written; what another root uses as well goes to `components`."""
COMPONENTS: Final = "components"
ASKED: Final = ("Options", "Action")
"""What callers send: a number of theirs that is left out is the default, and not 0."""

_WIDTHS: Final[dict[int, str]] = {
    FieldDescriptorProto.TYPE_INT32: "int32",
    FieldDescriptorProto.TYPE_INT64: "int64",
    FieldDescriptorProto.TYPE_UINT32: "uint32",
    FieldDescriptorProto.TYPE_UINT64: "uint64",
    FieldDescriptorProto.TYPE_SINT32: "sint32",
    FieldDescriptorProto.TYPE_SINT64: "sint64",
    FieldDescriptorProto.TYPE_FIXED32: "fixed32",
    FieldDescriptorProto.TYPE_FIXED64: "fixed64",
    FieldDescriptorProto.TYPE_SFIXED32: "sfixed32",
    FieldDescriptorProto.TYPE_SFIXED64: "sfixed64",
}


class NoMessage(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """A type has no form in protobuf; the message names the field."""


@dataclass(frozen=True)
class WantedField:
    """A field of a message, or a value of an enum."""

    name: str
    kind: str
    """As it is written: a scalar, or the name of a message or enum; empty for a value of an enum."""
    label: str
    """`repeated `, `optional ` or nothing."""
    comment: str


@dataclass(frozen=True)
class WantedType:
    """A message or an enum."""

    name: str
    comment: str
    fields: tuple[WantedField, ...]
    root: str
    """Which of the root types it was reached from first."""
    is_enum: bool = False
    oneof: str = ""
    oneof_comment: str = ""


def wanted(types: Types, standing: Standing) -> tuple[WantedType, ...]:
    """Return what the types of a game ask for, in the order in which they name each other. Raises NoMessage."""
    return tuple(_Walk(standing).all_of(types))


class _Walk:
    """Goes through the types from the roots; each struct and enum once."""

    def __init__(self, standing: Standing) -> None:
        self._standing = standing
        self._names: dict[type, str] = {}
        self._waiting: deque[tuple[inspect.StructType | inspect.EnumType, str]] = deque()
        self._root = ""
        self._made: dict[str, WantedType] = {}

    def all_of(self, types: Types) -> list[WantedType]:
        """Return everything."""
        roots = {
            "Options": types.options,
            "Action": types.action,
            "Event": types.event,
            "Template": types.template,
            "View": types.view,
        }
        for self._root, shape in roots.items():
            info = inspect.type_info(shape)
            if self._root in UNIONS:
                self._union(self._root, info)
            elif isinstance(info, inspect.StructType):
                self._reach(info, "", self._root)
            else:
                raise NoMessage(f"{self._root}: {shape} is not a struct")
            while self._waiting:
                one, name = self._waiting.popleft()
                if isinstance(one, inspect.EnumType):
                    self._enum(one.cls, name)
                else:
                    self._struct(one, name)
        return list(self._made.values())

    def _add(self, made: WantedType) -> None:
        known = self._made.get(made.name)
        if known is not None and known != made:
            raise NoMessage(f"two different types are called {made.name}")
        self._made[made.name] = made

    def _reach(self, info: inspect.StructType | inspect.EnumType, stands_as: str, called: str = "") -> str:
        """Return the name of the message or enum of a type, which will be written."""
        if info.cls in SHARED:
            return SHARED[info.cls][0]
        if info.cls not in self._names:
            self._names[info.cls] = called or stands_as or info.cls.__name__
            self._waiting.append((info, self._names[info.cls]))
        return self._names[info.cls]

    def _union(self, name: str, info: inspect.Type) -> None:
        """Write the union of a root, with its list."""
        stands = self._standing.types.get(name)
        members = info.types if isinstance(info, inspect.UnionType) else (info,)
        fields = []
        for one in members:
            if not isinstance(one, inspect.StructType) or one.tag is None:
                raise NoMessage(f"{name}: {one} is not a struct with a tag")
            tag = str(one.tag)
            kind = self._reach(one, _type_name(stands, tag))
            fields.append(WantedField(tag, kind, "", said_of_class(one.cls) or _comment(stands, tag)))
        oneof = stands.oneof if stands else name.lower()
        comment = UNIONS[name]
        self._add(
            WantedType(name, comment, tuple(fields), name, oneof=oneof, oneof_comment=_of_oneof(stands))
        )
        listed, comment, of_field = LISTS[name]
        self._add(
            WantedType(listed, comment, (WantedField(listed.lower(), name, "repeated ", of_field),), name)
        )

    def _struct(self, info: inspect.StructType, name: str) -> None:
        stands = self._standing.types.get(name)
        said = said_of_members(info.cls)
        fields = tuple(self._field(info.cls, one, stands, said.get(one.name, "")) for one in info.fields)
        comment = said_of_class(info.cls) or (stands.comment if stands else "")
        self._add(WantedType(name, comment, fields, self._root))

    def _field(self, cls: type, field: inspect.Field, stands: StandingType | None, said: str) -> WantedField:
        name = field.encode_name
        present = stands.fields.get(name) if stands else None
        info, may_be_none = _without_none(field.type)
        label = ""
        if isinstance(info, inspect.VarTupleType):
            info, label = _bare(info.item_type), "repeated "
        kind = self._kind(info, f"{cls.__name__}.{field.name}", name, present)
        is_scalar = isinstance(info, inspect.IntType | inspect.StrType | inspect.BoolType)
        is_enum = isinstance(info, inspect.EnumType)
        may_be_left_out = _may_be_unset(field) and (is_scalar or is_enum)
        has_default = self._root in ASKED and is_scalar and field.default not in (msgspec.NODEFAULT, 0, "")
        if not label and (may_be_none or may_be_left_out or has_default):
            label = "optional "
        comment = said or (present.comment if present else "") or (SEAT if name == "seat" else "")
        return WantedField(name, kind, label, comment)

    def _kind(self, info: inspect.Type, place: str, name: str, present: StandingField | None) -> str:
        stands_as = present.type_name if present else ""
        match info:
            case inspect.IntType():
                return _integer(info, present)
            case inspect.StrType():
                return "string"
            case inspect.BoolType():
                return "bool"
            case inspect.StructType() | inspect.EnumType():
                return self._reach(info, stands_as)
            case inspect.UnionType() if (parts := _integer_or_enum(info)) is not None:
                return self._integer_or_enum(*parts, stands_as or _camel(name))
            case inspect.UnionType():
                return self._tagged(info, stands_as or _camel(name), place)
        raise NoMessage(f"{place}: {info} has no form in protobuf")

    def _integer_or_enum(self, number: inspect.IntType, enum: inspect.EnumType, name: str) -> str:
        stands = self._standing.types.get(name)
        present = list(stands.fields.values()) if stands else []
        of_number = next((one for one in present if not one.type_name), None)
        of_enum = next((one for one in present if one.type_name), None)
        kind = self._reach(enum, of_enum.type_name if of_enum else "")
        fields = (
            WantedField(
                of_number.name if of_number else "number",
                _integer(number, of_number),
                "",
                of_number.comment if of_number else "A number.",
            ),
            WantedField(
                of_enum.name if of_enum else _snake(kind),
                kind,
                "",
                of_enum.comment if of_enum else said_of_class(enum.cls),
            ),
        )
        comment = stands.comment if stands else "A number, or a word in its place."
        oneof = stands.oneof if stands else "value"
        self._add(WantedType(name, comment, fields, self._root, oneof=oneof, oneof_comment=_of_oneof(stands)))
        return name

    def _tagged(self, info: inspect.UnionType, name: str, place: str) -> str:
        """Write a union of tagged structs that is a field."""
        stands = self._standing.types.get(name)
        fields = []
        for one in info.types:
            if not isinstance(one, inspect.StructType) or one.tag is None:
                raise NoMessage(
                    f"{place}: a union must be of structs with tags, or of an integer and an enum"
                )
            tag = str(one.tag)
            kind = self._reach(one, _type_name(stands, tag))
            fields.append(WantedField(tag, kind, "", said_of_class(one.cls) or _comment(stands, tag)))
        comment = stands.comment if stands else f"One of {len(fields)} records."
        oneof = stands.oneof if stands else "record"
        self._add(
            WantedType(name, comment, tuple(fields), self._root, oneof=oneof, oneof_comment=_of_oneof(stands))
        )
        return name

    def _enum(self, enum: type[Enum], name: str) -> None:
        stands = self._standing.types.get(name)
        said = said_of_members(enum)
        prefix = _snake(name).upper() + "_"
        values = [
            WantedField(f"{prefix}UNSPECIFIED", "", "", _comment(stands, f"{prefix}UNSPECIFIED") or ABSENT)
        ]
        values += [
            WantedField(
                f"{prefix}{member}", "", "", said.get(member, "") or _comment(stands, f"{prefix}{member}")
            )
            for member in enum.__members__
        ]
        comment = said_of_class(enum) or (stands.comment if stands else "")
        self._add(WantedType(name, comment, tuple(values), self._root, is_enum=True))


def _of_oneof(stands: StandingType | None) -> str:
    return (stands.oneof_comment if stands else "") or ONE_OF_THESE


def _comment(stands: StandingType | None, field: str) -> str:
    return stands.fields[field].comment if stands and field in stands.fields else ""


def _type_name(stands: StandingType | None, field: str) -> str:
    return stands.fields[field].type_name if stands and field in stands.fields else ""


def _integer(info: inspect.IntType, present: StandingField | None) -> str:
    if present is not None and present.kind in _WIDTHS:
        return _WIDTHS[present.kind]
    lowest = info.ge if info.ge is not None else info.gt
    return "sint32" if lowest is not None and lowest < 0 else "int32"


def _bare(info: inspect.Type) -> inspect.Type:
    return info.type if isinstance(info, inspect.Metadata) else info


def _without_none(info: inspect.Type) -> tuple[inspect.Type, bool]:
    """Return a field's type without None and UNSET, and whether it may be absent."""
    info = _bare(info)
    if not isinstance(info, inspect.UnionType):
        return info, False
    rest = tuple(one for one in info.types if not isinstance(one, inspect.NoneType))
    bare = _bare(rest[0]) if len(rest) == 1 else inspect.UnionType(rest)
    return bare, len(rest) != len(info.types)


def _may_be_unset(field: inspect.Field) -> bool:
    nothing = msgspec.NODEFAULT
    return not field.required and field.default is nothing and field.default_factory is nothing


def _integer_or_enum(info: inspect.UnionType) -> tuple[inspect.IntType, inspect.EnumType] | None:
    types = [_bare(one) for one in info.types]
    numbers = [one for one in types if isinstance(one, inspect.IntType)]
    enums = [one for one in types if isinstance(one, inspect.EnumType)]
    return (numbers[0], enums[0]) if (len(types), len(numbers), len(enums)) == (2, 1, 1) else None


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))
