"""What a type of REST leaves unsaid, the contract says: words, examples, and for mirrors the fields themselves."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from foldtable.matches.v1 import clock_pb2, match_pb2
from foldtable.platform.v1 import account_pb2
from foldtable.rules.v1 import hints_pb2, layout_pb2
from gateway.contract.mirror_of import Mirror, mirror_of
from gateway.openapi.comments import add_comments
from gateway.schemas.tables.hints import ActionHint
from gateway.schemas.tables.layout import Layout
from gateway.translate.struct_of import struct_of


class Seen(Struct, kw_only=True):
    title: str
    game: str
    start: Literal["when_full", "on_demand"]
    secret: str | None
    rules_version: Annotated[str, Meta(description="In words of its own.")]
    unknown: int


seen = struct_of(Seen, match_pb2.Match, given=("unknown",))


def members(shape: type) -> dict[str, Any]:
    component = msgspec.json.schema_components([shape])[1][shape.__name__]
    add_comments(component, shape)
    return {"": component} | component["properties"]


def test_a_field_without_words_has_those_of_its_message() -> None:
    said = members(Seen)
    assert said["title"]["description"] == "Title shown in listings. May be empty."
    assert said[""]["description"].startswith("A match without its state.")
    assert "description" not in said["unknown"]


def test_a_field_keeps_its_own_words() -> None:
    assert members(Seen)["rules_version"]["description"] == "In words of its own."


def test_what_the_contract_quotes_is_code_and_an_example() -> None:
    game = members(Seen)["game"]
    assert game["description"] == "Id of the game, such as `river_dragons`."
    assert game["examples"] == ["river_dragons"]


def test_the_values_of_an_enum_are_explained_by_the_names_of_rest() -> None:
    assert members(Seen)["start"]["description"] == (
        "When the match begins. `when_full`: When the last seat is taken, or earlier at the tenant's request. "
        "`on_demand`: When the tenant or a seated player asks for it."
    )


def test_what_is_absent_or_empty_in_a_message_is_null_in_an_answer() -> None:
    assert "Null until the match is over." in members(Seen)["secret"]["description"]


def test_a_mirror_has_the_fields_of_its_message_in_their_order() -> None:
    assert Layout.__struct_fields__ == ("game", "boards", "mats", "seats", "seats_with")
    convert = struct_of(ActionHint, hints_pb2.ActionHint)
    hint = hints_pb2.ActionHint(group="build", cost=[hints_pb2.Cost(resource="koku", amount=2)])
    assert msgspec.json.encode(convert(hint)) == (
        b'{"group":"build","targets":[],"cost":[{"resource":"koku","amount":2}]}'
    )


def test_a_mirror_takes_what_its_class_declares() -> None:
    @mirror_of(account_pb2.Tenant)
    class Mirrored(Mirror):
        created_at: str

    assert Mirrored.__struct_fields__ == ("tenant", "created_at", "anonymous_read", "vacation_days")


def test_an_optional_number_of_a_mirror_may_be_null() -> None:
    @mirror_of(layout_pb2.Piece)
    class Mirrored(Mirror):
        pass

    assert "null" in str(members(Mirrored)["seat"])
    assert "null" not in str(members(Mirrored)["count"])


def test_a_mirror_does_not_guess_how_times_are_written() -> None:
    with pytest.raises(TypeError, match=r"SeatClock\.deadline"):

        @mirror_of(clock_pb2.SeatClock)
        class Mirrored(Mirror):
            pass
