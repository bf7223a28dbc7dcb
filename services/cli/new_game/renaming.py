"""Give the files of the template the names of a new game."""

from __future__ import annotations

from typing import Final

from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.message import Message

from services.cli.new_game.names import TEMPLATE, Names

DESCRIPTORS: Final = "contract.binpb"


def renamed(text: str, names: Names) -> str:
    """Return a text with every name of the template replaced."""
    text = text.replace(TEMPLATE.module, names.module)
    text = text.replace(TEMPLATE.distribution, names.distribution)
    return text.replace(TEMPLATE.title, names.title)


def renamed_descriptors(content: bytes, names: Names) -> bytes:
    """Return descriptors with every name of the template replaced, in comments too: what protoc would write, but for columns."""
    descriptors = FileDescriptorSet.FromString(content)
    _rename(descriptors, names)
    return descriptors.SerializeToString(deterministic=True)


def _rename(message: Message, names: Names) -> None:
    for field, value in message.ListFields():
        if field.cpp_type == field.CPPTYPE_MESSAGE:
            for inner in value if field.is_repeated else (value,):
                _rename(inner, names)
        elif field.cpp_type == field.CPPTYPE_STRING and field.type == field.TYPE_STRING:
            if field.is_repeated:
                value[:] = [renamed(each, names) for each in value]
            else:
                setattr(message, field.name, renamed(value, names))
