"""Distributions with games, written into a folder that a test puts on PYTHONPATH: as pip would install them, without pip."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent

from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto, FileDescriptorSet

from engine.kernel.package import ENTRY_POINTS
from services.rules.wire.contract import server_descriptors

COPIED = "foldtable.river_of_gold.v1"
"""The contract of the game that the others are copies of."""


def install(
    folder: Path,
    distribution: str,
    entry_points: Mapping[str, str],
    files: Mapping[str, str | bytes],
    *,
    version: str = "1.0",
) -> None:
    """Write a distribution: `entry_points` are `module:attribute` by game, `files` their contents by path."""
    metadata = folder / f"{distribution}-{version}.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n")
    lines = [f"{game} = {place}" for game, place in entry_points.items()]
    (metadata / "entry_points.txt").write_text("\n".join([f"[{ENTRY_POINTS}]", *lines, ""]))
    for path, content in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else dedent(content).encode())


def install_game(folder: Path, game_id: str, /, **changed: str | bytes) -> None:
    """Write a distribution with a game that is River of Gold under another id, with a contract of its own.

    `changed`: files with other contents than those, by their names in the package without `.py` and `.binpb`.
    """
    files = {**game_files(game_id), **{_path(game_id, name): content for name, content in changed.items()}}
    install(folder, game_id, {game_id: f"{game_id}.package:PACKAGE"}, files)


def game_files(game: str) -> dict[str, str | bytes]:
    """Return the files of a game's package, by path."""
    return {
        f"{game}/__init__.py": "",
        f"{game}/package.py": package(game),
        f"{game}/game.py": f"""
            from dataclasses import replace
            from engine.river_of_gold.game import GAME as GOLD
            GAME = replace(GOLD, id={game!r}, title={game.title()!r})
            """,
        f"{game}/contract.binpb": contract(f"{game}.v1").SerializeToString(),
    }


def package(game_id: str, /, **changed: str) -> str:
    """Return the module that names the parts of a game."""
    fields = {
        "id": game_id,
        "interface": "1.0",
        "game": f"{game_id}.game:GAME",
        "contract": f"{game_id}.v1",
        "descriptors": f"{game_id}:contract.binpb",
        **changed,
    }
    given = ", ".join(f"{name}={value!r}" for name, value in fields.items())
    return f"from engine.kernel.package import GamePackage\nPACKAGE = GamePackage({given})\n"


def contract(package: str, *, also: str = "", folder: str = "") -> FileDescriptorSet:
    """Return the contract of River of Gold under another protobuf package, with its files in the folder of that package.

    `also` is a field that its Options get in addition, `folder` the package whose folder is used instead.
    """
    made = FileDescriptorSet()
    for file in server_descriptors().file:
        copy = made.file.add()
        copy.CopyFrom(file)
        if file.package == COPIED:
            _rename(copy, package, folder or package)
            for message in copy.message_type:
                if also and message.name == "Options":
                    _add_field(message, also)
    return made


def _path(game: str, name: str) -> str:
    return f"{game}/{name}.binpb" if name == "contract" else f"{game}/{name}.py"


def _add_field(message: DescriptorProto, name: str) -> None:
    number = max((field.number for field in message.field), default=0) + 1
    field = message.field.add(name=name, number=number)
    field.type, field.label = field.TYPE_STRING, field.LABEL_OPTIONAL


def _rename(file: FileDescriptorProto, package: str, folder: str) -> None:
    here, there = COPIED.replace(".", "/"), folder.replace(".", "/")
    file.name = file.name.replace(here, there)
    file.package = package
    for place, name in enumerate(file.dependency):
        file.dependency[place] = name.replace(here, there)
    waiting = list(file.message_type)
    while waiting:
        message = waiting.pop()
        waiting.extend(message.nested_type)
        for field in message.field:
            if field.HasField("type_name"):
                field.type_name = field.type_name.replace(f".{COPIED}.", f".{package}.")
