"""Check that the .proto files of a package say what its types say, and that its descriptors are those of the files."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import Final

from google.protobuf.descriptor_pb2 import FileDescriptorSet

from services.kit.building.contract import FOLDER, ContractRefused, compiled
from services.kit.contracts.files import is_generated, texts
from services.kit.contracts.wanted import NoMessage
from services.kit.records.found import Found, check
from services.kit.subject import Subject
from services.rules.wire.contract import ContractUnusable, descriptors_of


def look(subject: Subject, found: Found) -> None:
    """Write and compile the files again and compare, if a compiler is installed."""
    package = subject.package
    build = f"run `foldtable check-game {subject.id} --build`"
    if not files(package.python_package).joinpath(FOLDER).is_dir():
        found.skipped = "the package ships no .proto files"
        return
    try:
        now, stored = compiled(package), descriptors_of(package)
    except (ContractRefused, ContractUnusable) as problem:
        found.add(str(problem), f"correct the .proto files, and {build}")
        return
    if now is None:
        found.skipped = "grpcio-tools is not installed"
        return
    was = {file.name: file for file in stored.file if file.package == package.contract}
    is_ = {file.name: file for file in now.file if file.package == package.contract}
    for name in sorted(was.keys() | is_.keys()):
        found.looked("files")
        if was.get(name) != is_.get(name):
            found.add(f"{package.descriptors} is not what {name} says", build)
    _look_at_texts(subject, found, now, build)


def _look_at_texts(subject: Subject, found: Found, now: FileDescriptorSet, build: str) -> None:
    """Compare the files with what the types ask for, unless they are kept by hand."""
    package = subject.package
    with as_file(files(package.python_package).joinpath(FOLDER)) as folder:
        if not is_generated(folder):
            return
        try:
            wanted = texts(package, now)
        except NoMessage as problem:
            found.add(str(problem), "give the field a type that a message can hold")
            return
        for name, text in sorted(wanted.items()):
            path = folder / name
            if not path.is_file() or path.read_text(encoding="utf-8") != text:
                found.add(f"{name} is not what the types of the game say", build)


DESCRIPTORS: Final = check(
    "descriptors", "the .proto files say what the types say, and the descriptors are compiled from them", look
)
