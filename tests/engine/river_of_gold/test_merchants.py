"""§10.3 The six merchants: 3 influence, something more from every completed journey, koku count at the end.

A's upstream ship stands on the last space; with a 1 it completes a journey and visits four empty spaces (4 koku).
"""

from __future__ import annotations

import pytest

from engine.bots.candidates import candidates
from engine.kernel.chance import SeededChance
from engine.kernel.seats import Seat, seat_audience
from engine.river_of_gold.actions import SellGoods, UseMerchant
from engine.river_of_gold.agents.action_space import action_space
from engine.river_of_gold.box.components import Good, Goods
from engine.river_of_gold.box.ids import CustomerId
from engine.river_of_gold.errors import Code
from engine.river_of_gold.game import GAME
from engine.river_of_gold.options import RiverOfGoldOptions
from engine.river_of_gold.templates import SellGoodsTemplate
from tests.engine.river_of_gold.answers import answers
from tests.engine.river_of_gold.conftest import Story, bag, bonus, deliver, sail, use
from tests.engine.river_of_gold.endings import INCOME, ended

ORDERS = {1: "3P", 2: "3R", 3: "3S", 4: "2S R", 5: "2R P", 6: "S 2R"}
every_region = pytest.mark.parametrize("region", ORDERS, ids=lambda region: f"merchant_{region}")
every_merchant = pytest.mark.parametrize("card", [f"merchant_{region}" for region in ORDERS])


def arriving(a_match, *merchants: str, koku: int = 0, favor: int = 0, ship: str = "upstream") -> Story:
    """A has these merchants and is to complete a journey with a 1; the visited spaces give 4 koku."""
    rivers = (14, 5) if ship == "upstream" else (5, 14)
    story = a_match().masteries().delivered("A", *merchants).ships("A", *rivers)
    return story.with_player("A", die=1, koku=koku, favor=favor).with_player("B", koku=0, favor=0)


def arrived(a_match, *merchants: str, **fields) -> Story:
    """The journey is completed, its bonuses are to be resolved."""
    story = arriving(a_match, *merchants, **fields)
    return story.plays("A", sail(fields.get("ship", "upstream"), 1))


def journey_answers(story: Story) -> set[str]:
    return {
        line
        for line in story.legal("A")
        if line.startswith(("take_journey_bonus", "use_merchant", "sell_goods"))
    }


def gained(before: Story, after: Story) -> dict[str, int]:
    was, now = before.player("A"), after.player("A")
    return {
        "koku": now.koku - was.koku,
        "goods": sum(now.goods) - sum(was.goods),
        "favor": now.favor - was.favor,
        "vp": now.vp - was.vp,
        "influence": sum(now.tracks) - sum(was.tracks),
    }


NOTHING = {"koku": 0, "goods": 0, "favor": 0, "vp": 0, "influence": 0}


@every_region
def test_delivery_gives_three_influence_in_the_region(a_match, region) -> None:
    story = a_match().with_player("A", die=region).goods("A", ORDERS[region])
    story = story.influence("A", **{f"r{region}": 5}).hand("A", f"merchant_{region}")
    story = story.plays("A", deliver(f"merchant_{region}"))
    assert story.player("A").tracks == tuple(8 if each == region else 0 for each in range(1, 7))
    assert story.waiting == ["A discard"]


# What each brings when a journey is completed, in addition to the bonus


def test_merchant_1_moves_a_marker_in_every_region_with_an_own_building(a_match) -> None:
    """[A15] [A16] Two own buildings in a region, a double marker and a shared building count once; markets of nobody do not."""
    given = arrived(
        lambda: (
            a_match()
            .building(7, "era1_port_1", "A")
            .building(8, "era1_port_2", "A")
            .building(11, "era1_port_3", "AA")
            .building(20, "era1_port_4", "BA")
            .building(22, "era1_port_5", "B")
            .influence("A", r2=5, r3=5, r4=5, r6=5)
        ),
        "merchant_1",
    ).plays("A", bonus())
    assert given.player("A").tracks == (0, 6, 6, 6, 0, 5)
    assert given.player("B").tracks == (0, 0, 0, 0, 0, 0)


def test_merchant_1_collects_what_the_tracks_give(a_match) -> None:
    """§4.6 From 1 to 2 in region 2: a rice."""
    given = arrived(lambda: a_match().building(8, "era1_port_2", "A").influence("A", r2=1), "merchant_1")
    then = given.plays("A", bonus())
    assert gained(given, then) == NOTHING | {"koku": 3, "goods": 1, "influence": 1}
    assert then.player("A").goods == bag("R")


@pytest.mark.parametrize(
    ("others", "vp"), [((), 1), (("monk_1",), 2), (("monk_1", "elder_2", "artisan_6", "merchant_6"), 5)]
)
def test_merchant_2_scores_every_delivered_customer_itself_included(a_match, others, vp) -> None:
    given = arrived(a_match, "merchant_2", *others)
    then = given.plays("A", use("merchant_2"))
    assert then.vp("A", "merchants") == vp
    assert then.vp("B") == 0


def test_merchant_3_gives_a_good_of_choice(a_match) -> None:
    given = arrived(a_match, "merchant_3")
    assert {
        "use_merchant(customer=merchant_3, good=silk)",
        "use_merchant(customer=merchant_3, good=rice)",
        "use_merchant(customer=merchant_3, good=porcelain)",
    } <= given.legal("A")
    then = given.plays("A", use("merchant_3", "porcelain"))
    assert gained(given, then) == NOTHING | {"goods": 1}
    assert then.player("A").goods == bag("P")


def test_merchant_3_wants_to_know_which_good_and_only_merchant_3_does(a_match) -> None:
    story = arrived(a_match, "merchant_3", "merchant_5", "merchant_4").goods("A", "6S R")
    story.refuses("A", use("merchant_3"), Code.GOOD_WANTED, "10.3")
    story.refuses("A", use("merchant_3", "silk"), Code.GOOD_AT_CAP, "10.3", good="silk", cap=6)
    story.refuses("A", use("merchant_5", "rice"), Code.GOOD_NOT_WANTED, "10.3", customer="merchant_5")
    story.refuses("A", use("merchant_4"), Code.MERCHANT_SELLS, "10.3")


@pytest.mark.parametrize(
    ("sold", "koku"),
    [
        (Goods(), 0),
        (Goods(silk=1), 5),
        (Goods(silk=2, rice=1), 15),
        (Goods(silk=2, rice=1, porcelain=1), 20),
    ],
)
def test_merchant_4_sells_any_number_of_goods_for_five_koku_each(a_match, sold, koku) -> None:
    """[A14] None at all is allowed: this one may be declined (§11.4)."""
    given = arrived(lambda: a_match().goods("A", "2S R P"), "merchant_4")
    then = given.plays("A", SellGoods(silk=sold.silk, rice=sold.rice, porcelain=sold.porcelain))
    number = sold.silk + sold.rice + sold.porcelain
    assert gained(given, then) == NOTHING | {"koku": koku, "goods": -number}
    assert {*journey_answers(then)} == {
        "take_journey_bonus",
        "take_journey_bonus(good=silk)",
        "take_journey_bonus(good=rice)",
        "take_journey_bonus(good=porcelain)",
    }


def test_merchant_4_describes_every_sale_and_lists_none(a_match) -> None:
    """2 silk, 1 rice, 1 porcelain: 3 × 2 × 2 sales, the empty one included."""
    story = arrived(lambda: a_match().goods("A", "2S R P"), "merchant_4")
    legal = GAME.legal_actions(story.state, 0)
    assert not any(isinstance(action, SellGoods) for action in legal.actions)
    assert legal.templates == (
        SellGoodsTemplate(owned=Goods(silk=2, rice=1, porcelain=1), most=4, koku_each=5),
    )
    assert len(set(sales_of(story))) == 12


def test_every_sale_has_an_index_for_programs_that_learn(a_match) -> None:
    """A template stands for its sales: each of them is open, and a larger one is not."""
    story = arrived(lambda: a_match().goods("A", "2S R P"), "merchant_4")
    view = GAME.view(story.state, seat_audience(Seat(0)))
    space = action_space(RiverOfGoldOptions(), 3)
    choices = space.choices(GAME.legal_actions(story.state, 0), view)
    assert {choices.action(space.word(sale, view)) for sale in sales_of(story)} == {*sales_of(story)}
    assert choices.action(space.word(SellGoods(silk=3), view)) is None


def test_a_bot_considers_sales_too(a_match) -> None:
    """With nothing but a sale to answer, its candidates are samples of the template."""
    story = arrived(lambda: a_match().goods("A", "2S R P"), "merchant_4").plays("A", bonus())
    found = candidates(GAME, story.state, Seat(0), SeededChance(bytes(32), 5), 8)
    assert sum(isinstance(action, SellGoods) for action in found) > 1


@pytest.mark.parametrize(("koku", "most"), [(0, 5), (1, 5), (4, 5), (5, 4), (19, 2), (20, 1), (24, 1)])
def test_merchant_4_sells_no_good_for_nothing(a_match, koku, most) -> None:
    """[F5] [A26] A sale that is cut by the cap still earns something; one more would not."""
    story = arrived(lambda: a_match().goods("A", "6S"), "merchant_4").with_player("A", koku=koku)
    listed = {action.silk for action in sales_of(story)}
    assert max(listed) == most
    assert story.plays("A", SellGoods(silk=most)).player("A").koku == min(koku + 5 * most, 25)
    if most < 6:
        facts = {"goods": most + 1, "most": most}
        story.refuses("A", SellGoods(silk=most + 1), Code.SALE_WASTEFUL, "10.3", **facts)


def sales_of(story: Story) -> list[SellGoods]:
    return [each for each in answers(story.state, 0) if isinstance(each, SellGoods)]


def test_merchant_4_sells_only_what_there_is(a_match) -> None:
    story = arrived(lambda: a_match().goods("A", "S P"), "merchant_4")
    story.refuses("A", SellGoods(silk=2, rice=1), Code.GOODS_NOT_OWNED, "10.3", goods=("silk", "rice"))


def test_merchant_4_with_nothing_to_sell_or_nothing_to_gain_is_not_asked(a_match) -> None:
    """§11.3"""
    story = arrived(a_match, "merchant_4")
    assert not any(line.startswith("sell_goods") for line in story.legal("A"))
    story.refuses("A", SellGoods(), Code.BONUS_GAINS_NOTHING, "11.3", bonus="merchant_4")
    done = story.plays("A", bonus())
    assert "A journey" not in done.waiting
    rich = arrived(lambda: a_match().goods("A", "3S"), "merchant_4", koku=25)
    assert sales_of(rich) == []


def test_merchant_5_gives_a_favor(a_match) -> None:
    given = arrived(a_match, "merchant_5")
    assert gained(given, given.plays("A", use("merchant_5"))) == NOTHING | {"favor": 1}


def test_merchant_5_at_the_limit_is_no_option(a_match) -> None:
    """[A26]"""
    story = arrived(a_match, "merchant_5", favor=3)
    assert "use_merchant(customer=merchant_5)" not in story.legal("A")
    story.refuses("A", use("merchant_5"), Code.BONUS_GAINS_NOTHING, "11.3", bonus="merchant_5")


def test_merchant_6_gives_three_koku(a_match) -> None:
    given = arrived(a_match, "merchant_6")
    assert gained(given, given.plays("A", use("merchant_6"))) == NOTHING | {"koku": 3}
    rich = arrived(a_match, "merchant_6", koku=20)
    assert gained(rich, rich.plays("A", use("merchant_6"))) == NOTHING | {"koku": 1}


# When they are provoked, and when they are not


@every_merchant
@pytest.mark.parametrize("ship", ["upstream", "midstream"])
def test_every_own_ship_that_completes_a_journey_provokes_it(a_match, card, ship) -> None:
    given = arrived(lambda: a_match().building(8, "era1_port_2", "A").goods("A", "S"), card, ship=ship)
    assert given.waiting == ["A journey"]
    assert any(line.startswith((f"use_merchant(customer={card}", "sell_goods")) for line in given.legal("A"))


@every_merchant
def test_the_royal_ship_is_a_ship_too(a_match, card) -> None:
    story = arriving(lambda: a_match().building(8, "era1_port_2", "A").goods("A", "S"), card)
    story = story.with_player("A", royal=0).plays("A", sail("upstream", 1))
    assert any(line.startswith((f"use_merchant(customer={card}", "sell_goods")) for line in story.legal("A"))


@every_merchant
def test_without_a_completed_journey_it_brings_nothing(a_match, card) -> None:
    """[A3] Ending exactly on the last space completes nothing."""
    story = arriving(lambda: a_match().building(8, "era1_port_2", "A").goods("A", "S"), card).ships(
        "A", 13, 5
    )
    before = story
    story = story.plays("A", sail("upstream", 1))
    assert "A journey" not in story.waiting
    assert story.player("A").tracks == before.player("A").tracks
    assert story.vp("A", "merchants") == 0


@every_merchant
def test_a_rivals_journey_brings_its_owner_nothing(a_match, card) -> None:
    story = arriving(lambda: a_match().building(8, "era1_port_2", "A"), card).turn_of("B")
    story = story.ships("B", 14, 5).with_player("B", die=1)
    before = story.player("A")
    story = story.plays("B", sail("upstream", 1))
    assert journey_answers(story) == set()
    story = story.plays("B", bonus())
    assert story.player("A") == before


@every_merchant
def test_it_is_used_once_for_a_journey(a_match, card) -> None:
    story = arrived(lambda: a_match().building(8, "era1_port_2", "A").goods("A", "S"), card)
    if card == "merchant_4":
        story = story.plays("A", SellGoods(silk=1))
        story.refuses("A", SellGoods(), Code.BONUS_NOT_OPEN, "5.4", bonus=card, open=("koku_or_good",))
        return
    good = Good.SILK if card == "merchant_3" else None
    again = UseMerchant(customer=CustomerId(card), good=good)
    story = story.plays("A", again)
    story.refuses("A", again, Code.BONUS_NOT_OPEN, "5.4", bonus=card, open=("koku_or_good",))


def test_a_merchant_delivered_to_by_somebody_else_is_not_used(a_match) -> None:
    story = arrived(a_match, "merchant_6").delivered("B", "merchant_5")
    story.refuses("A", use("merchant_5"), Code.BONUS_NOT_OPEN, "5.4", bonus="merchant_5")


def test_what_is_left_and_brings_nothing_lapses(a_match) -> None:
    """§11.3 Favor is at its limit; after the bonus nothing is to be had any more."""
    story = arrived(a_match, "merchant_5", favor=3).plays("A", bonus())
    assert "A journey" not in story.waiting
    assert "bonuses_lapsed(seat=0, bonuses=[merchant_5])" in story.lines


# At the end


@every_region
@pytest.mark.parametrize(("koku", "vp"), [(4, 0), (5, 1), (9, 1), (12, 2), (24, 4), (25, 5)])
def test_koku_held_count_at_the_end(a_match, region, koku, vp) -> None:
    """1 VP for five, rounded down."""
    story = a_match().delivered("A", f"merchant_{region}").with_player("A", koku=koku - INCOME, favor=0)
    assert ended(story).score("A")[f"merchant_{region}"] == vp


def test_every_merchant_counts_all_the_koku_for_itself(a_match) -> None:
    """W7"""
    story = ended(a_match().delivered("A", "merchant_2", "merchant_5").with_player("A", koku=12 - INCOME))
    assert (story.score("A")["merchant_2"], story.score("A")["merchant_5"]) == (2, 2)
