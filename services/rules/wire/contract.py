"""The protobuf messages of a game's package, found by their names.

A game brings the descriptors of its contract as a file. If generated modules can be imported as well, their classes are used,
so that both sides of a process share them; otherwise classes are made of the descriptors.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec

from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from google.protobuf.descriptor_pool import Default
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from engine.kernel.package import GamePackage
from services.rules.wire.typed_codec import TypesDisagree


class ContractUnusable(TypesDisagree):
    """The descriptors of a game's contract cannot be read, or contradict others."""


@cache
def descriptors_of(package: GamePackage) -> FileDescriptorSet:
    """Return the descriptors of a game's contract, with comments and imports. Raises ContractUnusable if they cannot be read."""
    where, _, path = package.descriptors.partition(":")
    try:
        return FileDescriptorSet.FromString(files(where).joinpath(path).read_bytes())
    except (ModuleNotFoundError, OSError, DecodeError) as problem:
        raise ContractUnusable(
            f"its descriptors cannot be read from {package.descriptors} ({type(problem).__name__}); "
            f"`foldtable check-game {package.id} --build` writes them"
        ) from problem


@cache
def server_descriptors() -> FileDescriptorSet:
    """Return the descriptors of the server's own contracts, with comments and imports; our own games are in it."""
    return FileDescriptorSet.FromString(files("foldtable").joinpath("descriptors.binpb").read_bytes())


@cache
def descriptors_from_outside(package: GamePackage) -> bytes:
    """Return the files of a game's contract that are not the server's own, each after its imports; empty if there are none.

    Raise as `descriptors_of` does.
    """
    ours = {file.name for file in server_descriptors().file}
    theirs = [file for file in descriptors_of(package).file if file.name not in ours]
    return FileDescriptorSet(file=theirs).SerializeToString(deterministic=True)


@cache
def message_class(package: GamePackage, name: str) -> type[Message]:
    """Return the class of a message, such as `Action`. Raises ContractUnusable if the contract has none of this name."""
    full_name = f"{package.contract}.{name}"
    _import_what_it_needs(package)
    _load(package)
    try:
        return GetMessageClass(Default().FindMessageTypeByName(full_name))
    except KeyError:
        raise ContractUnusable(f"its contract has no message {full_name}") from None


@cache
def _load(package: GamePackage) -> None:
    """Make the messages of a game's contract known in this process."""
    ours = {file.name for file in server_descriptors().file}
    for file in descriptors_of(package).file:
        if file.package == package.contract or file.name not in ours:
            _load_file(file)


def _load_file(file: FileDescriptorProto) -> None:
    module = file.name.removesuffix(".proto").replace("/", ".") + "_pb2"
    if _importable(module):
        import_module(module)
        return
    plain = _plain(file)
    if _is_another(plain):
        raise ContractUnusable(
            f"another contract has a file of the same name with other contents, {file.name}: "
            "put the game's files into a folder of its name"
        )
    try:
        Default().AddSerializedFile(plain.SerializeToString())
    except TypeError as problem:
        raise ContractUnusable(
            f"its file {file.name} cannot be added to the known contracts: {problem}"
        ) from problem


def _is_another(plain: FileDescriptorProto) -> bool:
    """Return whether this process knows another file of the same name."""
    known = FileDescriptorProto()
    try:
        Default().FindFileByName(plain.name).CopyToProto(known)
    except KeyError:
        return False
    return known != plain


def _importable(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # not even its folder is there
        return False


def _plain(file: FileDescriptorProto) -> FileDescriptorProto:
    """Return a file as generated modules contain it, so that one that is imported later is recognised as the same."""
    plain = FileDescriptorProto()
    plain.CopyFrom(file)
    plain.ClearField("source_code_info")
    _clear_json_names(plain)
    return plain


def _clear_json_names(plain: FileDescriptorProto) -> None:
    waiting = list(plain.message_type)
    while waiting:
        message = waiting.pop()
        waiting.extend(message.nested_type)
        for field in message.field:
            field.ClearField("json_name")


@cache
def _import_what_it_needs(package: GamePackage) -> None:
    """Import the server's own messages that the files of a game's contract name; they must be known before it."""
    for file in descriptors_of(package).file:
        for needed in file.dependency if file.package == package.contract else ():
            module = needed.removesuffix(".proto").replace("/", ".") + "_pb2"
            if _importable(module):
                import_module(module)
