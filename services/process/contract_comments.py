"""The comments of messages, enums, their fields and values in .proto files, read from descriptors that keep them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
)

_MESSAGES: Final = FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER
_ENUMS: Final = FileDescriptorProto.ENUM_TYPE_FIELD_NUMBER
_FIELDS: Final = DescriptorProto.FIELD_FIELD_NUMBER
_INNER: Final = DescriptorProto.NESTED_TYPE_FIELD_NUMBER
_INNER_ENUMS: Final = DescriptorProto.ENUM_TYPE_FIELD_NUMBER
_VALUES: Final = EnumDescriptorProto.VALUE_FIELD_NUMBER

Path = tuple[int, ...]


def comments_of(descriptors: FileDescriptorSet) -> Mapping[str, str]:
    """Return the comments by full name: `foldtable.matches.v1.Match`, `foldtable.matches.v1.Match.title`.

    A value of an enum is named after its enum: `foldtable.matches.v1.StartRule.START_RULE_WHEN_FULL`.
    """
    found: dict[str, str] = {}
    for file in descriptors.file:
        said = {
            tuple(place.path): " ".join(place.leading_comments.split())
            for place in file.source_code_info.location
        }
        found.update((name, said[path]) for path, name in _named(file) if said.get(path))
    return found


def _named(file: FileDescriptorProto) -> Iterator[tuple[Path, str]]:
    """Yield the place of everything that has a name, and its full name."""
    for number, enum in enumerate(file.enum_type):
        yield from _of_enum(enum, (_ENUMS, number), file.package)
    for number, message in enumerate(file.message_type):
        yield from _of_message(message, (_MESSAGES, number), file.package)


def _of_message(message: DescriptorProto, path: Path, within: str) -> Iterator[tuple[Path, str]]:
    name = f"{within}.{message.name}"
    yield path, name
    for number, field in enumerate(message.field):
        yield (*path, _FIELDS, number), f"{name}.{field.name}"
    for number, enum in enumerate(message.enum_type):
        yield from _of_enum(enum, (*path, _INNER_ENUMS, number), name)
    for number, inner in enumerate(message.nested_type):
        yield from _of_message(inner, (*path, _INNER, number), name)


def _of_enum(enum: EnumDescriptorProto, path: Path, within: str) -> Iterator[tuple[Path, str]]:
    name = f"{within}.{enum.name}"
    yield path, name
    for number, value in enumerate(enum.value):
        yield (*path, _VALUES, number), f"{name}.{value.name}"
