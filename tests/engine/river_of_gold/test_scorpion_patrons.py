"""§9 The patrons of the Scorpion: who is passed on a track, and who jumps over the markers of others."""

from __future__ import annotations

import pytest

from tests.engine.river_of_gold.conftest import Story, bonus, build, deliver, sail

STEPS = {
    1: "era1_port_1",
    2: "era1_market_3",
    3: "era1_port_4",
    4: "era1_port_3",
    5: "era2_market_1",
}
"""A tile with so much influence for its builder."""


# Shosuro Hyobu: [A21] a rival passes if start <= her space < end


def passing(a_match, hers: int, start: int, tile: str) -> Story:
    """A builds in region 1 with a marker on `start`; B is Hyobu."""
    story = a_match().masteries().patron("B", "hyobu").influence("B", r1=hers).influence("A", r1=start)
    others = [each for each in ("era1_port_2", "era1_manor_2", "era1_shrine_2") if each != tile]
    return story.row(tile, *others, *["era1_market_6"] * (3 - len(others))).plays("A", build(2, tile))


@pytest.mark.parametrize(
    ("hers", "start", "steps", "vp"),
    [
        pytest.param(4, 2, 3, 3, id="beyond"),
        pytest.param(4, 2, 2, 0, id="onto"),
        pytest.param(4, 4, 1, 3, id="from it on"),
        pytest.param(4, 5, 3, 0, id="already beyond"),
        pytest.param(4, 0, 3, 0, id="not yet there"),
        pytest.param(0, 0, 5, 0, id="she has none"),
        pytest.param(1, 0, 2, 3, id="she has one"),
        pytest.param(1, 1, 1, 3, id="both on one"),
        pytest.param(18, 16, 3, 0, id="nobody goes beyond the end"),
        pytest.param(17, 16, 5, 3, id="cut at the end"),
    ],
)
def test_hyobu_scores_when_a_rival_passes_her(a_match, hers, start, steps, vp) -> None:
    story = passing(a_match, hers, start, STEPS[steps])
    assert story.vp("B", "patron") == vp


def test_hyobu_scores_for_a_rivals_advance_of_whatever_source(a_match) -> None:
    """[A21] As visitor, as owner in somebody else's turn, for a delivery, by `merchant_1`, by `noble_3`; once each."""
    at_2 = a_match().patron("B", "hyobu").influence("B", r1=1, r2=1)
    visitor = at_2.building(4, "era1_manor_1", "").plays("A", sail("upstream", 1))
    assert visitor.vp("B", "patron") == 3
    owner = at_2.influence("C", r1=1).building(4, "era2_shrine_1", "C").plays("A", sail("upstream", 1))
    assert owner.vp("B", "patron") == 3
    goods = at_2.goods("A", "2P").hand("A", "artisan_1").plays("A", deliver("artisan_1"))
    assert goods.vp("B", "patron") == 3
    merchant = at_2.influence("A", r2=1).delivered("A", "merchant_1").building(8, "era1_port_1", "A")
    merchant = merchant.ships("A", 14, 5).plays("A", sail("upstream", 1)).plays("A", bonus("silk"))
    assert merchant.vp("B", "patron") == 3
    noble = at_2.influence("A", r1=1, r2=1).delivered("A", "noble_3").ships("A", 1, 5, royal="upstream")
    assert noble.plays("A", sail("upstream", 1)).vp("B", "patron") == 6


def test_hyobu_scores_once_for_an_advance_and_again_for_the_next(a_match) -> None:
    """[A21] Overtaking in two moves scores once; two owner rewards are two advances."""
    story = a_match().patron("B", "hyobu").influence("B", r1=4).influence("A", r1=3)
    story = story.building(4, "era2_manor_1", "AA").plays("A", sail("upstream", 1))
    assert story.player("A").tracks[0] == 8  # 3 as visitor, 1 for each marker
    assert story.vp("B", "patron") == 3


def test_hyobu_scores_once_whether_a_rival_stops_on_her_space_or_not(a_match) -> None:
    """[A21] From 1 to 4 onto her space, then to 5 and 6: the step that leaves it passes her. The adaptation would give nothing."""
    in_two = a_match().patron("B", "hyobu").influence("B", r1=4).influence("A", r1=1)
    in_two = in_two.building(4, "era2_manor_1", "AA").plays("A", sail("upstream", 1))
    assert in_two.player("A").tracks[0] == 6  # 3 as visitor, 1 for each marker
    in_one = passing(a_match, 4, 1, STEPS[5])
    assert in_one.player("A").tracks[0] == 6
    assert in_two.vp("B", "patron") == in_one.vp("B", "patron") == 3


def test_hyobu_scores_when_a_rival_leaves_the_space_that_she_came_to(a_match) -> None:
    """[A21] It does not matter who came second: she caught up with A, and A goes on."""
    story = a_match().masteries().patron("B", "hyobu").influence("B", r1=1).influence("A", r1=2)
    story = story.row(STEPS[1], "era1_port_2", "era1_manor_2", "era1_shrine_2").turn_of("B")
    story = story.plays("B", build(2, STEPS[1])).turn_of("A")
    assert story.player("B").tracks[0] == story.player("A").tracks[0] == 2
    story = story.building(4, "era1_manor_1", "").plays("A", sail("upstream", 1))
    assert story.player("A").tracks[0] > 2
    assert story.vp("B", "patron") == 3


def test_hyobus_own_moves_never_score(a_match) -> None:
    """[A21] She passes A, and herself in a way."""
    story = a_match().patron("A", "hyobu").influence("A", r1=2).influence("B", r1=3)
    story = story.building(4, "era1_manor_1", "").plays("A", sail("upstream", 1))
    assert story.player("A").tracks[0] == 4
    assert story.vp("A", "patron") == 0


# Bayushi Kachiko: [A22] spaces with markers of others are jumped


def jumping(a_match, hers: int, steps: int, *, b: int = 0, c: int = 0, d: int = 0) -> Story:
    """A, who is Kachiko, builds in region 1; the rivals' markers stand on these spaces."""
    story = a_match(4).masteries().patron("A", "kachiko").influence("A", r1=hers)
    story = story.influence("B", r1=b).influence("C", r1=c).influence("D", r1=d)
    others = [each for number, each in STEPS.items() if number != steps][:3]
    return story.row(STEPS[steps], *others).plays("A", build(2, STEPS[steps]))


@pytest.mark.parametrize(
    ("hers", "steps", "rivals", "end"),
    [
        pytest.param(3, 2, {}, 5, id="nobody in the way"),
        pytest.param(3, 2, {"b": 4, "c": 6}, 7, id="W24"),
        pytest.param(3, 1, {"b": 4, "c": 5, "d": 6}, 7, id="all consecutive ones"),
        pytest.param(3, 1, {"b": 4, "c": 4, "d": 4}, 5, id="several on one space are one jump"),
        pytest.param(3, 1, {"b": 5}, 4, id="not one that is not reached"),
        pytest.param(3, 2, {"b": 3, "c": 2}, 5, id="not one beside or behind her"),
        pytest.param(0, 1, {"b": 1, "c": 2}, 3, id="from the start"),
        pytest.param(0, 1, {}, 1, id="markers on 0 are not in the way"),
        pytest.param(16, 1, {"b": 17}, 18, id="onto the end"),
        pytest.param(16, 1, {"b": 17, "c": 18}, 18, id="onto an occupied end"),
        pytest.param(16, 5, {"b": 18}, 18, id="never beyond the end"),
        pytest.param(17, 1, {"b": 18}, 18, id="one step onto the occupied end"),
    ],
)
def test_kachiko_jumps_over_rivals(a_match, hers, steps, rivals, end) -> None:
    assert jumping(a_match, hers, steps, **rivals).player("A").tracks[0] == end


def test_kachiko_collects_rewards_of_the_spaces_she_jumps(a_match) -> None:
    """[A22] B and C stand on 2 and 5: a porcelain and two koku on the way from 1 to 6."""
    story = jumping(a_match, 1, 3, b=2, c=5)
    assert story.player("A").tracks[0] == 6
    rewards = [line for line in story.lines if line.startswith("track_rewarded")]
    assert rewards == [
        "track_rewarded(seat=0, region=1, space=2, gains=(porcelain=1))",
        "track_rewarded(seat=0, region=1, space=5, gains=(koku=2))",
    ]


def test_kachiko_jumps_in_the_turns_of_others_too(a_match) -> None:
    """[A22] Her own advance as an owner whom B visits."""
    story = a_match().patron("A", "kachiko").building(4, "era2_shrine_1", "A").influence("B", r1=1)
    story = story.turn_of("B").with_player("B", die=1).plays("B", sail("upstream", 1))
    assert story.player("A").tracks[0] == 2


def test_rivals_do_not_jump_over_kachiko(a_match) -> None:
    story = a_match().patron("B", "kachiko").influence("B", r1=1).building(4, "era1_manor_1", "")
    assert story.plays("A", sail("upstream", 1)).player("A").tracks[0] == 2
