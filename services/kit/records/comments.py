"""Check that every message and field of a game's contract says what it is: clients read nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto

from services.kit.records.found import Found, check
from services.kit.subject import Subject
from services.rules.wire.contract import ContractUnusable, descriptors_of

_MESSAGES: Final = FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER
_NESTED: Final = DescriptorProto.NESTED_TYPE_FIELD_NUMBER
_FIELDS: Final = DescriptorProto.FIELD_FIELD_NUMBER

Path = tuple[int, ...]


def look(subject: Subject, found: Found) -> None:
    """Look at the files of the game's own package."""
    try:
        descriptors = descriptors_of(subject.package)
    except ContractUnusable as problem:
        found.add(str(problem), f"run `foldtable check-game {subject.id} --build`")
        return
    files = [file for file in descriptors.file if file.package == subject.package.contract]
    if not files:
        found.add(
            f"{subject.package.descriptors} contains no file of the package {subject.package.contract}",
            "name the package of the .proto files in `contract`",
        )
    for file in files:
        found.here = file.name
        for name in silent(file, found):
            found.add(f"{name} has no comment", "write a docstring for the type, and a text below the field")
    found.here = ""


def silent(file: FileDescriptorProto, found: Found) -> Iterator[str]:
    """Yield the name of every message and field of a file without a comment."""
    said = {tuple(place.path) for place in file.source_code_info.location if place.leading_comments.strip()}
    for path, name, message in _messages(file):
        found.looked("messages")
        if path not in said:
            yield name
        for number, field in enumerate(message.field):
            found.looked("fields")
            if (*path, _FIELDS, number) not in said:
                yield f"{name}.{field.name}"


def _messages(file: FileDescriptorProto) -> Iterator[tuple[Path, str, DescriptorProto]]:
    """Yield every message with its path in the file, those within others too."""
    waiting: list[tuple[Path, str, DescriptorProto]] = [
        ((_MESSAGES, number), f"{file.package}.{message.name}", message)
        for number, message in enumerate(file.message_type)
    ]
    while waiting:
        path, name, message = waiting.pop(0)
        yield path, name, message
        waiting += [
            ((*path, _NESTED, number), f"{name}.{inner.name}", inner)
            for number, inner in enumerate(message.nested_type)
            if not inner.options.map_entry
        ]


COMMENTS: Final = check("comments", "every message and field of the contract has a comment", look)
