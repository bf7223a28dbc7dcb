"""§10.2 The six elders: nothing but a marker, which doubles what the region's tile brings at the end."""

from __future__ import annotations

import pytest

from tests.engine.river_of_gold.conftest import build, deliver
from tests.engine.river_of_gold.endings import ended

ORDERS = {1: "2S R 2P", 2: "2S 2R P", 3: "2S R 2P", 4: "2S 2R P", 5: "2S R 2P", 6: "2S R 2P"}

every_region = pytest.mark.parametrize("region", ORDERS, ids=lambda region: f"elder_{region}")


def regions_of(story, letter: str) -> dict[str, int]:
    """The lines of regions and elders that are not 0."""
    lines = story.score(letter)
    return {name: vp for name, vp in lines.items() if vp and name.startswith(("region_", "elder_"))}


@every_region
def test_delivery_places_a_marker_and_gives_nothing_else(a_match, region) -> None:
    story = a_match().with_player("A", die=region).goods("A", ORDERS[region]).hand("A", f"elder_{region}")
    before = story.player("A")
    story = story.plays("A", deliver(f"elder_{region}"))
    after = story.player("A")
    assert after.goods == (0, 0, 0)
    for name in ("koku", "favor", "limit", "tracks", "tally", "ships"):
        assert getattr(after, name) == getattr(before, name), name
    assert story.view().regions[region - 1].elders == (0,)
    assert story.waiting == ["A discard"]


@every_region
def test_the_regions_tile_counts_twice_and_no_other(a_match, region) -> None:
    """§8.5 A is first everywhere, tiles with 9 / 5 in the region, others as they lie."""
    everywhere = {f"r{each}": 12 for each in range(1, 7)}
    story = a_match().region_tile(region, 2).influence("A", **everywhere).delivered("A", f"elder_{region}")
    lines = regions_of(ended(story), "A")
    assert (lines[f"region_{region}"], lines[f"elder_{region}"]) == (9, 9)
    assert [name for name in lines if name.startswith("elder_")] == [f"elder_{region}"]


def test_only_its_owner_gains_by_it(a_match) -> None:
    story = a_match().region_tile(3, 4).influence("A", r3=9).influence("B", r3=7).influence("C", r3=2)
    story = ended(story.delivered("B", "elder_3"))
    assert regions_of(story, "A") == {"region_3": 12}
    assert regions_of(story, "B") == {"region_3": 8, "elder_3": 8}
    assert regions_of(story, "C") == {"region_3": 4}


def test_the_result_is_rounded_before_it_is_doubled(a_match) -> None:
    """[A35] Tied for second on 7 / 3: 1 each; with the elder 2, not 3."""
    story = a_match().region_tile(5, 1).influence("A", r5=9).influence("B", r5=4).influence("C", r5=4)
    story = ended(story.delivered("C", "elder_5"))
    assert regions_of(story, "B") == {"region_5": 1}
    assert regions_of(story, "C") == {"region_5": 1, "elder_5": 1}


def test_who_has_no_influence_or_no_rank_doubles_nothing(a_match) -> None:
    """§8.5 On 0 a player is not ranked; the fourth of a tile with three values has none."""
    story = a_match(4).region_tile(6, 6).delivered("A", "elder_6").delivered("B", "elder_1")
    story = story.influence("B", r6=9).influence("C", r6=8).influence("D", r6=7)
    assert regions_of(ended(story), "A") == {}
    fourth = ended(story.influence("A", r6=1))
    assert regions_of(fourth, "A") == {}
    assert [regions_of(fourth, letter) for letter in "BCD"] == [
        {"region_6": 11},
        {"region_6": 7},
        {"region_6": 3},
    ]


def test_two_players_the_second_too_far_behind_doubles_nothing(a_match) -> None:
    """§8.5 A gap of six spaces, and of five."""
    story = a_match(2).region_tile(2, 4).influence("A", r2=12).delivered("B", "elder_2")
    assert regions_of(ended(story.influence("B", r2=6)), "B") == {}
    assert regions_of(ended(story.influence("B", r2=7)), "B") == {"region_2": 4, "elder_2": 4}


def test_victory_points_of_the_track_are_not_doubled(a_match) -> None:
    """W14: spaces 13 and 18 were scored when they were reached."""
    story = a_match().with_player("A", die=4, koku=9).influence("A", r4=12).delivered("A", "elder_4")
    story = story.row("era1_market_3", "era1_port_1", "era1_port_2", "era1_port_3").region_tile(4, 1)
    story = story.plays("A", build(16, "era1_market_3"))
    story = story.turn_of("A")
    story = ended(story)
    assert regions_of(story, "A") == {"region_4": 7, "elder_4": 7}
    assert story.score("A")["tracks"] == 3


def test_two_elders_each_double_their_own_region(a_match) -> None:
    story = a_match().region_tile(1, 2).region_tile(2, 4).influence("A", r1=5, r2=5)
    story = ended(story.delivered("A", "elder_1", "elder_2"))
    assert regions_of(story, "A") == {"region_1": 9, "elder_1": 9, "region_2": 12, "elder_2": 12}


def test_an_elder_has_no_ongoing_ability_and_no_line_of_its_own(a_match) -> None:
    story = a_match().delivered("A", "elder_1")
    assert [each.ongoing for each in story.view().seats[0].delivered] == [None]
    assert set(regions_of(ended(story.influence("A", r2=1)), "A")) == {"region_2"}
