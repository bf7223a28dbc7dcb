"""§12 Rulings that no chapter's own tests show: order of the end of a turn, the deck, the row, supplies, ties."""

from __future__ import annotations

import pytest

from engine.river_of_gold.actions import Sail
from engine.river_of_gold.box.components import CustomerType
from engine.river_of_gold.box.customers import CUSTOMERS
from engine.river_of_gold.game import GAME
from tests.engine.river_of_gold.conftest import END, bag, bonus, build, deliver, discard, sail


def tags(story) -> list[str]:
    return [type(event).__struct_config__.tag for event in story.events]


def test_a10_the_row_is_refilled_inside_the_action(a_match) -> None:
    """[A10] Before the masteries; a choice that arises in the build still comes first (§11.3)."""
    story = a_match().plays("A", build(2, "era1_shrine_3"))
    told = tags(story)
    assert told.index("row_refilled") < told.index("step_started")
    assert "step_started(seat=0, step=masteries)" in story.lines
    asked = a_match().influence("A", r1=15).plays("A", build(2, "era1_shrine_3"))
    assert asked.waiting == ["A good"]
    assert "row_refilled" not in tags(asked)


def test_a8_emperor_trigger_roll(a_match) -> None:
    """[A8] The last exchanges come before all of them [A7]."""
    story = a_match().stacks(1, 11).building(20, "era1_port_3", "A").with_player("A", favor=1)
    story = story.plays("A", build(2, "era1_shrine_4"))
    assert story.waiting == ["A closing"]
    assert "emperor_visited" not in tags(story)
    assert tags(story.plays("A", END)) == [
        "turn_closed",
        "emperor_visited",
        "owner_rewarded",
        "owner_rewarded",
        "die_rolled",
        "turn_started",
    ]


def test_a8_ryoku_pays_with_favor_of_the_emperors_visit(a_match) -> None:
    """[A8] [A23]"""
    story = a_match().patron("A", "ryoku").stacks(1, 11).building(20, "era1_port_3", "A")
    story = story.with_player("A", koku=5, favor=0).plays("A", build(2, "era1_shrine_4"))
    assert story.player("A").favor == 1
    assert story.waiting == ["A die"]


def test_a9_a45_the_trigger_scores_five_and_costs_the_last_turn(a_match) -> None:
    """[A9] [A45] No roll either: whoever triggers the end, the first player too, has played."""
    story = a_match().with_player("A", koku=5).stacks(0, 1).plays("A", build(2, "era1_shrine_4"))
    assert story.vp("A", "end_trigger") == 5
    assert story.state.last_turns == (2,)
    assert story.waiting == ["B turn"]
    assert "die_rolled" not in tags(story)
    for letter in "BC":
        story = story.with_player(letter, koku=0, favor=0).ships(letter, 4, 8)
        story = story.plays(letter, sail("upstream", story.player(letter).die))
        while story.waiting in (["B closing"], ["C closing"]):
            story = story.plays(letter, END)
    assert GAME.outcome(story.state) is not None
    assert story.state.turn == a_match().state.turn + 2


def test_a11_a_deck_is_made_anew_of_the_discards_when_a_card_must_be_drawn(a_match) -> None:
    """[A11] One card is left: it is drawn, then the discards become the deck; the card discarded now is not among them."""
    story = a_match().goods("A", "S 2R P").hand("A", "monk_1", "elder_1")
    story = story.deck("elder_2", discards=["monk_5", "monk_6"]).plays("A", deliver("monk_1"), luck=[0])
    drawn = [tag for tag in tags(story) if tag in ("customer_drawn", "deck_reshuffled")]
    assert drawn == ["customer_drawn", "deck_reshuffled", "customer_drawn"]
    assert story.player("A").hand == ("elder_1", "elder_2", "monk_5")
    story = story.plays("A", discard("elder_1"))
    assert (story.state.deck, story.state.discards) == (("monk_6",), ("elder_1",))


def test_a11_an_empty_deck_waits_until_it_is_needed(a_match) -> None:
    """[A11] The last two cards are drawn; the discards stay where they are."""
    story = a_match().goods("A", "S 2R P").hand("A", "monk_1")
    story = story.deck("elder_2", "elder_3", discards=["monk_6"]).plays("A", deliver("monk_1"))
    assert "deck_reshuffled" not in tags(story)
    assert (story.state.deck, story.state.discards) == ((), ("monk_6",))


@pytest.mark.parametrize(
    ("deck", "hand"), [((), ("elder_1",)), (("elder_2",), ("elder_1", "elder_2"))], ids=["none", "one"]
)
def test_a11_with_too_few_cards_nothing_is_discarded(a_match, deck, hand) -> None:
    """[A11] What there is is drawn."""
    story = a_match().goods("A", "S 2R P").hand("A", "monk_1", "elder_1").deck(*deck)
    story = story.plays("A", deliver("monk_1"))
    assert story.player("A").hand == hand
    assert "discard" not in story.waiting[0]


@pytest.mark.parametrize(("deck", "waiting"), [((), "B turn"), (("elder_2",), "A discard")])
def test_a11_the_silk_market_draws_one_and_discards_one(a_match, deck, waiting) -> None:
    """[A11] §6.5 Likewise with 1 card."""
    story = a_match().with_player("A", koku=0, favor=3, die=3).hand("A", "elder_1").deck(*deck)
    story = story.building(6, "imperial_market_silk").plays("A", sail("upstream", 3))
    assert story.waiting == [waiting]
    assert story.player("A").hand == ("elder_1", *deck)


def test_a13_the_next_top_comes_to_light_with_the_refill(a_match) -> None:
    """[A13] The row gets the tile that was seen; the last tile of an era leaves no top."""
    story = a_match().stacks(2, 5)
    top = story.state.era_1.top
    story = story.plays("A", build(2, "era1_shrine_3"))
    assert story.state.row[0] == top
    assert story.state.era_1.left == 1
    assert story.view().stacks[0].top == story.state.era_1.top is not None
    last = a_match().stacks(1, 5).plays("A", build(2, "era1_shrine_3"))
    assert (last.view().stacks[0].top, last.view().stacks[0].left) == (None, 0)


def test_a27_a_ship_can_always_sail(a_match) -> None:
    """[A27] With nothing at all in every region: two ships, and no pass."""
    for die in range(1, 7):
        story = a_match().with_player("A", koku=0, favor=0, limit=0, die=die)
        listed = GAME.legal_actions(story.state, 0).actions
        assert len(listed) == 2
        assert all(isinstance(action, Sail) for action in listed)


def test_a28_markers_never_run_out(a_match) -> None:
    """[A28] 25 buildings with a marker, and one more."""
    story = a_match().with_player("A", koku=25).stacks(0, 3)
    story = story.row("era1_shrine_1", "era1_shrine_2", "era1_shrine_3", "era1_shrine_4")
    tiles = [f"era1_{kind}_{n}" for kind in ("port", "market", "manor") for n in range(1, 7)]
    tiles += [f"era2_{kind}_{n}" for kind in ("port", "market") for n in range(1, 5)]
    free = [n for n in range(1, 31) if n not in (2, 6, 17, 29)]
    for number, tile in zip(free[:25], tiles[:25], strict=True):
        story = story.building(number, tile, "AA" if number % 2 else "A")
    assert story.plays("A", build(2, "era1_shrine_4")).owners(2) == "A"


def test_a29_goods_and_koku_never_run_out(a_match) -> None:
    """[A29] Four players with all they can hold; a journey still pays what there is room for."""
    story = a_match(4)
    for letter in "ABCD":
        story = story.goods(letter, "6S 6R 6P").with_player(letter, koku=25)
    story = story.goods("A", "5S 6R 6P").ships("A", 14, 8).plays("A", sail("upstream", 1))
    assert story.plays("A", bonus("silk")).player("A").goods == bag("6S 6R 6P")


def test_a33_influence_of_a_building_is_where_it_stands(a_match) -> None:
    """[A33] The ship is at `river_05`, between regions 2 and 3; visitor and owner move in region 3 for a manor there."""
    story = a_match().with_player("A", die=1).ships("A", 4, 8).building(11, "era1_manor_1")
    story = story.building(12, "era2_shrine_1", "B").plays("A", sail("upstream", 1))
    assert story.player("A").tracks == (0, 0, 2, 0, 0, 0)
    assert story.player("B").tracks == (0, 0, 1, 0, 0, 0)


def test_a34_players_at_the_end_of_the_track_are_tied_too(a_match) -> None:
    """[A34] Whoever came to 18 first."""
    story = a_match().region_tile(1, 2).influence("A", r1=18).influence("C", r1=18).finish()
    assert [story.score(letter)["region_1"] for letter in "ABC"] == [7, 0, 7]


def test_a34_missing_values_count_nothing(a_match) -> None:
    """[A34] Two tied second on a tile of two values share the second one."""
    story = a_match().region_tile(1, 3).influence("A", r1=3).influence("B", r1=2).influence("C", r1=2)
    assert [story.finish().score(letter)["region_1"] for letter in "ABC"] == [8, 2, 2]


def test_a40_the_end_slot_keeps_its_favor_in_the_last_turns(a_match) -> None:
    """[A40] The row has three tiles and slides; the start slot stays open."""
    story = a_match().stacks(0, 0).last_turns("B").with_player("A", koku=5, favor=0)
    end = story.state.row[3]
    story = story.plays("A", build(2, end))
    assert (story.state.row[0], None in story.state.row[1:]) == (None, False)
    assert story.player("A").favor == 1


def test_a41_favor_breaks_the_tie_and_else_victory_is_shared(a_match) -> None:
    """[A41] §8.6"""
    story = a_match().with_player("A", favor=1).with_player("C", favor=2, limit=3)
    assert GAME.outcome(story.with_player("B", favor=1).finish().state).winners == (2,)
    shared = GAME.outcome(story.with_player("B", favor=2).finish().state)
    assert shared.winners == (1, 2)
    assert [result.rank for result in shared.results] == [3, 1, 1]


def test_a2_both_starting_spaces_are_ordinary_ones(a_match) -> None:
    """[A2] A ship passes and visits them as any other."""
    story = a_match().with_player("A", die=1, koku=0).ships("A", 7, 14).empty(17)
    story = story.plays("A", sail("upstream", 1))
    assert story.river("A")[0] == "river_08"
    assert story.player("A").koku == 4


def test_six_customers_of_each_type() -> None:
    """§10 One per region."""
    for kind in CustomerType:
        assert [each.region for each in CUSTOMERS if each.type is kind] == [1, 2, 3, 4, 5, 6]


def test_f8_who_has_left_rolls_no_die(a_match) -> None:
    """[F8]"""
    story = a_match().leaves("A")
    assert "die_rolled" not in tags(story)
    assert story.player("A").die == 0
