"""§9 The expert side."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.kernel.chance import ScriptedChance, SeededChance
from engine.kernel.errors import TableCode
from engine.river_dragons import water
from engine.river_dragons.actions import ChoosePlank, LayPlank, PlaceStone, PlaceStoneAt, RemoveStone
from engine.river_dragons.box.board import Stone, cross, open_water_pairs
from engine.river_dragons.box.components import STONE_COUNT, Variant
from engine.river_dragons.box.sites import WATER, Point
from engine.river_dragons.errors import Code
from engine.river_dragons.events import LossReason, PartLost, StonePlaced, StoneRemoved
from engine.river_dragons.game import GAME
from engine.river_dragons.rules.expert import TRIES, sample_point
from engine.river_dragons.templates import Capsule, Circle, Region, StoneTemplate
from engine.river_dragons.water import (
    contains,
    count_points,
    free_stretches,
    is_empty,
    nth_point,
    rows,
)


@pytest.fixture
def expert(a_match):
    return a_match(variant=Variant.EXPERT)


def at(x: int, y: int) -> PlaceStoneAt:
    return PlaceStoneAt(x=x, y=y)


def test_a_stone_goes_to_any_point_of_the_water(expert) -> None:
    """[R24]"""
    story = expert.executes("blue", "stone1").plays("blue", at(17, -3))
    assert story.events[0] == StonePlaced(seat=story.seat("blue"), stone="S1", x=17, y=-3, supply=26)


def test_stones_are_numbered_in_order_and_no_name_is_used_twice(expert) -> None:
    """[F2]"""
    story = expert.executes("blue", "stone2").plays("blue", at(0, 0)).plays("blue", at(900, 0))
    assert [stone.id for stone in story.state.table.stones] == ["S1", "S2"]
    gone = story.told(StoneRemoved(seat=0, stone="S1", supply=26))
    again = gone.executes("blue", "stone1").plays("blue", at(0, 0))
    assert [stone.id for stone in again.state.table.stones] == ["S2", "S3"]


def test_the_edge_of_the_water_is_140_away(expert) -> None:
    """[F3] The lower side of the water is at y = 2728."""
    story = expert.executes("blue", "stone1")
    story.refuses("blue", at(0, 2589), Code.NOT_IN_WATER, "9", min_distance=140)
    assert story.plays("blue", at(0, 2588)).events


@pytest.mark.parametrize("point", [(0, 5000), (3150, 0), (100_000, 100_000), (-100_000, 3)])
def test_the_bank_takes_no_stone(expert, point) -> None:
    expert.executes("blue", "stone1").refuses("blue", at(*point), Code.NOT_IN_WATER, "9")


def test_a_villages_edge_is_160_away_that_is_640_from_its_centre(expert) -> None:
    """[F3]"""
    story = expert.executes("blue", "stone1")
    story.refuses(
        "blue", at(-2211, 0), Code.TOO_NEAR_VILLAGE, "9", village="V-pink", distance=639, min_distance=640
    )
    assert story.plays("blue", at(-2210, 0)).events


def test_two_stones_are_300_apart(expert) -> None:
    """[F3]"""
    story = expert.stone_at("S1", 0, 0).executes("blue", "stone1")
    story.refuses("blue", at(180, 239), Code.TOO_NEAR_STONE, "9", stone="S1", distance=299)
    assert story.plays("blue", at(180, 240)).events


def test_no_stone_under_a_plank(expert) -> None:
    """[R10] 140 of the stone and half a plank's width make 190."""
    story = expert.stone_at("S1", -500, 0).stone_at("S2", 500, 0).planks("red-3 S1-S2")
    story = story.executes("blue", "stone1")
    story.refuses("blue", at(0, 189), Code.STONE_UNDER_PLANK, "7.1", planks=("S1~S2",))
    assert story.plays("blue", at(0, 190)).events


def test_planks_join_stones_and_villages_as_on_the_island_side(expert) -> None:
    story = expert.stone_at("S1", -500, 0).stone_at("S2", 500, 0).stone_at("S3", -1800, 0)
    story = story.executes("blue", "plank1").plays("blue", ChoosePlank(size=6))
    assert story.legal("blue") == {
        "lay_plank(a=S1, b=S2)",
        "lay_plank(a=S1, b=S3)",
        "lay_plank(a=S3, b=V-pink)",
    }


def test_a_plank_over_a_third_stone_is_refused(expert) -> None:
    """[R16]"""
    story = expert.stone_at("S1", -600, 0).stone_at("S2", 600, 0).stone_at("S3", 0, 100)
    story = story.executes("blue", "plank1").plays("blue", ChoosePlank(size=6))
    story.refuses("blue", LayPlank(a="S1", b="S2"), Code.PASSES_OVER_SUPPORT, "7.2", supports=("S3",))
    assert "lay_plank(a=S1, b=S3)" in story.legal("blue")


def test_a_plank_over_a_village_is_refused(expert) -> None:
    """[R16] Two stones behind the pink village, one above and one below."""
    story = expert.stone_at("S1", -2450, -700).stone_at("S2", -2450, 700)
    story = story.executes("blue", "plank1").plays("blue", ChoosePlank(size=6))
    story.refuses("blue", LayPlank(a="S1", b="S2"), Code.PASSES_OVER_SUPPORT, "7.2", supports=("V-pink",))


@pytest.mark.parametrize(("away", "fits"), [(189, False), (190, True)])
def test_a_plank_keeps_190_from_the_centre_of_a_third_stone(expert, away, fits) -> None:
    """[R16] 140 of the stone and half a plank's width."""
    story = expert.stone_at("S1", -600, 0).stone_at("S2", 600, 0).stone_at("S3", 0, away)
    story = story.executes("blue", "plank1").plays("blue", ChoosePlank(size=6))
    assert ("lay_plank(a=S1, b=S2)" in story.legal("blue")) == fits


@pytest.mark.parametrize(("x", "fits"), [(-2321, False), (-2320, True)])
def test_a_plank_keeps_530_from_the_centre_of_a_third_village(expert, x, fits) -> None:
    """[R16] 480 of the village and half a plank's width; the pink village is at x = -2850."""
    story = expert.stone_at("S1", x, -700).stone_at("S2", x, 700)
    story = story.executes("blue", "plank1").plays("blue", ChoosePlank(size=6))
    assert ("lay_plank(a=S1, b=S2)" in story.legal("blue")) == fits


@pytest.mark.parametrize(("away", "touch"), [(99, True), (100, False)])
def test_planks_without_a_common_support_keep_a_planks_width(away, touch) -> None:
    """[R15] Two axes side by side. (On a real board the stones at their ends keep them further apart.)"""
    ends = (("S1", -700, 0), ("S2", 400, 0), ("S3", 150, away), ("S4", 1200, away))
    pairs = open_water_pairs(tuple(Stone(*end) for end in ends))
    assert cross(pairs.by_id["S1~S2"], pairs.by_id["S3~S4"]) == touch


def test_a_stone_removed_makes_room_for_a_plank(expert) -> None:
    story = expert.stone_at("S1", -600, 0).stone_at("S2", 600, 0).stone_at("S3", 0, 100)
    free = story.executes("blue", "remove").plays("blue", RemoveStone(support="S3"))
    again = free.told().executes("blue", "plank1").plays("blue", ChoosePlank(size=6))
    assert "lay_plank(a=S1, b=S2)" in again.legal("blue")


def test_with_an_empty_supply_the_stone_is_lost(expert) -> None:
    story = expert
    for number in range(STONE_COUNT):
        story = story.stone_at(f"S{number + 1}", -1200 + 301 * (number % 9), 301 * (number // 9))
    story = story.executes("blue", "stone2")
    lost = [event.reason for event in story.events if isinstance(event, PartLost)]
    assert lost == [LossReason.SUPPLY_EMPTY, LossReason.SUPPLY_EMPTY]


def test_the_legal_points_are_told_as_a_region(expert) -> None:
    story = expert.stone_at("S1", -500, 0).stone_at("S2", 500, 0).planks("red-3 S1-S2")
    story = story.executes("blue", "stone1")
    listed = GAME.legal_actions(story.state, story.seat("blue"))
    assert listed.actions == ()
    (template,) = listed.templates
    assert isinstance(template, StoneTemplate)
    assert template.region.water == WATER
    assert template.region.edge_min_distance == 140
    assert [circle.min_distance for circle in template.region.circles] == [640] * 6 + [300] * 2
    assert template.region.capsules == (Capsule(x1=-500, y1=0, x2=500, y2=0, min_distance=190),)


def test_on_this_side_a_stone_is_not_put_on_an_island(expert) -> None:
    expert.executes("blue", "stone1").refuses(
        "blue", PlaceStone(island="I01"), TableCode.WRONG_DECISION, "11", actions=("place_stone_at",)
    )


# The region, exactly

BLOT = st.builds(Circle, x=st.integers(-60, 60), y=st.integers(-60, 60), min_distance=st.integers(1, 60))
BAR = st.builds(
    Capsule,
    x1=st.integers(-60, 60),
    y1=st.integers(-60, 60),
    x2=st.integers(-60, 60),
    y2=st.integers(-60, 60),
    min_distance=st.integers(1, 40),
)
SMALL_WATER = (Point(50, 0), Point(25, 43), Point(-25, 43), Point(-50, 0), Point(-25, -43), Point(25, -43))
REGIONS = st.builds(
    Region,
    water=st.just(SMALL_WATER),
    edge_min_distance=st.integers(0, 30),
    circles=st.lists(BLOT, max_size=4).map(tuple),
    capsules=st.lists(BAR, max_size=4).map(tuple),
)


def points(region: Region) -> list[Point]:
    """Every legal point, by asking for each."""
    return [Point(x, y) for y in range(-50, 51) for x in range(-55, 56) if contains(region, x, y)]


@settings(max_examples=300, derandomize=True, deadline=None)
@given(REGIONS)
def test_rows_hold_exactly_the_legal_points(region: Region) -> None:
    """[F5]"""
    by_rows = [
        Point(x, y)
        for y in rows(region)
        for first, last in free_stretches(region, y)
        for x in range(first, last + 1)
    ]
    assert by_rows == points(region)
    assert count_points(region) == len(by_rows)
    assert is_empty(region) == (not by_rows)


@settings(max_examples=30, derandomize=True, deadline=None)
@given(REGIONS)
def test_every_legal_point_has_its_number(region: Region) -> None:
    legal = points(region)
    assert [nth_point(region, number) for number in range(0, len(legal), 37)] == legal[::37]
    with pytest.raises(LookupError):
        nth_point(region, len(legal))


def region_with_one_point() -> Region:
    """A cover of discs that leaves the origin alone: exactly at distance 10 of each."""
    circles = tuple(Circle(x=x, y=y, min_distance=10) for x, y in ((10, 0), (-10, 0), (0, 10), (0, -10)))
    near = Region(water=SMALL_WATER, edge_min_distance=33, circles=circles, capsules=())
    assert points(near) == [Point(0, 0)]
    return near


def test_a_single_legal_point_is_found() -> None:
    """[F5]"""
    near = region_with_one_point()
    assert not is_empty(near)
    closed = Region(
        water=near.water,
        edge_min_distance=near.edge_min_distance,
        circles=(*near.circles, Circle(x=0, y=0, min_distance=1)),
        capsules=(),
    )
    assert is_empty(closed)


def test_sampling_falls_back_to_counting_when_trying_fails() -> None:
    near = region_with_one_point()
    misses = [0, 0] * TRIES
    assert sample_point(near, ScriptedChance([*misses, 0])) == at(0, 0)


def test_without_any_legal_point_the_stone_is_lost(expert, monkeypatch) -> None:
    """[F5] Told with a far wider berth than the rules ask for: a real board hardly ever gets that full."""
    monkeypatch.setattr(water, "STONE_TO_STONE", 7000)
    story = expert.stone_at("S1", 0, 0).executes("blue", "stone1")
    lost = [event.reason for event in story.events if isinstance(event, PartLost)]
    assert lost == [LossReason.NO_LEGAL_PLACE]


def test_on_an_open_board_more_than_half_of_the_points_tried_are_legal(expert) -> None:
    region = expert.state.table.region
    sampled = [sample_point(region, SeededChance(bytes(32), n)) for n in range(50)]
    assert all(contains(region, point.x, point.y) for point in sampled)
    across, down = 2 * (3150 - 140) + 1, len(rows(region))
    assert 0.5 < count_points(region) / (across * down) < 0.7
