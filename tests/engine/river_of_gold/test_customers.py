"""§6 The 30 customers: what each orders, that nothing less will do, what its delivery brings; each kind has a file besides."""

from __future__ import annotations

import pytest

from engine.river_of_gold.actions import ChooseRoyalShip, ExchangeGoods
from engine.river_of_gold.box.components import GOODS, Good, ShipId
from engine.river_of_gold.box.customers import CUSTOMERS
from engine.river_of_gold.errors import Code
from tests.engine.river_of_gold.conftest import Story, bag, deliver, discard
from tests.engine.river_of_gold.endings import ended

ORDERS = {
    "artisan": ("2P", "2P", "2S", "2S", "2R", "2R"),
    "elder": ("2S R 2P", "2S 2R P", "2S R 2P", "2S 2R P", "2S R 2P", "2S R 2P"),
    "merchant": ("3P", "3R", "3S", "2S R", "2R P", "S 2R"),
    "monk": ("S 2R P", "3S 2R", "2S R P", "S R 3P", "S 2R P", "S 2R 2P"),
    "noble": ("S R 2P", "2S 2P", "2S R P", "2S 2R", "2R 2P", "S 2R P"),
}
"""Copied from the cards by hand: the goods of the customers of regions 1 to 6."""
INFLUENCE = {"artisan": 2, "elder": 0, "merchant": 3, "monk": 0, "noble": 2}
"""§10 For delivering, in the region of the card [A32]."""

ROYAL = ChooseRoyalShip(ship=ShipId.UPSTREAM)
CARDS = {f"{kind}_{region}": (kind, region) for kind in ORDERS for region in range(1, 7)}
every_customer = pytest.mark.parametrize("card", CARDS)


def test_each_region_has_one_customer_of_each_type() -> None:
    """§10"""
    assert [each.id for each in CUSTOMERS] == [f"{each.type}_{each.region}" for each in CUSTOMERS]
    assert {*CARDS} == {each.id for each in CUSTOMERS}


def order_of(card: str) -> tuple[int, int, int]:
    kind, region = CARDS[card]
    return bag(ORDERS[kind][region - 1])


def about_to_deliver(a_match, card: str, goods: tuple[int, int, int] = (6, 6, 6)) -> Story:
    """A has the card, the region on the die and the goods; everywhere A stands on 13, far from the next track reward."""
    other = "monk_1" if card != "monk_1" else "monk_2"
    story = a_match().masteries().hand("A", card, other).with_player("A", die=CARDS[card][1], goods=goods)
    return story.influence("A", r1=13, r2=13, r3=13, r4=13, r5=13, r6=13)


def answered(story: Story) -> Story:
    """The one choice there is before the discard: the upstream ship becomes royal."""
    return story.plays("A", ROYAL) if story.waiting == ["A royal_ship"] else story


def test_the_table_tells_of_every_card() -> None:
    """§10 One of each kind in every region."""
    assert {customer.id.value: (customer.type, customer.region) for customer in CUSTOMERS} == CARDS
    assert len(CUSTOMERS) == 30


@every_customer
def test_exactly_the_order_is_paid(a_match, card) -> None:
    """§6.2, §6.3 And the influence of the kind of customer is gained in its region [A32]."""
    kind, region = CARDS[card]
    story = about_to_deliver(a_match, card).plays("A", deliver(card))
    story = answered(story)
    left = tuple(6 - number for number in order_of(card))
    assert story.player("A").goods == left
    assert story.player("A").delivered == (card,)
    assert card not in story.player("A").hand
    moved = 13 + INFLUENCE[kind]
    assert story.player("A").tracks == tuple(moved if each == region else 13 for each in range(1, 7))


@every_customer
def test_exactly_the_order_is_enough(a_match, card) -> None:
    """§6.2"""
    story = answered(about_to_deliver(a_match, card, order_of(card)).plays("A", deliver(card)))
    assert story.player("A").goods == (0, 0, 0)


@every_customer
def test_one_good_short_is_refused(a_match, card) -> None:
    """§6.2 Whichever kind it is, and however many there are of the others."""
    kinds = [index for index, number in enumerate(order_of(card)) if number]
    for short in kinds:
        goods = tuple(order_of(card)[index] - 1 if index == short else 6 for index in range(3))
        story = about_to_deliver(a_match, card, goods)
        story.refuses(
            "A",
            deliver(card),
            Code.ORDER_NOT_PAYABLE,
            "6.2",
            customer=card,
            goods=(GOODS[short].value,),
        )


@every_customer
def test_the_die_must_show_the_region(a_match, card) -> None:
    """§6.1"""
    region = CARDS[card][1]
    for face in {1, 2, 3, 4, 5, 6} - {region}:
        story = about_to_deliver(a_match, card).with_player("A", die=face)
        facts = {"customer": card, "region": region, "die": face}
        story.refuses("A", deliver(card), Code.CUSTOMER_OF_OTHER_REGION, "6.1", **facts)


@every_customer
def test_after_the_delivery_two_cards_are_drawn_and_one_is_discarded(a_match, card) -> None:
    """§6.4 Any one of the hand, also one just drawn; it lies face up [A12]."""
    story = about_to_deliver(a_match, card)
    kept = story.player("A").hand[1]
    drawn = [each for each in ("elder_1", "noble_3", "artisan_5") if each != card][:2]
    story = story.deck(*drawn)
    story = answered(story.plays("A", deliver(card)))
    assert story.waiting == ["A discard"]
    assert {*story.player("A").hand} == {kept, *drawn}
    assert {line for line in story.legal("A") if line.startswith("discard")} == {
        f"discard_customer(customer={each})" for each in (kept, *drawn)
    }
    story = story.plays("A", discard(drawn[0]))
    assert {*story.player("A").hand} == {kept, drawn[1]}
    assert story.state.discards == (drawn[0],)
    assert story.view("B").discarded_customers == (drawn[0],)


@every_customer
def test_delivered_it_counts_at_the_end(a_match, card) -> None:
    """§8.5 One customer of any kind: 2 VP."""
    assert ended(a_match().delivered("A", card)).score("A")["customers"] == 2


@every_customer
def test_everybody_sees_its_ongoing_ability(a_match, card) -> None:
    """§11 Elders have none."""
    told = a_match().delivered("A", card).view().seats[0].delivered
    assert [each.customer for each in told] == [card]
    assert (told[0].ongoing is None) == card.startswith("elder")


def test_an_order_is_paid_with_what_an_exchange_brought(a_match) -> None:
    """§6.2 Exchange first, if useful."""
    story = about_to_deliver(a_match, "merchant_6", bag("3S R"))
    story.refuses("A", deliver("merchant_6"), Code.ORDER_NOT_PAYABLE, "6.2", goods=("rice",))
    story = story.plays("A", ExchangeGoods(give=Good.SILK, take=Good.RICE)).plays("A", deliver("merchant_6"))
    assert story.player("A").goods == (0, 0, 0)


def test_a_card_of_somebody_else_is_not_delivered(a_match) -> None:
    """§6.1"""
    story = about_to_deliver(a_match, "monk_1").hand("B", "elder_1")
    story.refuses("A", deliver("elder_1"), Code.CUSTOMER_NOT_IN_HAND, "6.1", customer="elder_1")
