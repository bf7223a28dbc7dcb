"""The comments of the games' contracts say what a field means, and the structs of the engine say the same."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest
from google.protobuf.descriptor_pb2 import DescriptorProto, EnumDescriptorProto, FileDescriptorSet

from engine.registry import game
from tests.support.documents import ROOT
from tests.support.our_games import OUR_GAMES

DESCRIPTORS = ROOT / "proto" / "gen" / "foldtable" / "descriptors.binpb"
MESSAGES, ENUMS, MEMBERS = 4, 5, 2
"""Numbers of fields in a file's descriptor, and of its messages and enums."""
INTERNAL = {("al_rashid", "Stack")}
"""Structs of a state that have the name of another message."""
PARTS_OF_THE_BOX = {
    "ShoreId",
    "BuildingId",
    "CustomerId",
    "RiverId",
    "PatronId",
    "MasteryId",
    "RegionTileId",
}
"""The contract describes each of them; the engine has tables."""
_CITED = re.compile(r"[(\[]?(?:§\d+(?:\.\d+)?|[ARF]\d+)[)\]]?")
EVERY_GAME = pytest.mark.parametrize("name", OUR_GAMES)


def comments(name: str) -> dict[tuple[str, str], str]:
    """Return the comments of a game's messages and enums: by name, and name of the field or the value, or nothing."""
    found: dict[tuple[str, str], str] = {}
    for file in FileDescriptorSet.FromString(DESCRIPTORS.read_bytes()).file:
        if file.package == f"foldtable.{name}.v1":
            for place in file.source_code_info.location:
                path, text = list(place.path), " ".join(place.leading_comments.split())
                if text and path[0] in (MESSAGES, ENUMS) and (key := _key(file, path)):
                    found[key] = text
    return found


def _key(file: object, path: list[int]) -> tuple[str, str] | None:
    of: DescriptorProto | EnumDescriptorProto
    of = file.message_type[path[1]] if path[0] == MESSAGES else file.enum_type[path[1]]  # type: ignore[attr-defined]
    if len(path) == 2:
        return of.name, ""
    if len(path) == 4 and path[2] == MEMBERS:
        if isinstance(of, DescriptorProto):
            return of.name, of.field[path[3]].name
        return of.name, of.value[path[3]].name.removeprefix(_constant(of.name))
    return None


def _constant(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).upper() + "_"


def docstrings(name: str) -> dict[tuple[str, str], str]:
    """Return what the game's structs and enums say, by the same keys."""
    types = game(name).types
    names = {types.options.__name__: "Options", types.view.__name__: "View"}
    found: dict[tuple[str, str], str] = {}
    for file in (*(ROOT / "engine" / name).glob("*.py"), *(ROOT / "engine" / name / "box").glob("*.py")):
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.ClassDef) and (name, node.name) not in INTERNAL:
                called = names.get(node.name, node.name)
                if written := ast.get_docstring(node):
                    found[called, ""] = " ".join(written.split())
                found |= {(called, member): text for member, text in _members(node)}
    return found


def _members(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """Each field with the text below it; nothing if there is none."""
    for one, after in zip(node.body, [*node.body[1:], None], strict=True):
        target = (
            one.target
            if isinstance(one, ast.AnnAssign)
            else one.targets[0]
            if isinstance(one, ast.Assign)
            else None
        )
        if isinstance(target, ast.Name):
            text = (
                after.value.value
                if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
                else ""
            )
            yield target.id, " ".join(str(text).split())


@EVERY_GAME
def test_every_comment_says_something_before_it_cites(name: str) -> None:
    written = comments(name)
    assert len(written) > 100
    for key, text in written.items():
        assert not _CITED.match(text), (key, text)
        assert len(_CITED.sub("", text).split()) > 1, (key, text)
        assert text.endswith((".", "].", "]", ")")), (key, text)


@EVERY_GAME
def test_structs_say_what_the_contract_says(name: str) -> None:
    """A struct may leave a seat unsaid; whatever else it says, it says in the same words."""
    said = docstrings(name)
    different = {
        key: (text, said[key])
        for key, text in comments(name).items()
        if key in said and key[1] != "seat" and key[0] not in PARTS_OF_THE_BOX and said[key] != text
    }
    assert different == {}
