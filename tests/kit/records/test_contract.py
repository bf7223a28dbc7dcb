"""The checks of contracts find types that differ from their messages, records that change on the way, and missing comments."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from engine.kernel.records import Options
from engine.registry import newest
from services.kit.records import comments, contract
from services.kit.records.comments import COMMENTS
from services.kit.records.contract import CONTRACT, differing
from tests.kit.records.planted import SIMPLE, faults, subject

GAME = newest(SIMPLE)


class OtherOptions(Options, frozen=True, kw_only=True):
    """Options that the contract does not know."""

    patience: int = 3


class Coin(msgspec.Struct, frozen=True):
    """Something that a list may hold."""

    worth: int


def test_a_field_that_the_contract_lacks_is_named() -> None:
    (told,) = faults(CONTRACT, subject(types=replace(GAME.types, options=OtherOptions)))
    assert told.startswith("types and contract disagree: foldtable.al_rashid.v1.Options: only one side has ")
    assert "patience" in told


def test_a_contract_without_messages_is_named() -> None:
    planted = subject()
    planted.package = replace(planted.package, contract="foldtable.chess.v1")
    told = faults(CONTRACT, planted)
    assert told[0] == "types and contract disagree: its contract has no message foldtable.chess.v1.Options"
    assert faults(COMMENTS, planted) == [
        "foldtable:descriptors.binpb contains no file of the package foldtable.chess.v1"
    ]


def test_a_list_message_must_list_its_records(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contract, "LISTS", {"Events": ("happenings", "Event"), "Moves": ("moves", "Move")})
    assert faults(CONTRACT, subject()) == [
        "foldtable.al_rashid.v1.Events must have one field and no other: `repeated Event happenings = 1`",
        "its contract has no message foldtable.al_rashid.v1.Moves",
    ]


def test_components_of_another_type_are_a_fault() -> None:
    told = faults(CONTRACT, subject(components={"coins": "many"}))
    assert told[0].startswith("the components do not match their type: ")


def test_a_view_that_does_not_survive_is_a_fault() -> None:
    def view(state, audience):
        seen = GAME.view(state, audience)
        return msgspec.structs.replace(seen, territories=list(seen.territories))

    assert [one.partition(" [")[0] for one in faults(CONTRACT, subject(view=view))] == [
        f"AlRashidView.territories is not the same after it was written as {form} and read again: list"
        for form in ("message", "JSON")
    ]


def test_a_difference_is_told_by_its_place() -> None:
    assert differing(Coin(1), Coin(2)) == (".worth", "int 1", "int 2")
    assert differing((Coin(1), Coin(1)), (Coin(1), Coin(3))) == ("[1].worth", "int 1", "int 3")
    assert differing("1", 1) == ("", "str '1'", "int 1")


def test_a_message_without_a_comment_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    silent = FileDescriptorSet()
    silent.file.add(name="a.proto", package=f"foldtable.{SIMPLE}.v1").message_type.add(name="Move").field.add(
        name="to"
    )
    monkeypatch.setattr(comments, "descriptors_of", lambda _: silent)
    assert faults(COMMENTS, subject()) == [
        f"foldtable.{SIMPLE}.v1.Move has no comment",
        f"foldtable.{SIMPLE}.v1.Move.to has no comment",
    ]
