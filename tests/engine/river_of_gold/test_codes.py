"""Every code of this game's refusals is provoked by a test; here those of a turn, with the paragraph and the facts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.kernel.errors import TableCode, Unreadable
from engine.river_of_gold.actions import ExchangeGoods, ExchangeKoku, RollDie, SellGoods, UseMerchant
from engine.river_of_gold.box.components import Good
from engine.river_of_gold.box.ids import CustomerId
from engine.river_of_gold.errors import Code
from engine.river_of_gold.game import GAME
from tests.engine.river_of_gold.conftest import (
    END,
    UP,
    bonus,
    build,
    deliver,
    discard,
    good,
    mark,
    sail,
    use,
)

TOLD = "\n".join(path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py"))


def test_every_code_is_provoked() -> None:
    assert {code.name for code in Code} - set(re.findall(r"\bCode\.([A-Z_]+)", TOLD)) == set()


def test_codes_do_not_collide_with_those_of_every_game() -> None:
    assert not {code.value for code in Code} & {code.value for code in TableCode}


def test_building_where_the_die_is_not(a_match) -> None:
    story = a_match().with_player("A", die=4)
    story.refuses(
        "A",
        build(2, "era1_shrine_6"),
        Code.SPACE_OF_OTHER_REGION,
        "4.1",
        shore="shore_02",
        region=1,
        die=4,
    )


def test_building_where_something_stands(a_match) -> None:
    story = a_match().with_player("A", die=4, koku=25).building(16, "start_port_1")
    for number, there in ((16, "start_port_1"), (17, "imperial_market_rice")):
        story.refuses("A", build(number, "era1_shrine_6"), Code.SPACE_NOT_EMPTY, "4.1", building=there)
    bare = a_match().with_player("A", die=4, koku=25).empty(17)
    bare.refuses("A", build(17, "era1_shrine_6"), Code.SPACE_NOT_EMPTY, "4.1", building="")


def test_building_what_costs_too_much(a_match) -> None:
    story = a_match().with_player("A", die=4, koku=8)
    story.refuses("A", build(16, "era1_shrine_6"), Code.SPACE_UNAFFORDABLE, "4.2", cost=9, koku=8)
    story.delivered("A", "artisan_4").plays("A", build(16, "era1_shrine_6"))


def test_building_what_is_not_in_the_row(a_match) -> None:
    row = ("era1_port_1", "era1_port_2", "era1_port_3", "era1_port_4")
    story = a_match().row(*row)
    story.refuses(
        "A", build(2, "era1_shrine_6"), Code.TILE_NOT_IN_ROW, "4.3", building="era1_shrine_6", row=row
    )


def test_spending_favor_that_is_not_there(a_match) -> None:
    a_match().with_player("A", favor=0).refuses("A", UP, Code.FAVOR_NOT_OWNED, "3.1", favor=0)


def test_exchanges_that_cannot_be(a_match) -> None:
    story = a_match().goods("A", "2S R 6P").with_player("A", koku=4)
    for give, take, code, facts in (
        ("silk", "silk", Code.SAME_GOOD, {"good": "silk"}),
        ("rice", "silk", Code.GOODS_NOT_OWNED, {"goods": ("rice",)}),
        ("silk", "porcelain", Code.GOOD_AT_CAP, {"good": "porcelain", "cap": 6}),
    ):
        story.refuses("A", ExchangeGoods(give=Good(give), take=Good(take)), code, "3.4", **facts)
    story.refuses("A", ExchangeKoku(), Code.KOKU_NOT_OWNED, "3.4", cost=5, koku=4)
    full = story.with_player("A", koku=5, favor=3)
    full.refuses("A", ExchangeKoku(), Code.FAVOR_AT_LIMIT, "3.4", limit=3)


def test_sailing_another_distance(a_match) -> None:
    story = a_match().with_player("A", die=4)
    story.refuses("A", sail("upstream", 5), Code.DISTANCE_NOT_ALLOWED, "5.1", distance=5, allowed=(4,))
    royal = story.ships("A", 1, 8, royal="midstream").delivered("A", "noble_5")
    royal.refuses("A", sail("upstream", 5), Code.DISTANCE_NOT_ALLOWED, "5.1", allowed=(4,))
    royal.refuses("A", sail("midstream", 6), Code.DISTANCE_NOT_ALLOWED, "5.1", allowed=(3, 4, 5))


def test_delivering_what_cannot_be_delivered(a_match) -> None:
    story = a_match().goods("A", "S P").hand("A", "monk_1", "monk_2")
    story.refuses("A", deliver("elder_1"), Code.CUSTOMER_NOT_IN_HAND, "6.1", customer="elder_1")
    story.refuses("A", deliver("monk_2"), Code.CUSTOMER_OF_OTHER_REGION, "6.1", region=2, die=1)
    story.refuses("A", deliver("monk_1"), Code.ORDER_NOT_PAYABLE, "6.2", goods=("rice",))


def test_discarding_what_is_not_in_hand(a_match) -> None:
    story = a_match().goods("A", "S 2R P").hand("A", "monk_1").plays("A", deliver("monk_1"))
    story.refuses("A", discard("monk_1"), Code.CUSTOMER_NOT_IN_HAND, "6.4", customer="monk_1")


def test_choosing_a_good_at_its_cap(a_match) -> None:
    story = a_match().goods("A", "6S").ships("A", 5, 8).building(13, "era2_market_1")
    story = story.plays("A", sail("upstream", 1))
    story.refuses("A", good("silk"), Code.GOOD_AT_CAP, "5.2", good="silk", cap=6)


def test_a_monks_marker_where_it_cannot_go(a_match) -> None:
    story = a_match().goods("A", "S 2R P").hand("A", "monk_1")
    story = story.building(11, "era1_port_1", "A").building(12, "era1_port_2", "B")
    story = story.building(13, "era1_port_3", "AB").building(15, "start_port_1")
    own = story.plays("A", deliver("monk_1"))
    own.refuses("A", mark(14), Code.NO_BUILDING_THERE, "10.4", shore="shore_14")
    own.refuses("A", mark(13), Code.BUILDING_NOT_SINGLY_MARKED, "10.4", markers=2)
    own.refuses("A", mark(15), Code.BUILDING_NOT_SINGLY_MARKED, "10.4", markers=0)
    own.refuses("A", mark(12), Code.BUILDING_NOT_OWN, "10.4", shore="shore_12")
    story = story.with_player("A", die=2).goods("A", "3S 2R").hand("A", "monk_2")
    theirs = story.plays("A", deliver("monk_2"))
    theirs.refuses("A", mark(11), Code.BUILDING_NOT_OPPONENTS, "10.4", shore="shore_11")


def test_bonuses_of_a_journey_that_are_not_to_be_had(a_match) -> None:
    story = a_match().with_player("A", koku=25).goods("A", "6S R").ships("A", 14, 8)
    story = story.delivered("A", "merchant_3", "merchant_5", "merchant_4")
    story = story.with_player("A", favor=3).plays("A", sail("upstream", 1))
    assert story.player("A").koku == 25
    story.refuses("A", bonus(), Code.KOKU_AT_CAP, "5.4", cap=25)
    story.refuses("A", bonus("silk"), Code.GOOD_AT_CAP, "5.4", good="silk")
    story.refuses("A", use("merchant_3"), Code.GOOD_WANTED, "10.3")
    story.refuses("A", use("merchant_3", "silk"), Code.GOOD_AT_CAP, "10.3", good="silk")
    story.refuses("A", use("merchant_5", "rice"), Code.GOOD_NOT_WANTED, "10.3", customer="merchant_5")
    story.refuses("A", use("merchant_5"), Code.BONUS_GAINS_NOTHING, "11.3", bonus="merchant_5")
    story.refuses("A", use("merchant_4"), Code.MERCHANT_SELLS, "10.3")
    story.refuses("A", SellGoods(rice=1), Code.BONUS_GAINS_NOTHING, "11.3", bonus="merchant_4")
    story.refuses("A", use("merchant_6"), Code.BONUS_NOT_OPEN, "5.4", bonus="merchant_6")
    story.refuses("A", UseMerchant(customer=CustomerId.MONK_1), Code.BONUS_NOT_OPEN, "5.4", bonus="monk_1")
    story = story.plays("A", bonus("rice"))
    story.refuses("A", bonus("rice"), Code.BONUS_NOT_OPEN, "5.4", bonus="koku_or_good")


def test_a_merchant_that_has_not_been_delivered_to_sells_nothing(a_match) -> None:
    story = a_match().goods("A", "S").ships("A", 14, 8).plays("A", sail("upstream", 1))
    story.refuses("A", SellGoods(silk=1), Code.BONUS_NOT_OPEN, "5.4", bonus="merchant_4")


def test_answers_to_what_is_not_asked(a_match) -> None:
    story = a_match()
    for action in (good("silk"), END, discard("monk_1"), mark(1), bonus(), RollDie(), SellGoods()):
        story.refuses("A", action, TableCode.WRONG_DECISION, "3.2", expected="turn")
    story = story.ships("A", 5, 8).building(13, "era2_market_1").plays("A", sail("upstream", 1))
    story.refuses("A", UP, TableCode.WRONG_DECISION, "5.2", expected="good")
    story.refuses("A", sail("upstream", 1), TableCode.WRONG_DECISION, "5.2", expected="good")


def test_somebody_elses_choice(a_match) -> None:
    story = a_match().ships("A", 5, 8).building(13, "era2_port_2", "B").plays("A", sail("upstream", 1))
    assert story.waiting == ["B good"]
    for letter in "AC":
        story.refuses(letter, good("rice"), TableCode.NOT_YOUR_TURN, "11.3")


def test_nothing_is_done_without_a_seat_or_after_the_end(a_match) -> None:
    story = a_match(2)
    story.refuses("D", UP, TableCode.SEAT_UNKNOWN, "2", seat=3, seats=2)
    story.finish().refuses("A", UP, TableCode.MATCH_OVER, "8.6")


@pytest.mark.parametrize(
    "action",
    [
        b'{"type":"build","shore":"shore_31","building":"era1_port_1"}',
        b'{"type":"build","shore":"shore_01","building":"castle"}',
        b'{"type":"sail","ship":"upstream","distance":7}',
        b'{"type":"sail","ship":"upstream","distance":0}',
        b'{"type":"sail","ship":"third","distance":1}',
        b'{"type":"set_die","face":7}',
        b'{"type":"sell_goods","silk":-1}',
        b'{"type":"sell_goods","silk":7}',
        b'{"type":"spend_favor","direction":"left"}',
        b'{"type":"exchange_koku","favor":2}',
        b'{"type":"deliver"}',
        b'{"type":"fly"}',
    ],
)
def test_what_is_no_action_is_unreadable(action) -> None:
    with pytest.raises(Unreadable):
        GAME.action_codec.decode(action)


@pytest.mark.parametrize(
    "options",
    [
        b'{"patrons":"some"}',
        b'{"clans":["dragon"]}',
        b'{"clans":["crab","crab","crab","crab","crab"]}',
        b'{"x":1}',
    ],
)
def test_what_are_no_options_is_unreadable(options) -> None:
    with pytest.raises(Unreadable):
        GAME.options_codec.decode(options)
