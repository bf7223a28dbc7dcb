"""§14 The board: every count of the geometry's checks, and its symmetry."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from math import hypot
from operator import or_

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.river_dragons.box.board import ISLAND_PAIRS, Pair, Stone, cross, open_water_pairs, passes_over
from engine.river_dragons.box.components import PLANK_SIZES, Colour, destination_of, village_of
from engine.river_dragons.box.geometry import nearer_than_to_segment, segments_nearer_than
from engine.river_dragons.box.sites import ISLANDS, VILLAGES

PAIRS = ISLAND_PAIRS.pairs
OVER_ANYTHING = reduce(or_, ISLAND_PAIRS.passing_over.values())

ROTATION = {
    "I01": "I19",
    "I02": "I23",
    "I03": "I13",
    "I04": "I26",
    "I05": "I06",
    "I06": "I27",
    "I07": "I15",
    "I08": "I21",
    "I09": "I10",
    "I10": "I24",
    "I11": "I17",
    "I12": "I04",
    "I13": "I25",
    "I14": "I08",
    "I15": "I20",
    "I16": "I11",
    "I17": "I16",
    "I18": "I02",
    "I19": "I22",
    "I20": "I07",
    "I21": "I14",
    "I22": "I01",
    "I23": "I18",
    "I24": "I09",
    "I25": "I03",
    "I26": "I12",
    "I27": "I05",
    "V-pink": "V-blue",
    "V-green": "V-black",
    "V-blue": "V-red",
    "V-black": "V-yellow",
    "V-red": "V-pink",
    "V-yellow": "V-green",
}
"""A third of a turn, clockwise."""
MIRROR = {
    "I01": "I02",
    "I03": "I04",
    "I05": "I06",
    "I07": "I08",
    "I09": "I10",
    "I11": "I11",
    "I12": "I13",
    "I14": "I15",
    "I16": "I17",
    "I18": "I19",
    "I20": "I21",
    "I22": "I23",
    "I24": "I24",
    "I25": "I26",
    "I27": "I27",
    "V-pink": "V-black",
    "V-green": "V-blue",
    "V-red": "V-yellow",
}
"""Left and right."""
MIRROR = MIRROR | {right: left for left, right in MIRROR.items()}


def with_village(pair: Pair) -> bool:
    return pair.a.is_village or pair.b.is_village


def test_usable_pairs_123_between_stones_36_with_a_village() -> None:
    assert Counter(map(with_village, PAIRS)) == {False: 123, True: 36}


def test_pairs_by_smallest_fitting_size() -> None:
    smallest = Counter((pair.smallest, with_village(pair)) for pair in PAIRS)
    assert [smallest[size, False] for size in PLANK_SIZES] == [18, 18, 21, 21, 21, 24]
    assert [smallest[size, True] for size in PLANK_SIZES] == [6] * 6
    assert [smallest[size, False] + smallest[size, True] for size in PLANK_SIZES] == [24, 24, 27, 27, 27, 30]


def test_pairs_a_size_fits_with_only_its_two_stones_537_in_all() -> None:
    fitting = [ISLAND_PAIRS.fitting[size].bit_count() for size in PLANK_SIZES]
    assert fitting == [24, 48, 75, 102, 129, 159]
    assert sum(fitting) == 537


def test_pairs_a_size_fits_with_all_27_stones_489_in_all() -> None:
    fitting = [(ISLAND_PAIRS.fitting[size] & ~OVER_ANYTHING).bit_count() for size in PLANK_SIZES]
    assert fitting == [24, 48, 75, 96, 111, 135]
    assert sum(fitting) == 489


def test_342_pairs_of_pairs_cross() -> None:
    assert sum(ISLAND_PAIRS.crossing(pair).bit_count() for pair in PAIRS) == 2 * 342


def test_24_pairs_pass_over_a_third_island_and_none_over_a_village() -> None:
    assert OVER_ANYTHING.bit_count() == 24
    assert all(ISLAND_PAIRS.passing_over[village.id] == 0 for village in VILLAGES)


def test_every_village_reaches_six_islands_one_for_each_size() -> None:
    for village in VILLAGES:
        pairs = list(ISLAND_PAIRS.members(ISLAND_PAIRS.ending_at[village.id]))
        assert sorted(pair.smallest for pair in pairs) == list(PLANK_SIZES)
        distances = sorted(hypot(pair.a.x - pair.b.x, pair.a.y - pair.b.y) for pair in pairs)
        assert distances == pytest.approx([846, 1246, 1425, 1670, 1869, 1952], abs=2)


def test_an_island_has_7_to_14_partners() -> None:
    partners = [ISLAND_PAIRS.ending_at[island.id].bit_count() for island in ISLANDS]
    assert (min(partners), max(partners)) == (7, 14)


def moved(pair: Pair, symmetry: dict[str, str]) -> Pair:
    a, b = sorted((symmetry[pair.a.id], symmetry[pair.b.id]))
    return ISLAND_PAIRS.by_id[f"{a}~{b}"]


@pytest.mark.parametrize("symmetry", [ROTATION, MIRROR], ids=["a third of a turn", "left and right"])
def test_fit_cover_and_crossing_keep_their_places_under_the_boards_symmetry(symmetry) -> None:
    assert sorted(symmetry) == sorted(symmetry.values()) == sorted(ISLAND_PAIRS.supports)
    images = {pair.id: moved(pair, symmetry) for pair in PAIRS}
    for pair in PAIRS:
        image = images[pair.id]
        assert image.smallest == pair.smallest
        crossed = {images[other.id].id for other in ISLAND_PAIRS.members(ISLAND_PAIRS.crossing(pair))}
        assert crossed == {other.id for other in ISLAND_PAIRS.members(ISLAND_PAIRS.crossing(image))}
        for support, over in ISLAND_PAIRS.passing_over.items():
            assert bool(over & pair.bit) == bool(ISLAND_PAIRS.passing_over[symmetry[support]] & image.bit)


NEAR = st.integers(-400, 400)
STONES = st.lists(st.tuples(NEAR, NEAR), min_size=5, max_size=5, unique=True)


@settings(max_examples=300, derandomize=True, deadline=None)
@given(STONES)
def test_a_look_at_the_boxes_first_changes_no_answer(places) -> None:
    """Crossing and passing over are what the exact distances say, for any stones."""
    table = open_water_pairs(tuple(Stone(f"S{n}", x, y) for n, (x, y) in enumerate(places)))
    pairs = [table.by_id[f"S{a}~S{b}"] for a, b in ((0, 1), (2, 3), (1, 2), (0, 4))]
    for one in pairs:
        axis = (one.a.x, one.a.y, one.b.x, one.b.y)
        for other in pairs:
            exactly = segments_nearer_than(*axis, other.a.x, other.a.y, other.b.x, other.b.y, 100)
            assert cross(one, other) == (exactly and not {one.a, one.b} & {other.a, other.b})
        for third in table.supports.values():
            least = third.radius + 50
            assert passes_over(one, third) == nearer_than_to_segment(third.x, third.y, *axis, least)


def test_opposite_villages_are_destinations() -> None:
    """§2 [R2]"""
    ring = [village.colour for village in VILLAGES]
    for place, village in enumerate(VILLAGES):
        assert village.destination == village_of(ring[(place + 3) % 6])
        assert village.destination == destination_of(village.colour)


def routes(colour: Colour) -> Counter[int]:
    """Simple paths to the destination through islands, laid with one colour's planks, only their own stones on the board.

    No two planks of a route cross and none passes over a stone of it; a longer plank may stand in.
    """
    goal = ISLAND_PAIRS.supports[destination_of(colour)]
    found: Counter[int] = Counter()

    def fits(sizes: list[int]) -> bool:
        return all(size <= plank for size, plank in zip(sorted(sizes), range(7 - len(sizes), 7), strict=True))

    def legal(path: list[Pair], stones: set[str]) -> bool:
        over = any(ISLAND_PAIRS.passing_over[stone] & pair.bit for pair in path for stone in stones)
        return not over and not any(cross(one, other) for n, one in enumerate(path) for other in path[:n])

    def walk(here: str, path: list[Pair], stones: set[str]) -> None:
        for pair in ISLAND_PAIRS.members(ISLAND_PAIRS.ending_at[here]):
            there = pair.b if pair.a.id == here else pair.a
            longer = [*path, pair]
            if there.id in stones or not fits([each.smallest for each in longer]):
                continue
            if there is goal:
                if legal(longer, stones):
                    found[len(longer)] += 1
            elif not there.is_village and len(longer) < 6 and legal(longer, stones | {there.id}):
                walk(there.id, longer, stones | {there.id})

    walk(village_of(colour), [], set())
    return found


@pytest.mark.parametrize("colour", list(Colour))
def test_routes_with_the_own_planks_by_number_of_planks(colour) -> None:
    """§14 The same for all six villages."""
    assert routes(colour) == {4: 11, 5: 212, 6: 1372}


def test_pairs_are_named_by_their_supports_in_order() -> None:
    assert all(pair.id == f"{pair.a.id}~{pair.b.id}" and pair.a.id < pair.b.id for pair in PAIRS)
    assert [pair.bit for pair in PAIRS] == [1 << number for number in range(len(PAIRS))]


def test_no_margin_is_so_small_that_a_unit_decides() -> None:
    """§14 No plank within 38 units of the limit for covering a stone."""
    for pair in PAIRS:
        for island in ISLANDS:
            stone = ISLAND_PAIRS.supports[island.id]
            if stone not in (pair.a, pair.b):
                wider = type(stone)(stone.id, stone.x, stone.y, stone.radius + 38, is_village=False)
                assert passes_over(pair, wider) == passes_over(pair, stone)
