"""§10.4 The six monks: limit, favor, and a second marker that doubles or shares a building's owner reward."""

from __future__ import annotations

import pytest

from engine.river_of_gold.errors import Code
from tests.engine.river_of_gold.conftest import Story, bonus, build, deliver, discard, mark, sail
from tests.engine.river_of_gold.endings import ended

ORDERS = {1: "S 2R P", 2: "3S 2R", 3: "2S R P", 4: "S R 3P", 5: "S 2R P", 6: "S 2R 2P"}
OWN, OPPONENT = (1, 3, 5), (2, 4, 6)

every_monk = pytest.mark.parametrize("region", ORDERS, ids=lambda region: f"monk_{region}")
every_own_monk = pytest.mark.parametrize("region", OWN, ids=lambda region: f"monk_{region}")
every_opponent_monk = pytest.mark.parametrize("region", OPPONENT, ids=lambda region: f"monk_{region}")


def with_monk(a_match, region: int, **fields) -> Story:
    """A is about to deliver to the monk; buildings with one and two markers, and of nobody, stand in several regions.

    Exactly one marker: `shore_02` and `shore_20` of A, `shore_08` of B, `shore_25` of C.
    """
    story = (
        a_match()
        .masteries()
        .building(2, "era1_port_1", "A")
        .building(20, "era1_port_2", "A")
        .building(8, "era1_port_3", "B")
        .building(25, "era1_port_4", "C")
        .building(13, "era1_market_1", "AA")
        .building(16, "era1_market_2", "AB")
        .building(27, "era1_market_3", "BC")
        .building(5, "start_port_1")
    )
    return story.with_player("A", die=region, **fields).goods("A", ORDERS[region]).hand("A", f"monk_{region}")


def delivered(a_match, region: int, **fields) -> Story:
    return with_monk(a_match, region, **fields).plays("A", deliver(f"monk_{region}"))


def markable(story: Story) -> set[int]:
    return {int(line[-3:-1]) for line in story.legal("A") if line.startswith("place_marker")}


@every_monk
@pytest.mark.parametrize(
    ("limit", "favor", "then_limit", "then_favor"),
    [(3, 0, 4, 2), (3, 2, 4, 4), (3, 3, 4, 4), (5, 5, 6, 6), (6, 3, 6, 5), (6, 6, 6, 6)],
)
def test_the_limit_goes_up_before_the_favor_comes(
    a_match, region, limit, favor, then_limit, then_favor
) -> None:
    """[A6] W17; the limit ends at 6 [A30]."""
    story = delivered(a_match, region, limit=limit, favor=favor)
    assert (story.player("A").limit, story.player("A").favor) == (then_limit, then_favor)


@every_monk
def test_delivery_gives_no_influence(a_match, region) -> None:
    """§10.4 Nor does the marker, and no building bonus comes with it."""
    story = delivered(a_match, region)
    story = story.plays("A", mark(min(markable(story))))
    assert story.player("A").tracks == (0,) * 6


@every_own_monk
def test_the_marker_goes_to_an_own_building_with_one_marker(a_match, region) -> None:
    """[A14] In any region; not to full ones, not to neutral ones."""
    story = delivered(a_match, region)
    assert story.waiting == ["A marker"]
    assert markable(story) == {2, 20}
    story.refuses("A", mark(8), Code.BUILDING_NOT_OWN, "10.4", shore="shore_08")
    placed = story.plays("A", mark(20))
    assert placed.owners(20) == "AA"
    assert placed.waiting == ["A discard"]


@every_opponent_monk
def test_the_marker_goes_to_an_opponents_building_with_one_marker(a_match, region) -> None:
    """[A14]"""
    story = delivered(a_match, region)
    assert markable(story) == {8, 25}
    story.refuses("A", mark(2), Code.BUILDING_NOT_OPPONENTS, "10.4", shore="shore_02")
    placed = story.plays("A", mark(25))
    assert placed.owners(25) == "CA"


@every_monk
def test_a_second_marker_needs_exactly_one_before_it(a_match, region) -> None:
    """[A14] Full, neutral, imperial and empty spaces are refused, each by its reason."""
    story = delivered(a_match, region)
    for number, markers in ((13, 2), (16, 2), (27, 2), (5, 0), (17, 0)):
        facts = {"shore": f"shore_{number:02}", "markers": markers}
        story.refuses("A", mark(number), Code.BUILDING_NOT_SINGLY_MARKED, "10.4", **facts)
    story.refuses("A", mark(1), Code.NO_BUILDING_THERE, "10.4", shore="shore_01")


@every_monk
def test_the_marker_cannot_be_declined(a_match, region) -> None:
    """[A14] §11.4 Nothing but places, and exchanges, is listed."""
    story = delivered(a_match, region, koku=0, favor=0)
    assert all(line.startswith("place_marker") for line in story.legal("A"))


@every_monk
def test_without_a_target_the_marker_is_skipped(a_match, region) -> None:
    """[A14] The rest of the delivery happens all the same."""
    story = a_match().with_player("A", die=region, favor=0).goods("A", ORDERS[region])
    story = story.building(13, "era1_market_1", "AA").building(27, "era1_market_3", "BC")
    story = story.building(8, "era1_port_3", "B" if region in OWN else "A")
    story = story.hand("A", f"monk_{region}").plays("A", deliver(f"monk_{region}"))
    assert story.waiting == ["A discard"]
    assert (story.player("A").limit, story.player("A").favor) == (4, 2)


@every_own_monk
def test_owner_rewards_of_an_own_building_are_doubled(a_match, region) -> None:
    """§10.4 Provoked by B's ship: twice 1 rice from `era1_port_1` on `shore_02`."""
    story = delivered(a_match, region, koku=0, favor=0)
    story = story.plays("A", mark(2))
    story = story.plays("A", discard(story.player("A").hand[0])).turn_of("B").ships("B", 14, 8)
    before = story.with_player("B", die=1)
    after = before.plays("B", sail("upstream", 1))
    assert after.player("A").goods[1] - before.player("A").goods[1] == 2
    owned = [line for line in after.lines if line.startswith("owner_rewarded")]
    assert (
        owned
        == ["owner_rewarded(seat=0, shore=shore_02, building=era1_port_1, gains=(rice=1), emperor=false)"] * 2
    )


@every_opponent_monk
def test_owner_rewards_of_an_opponents_building_go_to_both(a_match, region) -> None:
    """§10.4 [A31] Owner rewards, the first-placed marker first; the visitor reward is C's alone."""
    story = delivered(a_match, region, koku=0, favor=0)
    story = story.with_player("B", favor=0).plays("A", mark(8))
    story = story.plays("A", discard(story.player("A").hand[0])).turn_of("C").ships("C", 3, 8)
    before = story.with_player("C", die=1)
    after = before.plays("C", sail("upstream", 1))
    owned = [line for line in after.lines if line.startswith("owner_rewarded")]
    assert owned == [
        "owner_rewarded(seat=1, shore=shore_08, building=era1_port_3, gains=(favor=1), emperor=false)",
        "owner_rewarded(seat=0, shore=shore_08, building=era1_port_3, gains=(favor=1), emperor=false)",
    ]
    assert [line for line in after.lines if "visitor_rewarded" in line and "era1_port_3" in line] == [
        "visitor_rewarded(seat=2, shore=shore_08, building=era1_port_3, gains=(koku=3))"
    ]


@every_monk
def test_the_emperor_rewards_the_second_marker_too(a_match, region) -> None:
    """§8.2, §10.4 The very next turn empties era 1."""
    number, tile, seats = (2, "era1_port_1", [0, 0]) if region in OWN else (8, "era1_port_3", [1, 0])
    story = delivered(a_match, region, koku=0, favor=0).plays("A", mark(number))
    story = story.plays("A", discard(story.player("A").hand[0]))
    story = story.turn_of("B").stacks(1, 11).with_player("B", die=6, koku=5, favor=0)
    story = story.plays("B", build(30, story.state.row[0].value))
    emperor = [
        event.seat
        for event in story.events
        if event.__struct_config__.tag == "owner_rewarded" and event.building == tile
    ]
    assert emperor == seats


def test_the_new_owner_is_an_owner_for_everything(a_match) -> None:
    """§1.6 [A16] Own building, opponent building, shared; the mastery of the four types is claimed with it."""
    story = (
        a_match()
        .masteries("water")
        .building(2, "era1_port_1", "A")
        .building(20, "era1_shrine_1", "A")
        .building(13, "era1_manor_1", "A")
        .building(8, "era1_market_1", "B")
        .with_player("A", die=2, koku=0, favor=0)
        .goods("A", ORDERS[2])
        .hand("A", "monk_2", "monk_1")
        .plays("A", deliver("monk_2"))
        .plays("A", mark(8))
        .plays("A", discard("monk_1"))
    )
    assert story.vp("A", "masteries") == 7
    assert story.view().seats[0].buildings == ("shore_02", "shore_08", "shore_13", "shore_20")


def test_a_second_own_marker_is_no_second_building(a_match) -> None:
    """[A15] Three own ports are wanted; two of them, one with both markers, are not enough."""
    story = (
        a_match()
        .masteries("earth")
        .building(2, "era1_port_1", "A")
        .building(20, "era1_port_2", "A")
        .with_player("A", die=1, koku=0, favor=0)
        .goods("A", ORDERS[1])
        .hand("A", "monk_1", "monk_2")
        .plays("A", deliver("monk_1"))
        .plays("A", mark(2))
        .plays("A", discard("monk_2"))
    )
    assert story.vp("A", "masteries") == 0
    assert story.view().seats[0].buildings == ("shore_02", "shore_20")


def test_monks_of_two_players_cannot_meet_on_one_building(a_match) -> None:
    """§1.6 A third marker finds no place."""
    story = a_match().building(8, "era1_port_3", "BA").with_player("C", die=2).goods("C", ORDERS[2])
    story = story.hand("C", "monk_2").turn_of("C").plays("C", deliver("monk_2"))
    assert story.waiting == ["C discard"]


@every_monk
def test_a_monk_scores_nothing_at_the_end(a_match, region) -> None:
    story = ended(a_match().delivered("A", f"monk_{region}"))
    assert f"monk_{region}" not in story.score("A")


def test_the_journey_of_the_visitor_comes_after_both_owners_rewards(a_match) -> None:
    """§5.3, §5.4 [A5] A shared building around `river_01`."""
    story = a_match().building(2, "era1_market_1", "BC").ships("A", 14, 8).with_player("B", koku=0)
    story = story.with_player("C", koku=0).plays("A", sail("upstream", 1))
    assert (story.player("B").koku, story.player("C").koku) == (2, 2)
    assert story.waiting == ["A journey"]
    assert story.plays("A", bonus("rice")).waiting != ["A journey"]
