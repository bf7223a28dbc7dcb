"""The comments of messages and fields in the .proto files, read from the descriptors.

The games' JSON Schemas use them as descriptions, so that each is written only once, in the gRPC contract.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto, FileDescriptorSet

from engine.kernel.package import GamePackage
from services.rules.wire.contract import descriptors_of, server_descriptors

_MESSAGES: Final = FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER
_FIELDS: Final = DescriptorProto.FIELD_FIELD_NUMBER


@dataclass(frozen=True)
class Comments:
    """The comments of one message."""

    message: str
    fields: Mapping[str, str]


@cache
def contract_comments(package: GamePackage) -> Mapping[str, Comments]:
    """Return the comments of every top-level message of a game's contract and of the server's, by its full name."""
    return {**_server(), **_of_set(descriptors_of(package))}


@cache
def _server() -> Mapping[str, Comments]:
    return _of_set(server_descriptors())


def _of_set(descriptors: FileDescriptorSet) -> Mapping[str, Comments]:
    return {name: comments for file in descriptors.file for name, comments in _of_file(file)}


def _of_file(file: FileDescriptorProto) -> Iterator[tuple[str, Comments]]:
    said = {
        tuple(place.path): " ".join(place.leading_comments.split())
        for place in file.source_code_info.location
    }
    for number, message in enumerate(file.message_type):
        fields = {
            field.name: said.get((_MESSAGES, number, _FIELDS, place), "")
            for place, field in enumerate(message.field)
        }
        yield f"{file.package}.{message.name}", Comments(said.get((_MESSAGES, number), ""), fields)
