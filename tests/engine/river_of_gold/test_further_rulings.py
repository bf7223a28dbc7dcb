"""The further rulings that a program needs and that have no place elsewhere; the others are cited where they belong."""

from __future__ import annotations

from engine.kernel.chance import SeededChance
from engine.match.replay import fold
from engine.river_of_gold.actions import ExchangeGoods, ExchangeKoku, SellGoods
from engine.river_of_gold.box.components import Clan, Good, PatronMode
from engine.river_of_gold.box.ids import CustomerId
from engine.river_of_gold.errors import Code
from engine.river_of_gold.game import GAME
from engine.river_of_gold.options import RiverOfGoldOptions
from tests.engine.river_of_gold.conftest import bag, bonus, build, deliver, discard, good, sail, use

SILK_FOR_RICE = ExchangeGoods(give=Good.SILK, take=Good.RICE)


def test_f1_cards_and_tiles_are_drawn_when_they_are_needed(a_match) -> None:
    """[F1] The same delivery, another luck: other cards come; the drawn numbers count into what is left."""
    story = a_match().with_player("A", die=6).goods("A", "S 2R").hand("A", "merchant_6", "elder_1")
    left = story.state.deck
    first = story.plays("A", deliver("merchant_6"), luck=[0, 0])
    other = story.plays("A", deliver("merchant_6"), luck=[27, 3])
    assert first.player("A").hand == ("elder_1", left[0], left[1])
    assert other.player("A").hand == ("elder_1", left[27], left[3])
    built = a_match().stacks(3, 11)
    unseen = built.state.unseen_1
    built = built.plays("A", build(2, "era1_shrine_6"), luck=[5, 0])
    assert built.state.era_1.top == unseen[5]


def test_f2_a_choice_with_one_useful_option_is_asked_and_may_wait_for_an_exchange(a_match) -> None:
    """[F2] Silk and rice are at their cap; after an exchange silk is an option again."""
    story = a_match().goods("A", "6S 6R 4P").ships("A", 5, 8).building(13, "era2_market_1")
    story = story.plays("A", sail("upstream", 1))
    assert story.waiting == ["A good"]
    assert "choose_good(good=porcelain)" in story.legal("A")
    assert "choose_good(good=silk)" not in story.legal("A")
    story = story.plays("A", ExchangeGoods(give=Good.SILK, take=Good.PORCELAIN))
    assert story.waiting == ["A good"]
    story = story.plays("A", good("silk"))
    assert story.player("A").goods == bag("5S 6R 5P")


def test_f2_a_choice_that_gains_nothing_lapses(a_match) -> None:
    """[F2] §11.3 All goods at their cap: not asked, though an exchange could make room."""
    story = a_match().goods("A", "6S 6R 6P").ships("A", 5, 8).building(13, "era2_market_1")
    story = story.with_player("A", koku=0).plays("A", sail("upstream", 1))
    assert "choice_lapsed(seat=0, kind=good)" in story.lines
    assert story.waiting == ["B turn"]


def test_f4_the_order_of_bonuses_is_asked_while_two_are_left(a_match) -> None:
    """[F4] [A5] The last one, which brings no choice, happens by itself."""
    story = a_match().with_player("A", favor=0).ships("A", 14, 8).delivered("A", "merchant_5", "merchant_2")
    story = story.plays("A", sail("upstream", 1))
    assert story.waiting == ["A journey"]
    assert {
        "take_journey_bonus",
        "use_merchant(customer=merchant_5)",
        "use_merchant(customer=merchant_2)",
    } <= story.legal("A")
    story = story.plays("A", use("merchant_5"))
    assert story.waiting == ["A journey"]
    story = story.plays("A", bonus("rice"))
    assert story.waiting == ["A closing"]
    assert story.vp("A", "merchants") == 2


def test_f4_a_bonus_that_gains_nothing_is_not_offered_until_there_is_room(a_match) -> None:
    """[F4] `merchant_6` at 25 koku; 5 koku for a favor bring it back. What is left at the end lapses; unasked up to 1.0.0."""
    story = (
        a_match(rules="1.0.0")
        .with_player("A", koku=25, favor=2)
        .ships("A", 14, 8)
        .delivered("A", "merchant_6")
    )
    story = story.plays("A", sail("upstream", 1))
    assert story.legal("A") == {
        "take_journey_bonus(good=silk)",
        "take_journey_bonus(good=rice)",
        "take_journey_bonus(good=porcelain)",
        "exchange_koku",
    }
    lapsed = story.plays("A", bonus("silk"))
    assert "bonuses_lapsed(seat=0, bonuses=[merchant_6])" in lapsed.lines
    used = story.plays("A", ExchangeKoku()).plays("A", bonus("silk"))
    assert used.player("A").koku == 23
    assert "merchant_used(seat=0, customer=merchant_6, sold=(), gains=(koku=3))" in used.lines


def test_f5_no_good_is_sold_for_nothing(a_match) -> None:
    """[F5] With 17 koku two goods earn 8; a third would earn nothing. Selling none is allowed."""
    story = a_match().with_player("A", koku=17).goods("A", "2S R P").delivered("A", "merchant_4")
    story = story.building(1, "era1_shrine_1").building(2, "era1_shrine_2").building(3, "era1_shrine_3")
    story = story.building(4, "start_shrine_1").ships("A", 14, 8).plays("A", sail("upstream", 1))
    assert story.player("A").koku == 17
    story.refuses("A", SellGoods(silk=2, rice=1), Code.SALE_WASTEFUL, "10.3", goods=3, most=2)
    story.refuses("A", SellGoods(rice=2), Code.GOODS_NOT_OWNED, "10.3", goods=("rice",))
    sold = story.plays("A", SellGoods(silk=1, rice=1))
    assert (sold.player("A").koku, sold.player("A").goods) == (25, bag("S P"))
    kept = story.plays("A", SellGoods())
    assert kept.player("A").goods == bag("2S R P")
    (template,) = GAME.legal_actions(story.state, 0).templates
    assert (template.most, template.koku_each) == (2, 5)


def test_f7_the_first_dice_are_rolled_in_turn_order() -> None:
    """[F7] Those before Ryoku have rolled when she is asked, those after her have not."""
    options = RiverOfGoldOptions(patrons=PatronMode.CHOICE_OF_TWO, clans=(Clan.CRAB, Clan.CRANE, Clan.MANTIS))
    state = fold(GAME, GAME.start(options, 3, SeededChance(bytes(32), 1)))
    while GAME.pending(state)[0].decision == "patron":
        (seat,) = GAME.to_act(state)
        action = GAME.legal_actions(state, seat).actions[-1]
        state = fold(GAME, GAME.decide(state, seat, action, SeededChance(bytes(32), 2)), state)
    assert GAME.to_act(state) == (1,)
    place = state.order.index(1)
    assert [bool(state.players[seat].die) for seat in state.order] == [n < place for n in range(3)]


def test_f9_the_last_exchanges_are_asked_for_only_if_there_is_one(a_match) -> None:
    """[F9] [A7]"""
    story = a_match().with_player("A", koku=0).plays("A", sail("upstream", 1))
    assert story.waiting == ["B turn"]
    story = a_match().with_player("A", koku=0).goods("A", "2S").plays("A", sail("upstream", 1))
    assert story.waiting == ["A closing"]
    assert story.legal("A") == {
        "end_turn",
        "exchange_goods(give=silk, take=rice)",
        "exchange_goods(give=silk, take=porcelain)",
    }
    assert story.plays("A", SILK_FOR_RICE).waiting == ["B turn"]


def test_f10_points_are_counted_by_their_source(a_match) -> None:
    """[F10] The view and the final breakdown tell the same."""
    story = a_match().influence("A", r1=11).with_player("A", koku=9).patron("A", "taka").masteries("courts")
    story = story.row("era1_port_3", "era1_port_2", "era1_port_1", "era1_shrine_2")
    story = story.plays("A", build(3, "era1_port_3"))
    seen = {each.source: each.vp for each in story.view().seats[0].points}
    assert seen == {"tracks": 3, "masteries": 7, "patron": 2}
    score = story.finish().score("A")
    assert {source: score[source] for source in seen} == seen
    assert story.view().seats[0].vp == 12


def test_a_card_may_be_discarded_that_was_just_drawn(a_match) -> None:
    """§6.4 [F2] Any card of the hand; asked even for one card."""
    story = a_match().with_player("A", die=3).ships("A", 14, 8).building(6, "imperial_market_silk")
    story = story.hand("A", "elder_1").plays("A", sail("upstream", 3))
    while story.waiting == ["A journey"]:
        story = story.plays("A", bonus())
    assert story.waiting in (["A discard"], ["A closing"])
    story = (
        a_match().with_player("A", die=3).building(6, "imperial_market_silk").plays("A", sail("upstream", 3))
    )
    assert story.waiting == ["A discard"]
    (card,) = story.player("A").hand
    assert card in CustomerId
    assert story.plays("A", discard(card)).player("A").hand == ()


def test_f15_nobody_exchanges_between_the_gains_of_one_step(a_match) -> None:
    """[F15] 23 koku and four empty spaces: two koku are lost, though a favor bought in between would have made room."""
    story = a_match().with_player("A", koku=23, favor=2).plays("A", sail("upstream", 1))
    gained = [event.gains.koku for event in story.events if event.__struct_config__.tag == "visitor_rewarded"]
    assert gained == [1, 1, 0, 0]
    assert (story.player("A").koku, story.waiting) == (25, ["A closing"])


def test_f15_the_choices_of_a_step_come_after_all_its_gains(a_match) -> None:
    """[F15] [A38] A good of choice at the first space visited, koku at the others: the koku are there when it is chosen."""
    story = a_match().building(4, "era2_market_1").with_player("A", koku=0).plays("A", sail("upstream", 1))
    assert story.waiting == ["A good"]
    assert story.player("A").koku == 3
