"""A package says where its parts are, and never leads out of itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.kernel.package import INTERFACE, GamePackage
from engine.registry import GAMES

PACKAGE: GamePackage = next(iter(GAMES.values()))


@pytest.mark.parametrize("field", ["descriptors", "golden"])
@pytest.mark.parametrize(
    "path", ["ladders:../contract", "ladders:a/../b", "ladders:/etc/hosts", "ladders:", "a"]
)
def test_a_file_is_inside_its_package(field: str, path: str) -> None:
    with pytest.raises(ValueError, match=f"`{field}` must be such as ladders:"):
        replace(PACKAGE, **{field: path})


@pytest.mark.parametrize(
    "path", ["ladders:contract.binpb", "ladders.data:golden/v1-first", "ladders:a_b/c.d"]
)
def test_folders_and_files_are_named_from_the_package(path: str) -> None:
    assert replace(PACKAGE, descriptors=path).descriptors == path


def test_a_package_of_another_interface_is_told_what_to_install() -> None:
    major = int(INTERFACE.split(".")[0])
    assert PACKAGE.incompatible() is None
    assert "install a newer Foldtable" in (replace(PACKAGE, interface=f"{major}.999").incompatible() or "")
    assert "install a newer version of the game" in (replace(PACKAGE, interface="0.1").incompatible() or "")
