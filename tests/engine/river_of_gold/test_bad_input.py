"""Refusals in full: code, paragraph, field and facts; nothing changes, nothing is drawn, and it was never listed."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import pytest

from engine.kernel.chance import ScriptedChance, SeededChance
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation, TableCode, Unreadable
from engine.match.replay import fold
from engine.river_of_gold.actions import (
    ChoosePatron,
    ChooseRoyalShip,
    ExchangeGoods,
    ExchangeKoku,
    RiverOfGoldAction,
    RollDie,
    SellGoods,
)
from engine.river_of_gold.box.components import Clan, Good, PatronMode, ShipId
from engine.river_of_gold.box.ids import PatronId
from engine.river_of_gold.errors import Code
from engine.river_of_gold.game import GAME
from engine.river_of_gold.options import RiverOfGoldOptions
from tests.engine.river_of_gold.answers import answers
from tests.engine.river_of_gold.conftest import (
    DOWN,
    END,
    UP,
    Story,
    begin,
    bonus,
    build,
    deliver,
    discard,
    good,
    mark,
    sail,
    seat_of,
    set_die,
    use,
)
from tests.engine.river_of_gold.endings import ended

ROW = ("era1_port_1", "era1_port_2", "era1_port_3", "era1_port_4")


def refused(
    story: Story, action: RiverOfGoldAction, code: StrEnum, rule: str, /, by: str = "A", **facts: Any
) -> None:
    """A seat tries what is refused, with this code, paragraph, field (`4.1 shore`) and exactly these facts; nothing else happens.

    Nothing is drawn either: no draws are scripted.
    """
    seat, before = seat_of(by), encode(story.state)
    with pytest.raises(RuleViolation) as violation:
        GAME.decide(story.state, seat, action, ScriptedChance())
    told = violation.value
    assert (told.code, f"{told.rule} {told.field or ''}".strip(), told.facts) == (code, rule, facts)
    assert encode(story.state) == before
    assert action not in answers(story.state, seat)


def turn(**fields: Any) -> Story:
    """A's turn with 10 koku, favor 2 of 3 and this row."""
    return begin().row(*ROW).with_player("A", **fields)


def swap(give: str, take: str) -> ExchangeGoods:
    return ExchangeGoods(give=Good(give), take=Good(take))


def choosing(tile: str, owners: str, **fields: Any) -> Story:
    """A has sailed past a building whose reward is a good of choice."""
    return turn(**fields).building(4, tile, owners).plays("A", sail("upstream", 1))


def journeying(*cards: str, goods: str = "", **fields: Any) -> Story:
    """A has completed a journey past four shrines, so that koku stay as they are."""
    story = turn(**fields).goods("A", goods).delivered("A", *cards).ships("A", 14, 5)
    for number, tile in (
        (1, "era1_shrine_1"),
        (2, "era1_shrine_2"),
        (3, "start_shrine_1"),
        (4, "start_shrine_2"),
    ):
        story = story.building(number, tile, "")
    return story.plays("A", sail("upstream", 1))


def blessed(card: str, order: str) -> Story:
    """A's monk looks for a building: 13 is A's, 14 B's, 15 shared, 16 nobody's, 20 A's too, 21 B's too."""
    story = turn(die=int(card[-1])).goods("A", order).hand("A", card)
    for number, tile, owners in (
        (13, "era1_market_1", "A"),
        (14, "era1_market_2", "B"),
        (15, "era1_market_3", "AB"),
        (16, "start_port_1", ""),
        (20, "era1_market_4", "A"),
        (21, "era1_market_5", "B"),
    ):
        story = story.building(number, tile, owners)
    return story.plays("A", deliver(card))


def drafting() -> Story:
    """Seat 0 is Crab, seat 1 Mantis; each is to choose one of its clan's two patrons."""
    options = RiverOfGoldOptions(patrons=PatronMode.CHOICE_OF_TWO, clans=(Clan.CRAB, Clan.MANTIS))
    return Story(fold(GAME, GAME.start(options, 2, SeededChance(bytes(32), 1))))


def test_building() -> None:
    """§4.1 to §4.3"""
    here, other, tile = build(2, ROW[0]), turn(die=4, koku=25), {"building": "era1_manor_1"}
    refused(turn(die=4), here, Code.SPACE_OF_OTHER_REGION, "4.1 shore", shore="shore_02", region=1, die=4)
    refused(turn(koku=4), here, Code.SPACE_UNAFFORDABLE, "4.2 shore", shore="shore_02", cost=5, koku=4)
    taken = turn().building(2, "era1_manor_1", "B")
    refused(taken, here, Code.SPACE_NOT_EMPTY, "4.1 shore", shore="shore_02", **tile)
    for story, there in ((other, "imperial_market_rice"), (other.empty(17), "")):
        refused(story, build(17, ROW[0]), Code.SPACE_NOT_EMPTY, "4.1 shore", shore="shore_17", building=there)
    gone = build(2, "era2_port_1")
    refused(turn(), gone, Code.TILE_NOT_IN_ROW, "4.3 building", building="era2_port_1", row=ROW)


def test_delivering() -> None:
    """§6.1, §6.2, §6.4"""
    monk, elder, artisan = turn().hand("A", "monk_1"), deliver("elder_1"), deliver("artisan_2")
    refused(monk, elder, Code.CUSTOMER_NOT_IN_HAND, "6.1 customer", customer="elder_1")
    story = turn().hand("A", "artisan_2").goods("A", "2P")
    facts = {"customer": "artisan_2", "region": 2, "die": 1}
    refused(story, artisan, Code.CUSTOMER_OF_OTHER_REGION, "6.1 customer", **facts)
    missing = {"customer": "elder_1", "goods": ("rice", "porcelain")}
    story = turn().hand("A", "elder_1").goods("A", "2S P")
    refused(story, elder, Code.ORDER_NOT_PAYABLE, "6.2 customer", **missing)
    story = turn().goods("A", "2P").hand("A", "artisan_1").plays("A", deliver("artisan_1"))
    refused(story, discard("artisan_1"), Code.CUSTOMER_NOT_IN_HAND, "6.4 customer", customer="artisan_1")


def test_favor_and_exchanges() -> None:
    """§3.1, §3.4"""
    refused(turn(favor=0), UP, Code.FAVOR_NOT_OWNED, "3.1", favor=0)
    few, full = turn().goods("A", "2S"), turn().goods("A", "2S 6R")
    refused(few, swap("rice", "silk"), Code.GOODS_NOT_OWNED, "3.4 give", goods=("rice",))
    refused(few, swap("silk", "silk"), Code.SAME_GOOD, "3.4 take", good="silk")
    refused(full, swap("silk", "rice"), Code.GOOD_AT_CAP, "3.4 take", good="rice", cap=6)
    refused(turn().goods("A", "S"), swap("silk", "rice"), Code.GOODS_NOT_OWNED, "3.4 give", goods=("silk",))
    refused(turn(koku=4), ExchangeKoku(), Code.KOKU_NOT_OWNED, "3.4", cost=5, koku=4)
    refused(turn(favor=3), ExchangeKoku(), Code.FAVOR_AT_LIMIT, "3.4", limit=3)


def test_sailing_another_distance() -> None:
    """§5.1 With the fifth noble the royal ship goes one up or down."""
    far = Code.DISTANCE_NOT_ALLOWED
    refused(turn(die=3), sail("midstream", 4), far, "5.1 distance", distance=4, allowed=(3,))
    royal = turn(die=6).delivered("A", "noble_5").ships("A", 1, 8, royal="upstream")
    refused(royal, sail("upstream", 2), far, "5.1 distance", distance=2, allowed=(1, 5, 6))


def test_bonuses_of_a_journey_that_are_not_open() -> None:
    """§5.4 Had before, of a customer not delivered to, of one who is no merchant, a sale without its merchant."""
    closed, free = Code.BONUS_NOT_OPEN, ("koku_or_good",)
    both = {"bonus": "koku_or_good", "open": ("merchant_2", "merchant_3")}
    refused(
        journeying("merchant_2", "merchant_3").plays("A", bonus("silk")), bonus("silk"), closed, "5.4", **both
    )
    other = {"bonus": "merchant_6", "open": ("koku_or_good", "merchant_2")}
    refused(journeying("merchant_2"), use("merchant_6"), closed, "5.4 customer", **other)
    refused(journeying("noble_2"), use("noble_2"), closed, "5.4 customer", bonus="noble_2", open=free)
    refused(journeying(goods="S"), SellGoods(silk=1), closed, "5.4", bonus="merchant_4", open=free)


def test_bonuses_of_a_journey_that_bring_nothing_or_something_else() -> None:
    """§5.4, §10.3, §11.3"""
    full, cap = journeying("merchant_3", goods="6R"), {"good": "rice", "cap": 6}
    refused(journeying(koku=25), bonus(), Code.KOKU_AT_CAP, "5.4", cap=25)
    refused(full, bonus("rice"), Code.GOOD_AT_CAP, "5.4 good", **cap)
    refused(full, use("merchant_3", "rice"), Code.GOOD_AT_CAP, "10.3 good", **cap)
    refused(full, use("merchant_3"), Code.GOOD_WANTED, "10.3 good")
    last = journeying("merchant_6")
    refused(last, use("merchant_6", "rice"), Code.GOOD_NOT_WANTED, "10.3 good", customer="merchant_6")
    favored = journeying("merchant_5", favor=3)
    refused(favored, use("merchant_5"), Code.BONUS_GAINS_NOTHING, "11.3 customer", bonus="merchant_5")


def test_sales_to_the_fourth_merchant() -> None:
    """§10.3, §11.3"""
    one, none = journeying("merchant_4", goods="S"), journeying("merchant_4", goods="S", koku=25)
    refused(one, use("merchant_4"), Code.MERCHANT_SELLS, "10.3 customer")
    refused(none, SellGoods(silk=1), Code.BONUS_GAINS_NOTHING, "11.3", bonus="merchant_4")
    nearly_full = journeying("merchant_4", goods="2S 2R", koku=20)
    refused(nearly_full, SellGoods(silk=1, rice=1), Code.SALE_WASTEFUL, "10.3", goods=2, most=1)
    two, missing = journeying("merchant_4", goods="S R"), ("silk", "porcelain")
    refused(two, SellGoods(silk=2, porcelain=1), Code.GOODS_NOT_OWNED, "10.3", goods=missing)


def test_choosing_a_good_at_its_cap() -> None:
    """§5.2 As visitor, §5.3 as owner, §4.6 from a track."""
    silk, full, cap = good("silk"), Code.GOOD_AT_CAP, {"good": "silk", "cap": 6}
    refused(choosing("era2_market_1", "", goods=(6, 0, 0)), silk, full, "5.2 good", **cap)
    refused(choosing("era2_port_2", "B").goods("B", "6S"), silk, full, "5.3 good", by="B", **cap)
    track = turn(goods=(6, 0, 0)).influence("A", r1=17).plays("A", build(2, "era1_port_3"))
    refused(track, silk, full, "4.6 good", **cap)


def test_a_monks_marker_where_it_cannot_go() -> None:
    """§10.4 The first monk wants an own building, the second one of a rival."""
    own, rivals = blessed("monk_1", "S 2R P"), blessed("monk_2", "3S 2R")
    refused(own, mark(12), Code.NO_BUILDING_THERE, "10.4 shore", shore="shore_12")
    for story, number, markers in ((own, 15, 2), (own, 16, 0), (rivals, 16, 0)):
        facts = {"shore": f"shore_{number}", "markers": markers}
        refused(story, mark(number), Code.BUILDING_NOT_SINGLY_MARKED, "10.4 shore", **facts)
    refused(own, mark(14), Code.BUILDING_NOT_OWN, "10.4 shore", shore="shore_14")
    refused(rivals, mark(13), Code.BUILDING_NOT_OPPONENTS, "10.4 shore", shore="shore_13")


def test_patrons() -> None:
    """§9, §9.2"""
    story = drafting()
    asked = story.waiting[0][0]
    clan = ("kaiu_shihobu", "yasuki_taka") if asked == "A" else ("yoritomo", "kudaka")
    other, offers = PatronId("patron_daidoji_uji"), tuple(f"patron_{name}" for name in clan)
    choice = ChoosePatron(patron=other)
    refused(story, choice, Code.PATRON_NOT_OFFERED, "9.2 patron", by=asked, patron=other, offers=offers)
    refused(story, sail("upstream", 1), TableCode.WRONG_DECISION, "9.2", by=asked, expected="patron")
    ryoku = (
        turn(koku=5, favor=0).patron("A", "ryoku").empty(3).plays("A", sail("upstream", 1)).plays("A", END)
    )
    refused(ryoku, set_die(3), Code.FAVOR_NOT_OWNED, "9", favor=0)


@pytest.mark.parametrize(
    ("given", "rule", "expected", "actions"),
    [
        pytest.param(
            turn(),
            "3.2",
            "turn",
            (
                *(good("silk"), END, discard("monk_1"), mark(1), bonus(), RollDie(), SellGoods()),
                ChooseRoyalShip(ship=ShipId.UPSTREAM),
            ),
            id="a turn",
        ),
        pytest.param(
            choosing("era2_market_1", ""), "5.2", "good", (UP, DOWN, sail("upstream", 1)), id="a good"
        ),
        pytest.param(blessed("monk_1", "S 2R P"), "10.4", "marker", (sail("upstream", 1),), id="a marker"),
        pytest.param(
            turn(favor=1).plays("A", sail("upstream", 1)), "3.4", "closing", (build(2, ROW[0]),), id="the end"
        ),
    ],
)
def test_answers_to_what_is_not_asked(
    given: Story, rule: str, expected: str, actions: tuple[Any, ...]
) -> None:
    for action in actions:
        refused(given, action, TableCode.WRONG_DECISION, rule, expected=expected)


def test_who_may_not_act() -> None:
    """§2, §8.6, §11.3"""
    move, owner = sail("upstream", 1), choosing("era2_port_2", "B")
    for letter, seat in (("A", 0), ("C", 2)):
        refused(owner, good("silk"), TableCode.NOT_YOUR_TURN, "11.3", by=letter, seat=seat)
    refused(turn(), move, TableCode.NOT_YOUR_TURN, "11.3", by="B", seat=1)
    refused(turn(), move, TableCode.SEAT_UNKNOWN, "2", by="D", seat=3, seats=3)
    refused(ended(turn()), move, TableCode.MATCH_OVER, "8.6", by="B")


def test_a_refusal_does_not_tell_where_a_card_is() -> None:
    """§11 Whether it is in the deck, in a rival's hand or discarded, the words are the same."""
    given = turn().hand("A", "monk_1")
    told = []
    for story in (given, given.hand("B", "elder_1"), given.deck("monk_2", discards=["elder_1"])):
        with pytest.raises(RuleViolation) as violation:
            GAME.decide(story.state, seat_of("A"), deliver("elder_1"), ScriptedChance())
        told.append(str(violation.value))
    assert len(set(told)) == 1


def test_the_region_is_judged_before_the_purse_and_the_tile() -> None:
    """§4.1, §4.2, §4.3 In the order of the paragraphs."""
    story = turn(die=4, koku=0)
    worst = build(2, "era2_port_1")
    for better, code in (
        (story, Code.SPACE_OF_OTHER_REGION),
        (story.with_player("A", die=1), Code.SPACE_UNAFFORDABLE),
        (story.with_player("A", die=1, koku=5), Code.TILE_NOT_IN_ROW),
    ):
        with pytest.raises(RuleViolation) as violation:
            GAME.decide(better.state, seat_of("A"), worst, ScriptedChance())
        assert violation.value.code == code


@pytest.mark.parametrize("seat", [-1, 2, 4, 99])
def test_seats_that_do_not_exist(seat) -> None:
    story = begin(2)
    with pytest.raises(RuleViolation) as violation:
        GAME.decide(story.state, seat, sail("upstream", 1), ScriptedChance())
    assert (violation.value.code, violation.value.facts) == (
        TableCode.SEAT_UNKNOWN,
        {"seat": seat, "seats": 2},
    )


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
