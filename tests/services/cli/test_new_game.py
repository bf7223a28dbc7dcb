"""`foldtable new-game` writes a whole package under new names, or nothing at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from services.cli.new_game.names import names
from services.cli.new_game.writing import contents, write

LONG = "a_game_with_quite_a_long_name_0123456789"
OLD = (b"example_game", b"example-game", b"Example Game", b"ExampleGame")


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def test_the_new_names_are_everywhere_and_the_old_ones_nowhere(foldtable: Any, tmp_path: Path) -> None:
    done = foldtable("new-game", "red_towers", "--title", "Łódź’s Towers", "--into", tmp_path / "new")
    assert done.exit_code == 0, done.output
    written = files_in(tmp_path / "new")
    for path, content in written.items():
        assert not [old for old in OLD if old in content or old in path.encode()], path
    assert 'red_towers = "red_towers.package:PACKAGE"' in written["pyproject.toml"].decode()
    assert 'name = "red-towers"' in written["pyproject.toml"].decode()
    assert 'title="Łódź’s Towers"' in written["red_towers/game.py"].decode()
    assert b'"game": "red_towers"' in written["red_towers/golden/v1.0.0/first.jsonl"]
    assert "red_towers/proto/red_towers/v1/view.proto" in written
    packages = {each.package for each in descriptors(written["red_towers/contract.binpb"]).file}
    assert packages == {"red_towers.v1", "foldtable.rules.v1"}


def descriptors(content: bytes) -> FileDescriptorSet:
    return FileDescriptorSet.FromString(content)


def test_the_next_commands_are_named(foldtable: Any, tmp_path: Path) -> None:
    done = foldtable("new-game", "red_towers", "--into", tmp_path / "my game")
    assert [line.strip() for line in done.output.splitlines()[1:]] == [
        f"pip install -e '{tmp_path / 'my game'}'",
        "foldtable check-game red_towers",
        "foldtable up",
    ]
    assert done.output.startswith("Red Towers: ")


def test_the_same_names_give_the_same_bytes_also_in_an_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "two").mkdir()
    for folder in ("one", "two"):
        write(names("red_towers"), tmp_path / folder)
    assert files_in(tmp_path / "one") == files_in(tmp_path / "two")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one", "two"]


def test_without_grpcio_tools_the_contract_is_renamed_and_says_the_same(tmp_path: Path) -> None:
    """Only the places of comments in the .proto files may differ, since names have other lengths."""
    write(names(LONG), tmp_path / "new")
    compiled = descriptors((tmp_path / "new" / LONG / "contract.binpb").read_bytes())
    renamed = descriptors(
        next(content for path, content in contents(names(LONG)) if path.name == "contract.binpb")
    )
    for descriptor in (compiled, renamed):
        for file in descriptor.file:
            for place in file.source_code_info.location:
                del place.span[:]
    assert renamed == compiled


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Towers", "is no name of a game"),
        ("1towers", "is no name of a game"),
        ("red-towers", "is no name of a game"),
        ("towers_", "is no name of a game"),
        ("../towers", "is no name of a game"),
        ("t" * 41, "40 in all"),
        ("class", "is a word of Python"),
        ("river_dragons", "is installed already"),
        ("json", "there is a Python module 'json' already"),
        ("engine", "there is a Python module 'engine' already"),
        ("tests", "there is a Python module 'tests' already"),
    ],
)
def test_a_name_that_cannot_be_used_is_refused_in_a_sentence(
    foldtable: Any, tmp_path: Path, name: str, why: str
) -> None:
    done = foldtable("new-game", name, "--into", tmp_path / "new")
    assert done.exit_code == 2
    assert why in done.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("title", ["", "t" * 61, 'The "Towers"', "a\nb", "\\N{DIGIT ONE}"])
def test_a_title_that_would_break_the_code_is_refused(foldtable: Any, tmp_path: Path, title: str) -> None:
    done = foldtable("new-game", "red_towers", "--title", title, "--into", tmp_path / "new")
    assert done.exit_code == 2
    assert "a title has 1 to 60 printable characters" in done.output
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_contains_something_is_left_alone(foldtable: Any, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    done = foldtable("new-game", "red_towers", "--into", tmp_path)
    assert done.exit_code == 2
    assert "choose a folder that is new or empty" in done.output
    assert files_in(tmp_path) == {"mine.txt": b"mine"}


def test_nothing_is_left_behind_if_something_goes_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_folder: Path) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr("services.cli.new_game.writing._compile", broken)
    with pytest.raises(OSError, match="the disk is full"):
        write(names("red_towers"), tmp_path / "new")
    assert list(tmp_path.iterdir()) == []
