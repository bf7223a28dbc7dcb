"""Every refusal in full: code, paragraph, field and facts; nothing changes, nothing is drawn, and it was never listed."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any, NamedTuple

import pytest

from engine.kernel.chance import ScriptedChance, SeededChance
from engine.kernel.codec import encode
from engine.kernel.errors import RuleViolation, TableCode
from engine.kernel.seats import Seat
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


class Attempt(NamedTuple):
    """Who tries what, and how it is refused. The facts are complete."""

    seat: Seat
    action: RiverOfGoldAction
    code: StrEnum
    rule: str
    field: str | None
    facts: dict[str, Any]


def refused(
    action: RiverOfGoldAction,
    code: StrEnum,
    rule: str,
    field: str | None = None,
    /,
    by: str = "A",
    **facts: Any,
) -> Attempt:
    return Attempt(seat_of(by), action, code, rule, field, facts)


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


def asked_first() -> str:
    return drafting().waiting[0][0]


CRAB = ("patron_kaiu_shihobu", "patron_yasuki_taka")
MANTIS = ("patron_yoritomo", "patron_kudaka")

REFUSALS: dict[str, tuple[Callable[[], Story], Attempt]] = {
    # the commonest ones
    "a space not in the die's region": (
        lambda: turn(die=4),
        refused(
            build(2, ROW[0]), Code.SPACE_OF_OTHER_REGION, "4.1", "shore", shore="shore_02", region=1, die=4
        ),
    ),
    "an unaffordable space": (
        lambda: turn(koku=4),
        refused(build(2, ROW[0]), Code.SPACE_UNAFFORDABLE, "4.2", "shore", shore="shore_02", cost=5, koku=4),
    ),
    "a taken space": (
        lambda: turn().building(2, "era1_manor_1", "B"),
        refused(
            build(2, ROW[0]), Code.SPACE_NOT_EMPTY, "4.1", "shore", shore="shore_02", building="era1_manor_1"
        ),
    ),
    "an imperial space": (
        lambda: turn(die=4, koku=25),
        refused(
            build(17, ROW[0]),
            Code.SPACE_NOT_EMPTY,
            "4.1",
            "shore",
            shore="shore_17",
            building="imperial_market_rice",
        ),
    ),
    "a tile not in the row": (
        turn,
        refused(
            build(2, "era2_port_1"), Code.TILE_NOT_IN_ROW, "4.3", "building", building="era2_port_1", row=ROW
        ),
    ),
    "favor not owned": (
        lambda: turn(favor=0),
        refused(UP, Code.FAVOR_NOT_OWNED, "3.1", favor=0),
    ),
    "a customer not in hand": (
        lambda: turn().hand("A", "monk_1"),
        refused(deliver("elder_1"), Code.CUSTOMER_NOT_IN_HAND, "6.1", "customer", customer="elder_1"),
    ),
    "a customer of another region": (
        lambda: turn().hand("A", "artisan_2").goods("A", "2P"),
        refused(
            deliver("artisan_2"),
            Code.CUSTOMER_OF_OTHER_REGION,
            "6.1",
            "customer",
            customer="artisan_2",
            region=2,
            die=1,
        ),
    ),
    "goods missing for an order": (
        lambda: turn().hand("A", "elder_1").goods("A", "2S P"),
        refused(
            deliver("elder_1"),
            Code.ORDER_NOT_PAYABLE,
            "6.2",
            "customer",
            customer="elder_1",
            goods=("rice", "porcelain"),
        ),
    ),
    "an answer to a choice that is not open": (
        turn,
        refused(good("silk"), TableCode.WRONG_DECISION, "3.2", expected="turn"),
    ),
    "somebody else's choice": (
        lambda: choosing("era2_port_2", "B"),
        refused(good("silk"), TableCode.NOT_YOUR_TURN, "11.3", seat=0),
    ),
    "somebody else's turn": (
        turn,
        refused(sail("upstream", 1), TableCode.NOT_YOUR_TURN, "11.3", by="B", seat=1),
    ),
    # exchanges
    "an exchange without the goods": (
        lambda: turn().goods("A", "S"),
        refused(swap("silk", "rice"), Code.GOODS_NOT_OWNED, "3.4", "give", goods=("silk",)),
    ),
    "an exchange for the same kind": (
        lambda: turn().goods("A", "2S"),
        refused(swap("silk", "silk"), Code.SAME_GOOD, "3.4", "take", good="silk"),
    ),
    "an exchange into a full kind": (
        lambda: turn().goods("A", "2S 6R"),
        refused(swap("silk", "rice"), Code.GOOD_AT_CAP, "3.4", "take", good="rice", cap=6),
    ),
    "a favor without the koku": (
        lambda: turn(koku=4),
        refused(ExchangeKoku(), Code.KOKU_NOT_OWNED, "3.4", cost=5, koku=4),
    ),
    "a favor above the limit": (
        lambda: turn(favor=3),
        refused(ExchangeKoku(), Code.FAVOR_AT_LIMIT, "3.4", limit=3),
    ),
    # sailing and journeys
    "another distance": (
        lambda: turn(die=3),
        refused(sail("midstream", 4), Code.DISTANCE_NOT_ALLOWED, "5.1", "distance", distance=4, allowed=(3,)),
    ),
    "two up with the fifth noble": (
        lambda: turn(die=6).delivered("A", "noble_5").ships("A", 1, 8, royal="upstream"),
        refused(
            sail("upstream", 2), Code.DISTANCE_NOT_ALLOWED, "5.1", "distance", distance=2, allowed=(1, 5, 6)
        ),
    ),
    "the bonus twice": (
        lambda: journeying("merchant_2", "merchant_3").plays("A", bonus("silk")),
        refused(
            bonus("silk"), Code.BONUS_NOT_OPEN, "5.4", bonus="koku_or_good", open=("merchant_2", "merchant_3")
        ),
    ),
    "a merchant not delivered to": (
        lambda: journeying("merchant_2"),
        refused(
            use("merchant_6"),
            Code.BONUS_NOT_OPEN,
            "5.4",
            "customer",
            bonus="merchant_6",
            open=("koku_or_good", "merchant_2"),
        ),
    ),
    "no merchant at all": (
        lambda: journeying("noble_2"),
        refused(
            use("noble_2"), Code.BONUS_NOT_OPEN, "5.4", "customer", bonus="noble_2", open=("koku_or_good",)
        ),
    ),
    "a sale without its merchant": (
        lambda: journeying(goods="S"),
        refused(SellGoods(silk=1), Code.BONUS_NOT_OPEN, "5.4", bonus="merchant_4", open=("koku_or_good",)),
    ),
    "koku at the cap": (
        lambda: journeying(koku=25),
        refused(bonus(), Code.KOKU_AT_CAP, "5.4", cap=25),
    ),
    "a good at its cap for the journey": (
        lambda: journeying(goods="6R"),
        refused(bonus("rice"), Code.GOOD_AT_CAP, "5.4", "good", good="rice", cap=6),
    ),
    "a good at its cap from a merchant": (
        lambda: journeying("merchant_3", goods="6R"),
        refused(use("merchant_3", "rice"), Code.GOOD_AT_CAP, "10.3", "good", good="rice", cap=6),
    ),
    "which good of the third merchant": (
        lambda: journeying("merchant_3"),
        refused(use("merchant_3"), Code.GOOD_WANTED, "10.3", "good"),
    ),
    "a good of another merchant": (
        lambda: journeying("merchant_6"),
        refused(use("merchant_6", "rice"), Code.GOOD_NOT_WANTED, "10.3", "good", customer="merchant_6"),
    ),
    "the fourth merchant without a sale": (
        lambda: journeying("merchant_4", goods="S"),
        refused(use("merchant_4"), Code.MERCHANT_SELLS, "10.3", "customer"),
    ),
    "a merchant that brings nothing": (
        lambda: journeying("merchant_5", favor=3),
        refused(use("merchant_5"), Code.BONUS_GAINS_NOTHING, "11.3", "customer", bonus="merchant_5"),
    ),
    "a sale that brings nothing": (
        lambda: journeying("merchant_4", goods="S", koku=25),
        refused(SellGoods(silk=1), Code.BONUS_GAINS_NOTHING, "11.3", bonus="merchant_4"),
    ),
    "a sale of more than earns": (
        lambda: journeying("merchant_4", goods="2S 2R", koku=20),
        refused(SellGoods(silk=1, rice=1), Code.SALE_WASTEFUL, "10.3", goods=2, most=1),
    ),
    "a sale of what is not there": (
        lambda: journeying("merchant_4", goods="S R"),
        refused(SellGoods(silk=2, porcelain=1), Code.GOODS_NOT_OWNED, "10.3", goods=("silk", "porcelain")),
    ),
    # choices
    "a good at its cap as visitor": (
        lambda: choosing("era2_market_1", "", goods=(6, 0, 0)),
        refused(good("silk"), Code.GOOD_AT_CAP, "5.2", "good", good="silk", cap=6),
    ),
    "a good at its cap as owner": (
        lambda: choosing("era2_port_2", "B").goods("B", "6S"),
        refused(good("silk"), Code.GOOD_AT_CAP, "5.3", "good", by="B", good="silk", cap=6),
    ),
    "a good at its cap from a track": (
        lambda: turn(goods=(6, 0, 0)).influence("A", r1=17).plays("A", build(2, "era1_port_3")),
        refused(good("silk"), Code.GOOD_AT_CAP, "4.6", "good", good="silk", cap=6),
    ),
    "a discard of a card not in hand": (
        lambda: turn().goods("A", "2P").hand("A", "artisan_1").plays("A", deliver("artisan_1")),
        refused(discard("artisan_1"), Code.CUSTOMER_NOT_IN_HAND, "6.4", "customer", customer="artisan_1"),
    ),
    "a marker on an empty space": (
        lambda: blessed("monk_1", "S 2R P"),
        refused(mark(12), Code.NO_BUILDING_THERE, "10.4", "shore", shore="shore_12"),
    ),
    "a third marker": (
        lambda: blessed("monk_1", "S 2R P"),
        refused(mark(15), Code.BUILDING_NOT_SINGLY_MARKED, "10.4", "shore", shore="shore_15", markers=2),
    ),
    "a marker on a neutral building": (
        lambda: blessed("monk_2", "3S 2R"),
        refused(mark(16), Code.BUILDING_NOT_SINGLY_MARKED, "10.4", "shore", shore="shore_16", markers=0),
    ),
    "an own monk on a rival's building": (
        lambda: blessed("monk_1", "S 2R P"),
        refused(mark(14), Code.BUILDING_NOT_OWN, "10.4", "shore", shore="shore_14"),
    ),
    "a rival's monk on an own building": (
        lambda: blessed("monk_2", "3S 2R"),
        refused(mark(13), Code.BUILDING_NOT_OPPONENTS, "10.4", "shore", shore="shore_13"),
    ),
    "another action while a marker is asked for": (
        lambda: blessed("monk_1", "S 2R P"),
        refused(sail("upstream", 1), TableCode.WRONG_DECISION, "10.4", expected="marker"),
    ),
    "a royal ship nobody asks for": (
        turn,
        refused(ChooseRoyalShip(ship=ShipId.UPSTREAM), TableCode.WRONG_DECISION, "3.2", expected="turn"),
    ),
    "favor on the die after the action": (
        lambda: choosing("era2_market_1", ""),
        refused(DOWN, TableCode.WRONG_DECISION, "5.2", expected="good"),
    ),
    "a second action in the turn": (
        lambda: turn(favor=1).plays("A", sail("upstream", 1)),
        refused(build(2, ROW[0]), TableCode.WRONG_DECISION, "3.4", expected="closing"),
    ),
    "the end of a turn that has not begun": (
        turn,
        refused(END, TableCode.WRONG_DECISION, "3.2", expected="turn"),
    ),
    # patrons
    "a patron of another clan": (
        drafting,
        refused(
            ChoosePatron(patron=PatronId("patron_daidoji_uji")),
            Code.PATRON_NOT_OFFERED,
            "9.2",
            "patron",
            by=asked_first(),
            patron="patron_daidoji_uji",
            offers=CRAB if asked_first() == "A" else MANTIS,
        ),
    ),
    "an action before the setup is done": (
        drafting,
        refused(sail("upstream", 1), TableCode.WRONG_DECISION, "9.2", by=asked_first(), expected="patron"),
    ),
    "a die set without favor": (
        lambda: (
            turn(koku=5, favor=0)
            .patron("A", "ryoku")
            .empty(3)
            .plays("A", sail("upstream", 1))
            .plays("A", END)
        ),
        refused(set_die(3), Code.FAVOR_NOT_OWNED, "9", favor=0),
    ),
    "a die rolled by who is not asked": (
        turn,
        refused(RollDie(), TableCode.WRONG_DECISION, "3.2", expected="turn"),
    ),
    # the table
    "a seat that is not there": (
        turn,
        refused(sail("upstream", 1), TableCode.SEAT_UNKNOWN, "2", by="D", seat=3, seats=3),
    ),
    "a move after the end": (
        lambda: ended(turn()),
        refused(sail("upstream", 1), TableCode.MATCH_OVER, "8.6", by="B"),
    ),
}
"""What is tried in which situation, and what is told of it."""


@pytest.mark.parametrize("name", REFUSALS)
def test_it_is_refused_and_nothing_happens(name) -> None:
    given, (seat, action, code, rule, field, facts) = REFUSALS[name]
    story = given()
    before, asked = encode(story.state), GAME.pending(story.state)
    with pytest.raises(RuleViolation) as violation:
        GAME.decide(story.state, seat, action, ScriptedChance())
    told = violation.value
    assert (told.code, told.rule, told.field, told.facts) == (code, rule, field, facts)
    assert encode(story.state) == before
    assert GAME.pending(story.state) == asked
    assert action not in answers(story.state, seat)


@pytest.mark.parametrize("name", [name for name in REFUSALS if name != "a move after the end"])
def test_after_a_refusal_the_match_goes_on_as_if_nothing_had_been(name) -> None:
    """The seat that is waited for plays on from the same state with the same luck."""
    given, attempt = REFUSALS[name]
    story = given()
    (asked,) = GAME.to_act(story.state)
    answer = GAME.legal_actions(story.state, asked).actions[0]
    straight = GAME.decide(story.state, asked, answer, SeededChance(bytes(32), 7))
    with pytest.raises(RuleViolation):
        GAME.decide(story.state, attempt.seat, attempt.action, SeededChance(bytes(32), 7))
    assert GAME.decide(story.state, asked, answer, SeededChance(bytes(32), 7)) == straight


def test_a_refusal_draws_nothing() -> None:
    for given, attempt in REFUSALS.values():
        chance = SeededChance(bytes(32), 7)
        with pytest.raises(RuleViolation):
            GAME.decide(given().state, attempt.seat, attempt.action, chance)
        assert chance.draws == []


def test_every_code_but_those_of_the_setup_and_of_leaving_is_here() -> None:
    here = {attempt.code for _, attempt in REFUSALS.values()}
    elsewhere = {Code.CLANS_WITH_DRAFT, Code.CLANS_WRONG_NUMBER, Code.CLAN_REPEATED, Code.ALREADY_LEFT}
    assert {*Code} - here == elsewhere


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
