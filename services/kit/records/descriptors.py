"""Check that the descriptors of a package are those of the .proto files beside them."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from services.kit.building.contract import FOLDER, ContractRefused, compiled
from services.kit.records.found import Found, check
from services.kit.subject import Subject
from services.rules.wire.contract import ContractUnusable, descriptors_of


def look(subject: Subject, found: Found) -> None:
    """Compile the files again and compare, if a compiler is installed."""
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


DESCRIPTORS: Final = check("descriptors", "descriptors are compiled from the .proto files beside them", look)
