"""§13 The worked examples whose numbers are derived from the rules, each with its number."""

from __future__ import annotations

import pytest

from engine.river_of_gold.game import GAME
from tests.engine.river_of_gold.conftest import bag, bonus, build, deliver, sail


def test_w16_caps(a_match) -> None:
    story = a_match().with_player("A", die=1, koku=24).goods("A", "6S").ships("A", 5, 8)
    story = story.building(11, "era1_port_3").building(12, "era1_market_1").building(13, "start_shrine_1")
    story = story.building(15, "start_shrine_2").plays("A", sail("upstream", 1))
    assert (story.player("A").koku, story.player("A").goods) == (25, bag("6S"))
    assert story.gained("A") == {"koku": 1, "vp": 4}


def test_w17_a_monk_at_full_favor(a_match) -> None:
    story = a_match().with_player("A", favor=3).goods("A", "S 2R P").hand("A", "monk_1")
    story = story.plays("A", deliver("monk_1"))
    assert (story.player("A").limit, story.player("A").favor) == (4, 4)


def test_w18_a_journey_wraps(a_match) -> None:
    story = a_match().with_player("A", die=4).ships("A", 13, 8).plays("A", sail("upstream", 4))
    assert story.river("A")[0] == "river_03"
    visited = [
        event.shore for event in story.events if type(event).__struct_config__.tag == "visitor_rewarded"
    ]
    assert visited == ["shore_04", "shore_06", "shore_07", "shore_09"]
    assert story.waiting == ["A journey"]
    short = a_match().with_player("A", die=1).ships("A", 13, 8).plays("A", sail("upstream", 1))
    assert short.river("A")[0] == "river_14"
    assert short.waiting != ["A journey"]


@pytest.mark.parametrize(
    ("one", "other", "vp"), [(12, 7, (8, 4)), (12, 6, (8, 0)), (9, 9, (6, 6)), (4, 0, (8, 0))]
)
def test_w19_two_players_and_the_gap(a_match, one, other, vp) -> None:
    story = a_match(2).region_tile(3, 4).influence("A", r3=one).influence("B", r3=other).finish()
    assert (story.score("A")["region_3"], story.score("B")["region_3"]) == vp


def test_w20_more_ties(a_match) -> None:
    def points(tile, *spaces, elder=None):
        story = a_match(len(spaces)).region_tile(5, tile)
        for letter, space in zip("ABCD", spaces, strict=False):
            story = story.influence(letter, r5=space)
        if elder is not None:
            story = story.delivered(elder, "elder_5")
        story = story.finish()
        return [
            story.score(letter)["region_5"] + story.score(letter).get("elder_5", 0)
            for letter in "ABCD"[: len(spaces)]
        ]

    assert points(4, 10, 6, 6, 2) == [12, 6, 6, 0]
    assert points(2, 8, 8, 8) == [4, 4, 4]
    assert points(1, 9, 4, 4) == [7, 1, 1]
    assert points(1, 9, 4, 4, elder="B") == [7, 2, 1]


def test_w21_the_emperor_pays_every_marker(a_match) -> None:
    story = (
        a_match()
        .with_player("A", die=1, koku=0)
        .stacks(1, 11)
        .ships("A", 14, 1)
        .building(20, "era1_port_5", "AA")
        .plays("A", sail("upstream", 1))
        .plays("A", bonus("silk"))
    )
    assert "emperor_visited" in story.lines
    assert story.vp("A", "owner_rewards") == 2
    story = (
        a_match()
        .with_player("A", die=1, koku=0)
        .stacks(1, 11)
        .ships("A", 14, 1)
        .building(20, "era1_port_4", "A")
        .building(19, "era1_port_1", "AA")
        .plays("A", sail("upstream", 1))
        .plays("A", bonus("silk"))
    )
    owned = [line for line in story.lines if line.endswith("emperor=true)")]
    assert owned == [
        "owner_rewarded(seat=0, shore=shore_19, building=era1_port_1, gains=(rice=1), emperor=true)",
        "owner_rewarded(seat=0, shore=shore_19, building=era1_port_1, gains=(rice=1), emperor=true)",
        "owner_rewarded(seat=0, shore=shore_20, building=era1_port_4, gains=(koku=2), emperor=true)",
    ]


def test_w22_the_end(a_match) -> None:
    """B's build puts the last Era 2 tile into the row."""
    story = a_match(4).turn_of("B").with_player("B", die=1, koku=5).stacks(0, 1)
    for letter in "ACD":
        story = story.with_player(letter, koku=0, favor=0)
    story = story.plays("B", build(2, "era1_shrine_3"))
    assert story.vp("B", "end_trigger") == 5
    assert story.state.last_turns == (3, 0)
    assert story.waiting == ["C turn"]
    for letter, following in (("C", ["D turn"]), ("D", ["A turn"]), ("A", [])):
        face = story.player(letter).die
        story = story.plays(letter, sail("upstream", face))
        assert story.waiting == following
    assert GAME.outcome(story.state).reason == "LAST_TURNS_PLAYED"


def test_w23_hyobu_is_passed(a_match) -> None:
    """B is Hyobu, A the rival, who builds in region 1."""

    def passing(hers, start, tile):
        story = a_match().patron("B", "hyobu").influence("B", r1=hers).influence("A", r1=start)
        story = story.row(tile, "era1_port_2", "era1_manor_2", "era1_shrine_2")
        return story.plays("A", build(2, tile)).vp("B", "patron")

    assert passing(4, 2, "era1_port_4") == 3  # 2 to 5
    assert passing(4, 2, "era1_market_3") == 0  # 2 to 4
    assert passing(4, 4, "era1_market_2") == 3  # 4 to 5
    assert passing(0, 0, "era1_port_4") == 0


def test_w24_kachiko_jumps(a_match) -> None:
    story = (
        a_match()
        .patron("A", "kachiko")
        .influence("A", r1=3)
        .influence("B", r1=4)
        .influence("C", r1=6)
        .row("era1_market_3", "era1_port_2", "era1_manor_2", "era1_shrine_2")
        .plays("A", build(2, "era1_market_3"))
    )
    assert story.player("A").tracks[0] == 7
    assert story.gained("A") == {"koku": 2}
