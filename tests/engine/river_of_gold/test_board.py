"""§1.1, §1.2, §4.6 The board against a table copied from it by hand: costs, regions, what touches what, the tracks."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.river_of_gold.box.board import (
    FLOWER_SPACE,
    REGION_SPACES,
    RIVER_SPACES,
    SHORE_SPACES,
    START_RIVERS,
    TOUCHING,
    TRACK_END,
    TRACK_SPACES,
    downstream,
)
from engine.river_of_gold.box.masteries import REGION_TILES, tile_values
from engine.river_of_gold.box.rewards import Reward

SHORES = """
    01 right 6        02 left 5         03 right 8 2/3    04 left 12        05 right 6
    06 left imperial  07 right 8 2      08 left 6         09 right 12       10 left 9
    11 right 8 2/3    12 left 12        13 right 6        14 left 5 2       15 right 11
    16 left 9         17 left imperial  18 right 12       19 left 6         20 right 6
    21 left 12        22 left 8 2/3     23 right 9 2      24 left 6         25 right 11
    26 left 13        27 right 6        28 left 6         29 right imperial 30 right 5
"""
"""A line is a region: number, bank, koku, and with how many players a starting tile lies there."""

RIVERS = {
    1: "01 02 03 04 / 1",
    2: "03 04 05 07 / 1 2",
    3: "04 06 07 09 / 1 2",
    4: "06 08 09 10 / 2",
    5: "09 10 11 12 / 2 3",
    6: "11 12 13 15 / 3",
    7: "12 14 15 16 / 3 4",
    8: "15 16 17 18 / 3 4",
    9: "17 18 19 21 / 4 5",
    10: "18 20 21 23 / 4 5",
    11: "21 22 23 25 / 5",
    12: "22 24 25 26 / 5 6",
    13: "25 26 27 29 / 5 6",
    14: "26 28 29 30 / 6",
}
"""The four shore spaces around each river space, and the regions it touches."""

TOUCHED_BY = (1, 1, 2, 3, 1, 2, 2, 1, 3, 2, 2, 3, 1, 1, 3, 2, 2, 3, 1, 1, 3, 2, 2, 1, 3, 3, 1, 1, 2, 1)
"""§9 How many river spaces touch each shore space, from 01 to 30."""

REGION_GOODS = "porcelain rice silk porcelain rice silk"
REGION_NAMES = (
    "Spine of the World",
    "Shinomen Forest",
    "Three Man Alliance Plain",
    "Kitsune Woods",
    "Uebe Marshes",
    "Earthquake Fish Bay",
)
TILES = {
    "region_tile_1": ((3,), (7, 3)),
    "region_tile_2": ((5, 2), (9, 5)),
    "region_tile_3": ((4, 2), (8, 4)),
    "region_tile_4": ((8, 4), (12, 8, 4)),
    "region_tile_5": ((6, 3), (10, 6, 2)),
    "region_tile_6": ((7, 3), (11, 7, 3)),
}
"""§8.5 The side for two, the side for three and four."""


def told_shores() -> dict[str, tuple[int, str, int | None, tuple[int, ...]]]:
    """Number -> region, bank, cost, numbers of players with a starting tile."""
    told = {}
    for region, line in enumerate(SHORES.strip().splitlines(), start=1):
        words = line.split()
        while words:
            number, bank, cost = words[:3]
            del words[:3]
            counts = words.pop(0) if words and words[0] in {"2", "2/3"} else ""
            starting = tuple(int(count) for count in counts.split("/") if count)
            told[number] = (region, bank, None if cost == "imperial" else int(cost), starting)
    return told


TOLD_SHORES = told_shores()


def test_there_are_30_shore_spaces_and_14_river_spaces_in_order() -> None:
    assert [space.id for space in SHORE_SPACES] == [f"shore_{n:02}" for n in range(1, 31)]
    assert [space.id for space in RIVER_SPACES] == [f"river_{n:02}" for n in range(1, 15)]


@pytest.mark.parametrize("space", SHORE_SPACES, ids=lambda space: space.id)
def test_a_shore_space_is_as_printed(space) -> None:
    """§1.1, §2.1"""
    region, bank, cost, starting = TOLD_SHORES[space.id.removeprefix("shore_")]
    assert (space.region, space.bank, space.cost, space.starting_tile) == (region, bank, cost, starting)


@pytest.mark.parametrize("space", RIVER_SPACES, ids=lambda space: space.id)
def test_a_river_space_touches_four_shore_spaces_and_their_regions(space) -> None:
    """§1.2, §5.2 [A17] In ascending order, which is the order of rewards [A38]."""
    shores, regions = RIVERS[int(space.id.removeprefix("river_"))].split(" / ")
    assert [shore.removeprefix("shore_") for shore in space.shores] == shores.split()
    assert [str(region) for region in space.regions] == regions.split()
    assert list(space.shores) == sorted(space.shores)
    assert {*space.regions} == {TOLD_SHORES[number][0] for number in shores.split()}


def test_every_shore_space_is_touched_by_one_to_three_neighbouring_river_spaces() -> None:
    """§9 What Yasuki Taka counts; the neighbourhood is the same from the river and from the shore."""
    around = Counter(number for line in RIVERS.values() for number in line.split(" / ")[0].split())
    assert tuple(around[f"{n:02}"] for n in range(1, 31)) == TOUCHED_BY
    assert TOUCHING == TOUCHED_BY
    for number in TOLD_SHORES:
        rivers = [n for n, line in RIVERS.items() if number in line.split(" / ")[0].split()]
        assert rivers == list(range(rivers[0], rivers[0] + len(rivers)))
        told = [int(space.id[-2:]) for space in RIVER_SPACES if f"shore_{number}" in space.shores]
        assert told == rivers


def test_every_region_has_five_shore_spaces_and_a_track() -> None:
    assert Counter(space.region for space in SHORE_SPACES) == dict.fromkeys(range(1, 7), 5)
    assert [space.region for space in REGION_SPACES] == [1, 2, 3, 4, 5, 6]
    assert tuple(space.name for space in REGION_SPACES) == REGION_NAMES
    assert [space.good for space in REGION_SPACES] == REGION_GOODS.split()


def test_imperial_spaces_have_no_cost_and_the_others_five_to_thirteen() -> None:
    """§2.1"""
    costs = {space.id[-2:]: space.cost for space in SHORE_SPACES}
    assert [number for number, cost in costs.items() if cost is None] == ["06", "17", "29"]
    assert {cost for cost in costs.values() if cost is not None} == {5, 6, 8, 9, 11, 12, 13}


def test_the_tracks_reward_five_spaces_and_show_a_flower() -> None:
    """§4.6"""
    assert (TRACK_END, FLOWER_SPACE) == (18, 11)
    assert {each.space: (each.region_good, each.reward) for each in TRACK_SPACES} == {
        2: (1, Reward()),
        5: (0, Reward(koku=2)),
        9: (0, Reward(favor=1)),
        13: (0, Reward(vp=3)),
        18: (0, Reward(vp=3, any_good=1)),
    }
    spaces = [each.space for each in TRACK_SPACES]
    assert spaces == sorted(spaces)


def test_the_starting_spaces_are_the_first_and_the_eighth() -> None:
    """§1.2 [A2] Upstream, and midstream."""
    assert START_RIVERS == (0, 7)


@pytest.mark.parametrize(
    ("start", "steps", "end", "completed"),
    [
        pytest.param(13, 1, 14, False, id="onto the last space"),
        pytest.param(14, 1, 1, True, id="one step over the end"),
        pytest.param(13, 4, 3, True, id="W18"),
        pytest.param(9, 6, 1, True, id="six steps, just over"),
        pytest.param(8, 6, 14, False, id="the setup's longest roll"),
        pytest.param(1, 6, 7, False, id="from the start"),
    ],
)
def test_the_river_is_a_loop_for_counting(start, steps, end, completed) -> None:
    """§1.2 [A3]"""
    assert downstream(start - 1, steps) == (end - 1, completed)


def test_region_tiles_are_as_printed() -> None:
    """§8.5 [A36] One of them has a single value on the side for two."""
    assert {tile.id: (tile.two_players, tile.more_players) for tile in REGION_TILES} == TILES
    for name, (two, more) in TILES.items():
        assert (tile_values(name, 2), tile_values(name, 3), tile_values(name, 4)) == (two, more, more)
