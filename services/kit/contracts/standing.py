"""The contract as it stands: what a new one keeps of it, because clients know it or because the types do not say it.

Kept are the numbers, the order and the file of everything, the kinds of integers, and the comments of what the types leave unsaid.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
)

SYNTAX: Final = (FileDescriptorProto.SYNTAX_FIELD_NUMBER,)
MESSAGES: Final = FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER
ENUMS: Final = FileDescriptorProto.ENUM_TYPE_FIELD_NUMBER
FIELDS: Final = DescriptorProto.FIELD_FIELD_NUMBER
ONEOFS: Final = DescriptorProto.ONEOF_DECL_FIELD_NUMBER
VALUES: Final = EnumDescriptorProto.VALUE_FIELD_NUMBER

Path = tuple[int, ...]


@dataclass(frozen=True)
class StandingField:
    """A field of a message, or a value of an enum."""

    name: str
    number: int
    comment: str
    kind: int = 0
    """Its `FieldDescriptorProto.Type`; 0 for a value of an enum."""
    type_name: str = ""
    """The name of its message or enum within the package; another package's is complete."""
    in_oneof: bool = False


@dataclass(frozen=True)
class StandingType:
    """A message or an enum."""

    name: str
    comment: str
    fields: dict[str, StandingField]
    oneof: str = ""
    oneof_comment: str = ""
    reserved_numbers: tuple[int, ...] = ()
    reserved_names: tuple[str, ...] = ()


@dataclass(frozen=True)
class StandingFile:
    """A file: its name within the folder of the contract, what it says of itself, and what is in it, in order."""

    name: str
    comment: str
    types: tuple[str, ...]


@dataclass
class Standing:
    """All files of a package."""

    files: list[StandingFile] = field(default_factory=list)
    types: dict[str, StandingType] = field(default_factory=dict)


def read(descriptors: FileDescriptorSet, package: str) -> Standing:
    """Return what stands in the descriptors of a package, which have comments; nothing if there is no such package."""
    standing = Standing()
    for file in descriptors.file:
        if file.package == package:
            comments = {
                tuple(place.path): " ".join(place.leading_comments.split())
                for place in file.source_code_info.location
            }
            found = list(_types(file, comments))
            standing.types |= {one.name: one for one in found}
            header = next(
                (
                    place.leading_detached_comments[0]
                    if place.leading_detached_comments
                    else place.leading_comments
                    for place in file.source_code_info.location
                    if tuple(place.path) == SYNTAX
                ),
                "",
            )
            standing.files.append(
                StandingFile(file.name, header.strip("\n"), tuple(one.name for one in found))
            )
    return standing


def _types(file: FileDescriptorProto, comments: dict[Path, str]) -> Iterator[StandingType]:
    """Yield the messages and enums of a file in the order in which they are written."""
    lines = {tuple(place.path): place.span[0] for place in file.source_code_info.location}
    places: list[Path] = [
        *((MESSAGES, number) for number in range(len(file.message_type))),
        *((ENUMS, number) for number in range(len(file.enum_type))),
    ]
    for path in sorted(places, key=lambda one: lines.get(one, 0)):
        if path[0] == MESSAGES:
            yield _message(file, file.message_type[path[1]], path, comments)
        else:
            yield _enum(file.enum_type[path[1]], path, comments)


def _message(
    file: FileDescriptorProto, message: DescriptorProto, path: Path, comments: dict[Path, str]
) -> StandingType:
    oneofs = [
        number
        for number in range(len(message.oneof_decl))
        if any(
            one.oneof_index == number and not one.proto3_optional
            for one in message.field
            if one.HasField("oneof_index")
        )
    ]
    return StandingType(
        name=message.name,
        comment=comments.get(path, ""),
        fields={
            one.name: _field(file, one, comments.get((*path, FIELDS, number), ""))
            for number, one in enumerate(message.field)
        },
        oneof=message.oneof_decl[oneofs[0]].name if oneofs else "",
        oneof_comment=comments.get((*path, ONEOFS, oneofs[0]), "") if oneofs else "",
        reserved_numbers=tuple(
            number for span in message.reserved_range for number in range(span.start, span.end)
        ),
        reserved_names=tuple(message.reserved_name),
    )


def _field(file: FileDescriptorProto, one: FieldDescriptorProto, comment: str) -> StandingField:
    return StandingField(
        name=one.name,
        number=one.number,
        comment=comment,
        kind=one.type,
        type_name=one.type_name.removeprefix(".").removeprefix(f"{file.package}."),
        in_oneof=one.HasField("oneof_index") and not one.proto3_optional,
    )


def _enum(enum: EnumDescriptorProto, path: Path, comments: dict[Path, str]) -> StandingType:
    return StandingType(
        name=enum.name,
        comment=comments.get(path, ""),
        fields={
            one.name: StandingField(one.name, one.number, comments.get((*path, VALUES, number), ""))
            for number, one in enumerate(enum.value)
        },
        reserved_numbers=tuple(
            number for span in enum.reserved_range for number in range(span.start, span.end + 1)
        ),
        reserved_names=tuple(enum.reserved_name),
    )
