"""Contracts are written from types: what is new gets a new number, what is gone keeps its own, and nothing else moves."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import msgspec
import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from msgspec import UNSET, UnsetType

from engine.kernel.game import Types
from engine.kernel.outcome import Outcome
from engine.kernel.pending import Pending
from engine.kernel.seats import Seat
from services.kit.building.contract import compiled_folder
from services.kit.contracts.files import is_generated, write
from services.kit.contracts.standing import Standing, read
from services.kit.contracts.text import GENERATED, files_of
from services.kit.contracts.wanted import NoMessage, wanted

PACKAGE = "stones.v1"


class Stone(StrEnum):
    """A stone (§1)."""

    GREY = "grey"
    """A grey stone."""
    RED = "red"
    """A red stone."""


class Endless(StrEnum):
    """No limit."""

    NONE = "none"
    """The match goes on."""


class StonesOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What is chosen."""

    rounds: int = 3
    """How many rounds are played."""
    limit: int | Endless | UnsetType = UNSET
    """After how many minutes it ends."""
    quick: bool = False
    """Whether it is quick."""


class Put(msgspec.Struct, frozen=True, kw_only=True, tag="put"):
    """The player puts a stone (§2)."""

    stone: Stone
    """Which one."""
    row: Annotated[int, msgspec.Meta(ge=-4, le=4)]
    """The row, counted from the middle."""


class Pass(msgspec.Struct, frozen=True, kw_only=True, tag="pass_turn"):
    """The player puts nothing (§2)."""


class StonePut(msgspec.Struct, frozen=True, kw_only=True, tag="stone_put"):
    """A stone is put (§2)."""

    seat: Seat
    stone: Stone | None = None
    """Which one; absent if it is hidden."""
    rows: tuple[int, ...] = ()
    """The rows that are full."""


class AnyRow(msgspec.Struct, frozen=True, kw_only=True, tag="put"):
    """Every row."""

    most: int
    """The last row."""


class StonesView(msgspec.Struct, frozen=True, kw_only=True):
    """What is seen."""

    laid: tuple[StonePut, ...]
    """The stones."""
    last: StonePut | None
    """The last one; absent before the first."""
    turn: int | None
    """Whose turn it is."""
    pending: tuple[Pending, ...]
    """What is to be decided."""
    outcome: Outcome | None
    """How it ended."""


class LongerView(StonesView, frozen=True, kw_only=True):
    """What is seen."""

    name: str = ""
    """The name of the table."""


class ShorterView(msgspec.Struct, frozen=True, kw_only=True):
    """What is seen."""

    laid: tuple[StonePut, ...]
    """The stones."""
    outcome: Outcome | None
    """How it ended."""


class Third(msgspec.Struct, frozen=True, kw_only=True, tag="third"):
    """A third thing (§3)."""


def types(**other: Any) -> Types:
    """Return the types of a small game, or some of them replaced."""
    usual = {
        "options": StonesOptions,
        "state": None,
        "action": Put | Pass,
        "event": StonePut,
        "template": AnyRow,
        "view": StonesView,
        "components": None,
    }
    return Types(**{**usual, **other})


def written(game: Types, present: Standing | None = None) -> dict[str, str]:
    standing = present or Standing()
    return dict(files_of("Stones", PACKAGE, wanted(game, standing), standing))


def standing(files: dict[str, str], folder: Path) -> Standing:
    """Return what stands after files were written and compiled."""
    write(folder, files)
    compiled = compiled_folder(folder)
    assert isinstance(compiled, FileDescriptorSet)
    return read(compiled, PACKAGE)


def part(files: dict[str, str], declaration: str) -> str:
    """Return a message or enum with everything in it."""
    (text,) = [one for one in files.values() if f"\n{declaration} {{" in one]
    return text.partition(f"\n{declaration} {{")[2].partition("\n}")[0]


def test_a_game_without_a_contract_gets_one_that_compiles(tmp_path: Path) -> None:
    files = written(types())
    assert sorted(files) == [
        f"stones/v1/{name}.proto"
        for name in ("actions", "components", "events", "options", "templates", "view")
    ]
    assert all(GENERATED in text for text in files.values())
    assert part(files, "message Options").split("\n") == [
        "",
        "  // How many rounds are played.",
        "  optional int32 rounds = 1;",
        "  // After how many minutes it ends.",
        "  Limit limit = 2;",
        "  // Whether it is quick.",
        "  bool quick = 3;",
    ]
    assert "  sint32 row = 2;" in part(files, "message Put")
    assert "  // The seat this is about, counted from 0.\n  int32 seat = 1;" in part(
        files, "message StonePut"
    )
    assert "  optional Stone stone = 2;" in part(files, "message StonePut")
    assert "  repeated int32 rows = 3;" in part(files, "message StonePut")
    assert "message Pass {}" in files["stones/v1/actions.proto"]
    assert "    Put put = 1;" in part(files, "message Action")
    assert "    // The player puts nothing (§2).\n    Pass pass_turn = 2;" in part(files, "message Action")
    assert "    int32 number = 1;\n" in part(files, "message Limit")
    assert "  STONE_UNSPECIFIED = 0;\n  // A grey stone.\n  STONE_GREY = 1;" in part(files, "enum Stone")
    assert "  repeated foldtable.rules.v1.PendingDecision pending = 4;" in part(files, "message View")
    assert "  optional int32 turn = 3;" in part(files, "message View")
    assert standing(files, tmp_path).types.keys() >= {"Options", "View", "Actions", "Templates", "Endless"}


def test_what_is_written_again_is_the_same(tmp_path: Path) -> None:
    files = written(types())
    assert written(types(), standing(files, tmp_path)) == files
    assert write(tmp_path, files) == ()


def test_new_fields_and_members_come_last(tmp_path: Path) -> None:
    present = standing(written(types()), tmp_path)
    files = written(types(view=LongerView, action=Third | Put | Pass), present)
    assert part(files, "message View").endswith("  // The name of the table.\n  string name = 6;")
    assert "    Third third = 3;" in part(files, "message Action")


def test_the_number_of_what_is_gone_is_never_used_again(tmp_path: Path) -> None:
    first = standing(written(types()), tmp_path / "first")
    shorter = written(types(view=ShorterView), first)
    assert part(shorter, "message View").startswith(
        '\n  reserved 2, 3, 4;\n  reserved "last", "pending", "turn";'
    )
    second = standing(shorter, tmp_path / "second")
    again = part(written(types(view=LongerView), second), "message View")
    assert [line.split()[-1] for line in again.split("\n") if "=" in line] == [
        "1;",
        "5;",
        "6;",
        "7;",
        "8;",
        "9;",
    ]
    assert "StonePut last = 6;" in again


def test_what_stands_keeps_its_width_its_file_and_the_words_that_no_type_has(tmp_path: Path) -> None:
    files = written(types())
    view, options = "stones/v1/view.proto", "stones/v1/options.proto"
    files[view] = files[view].replace("optional int32 turn", "optional sint64 turn")
    files[options] = (
        files[options]
        .replace("// A number, or a word in its place.", "// How long it lasts.")
        .replace("int32 number = 1", "int32 minutes = 1")
        .replace("// Options", "// What can be chosen")
    )
    files[options] = files[options].replace("// Stones: options.", "// What can be chosen.")
    assert written(types(), standing(files, tmp_path)) == files


def test_what_a_type_says_replaces_what_the_file_said(tmp_path: Path) -> None:
    files = written(types())
    spoiled = {name: text.replace("A grey stone.", "Anything.") for name, text in files.items()}
    assert spoiled != files
    assert written(types(), standing(spoiled, tmp_path)) == files


class Words(msgspec.Struct, frozen=True, kw_only=True):
    """Something without a form."""

    words: dict[str, int]
    """Words."""


class Half(msgspec.Struct, frozen=True, kw_only=True):
    """Something without a form."""

    half: float | str
    """A half."""


@pytest.mark.parametrize(("shape", "field"), [(Words, "Words.words"), (Half, "Half.half")])
def test_a_type_without_a_form_is_named(shape: Any, field: str) -> None:
    with pytest.raises(NoMessage, match=field):
        written(types(view=shape))


def test_a_root_that_is_no_tagged_union_is_named() -> None:
    with pytest.raises(NoMessage, match="Action"):
        written(types(action=StonesView))


def test_files_that_are_kept_by_hand_are_recognised(tmp_path: Path) -> None:
    files = written(types())
    write(tmp_path, files)
    assert is_generated(tmp_path)
    path = tmp_path / "stones/v1/view.proto"
    path.write_text(path.read_text().replace(GENERATED, "Mine."))
    assert not is_generated(tmp_path)


def test_a_file_whose_types_are_gone_goes(tmp_path: Path) -> None:
    files = written(types())
    write(tmp_path, files)
    kept = {name: text for name, text in files.items() if not name.endswith("view.proto")}
    assert [path.name for path in write(tmp_path, kept)] == ["view.proto"]
    assert not (tmp_path / "stones/v1/view.proto").exists()
