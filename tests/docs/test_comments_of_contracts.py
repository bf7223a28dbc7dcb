"""The comments of the games' contracts say what a field means; they are made of what the types of the games say."""

from __future__ import annotations

import re

import pytest
from google.protobuf.descriptor_pb2 import DescriptorProto, EnumDescriptorProto, FileDescriptorSet

from tests.support.documents import ROOT
from tests.support.our_games import OUR_GAMES

DESCRIPTORS = ROOT / "proto" / "gen" / "foldtable" / "descriptors.binpb"
MESSAGES, ENUMS, MEMBERS = 4, 5, 2
"""Numbers of fields in a file's descriptor, and of its messages and enums."""
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


@EVERY_GAME
def test_every_comment_says_something_before_it_cites(name: str) -> None:
    written = comments(name)
    assert len(written) > 100
    for key, text in written.items():
        assert not _CITED.match(text), (key, text)
        assert len(_CITED.sub("", text).split()) > 1, (key, text)
        assert text.endswith((".", "].", "]", ")")), (key, text)
