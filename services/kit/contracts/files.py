"""The .proto files of a game, written from its types beside those that stand there."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorSet

from engine.kernel.game import AnyGame
from engine.kernel.package import GamePackage
from services.kit.contracts import standing
from services.kit.contracts.text import GENERATED, files_of
from services.kit.contracts.wanted import wanted


def texts(package: GamePackage, descriptors: FileDescriptorSet) -> dict[str, str]:
    """Return the text of every .proto file that the types of a game ask for, by its name.

    `descriptors`: the contract as it stands, whose numbers are kept; it may be empty. Raises NoMessage if a type has no form.
    """
    module, _, name = package.game.partition(":")
    game: AnyGame = getattr(import_module(module), name)
    present = standing.read(descriptors, package.contract)
    return dict(files_of(game.title, package.contract, wanted(game.types, present), present))


def is_generated(folder: Path) -> bool:
    """Return whether the .proto files of a folder, if there are any, were generated: an author may keep them by hand."""
    return all(GENERATED in path.read_text(encoding="utf-8") for path in folder.rglob("*.proto"))


def write(folder: Path, files: dict[str, str]) -> tuple[Path, ...]:
    """Give a folder these files; return those that have changed. A file whose types are all gone goes as well."""
    changed = []
    for name, text in files.items():
        path = folder / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            changed.append(path)
    for home in {(folder / name).parent for name in files}:
        for path in home.glob("*.proto"):
            if path.relative_to(folder).as_posix() not in files:
                path.unlink()
                changed.append(path)
    return tuple(changed)
