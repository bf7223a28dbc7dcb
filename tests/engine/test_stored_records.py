"""Every event and request that was ever written into a log is read today, and says what it said."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.kernel.codec import encode
from engine.registry import game
from tests.golden.records import NO_GAME, Stored, codec, missing, records, shape_of, structs
from tests.support.our_games import OUR_GAMES

OWNERS = (*OUR_GAMES, NO_GAME)
STORED = [
    pytest.param(owner, one, id=f"{owner}-{one.kind}-{one.tag}-{one.shape[:4]}")
    for owner in OWNERS
    for one in records(owner)
]


def lifted(owner: str, tag: str) -> bool:
    """Has the tag a reader of its old shapes?"""
    return owner != NO_GAME and tag in game(owner).upcasters


@pytest.mark.parametrize("owner", OWNERS)
def test_there_is_a_record_of_every_event_and_request_in_the_shape_of_today(owner: str) -> None:
    """A new event, or a field that is new: `python -m tests.golden.records` adds its record. The old one stays."""
    assert missing(owner) == set()


@pytest.mark.parametrize(("owner", "one"), STORED)
def test_a_stored_record_is_read_and_says_all_it_said(owner: str, one: Stored) -> None:
    """A field that is new may be added with its default; one that is gone, or means something else, needs an upcaster."""
    said = msgspec.json.decode(encode(codec(owner, one.kind).decode(msgspec.json.encode(one.record))))
    assert lifted(owner, one.tag) or said | one.record == said


@pytest.mark.parametrize("owner", OWNERS)
def test_no_record_is_stored_twice(owner: str) -> None:
    stored = [(one.kind, one.tag, one.shape) for one in records(owner)]
    assert len(stored) == len(set(stored))


class Crate(msgspec.Struct, frozen=True, kw_only=True, tag="crate_loaded"):
    berth: int


def another(**fields: Any) -> type:
    """Return a struct of the same tag with other fields."""
    return msgspec.defstruct("Crate", list(fields.items()), kw_only=True, tag="crate_loaded")


def test_a_shape_tells_fields_their_kinds_and_nothing_of_where_the_class_lives() -> None:
    assert shape_of(Crate) == shape_of(another(berth=int))
    others = [another(berth=str), another(pier=int), another(berth=int, crate=int), another(berth=int | None)]
    assert len({shape_of(Crate), *map(shape_of, others)}) == 1 + len(others)


def test_the_system_and_the_games_share_no_tag() -> None:
    """Rows are told apart by it."""
    for kind in ("event", "request"):
        for owner in OUR_GAMES:
            assert structs(owner, kind).keys().isdisjoint(structs(NO_GAME, kind))
