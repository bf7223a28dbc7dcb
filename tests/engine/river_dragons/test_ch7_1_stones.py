"""§7.1 Stones on islands."""

from __future__ import annotations

import pytest

from engine.kernel.errors import TableCode
from engine.river_dragons.actions import PlaceStone, PlaceStoneAt
from engine.river_dragons.box.board import ISLAND_STONES
from engine.river_dragons.box.components import Plank
from engine.river_dragons.errors import Code
from engine.river_dragons.events import LossReason, PartLost, PlankRemoved, StonePlaced

ALL = " ".join(ISLAND_STONES)


def test_on_an_empty_board_every_island_is_free(a_match) -> None:
    story = a_match().executes("blue", "stone1")
    assert story.legal("blue") == {f"place_stone(island={island})" for island in ISLAND_STONES}


def test_a_stone_stands_on_the_centre_of_its_island_and_comes_from_the_supply(a_match) -> None:
    story = a_match().executes("blue", "stone1").plays("blue", PlaceStone(island="I14"))
    assert story.events[0] == StonePlaced(seat=story.seat("blue"), stone="I14", x=-1188, y=160, supply=26)
    assert story.state.supply == 26


def test_one_stone_per_island(a_match) -> None:
    story = a_match().stones("I14").executes("blue", "stone1")
    story.refuses("blue", PlaceStone(island="I14"), Code.ISLAND_HAS_STONE, "7.1", island="I14")


@pytest.mark.parametrize("name", ["V-blue", "I28", "I00", "S1", "", "i14"])
def test_only_islands_take_stones(a_match, name) -> None:
    """Not a village either."""
    a_match().executes("blue", "stone1").refuses("blue", PlaceStone(island=name), Code.ISLAND_UNKNOWN, "7.1")


def test_no_stone_under_a_plank_that_it_would_touch(a_match) -> None:
    """[R10]"""
    story = a_match().stones("I07").planks("green-4 I07-V-green").executes("blue", "stone1")
    assert "place_stone(island=I03)" not in story.legal("blue")
    assert "place_stone(island=I01)" in story.legal("blue")


def test_taking_the_plank_away_frees_the_island(a_match) -> None:
    under = a_match().stones("I07").planks("green-4 I07-V-green")
    taken = PlankRemoved(seat=1, id="I07~V-green", plank=Plank(colour="green", size=4))
    assert "place_stone(island=I03)" in under.told(taken).executes("blue", "stone1").legal("blue")


def test_two_stones_go_to_different_islands_one_after_the_other(a_match) -> None:
    story = a_match().executes("blue", "stone2").plays("blue", PlaceStone(island="I14"))
    assert story.waiting == ["blue stone"]
    story.refuses("blue", PlaceStone(island="I14"), Code.ISLAND_HAS_STONE, "7.1")
    after = story.plays("blue", PlaceStone(island="I15"))
    assert [stone.id for stone in after.state.table.stones] == ["I14", "I15"]


def test_of_two_stones_the_one_without_an_island_is_lost(a_match) -> None:
    """[R7]"""
    only_i27_is_free = " ".join(sorted(set(ISLAND_STONES) - {"I27"}))
    story = a_match().stones(only_i27_is_free).executes("blue", "stone2")
    story = story.plays("blue", PlaceStone(island="I27"))
    lost = PartLost(seat=story.seat("blue"), card="stone2", part=2, reason=LossReason.SUPPLY_EMPTY)
    assert story.events[1] == lost


def test_both_stones_are_lost_on_a_full_board(a_match) -> None:
    """[F11]"""
    story = a_match().stones(ALL).executes("blue", "stone2")
    lost = [event for event in story.events if isinstance(event, PartLost)]
    assert [(each.part, each.reason) for each in lost] == [
        (1, LossReason.SUPPLY_EMPTY),
        (2, LossReason.SUPPLY_EMPTY),
    ]


def test_without_a_free_island_the_stone_is_lost_though_the_supply_holds_some(a_match) -> None:
    """The only bare island lies under a plank."""
    all_but_i03 = " ".join(sorted(set(ISLAND_STONES) - {"I03"}))
    story = a_match().stones(all_but_i03).planks("green-4 I07-V-green").executes("blue", "stone1")
    assert story.state.supply == 1
    assert LossReason.NO_LEGAL_PLACE in [e.reason for e in story.events if isinstance(e, PartLost)]


def test_on_this_side_a_stone_is_not_put_on_a_point(a_match) -> None:
    story = a_match().executes("blue", "stone1")
    story.refuses(
        "blue",
        PlaceStoneAt(x=0, y=0),
        TableCode.WRONG_DECISION,
        "11",
        expected="stone",
        actions=("place_stone",),
    )
