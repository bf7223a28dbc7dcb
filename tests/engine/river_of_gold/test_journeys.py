"""§5.4 Completed journeys: the bonus and the merchants in the order the player likes, then the tile in the end slot."""

from __future__ import annotations

from itertools import permutations

import pytest

from engine.river_of_gold.actions import RiverOfGoldAction, SellGoods
from engine.river_of_gold.errors import Code
from tests.engine.river_of_gold.conftest import END, Story, bag, bonus, build, good, sail, use

ROW = ("era1_port_1", "era1_port_2", "era1_port_3", "era1_port_4")


def arrived(a_match, *merchants: str, koku: int = 0, favor: int = 0) -> Story:
    """A's upstream ship has gone from `river_14` to `river_01` past four shrines of nobody's gain: no koku, 8 VP."""
    story = a_match().masteries().row(*ROW).delivered("A", *merchants).ships("A", 14, 5)
    for number, tile in (
        (1, "era1_shrine_1"),
        (2, "era1_shrine_2"),
        (3, "start_shrine_1"),
        (4, "start_shrine_2"),
    ):
        story = story.building(number, tile, "")
    return story.with_player("A", koku=koku, favor=favor).plays("A", sail("upstream", 1))


# The order is the player's [A5]

USES: dict[str, RiverOfGoldAction] = {
    "bonus": bonus(),
    "merchant_2": use("merchant_2"),
    "merchant_3": use("merchant_3", "silk"),
    "merchant_5": use("merchant_5"),
}


@pytest.mark.parametrize("order", tuple(permutations(USES)), ids=" ".join)
def test_every_order_is_possible_and_comes_to_the_same(a_match, order) -> None:
    """[A5] As long as no cap is near."""
    story = arrived(a_match, "merchant_2", "merchant_3", "merchant_5")
    for name in order[:-1]:
        assert story.waiting == ["A journey"]
        story = story.plays("A", USES[name])
    if story.waiting == ["A journey"]:
        story = story.plays("A", USES[order[-1]])
    player = story.player("A")
    assert (player.koku, player.favor, player.goods, story.vp("A", "merchants")) == (3, 1, bag("S"), 3)


@pytest.mark.parametrize(
    ("first", "then", "koku", "goods"),
    [
        pytest.param([bonus("silk")], [SellGoods(silk=1)], 5, "", id="the good of the journey is sold"),
        pytest.param([SellGoods()], [bonus("silk")], 0, "S", id="nothing was there to be sold"),
    ],
)
def test_the_order_matters_for_merchant_4(a_match, first, then, koku, goods) -> None:
    """[A5] What a journey brings can be sold in it, if it comes first."""
    story = arrived(lambda: a_match().goods("A", "R"), "merchant_4").goods("A", "R")
    for action in (*first, *then):
        story = story.plays("A", action)
    assert story.player("A").koku == koku
    assert story.player("A").goods == bag(f"R {goods}")


def test_the_order_matters_for_the_caps(a_match) -> None:
    """[A5] [A26] 24 koku: three of the bonus make 25; then `merchant_6` brings nothing any more."""
    story = arrived(a_match, "merchant_6", "merchant_5", koku=24)
    assert story.player("A").koku == 24
    story = story.plays("A", bonus())
    assert "use_merchant(customer=merchant_6)" not in story.legal("A")
    story.refuses("A", use("merchant_6"), Code.BONUS_GAINS_NOTHING, "11.3", bonus="merchant_6")


def test_the_choice_of_a_track_comes_between_two_merchants(a_match) -> None:
    """§11.3 `merchant_1` reaches space 18: that good is chosen before the next bonus, and can be sold by it."""
    story = arrived(
        lambda: a_match().building(8, "era1_port_5", "A").influence("A", r2=17), "merchant_1", "merchant_4"
    )
    story = story.plays("A", use("merchant_1"))
    assert story.waiting == ["A good"]
    story = story.plays("A", good("rice"))
    assert story.waiting == ["A journey"]
    assert "sell_goods(rice=1)" in story.legal("A")


# When it happens, and in what order to the rest


def test_the_journey_comes_after_all_rewards_of_the_visit(a_match) -> None:
    """[A5] Visitor, owners (also their choices), journey, end tile, refill, nobles."""
    story = a_match().row(*ROW).ships("A", 14, 5, royal="upstream").delivered("A", "noble_6", "merchant_2")
    story = story.building(2, "era2_port_2", "AB").with_player("A", koku=0, favor=0)
    story = story.plays("A", sail("upstream", 1))
    assert story.waiting == ["A good"]
    story = story.plays("A", good("rice"))
    assert story.waiting == ["B good"]
    story = story.plays("B", good("rice"))
    assert story.waiting == ["A journey"]
    assert story.state.row == ROW
    assert story.vp("A", "nobles") == 0
    story = story.plays("A", bonus("silk"))
    tags = [event.__struct_config__.tag for event in story.events]
    assert [tag for tag in tags if tag != "step_started"] == [
        "journey_rewarded",
        "merchant_used",
        "tile_discarded",
        "row_refilled",
        "noble_rewarded",
    ]


def test_only_the_last_space_is_visited_after_the_wrap(a_match) -> None:
    """[A4] From `river_13` by 5 past `river_01`: nothing of the spaces on the way, everything around `river_04`."""
    story = a_match().building(1, "era1_shrine_1", "B").building(30, "era1_shrine_2", "B").ships("A", 13, 5)
    story = story.building(9, "era1_shrine_3", "B").with_player("A", die=5).plays("A", sail("upstream", 5))
    assert story.river("A")[0] == "river_04"
    visited = [event.shore for event in story.events if event.__struct_config__.tag == "visitor_rewarded"]
    assert visited == ["shore_06", "shore_08", "shore_09", "shore_10"]


@pytest.mark.parametrize("ship", ["upstream", "midstream"])
@pytest.mark.parametrize(
    ("start", "die", "completed"),
    [(14, 1, True), (14, 6, True), (13, 1, False), (13, 2, True), (8, 6, False), (9, 6, True), (1, 6, False)],
)
def test_leaving_the_last_space_completes_it(a_match, ship, start, die, completed) -> None:
    """[A3]"""
    rivers = (start, 3) if ship == "upstream" else (3, start)
    story = a_match().empty(6, 17, 29).ships("A", *rivers).with_player("A", die=die, koku=0, favor=0)
    story = story.plays("A", sail(ship, die))
    assert (story.waiting == ["A journey"]) is completed


def test_both_ships_stay_on_the_river_and_may_stand_together(a_match) -> None:
    """§5.1"""
    story = a_match().ships("A", 14, 1).ships("B", 1, 1).plays("A", sail("upstream", 1))
    assert story.river("A") == ("river_01", "river_01")
    assert story.waiting == ["A journey"]


# The tile in the end slot


def test_the_end_tile_goes_and_gives_nobody_anything(a_match) -> None:
    """§5.4 In particular no favor."""
    story = arrived(a_match)
    before = story
    story = story.plays("A", bonus("silk"))
    assert story.state.discarded == ("era1_port_4",)
    assert story.player("A").favor == before.player("A").favor == 0
    assert story.state.row[1:] == ROW[:3]
    assert story.state.row[0] == before.state.era_1.top
    assert story.state.era_1.left == before.state.era_1.left - 1
    for letter in "BC":
        assert story.player(letter) == before.player(letter)
    assert story.view().discarded_tiles == ("era1_port_4",)


def test_a_discarded_tile_is_gone_for_good(a_match) -> None:
    """§5.4"""
    story = arrived(a_match).plays("A", bonus("silk")).turn_of("B").with_player("B", die=1)
    story.refuses("B", build(5, "era1_port_4"), Code.TILE_NOT_IN_ROW, "4.3", building="era1_port_4")


def test_a_journey_can_empty_era_1(a_match) -> None:
    """§4.5, §5.4, §8.2 The Emperor comes at the end of that very turn."""
    story = arrived(lambda: a_match().building(20, "era1_port_5", "B").stacks(1, 11))
    story = story.plays("A", bonus("silk"))
    assert story.state.era_1.left == 0
    assert "emperor_visited" in story.lines
    assert story.vp("B", "owner_rewards") == 1


def test_a_journey_can_trigger_the_end(a_match) -> None:
    """§8.3"""
    story = arrived(lambda: a_match().stacks(0, 1)).plays("A", bonus("silk"))
    assert story.vp("A", "end_trigger") == 5
    assert story.waiting == ["B turn"]
    assert story.state.last_turns == (2,)


def test_in_the_last_turns_the_end_tile_still_goes_and_the_row_slides(a_match) -> None:
    """§8.4 [A40]"""
    story = arrived(lambda: a_match().stacks(0, 0).last_turns("B")).plays("A", bonus("silk"))
    assert story.state.row == (None, *ROW[:3])
    assert story.state.discarded == ("era1_port_4",)


def test_at_most_one_tile_leaves_the_row_in_a_turn(a_match) -> None:
    """§5.5 A journey with all six merchants discards one."""
    story = arrived(lambda: a_match().goods("A", "2S"), *(f"merchant_{n}" for n in range(1, 7))).goods(
        "A", "2S"
    )
    left = story.state.era_1.left
    for action in (
        bonus(),
        use("merchant_3", "rice"),
        use("merchant_5"),
        use("merchant_2"),
        SellGoods(silk=2),
    ):
        story = story.plays("A", action)
    if story.waiting == ["A journey"]:
        story = story.plays("A", use("merchant_6"))
    while story.waiting == ["A closing"]:
        story = story.plays("A", END)
    assert story.waiting == ["B turn"]
    assert story.state.era_1.left == left - 1
    assert len(story.state.discarded) == 1


# The bonus


@pytest.mark.parametrize("kind", [None, "silk", "rice", "porcelain"])
def test_the_bonus_is_three_koku_or_a_good_of_choice(a_match, kind) -> None:
    """§5.4"""
    story = arrived(a_match).plays("A", bonus(kind))
    assert story.player("A").koku == (3 if kind is None else 0)
    assert sum(story.player("A").goods) == (0 if kind is None else 1)


def test_the_bonus_cannot_be_declined(a_match) -> None:
    """§11.4"""
    story = arrived(a_match)
    assert story.legal("A") == {
        "take_journey_bonus",
        "take_journey_bonus(good=silk)",
        "take_journey_bonus(good=rice)",
        "take_journey_bonus(good=porcelain)",
    }


def test_what_would_bring_nothing_is_not_offered(a_match) -> None:
    """[A26] 25 koku, silk at its cap; 23 koku bring two."""
    story = arrived(a_match, koku=25).goods("A", "6S").with_player("A", favor=3)
    assert {line for line in story.legal("A") if line.startswith("take_journey_bonus")} == {
        "take_journey_bonus(good=rice)",
        "take_journey_bonus(good=porcelain)",
    }
    almost = arrived(a_match, koku=23)
    assert almost.plays("A", bonus()).player("A").koku == 25


def test_with_everything_at_its_cap_nothing_is_asked(a_match) -> None:
    """§11.3 And the tile goes all the same."""
    story = a_match().row(*ROW).goods("A", "6S 6R 6P").ships("A", 14, 5).masteries()
    story = story.with_player("A", koku=25, favor=3).plays("A", sail("upstream", 1))
    assert story.waiting == ["B turn"]
    assert story.state.discarded == ("era1_port_4",)
    assert "bonuses_lapsed(seat=0, bonuses=[koku_or_good])" in story.lines
