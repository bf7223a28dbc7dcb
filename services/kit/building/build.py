"""Write the derived files of a game package into its source folder: `foldtable check-game NAME --build`."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from engine.kernel.package import GamePackage
from engine.kernel.text.paragraphs import FILE
from services.kit.building.contract import (
    FOLDER,
    MISSING,
    OUR_DESCRIPTORS,
    ContractRefused,
    ToolsMissing,
    compiled,
    write_contract,
)
from services.kit.building.paragraphs import as_json, rules_of, rulings_of


class NotInAFolder(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """The package was not imported from a folder in which files can be written."""


def build(package: GamePackage) -> tuple[Path, ...]:
    """Write the contract, its descriptors and the paragraphs of a package; return the files that have changed.

    Raises ToolsMissing without grpcio-tools, ContractRefused if protoc refuses the contract or it is not in the package,
    NoMessage if a type has no form in it, NotInAFolder for a package that is not in a folder, and ValueError if two paragraphs
    have the same id.
    """
    if package.descriptors == OUR_DESCRIPTORS:
        raise ContractRefused(
            f"the contract of {package.id} is in Foldtable's own folder: `make proto` writes it there"
        )
    folder = folder_of(package.python_package)
    contract = write_contract(package, folder / FOLDER)
    descriptors = compiled(package)
    if descriptors is None:
        raise ToolsMissing(MISSING)
    paragraphs = as_json({**rules_of(folder), **rulings_of(folder)}).encode()
    wanted = (
        (_descriptors_file(package), descriptors.SerializeToString(deterministic=True)),
        (folder / "text" / FILE, paragraphs),
    )
    return (*contract, *(path for path, content in wanted if _written(path, content)))


def folder_of(python_package: str) -> Path:
    """Return the source folder of a Python package. Raises NotInAFolder if it has none."""
    file = import_module(python_package).__file__
    folder = Path(file).parent if file is not None else None
    if folder is None or not folder.is_dir():
        raise NotInAFolder(
            f"{python_package} is not installed from a folder, so nothing can be written there"
        )
    return folder


def _descriptors_file(package: GamePackage) -> Path:
    where, _, path = package.descriptors.partition(":")
    return folder_of(where) / path


def _written(path: Path, content: bytes) -> bool:
    """Give a file its content; return whether it was different before."""
    if path.is_file() and path.read_bytes() == content:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return True
