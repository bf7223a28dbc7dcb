"""Write the package of a new game, all of it or nothing."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path, PurePosixPath
from typing import Final

from services.cli.new_game.names import Names
from services.cli.new_game.renaming import DESCRIPTORS, renamed, renamed_descriptors
from services.kit.building.contract import FOLDER, compiled_folder

_LEFT_OUT: Final = ("__pycache__", ".mypy_cache", ".pytest_cache", ".ruff_cache")
"""What tools leave in the folder of the template."""


class FolderTaken(Exception):  # noqa: N818 - reads as a sentence where it is raised
    """The folder for the new package contains something already."""


def write(names: Names, folder: Path) -> tuple[Path, ...]:
    """Write the package into a folder that is new or empty; return its files, relative to it, in order.

    Raises FolderTaken if something is there, and OSError if it cannot be written; then nothing has been.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FolderTaken(f"{folder} contains something already: choose a folder that is new or empty")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".new-game-") as place:
        whole = Path(place) / "package"
        for path, content in contents(names):
            (whole / path).parent.mkdir(parents=True, exist_ok=True)
            (whole / path).write_bytes(content)
        _compile(whole / names.module)
        whole.rename(folder)  # at once: it replaces a folder only if that is empty
    return tuple(sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file()))


def contents(names: Names) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Yield every file of the template under its new name, with its new content."""
    template = files("services.cli.new_game").joinpath("template")
    for path, file in _walked(template, PurePosixPath()):
        content = file.read_bytes()
        if path.name == DESCRIPTORS:
            content = renamed_descriptors(content, names)
        else:
            content = renamed(content.decode(), names).encode()
        yield PurePosixPath(renamed(str(path), names)), content


def _walked(folder: Traversable, path: PurePosixPath) -> Iterator[tuple[PurePosixPath, Traversable]]:
    for each in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if each.name in _LEFT_OUT:
            continue
        if each.is_dir():
            yield from _walked(each, path / each.name)
        else:
            yield path / each.name, each


def _compile(package: Path) -> None:
    """Compile the renamed contract, where grpcio-tools is installed, so that the descriptors are those of a later build."""
    descriptors = compiled_folder(package / FOLDER)
    if descriptors is not None:
        (package / DESCRIPTORS).write_bytes(descriptors.SerializeToString(deterministic=True))
