"""An error that names a place says what would have been right there, where that is few."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec
import pytest

from engine.kernel.allowed import allowed_at
from engine.kernel.errors import Unreadable
from engine.registry import game

DRAGONS = game("river_dragons")


@pytest.mark.parametrize(
    ("pointer", "some"),
    [
        pytest.param("$.type", "submit_program", id="the tag of a union"),
        pytest.param("$.cards[3]", "dragon:blue", id="an enum in a list of one of its structs"),
    ],
)
def test_the_allowed_values_of_a_place_are_found(pointer: str, some: str) -> None:
    assert some in allowed_at(DRAGONS.types.action, pointer)


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Piece(msgspec.Struct):
    colour: Colour
    perhaps: Colour | None
    named: Annotated[Colour, msgspec.Meta(description="of the piece")] | None
    several: tuple[Colour | None, ...]
    listed: tuple[Colour, ...] | None
    few: Annotated[int, msgspec.Meta(ge=0, le=3)] | Colour | None
    no_less: Annotated[int, msgspec.Meta(ge=0)] | Colour
    no_more: Annotated[int, msgspec.Meta(le=3)] | Colour
    number: Annotated[int, msgspec.Meta(ge=0, le=3)]
    inner: Piece | None


@pytest.mark.parametrize(
    ("pointer", "values"),
    [
        ("$.colour", {"red", "blue"}),
        ("$.perhaps", {"red", "blue"}),
        ("$.named", {"red", "blue"}),
        ("$.several[0]", {"red", "blue"}),
        ("$.listed[0]", {"red", "blue"}),
        ("$.few", {"0 to 3", "red", "blue"}),
        ("$.no_less", {"red", "blue"}),
        ("$.no_more", {"red", "blue"}),
        ("$.number", set()),
        ("$.inner.perhaps", {"red", "blue"}),
        ("$.inner.inner.few", {"0 to 3", "red", "blue"}),
    ],
)
def test_limits_descriptions_and_nothing_at_all_are_looked_through(pointer: str, values: set[str]) -> None:
    assert set(allowed_at(Piece, pointer)) == values


@pytest.mark.parametrize("pointer", ["$", "$.x", "$.nowhere", "$.cards", "$.cards[0].deeper"])
def test_places_with_many_values_or_none_have_no_list(pointer: str) -> None:
    assert allowed_at(DRAGONS.types.action, pointer) == ()


@pytest.mark.parametrize(
    ("data", "pointer", "detail"),
    [
        pytest.param(b'{"type":"fly"}', "$.type", "jump", id="an unknown tag"),
        pytest.param(b'{"type":"step"}', "$.to", "is missing", id="a missing field"),
        pytest.param(
            b'{"type":"step","to":"V-red","by":1}', "$.by", "is not known here", id="an unknown field"
        ),
        pytest.param(
            b'{"type":"submit_program","cards":["moon"]}',
            "$.cards[0]",
            "allowed: stone1, ",
            id="an unknown card",
        ),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place_and_what_is_allowed(
    data: bytes, pointer: str, detail: str
) -> None:
    with pytest.raises(Unreadable) as refusal:
        DRAGONS.action_codec.decode(data)
    assert refusal.value.pointer == pointer
    assert detail in refusal.value.detail
