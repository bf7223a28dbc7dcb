"""The river is drawn as the rules know it: what touches there touches on the screen, and nothing else does."""

from __future__ import annotations

import pytest

from engine.kernel.layout import Board, Place
from engine.river_of_gold.box.board import REGION_OF, RIVERS, SHORES, TRACK_END, VISITED
from engine.river_of_gold.box.components import GOODS, REGIONS
from engine.river_of_gold.game import GAME

BOARDS = {board.id: board for board in (*GAME.layout.boards, *GAME.layout.mats)}
RIVER = {place.id: place for place in BOARDS["river"].places}
CLOSE = 10
"""How far apart places are drawn that touch in the rules."""
LONG_ENOUGH = 15
"""Along how much of an edge they touch, so that it can be seen."""


def edges(place: Place) -> tuple[int, int, int, int]:
    """Left, right, upper and lower edge."""
    across, down = place.width // 2, place.height // 2
    return place.x - across, place.x + across, place.y - down, place.y + down


def apart(one: Place, other: Place) -> tuple[int, int]:
    """How far they are apart from left to right and from top to bottom; below 0 is how long they lie side by side."""
    left, right, upper, lower = edges(one)
    of_left, of_right, of_upper, of_lower = edges(other)
    return max(left, of_left) - min(right, of_right), max(upper, of_upper) - min(lower, of_lower)


def touch(one: Place, other: Place) -> bool:
    across, down = apart(one, other)
    return (across <= CLOSE and down <= -LONG_ENOUGH) or (down <= CLOSE and across <= -LONG_ENOUGH)


@pytest.mark.parametrize("river", range(len(RIVERS)), ids=RIVERS)
def test_a_river_space_touches_exactly_the_shore_spaces_a_ship_visits_from_it(river: int) -> None:
    """§1.2"""
    there = RIVER[RIVERS[river]]
    assert {at for at, shore in enumerate(SHORES) if touch(there, RIVER[shore])} == set(VISITED[river])


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_no_place_covers_a_part_of_another(board: Board) -> None:
    for number, one in enumerate(board.places):
        for other in board.places[number + 1 :]:
            assert max(apart(one, other)) >= 0, (one.id, other.id)


def test_every_shore_space_has_room_for_a_tile_with_two_markers() -> None:
    """On a phone of 360 pixels the narrowest one is wider than a fingertip needs, 24 pixels, less rounding."""
    scale = 360 / BOARDS["river"].view_box.width
    assert min(min(RIVER[shore].width, RIVER[shore].height) for shore in SHORES) * scale > 23


def test_every_space_belongs_to_the_group_of_its_region() -> None:
    """§1.1"""
    for at, shore in enumerate(SHORES):
        assert RIVER[shore].group == f"region_{REGION_OF[at]}"


def test_the_paths_are_the_way_of_the_ships_and_what_they_visit() -> None:
    """§1.2, §5.1: from each river space to the next; from the last one to the first one as a journey."""
    paths = BOARDS["river"].paths
    way = [(path.a, path.b, path.kind) for path in paths if path.directed]
    assert len(way) == len(RIVERS)
    assert way[-1] == ("river_14", "river_01", "journey")
    visits = [(path.a, path.b) for path in paths if path.kind == "visit"]
    assert len(visits) == sum(map(len, VISITED))


def test_a_space_shows_what_building_on_it_costs() -> None:
    """§4.2: no cost where imperial markets lie."""
    assert (RIVER["shore_16"].label, RIVER["shore_16"].kind) == ("9", "shore")
    assert (RIVER["shore_06"].label, RIVER["shore_06"].kind) == ("", "imperial_shore")


def test_every_region_has_a_track_from_0_to_18() -> None:
    """§4.6"""
    there = {place.id for place in BOARDS["influence"].places}
    assert {f"track_{region}_{space}" for region in REGIONS for space in range(TRACK_END + 1)} <= there


@pytest.mark.parametrize(("seats", "values"), [(2, ["5"]), (3, ["7", "5", "3"]), (4, ["7", "5", "3"])])
def test_masteries_have_the_slots_of_the_number_of_players(seats: int, values: list[str]) -> None:
    """§7.2"""
    (supply,) = [board for board in GAME.layout.boards if seats in board.seats]
    labels = [place.label for place in supply.places if place.id.startswith("mastery_1_slot_")]
    assert labels == values


def test_the_mats_have_a_place_for_everything_that_is_held() -> None:
    there = {place.id for mat in GAME.layout.mats for place in mat.places}
    assert {*GOODS, "koku", "favor", "favor_limit", "vp", "hand", "delivered", "patron"} <= there
