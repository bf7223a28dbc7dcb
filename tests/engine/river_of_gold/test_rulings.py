"""§12 Rulings that change what happens and have no file of their own; the others are cited where they belong."""

from __future__ import annotations

import pytest

from engine.kernel.errors import TableCode
from engine.river_of_gold.actions import ExchangeKoku
from engine.river_of_gold.gain_events import VisitorRewarded
from engine.river_of_gold.game import GAME
from tests.engine.river_of_gold.conftest import END, Story, bag, bonus, build, deliver, discard, good, sail
from tests.engine.river_of_gold.endings import ended

ROW = ("era1_port_1", "era1_port_2", "era1_port_3", "era1_port_4")
TAGS = {"mastery_claimed", "turn_closed", "emperor_visited", "end_triggered", "die_rolled", "turn_started"}


def tags(story: Story) -> list[str]:
    return [tag for event in story.events if (tag := event.__struct_config__.tag) in TAGS]


def poor(story: Story) -> Story:
    """Nobody can exchange anything."""
    for letter in "ABCD"[: story.state.seats]:
        story = story.with_player(letter, koku=0, favor=0, goods=(0, 0, 0))
    return story


def regions(story: Story, region: int) -> list[int]:
    """What each seat scores for a region's tile."""
    return [story.score(letter)[f"region_{region}"] for letter in "ABCD"[: story.state.seats]]


def test_a2_both_starting_spaces_are_ordinary_ones(a_match) -> None:
    """[A2] A ship passes and visits them as any other."""
    story = a_match().with_player("A", die=1, koku=0).ships("A", 7, 14).empty(17)
    story = story.plays("A", sail("upstream", 1))
    assert (story.river("A")[0], story.player("A").koku) == ("river_08", 4)


# The end of a turn


def test_a8_masteries_then_the_emperor_then_the_die(a_match) -> None:
    """[A8]"""
    story = poor(a_match()).masteries("courts").influence("A", r1=11).stacks(1, 11).with_player("A", koku=5)
    story = story.row(*ROW).plays("A", build(2, "era1_port_2"))
    assert tags(story) == ["mastery_claimed", "turn_closed", "emperor_visited", "die_rolled", "turn_started"]


def test_a8_masteries_then_the_trigger_and_no_die(a_match) -> None:
    """[A8] §8.3 Who triggers the end plays no more."""
    story = poor(a_match()).masteries("courts").influence("A", r1=11).stacks(0, 1).with_player("A", koku=5)
    story = story.row(*ROW).plays("A", build(2, "era1_port_2"))
    assert tags(story) == ["mastery_claimed", "turn_closed", "end_triggered", "turn_started"]


def test_a9_the_trigger_is_worth_five(a_match) -> None:
    """[A9] Once, and to nobody else."""
    story = (
        poor(a_match()).stacks(0, 1).with_player("A", koku=5).row(*ROW).plays("A", build(2, "era1_port_2"))
    )
    assert [story.vp(letter, "end_trigger") for letter in "ABC"] == [5, 0, 0]
    story = story.with_player("B", die=1).plays("B", sail("upstream", 1))
    story = story.with_player("C", die=1).plays("C", sail("upstream", 1))
    assert story.score("A")["end_trigger"] == 5


def test_a10_the_row_is_refilled_within_the_action(a_match) -> None:
    """[A10] While `noble_3` asks for a good, after the sail, the new tile is there and the old one gone."""
    story = (
        a_match()
        .row(*ROW)
        .delivered("A", "noble_3")
        .ships("A", 14, 5, royal="upstream")
        .influence("A", r1=17)
    )
    story = story.plays("A", sail("upstream", 1)).plays("A", bonus("silk"))
    assert story.waiting == ["A good"]
    assert story.state.row[1:] == ROW[:3]
    assert story.view().row[0].building is not None


def test_a10_the_row_is_refilled_before_the_masteries(a_match) -> None:
    """[A10] §4.5 belongs to phase 2, §7.1 to phase 3."""
    story = poor(a_match()).masteries("courts").influence("A", r1=11).with_player("A", koku=5).row(*ROW)
    story = story.plays("A", build(2, "era1_port_2"))
    told = [event.__struct_config__.tag for event in story.events]
    assert told.index("row_refilled") < told.index("mastery_claimed")


def test_a10_the_choice_of_the_building_bonus_comes_before_the_refill(a_match) -> None:
    """[A10] §4.4 before §4.5: the slot is open as long as the good is not chosen."""
    story = a_match().row("era1_port_3", *ROW[:2], ROW[3]).influence("A", r1=15)
    story = story.plays("A", build(2, "era1_port_3"))
    assert story.waiting == ["A good"]
    assert story.state.row == (None, *ROW[:2], ROW[3])
    story = story.plays("A", good("silk"))
    assert None not in story.state.row


def test_f8_the_emperor_comes_though_the_player_whose_turn_it_is_leaves(a_match) -> None:
    """[F8] [A8] A empties era 1 and leaves before the turn is over: B is paid, once, and nobody rolls for A."""
    story = (
        poor(a_match()).stacks(1, 11).building(20, "era1_market_1", "B").with_player("A", koku=10).row(*ROW)
    )
    story = story.plays("A", build(2, "era1_port_2"))
    assert story.waiting == ["A closing"]
    story = story.leaves("A")
    assert tags(story) == ["turn_closed", "emperor_visited", "turn_started"]
    assert story.player("B").koku == 2
    assert story.waiting == ["B turn"]


def test_a45_nobody_gets_a_turn_to_even_out(a_match) -> None:
    """[A45] The last in the order triggers the end and has had as many turns; the three others have one more."""
    story = poor(a_match(4)).turn_of("D").stacks(0, 1).with_player("D", koku=5, die=1).row(*ROW)
    story = story.plays("D", build(2, "era1_port_2"))
    for letter in "ABC":
        assert story.waiting == [f"{letter} turn"]
        story = story.with_player(letter, die=1, koku=0, favor=0).ships(letter, 1, 5)
        story = story.plays(letter, sail("upstream", 1))
    assert story.waiting == []


# The deck


DELIVERY = ("artisan_1", "2P")


def delivering(a_match, deck: list[str], discards: list[str]) -> Story:
    """A delivers with one more card in hand; the deck and the discards are these."""
    card, goods = DELIVERY
    return (
        poor(a_match())
        .masteries()
        .hand("A", card, "elder_1")
        .deck(*deck, discards=discards)
        .goods("A", goods)
        .plays("A", deliver(card))
    )


def test_a11_the_discards_become_the_deck_when_a_card_is_wanted_from_an_empty_one(a_match) -> None:
    """[A11] One card is drawn, three are shuffled, one of them is drawn."""
    story = delivering(a_match, ["monk_1"], ["monk_2", "monk_3", "monk_4"])
    assert story.waiting == ["A discard"]
    hand = story.player("A").hand
    assert hand[:2] == ("elder_1", "monk_1")
    assert hand[2] in {"monk_2", "monk_3", "monk_4"}
    assert (len(story.state.deck), story.state.discards) == (2, ())
    assert "deck_reshuffled(customers=[monk_2, monk_3, monk_4])" in story.lines
    assert story.plays("A", discard("elder_1")).state.discards == ("elder_1",)


def test_a11_not_before(a_match) -> None:
    """[A11] The deck is empty now; the discards wait."""
    story = delivering(a_match, ["monk_1", "monk_5"], ["monk_2", "monk_3"])
    assert (story.state.deck, story.state.discards) == ((), ("monk_2", "monk_3"))
    story = story.plays("A", discard("monk_5"))
    assert (story.state.deck, story.state.discards) == ((), ("monk_2", "monk_3", "monk_5"))


def test_a11_with_too_few_cards_there_is_no_discard(a_match) -> None:
    """[A11] The card about to be discarded is not part of the new deck."""
    story = delivering(a_match, ["monk_1"], [])
    assert story.waiting == ["B turn"]
    assert story.player("A").hand == ("elder_1", "monk_1")
    assert (story.state.deck, story.state.discards) == ((), ())


def test_a11_without_any_card_the_delivery_goes_on_all_the_same(a_match) -> None:
    """[A11]"""
    story = delivering(a_match, [], [])
    assert story.waiting == ["B turn"]
    assert story.player("A").hand == ("elder_1",)
    assert story.player("A").tracks[0] == 2


def test_a11_holds_for_the_imperial_market_too(a_match) -> None:
    """[A11] §6.5 An empty deck, one discard: it is drawn, and one may be discarded; without it there is nothing."""
    given = poor(a_match()).hand("A", "elder_1").building(4, "imperial_market_silk", "")
    story = given.deck(discards=["monk_2"]).plays("A", sail("upstream", 1))
    assert story.waiting == ["A discard"]
    assert story.player("A").hand == ("elder_1", "monk_2")
    story = given.deck().plays("A", sail("upstream", 1))
    assert story.waiting == ["B turn"]
    assert story.player("A").hand == ("elder_1",)


def test_a13_the_tops_lie_open_and_nothing_below_them(a_match) -> None:
    """[A13] The next top is one of those nobody has seen, tiles in the box included."""
    story = a_match().row(*ROW)
    top = story.state.era_1.top
    tops = set()
    for number in range(len(story.state.unseen_1)):
        built = story.plays("A", build(2, "era1_port_1"), luck=[number])
        assert built.state.row[0] == top
        tops.add(built.view().stacks[0].top)
    assert tops == {*story.state.unseen_1}
    last = story.stacks(1, 5).plays("A", build(2, "era1_port_1")).view().stacks[0]
    assert (last.top, last.left) == (None, 0)


# What always works


@pytest.mark.parametrize("die", [1, 2, 3, 4, 5, 6])
def test_a27_a_ship_can_always_sail_and_nobody_passes(a_match, die) -> None:
    """[A27] Without koku, goods, favor and cards there are the two ships, and nothing else."""
    story = poor(a_match()).with_player("A", die=die)
    assert story.legal("A") == {
        f"sail(ship=upstream, distance={die})",
        f"sail(ship=midstream, distance={die})",
    }
    story.refuses("A", END, TableCode.WRONG_DECISION, "3.2", expected="turn")


def test_a28_markers_never_run_out(a_match) -> None:
    """[A28] 28 markers on buildings and 12 on artisans' and elders' spaces are more than the box has; one more is placed."""
    story = a_match()
    tiles = [f"era2_{kind}_{n}" for kind in ("port", "market", "manor", "shrine") for n in range(1, 5)]
    spaces = [number for number in range(1, 31) if number not in {2, 6, 17, 29}]
    for number, tile in zip(spaces, tiles[:14], strict=False):
        story = story.building(number, tile, "AA")
    cards = [f"{kind}_{n}" for kind in ("artisan", "elder") for n in range(1, 7)]
    story = story.delivered("A", *cards).row(*ROW).plays("A", build(2, "era1_port_1"))
    assert story.owners(2) == "A"
    assert sum(len(site.markers) for site in story.state.sites if site is not None) == 29


def test_a29_koku_and_goods_never_run_out(a_match) -> None:
    """[A29] Four players hold 25 each, more than there are tokens of; likewise all the goods they can."""
    story = a_match(4).with_player("A", koku=21, favor=3)
    for letter in "BCD":
        story = story.with_player(letter, koku=25)
    story = story.plays("A", sail("upstream", 1))
    assert [player.koku for player in story.state.players] == [25, 25, 25, 25]
    story = a_match(4).goods("A", "5S 6R 6P").ships("A", 14, 8)
    for letter in "BCD":
        story = story.goods(letter, "6S 6R 6P")
    story = story.plays("A", sail("upstream", 1)).plays("A", bonus("silk"))
    assert [player.goods for player in story.state.players] == [(6, 6, 6)] * 4


def test_a33_influence_of_a_building_is_in_its_own_region(a_match) -> None:
    """[A33] `river_07` touches regions 3 and 4: a manor on `shore_16` is region 4's, for visitor and owner."""
    story = a_match().ships("A", 6, 3).building(16, "era2_manor_1", "B").plays("A", sail("upstream", 1))
    assert story.player("A").tracks == (0, 0, 0, 3, 0, 0)
    assert story.player("B").tracks == (0, 0, 0, 1, 0, 0)


def test_a38_ascending_and_fixed_gains_before_choices(a_match) -> None:
    """[A38] The good of choice of `shore_03` is chosen after the silk of `shore_07` has reached its cap."""
    story = poor(a_match()).goods("A", "5S").building(3, "era2_market_1", "").building(7, "era1_market_1", "")
    story = story.plays("A", sail("upstream", 1))
    visits = [event.shore for event in story.events if isinstance(event, VisitorRewarded)]
    assert visits == ["shore_04", "shore_05", "shore_07"]
    assert story.player("A").goods == bag("6S")
    assert {line for line in story.legal("A") if line.startswith("choose")} == {
        "choose_good(good=rice)",
        "choose_good(good=porcelain)",
    }


def test_a40_in_the_last_turns_the_end_slot_is_filled_and_keeps_its_favor(a_match) -> None:
    """[A40] Three turns, three builds from the end slot; every one gains a favor."""
    story = poor(a_match(4)).row(*ROW).stacks(0, 0).last_turns("BCD").turn_of("B")
    for letter, tile, left in (("B", ROW[3], 3), ("C", ROW[2], 2), ("D", ROW[1], 1)):
        assert story.waiting == [f"{letter} turn"]
        number = {"B": 2, "C": 1, "D": 5}[letter]
        cost = 5 if letter == "B" else 6
        story = story.with_player(letter, die=1, koku=cost, favor=0).plays(letter, build(number, tile))
        assert story.player(letter).favor == 1
        assert sum(each is not None for each in story.state.row) == left
        assert story.state.row[3] is not None


# Final scoring


@pytest.mark.parametrize(
    ("tile", "spaces", "vp"),
    [
        pytest.param(4, (18, 18, 5), [10, 10, 4], id="all at the end of the track are tied"),
        pytest.param(3, (9, 4, 4, 1), [8, 2, 2, 0], id="second of a tile with two values"),
        pytest.param(1, (9, 9, 9, 9), [2, 2, 2, 2], id="four share 7 + 3"),
        pytest.param(5, (9, 9, 9, 1), [6, 6, 6, 0], id="three share 10 + 6 + 2"),
        pytest.param(6, (5, 3, 3, 3), [11, 3, 3, 3], id="three share 7 + 3"),
        pytest.param(6, (5, 4, 2, 2), [11, 7, 1, 1], id="two share 3"),
        pytest.param(2, (5, 0, 0), [9, 0, 0], id="who has none is not ranked"),
    ],
)
def test_a34_tied_players_share_the_values_of_their_ranks(a_match, tile, spaces, vp) -> None:
    """[A34] Missing values count 0; rounded down."""
    story = a_match(len(spaces)).region_tile(4, tile)
    for letter, space in zip("ABCD", spaces, strict=False):
        story = story.influence(letter, r4=space)
    assert regions(ended(story), 4) == vp


@pytest.mark.parametrize(
    ("one", "other", "vp"), [(9, 8, [3, 0]), (8, 8, [1, 1]), (1, 0, [3, 0]), (0, 0, [0, 0])]
)
def test_a36_two_players_and_the_tile_with_one_value(a_match, one, other, vp) -> None:
    """[A36]"""
    story = a_match(2).region_tile(4, 1).influence("A", r4=one).influence("B", r4=other)
    assert regions(ended(story), 4) == vp


def test_a37_a_full_mastery_is_not_claimed(a_match) -> None:
    """[A37] Nor is one claimed twice in a turn, though a monk's marker and phase 3 both fulfil it."""
    story = poor(a_match(4)).influence("A", r2=12)
    assert story.masteries(courts="BCD").plays("A", sail("upstream", 1)).vp("A", "masteries") == 0
    story = story.masteries("courts").plays("A", sail("upstream", 1))
    assert story.state.masteries[0].claims == (0,)


def tied(a_match, favor_a: int, favor_b: int) -> Story:
    """Two players with the same score."""
    story = poor(a_match(2)).empty(3, 4, 5, 7)
    return ended(story.with_player("A", favor=favor_a, koku=0).with_player("B", favor=favor_b))


def test_a41_favor_breaks_ties(a_match) -> None:
    """[A41] §8.6 The most favor wins; with equal favor both do."""
    assert GAME.outcome(tied(a_match, 2, 1).state).winners == (0,)
    assert GAME.outcome(tied(a_match, 1, 2).state).winners == (1,)
    outcome = GAME.outcome(tied(a_match, 2, 2).state)
    assert outcome.winners == (0, 1)
    assert [result.rank for result in outcome.results] == [1, 1]


def test_a41_the_favor_is_that_of_the_last_exchange(a_match) -> None:
    """[A41] A buys one in the closing window of the last turn."""
    story = (
        poor(a_match(2)).with_state(last_turns=()).with_player("A", koku=1, favor=1).with_player("B", favor=1)
    )
    story = story.plays("A", sail("upstream", 1))
    assert story.waiting == ["A closing"]
    assert GAME.outcome(story.plays("A", END).state).winners == (0, 1)
    assert GAME.outcome(story.plays("A", ExchangeKoku()).state).winners == (0,)


def test_a42_the_emperor_goes_from_shore_to_shore(a_match) -> None:
    """[A42] Ascending; on each building the first-placed marker first; starting tiles and markets give nothing."""
    story = poor(a_match()).row(*ROW).stacks(1, 11).with_player("A", koku=5)
    story = (
        story.building(25, "era1_manor_6", "CB")
        .building(11, "era1_shrine_6", "BB")
        .building(7, "start_port_1")
    )
    story = story.building(1, "era1_market_4", "AC").plays("A", build(2, "era1_port_2"))
    paid = [
        (event.shore[-2:], "ABC"[event.seat])
        for event in story.events
        if event.__struct_config__.tag == "owner_rewarded"
    ]
    assert paid == [
        ("01", "A"),
        ("01", "C"),
        ("02", "A"),
        ("11", "B"),
        ("11", "B"),
        ("25", "C"),
        ("25", "B"),
    ]
    assert story.waiting == ["B turn"]


def test_a42_a_koku_reward_counts_what_is_owned_then(a_match) -> None:
    """[A42] [A15] W21: two ports, one of them with both markers, make 2 koku for a marker on `era1_port_4`."""
    story = poor(a_match()).row("era1_port_1", "era1_port_2", "era1_port_3", "era1_shrine_1").stacks(1, 11)
    story = story.building(11, "era1_port_4", "B").building(12, "era1_port_5", "BB").with_player("A", koku=5)
    story = story.plays("A", build(2, "era1_port_2"))
    assert story.player("B").koku == 2
