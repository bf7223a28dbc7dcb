"""§6 Payment."""

from __future__ import annotations

from itertools import product

import pytest

from engine.al_rashid.actions import DeclareAudience, DeclareVisit, Pay
from engine.al_rashid.box.components import Favor, Good
from engine.al_rashid.box.goods import any_payment, can_pay, cheapest, idle, payments, worth
from engine.al_rashid.errors import Code
from engine.al_rashid.game import GAME
from engine.al_rashid.rules.prices import office_cost, service_cost
from engine.al_rashid.templates import LISTED
from engine.kernel.chance import SeededChance
from tests.engine.al_rashid.conftest import bag

SMALL = [bag for bag in product(range(4), repeat=5) if sum(bag) <= 6]


def best_split(goods: tuple[int, ...]) -> int:
    """§6.3 The best of all splits into sets of different goods, tried one by one."""
    if not any(goods):
        return 0
    values = (0, 1, 3, 6, 10, 15)
    kinds = [kind for kind, count in enumerate(goods) if count]
    first, others = kinds[0], kinds[1:]
    best = 0
    for chosen in product((0, 1), repeat=len(others)):
        taken = {first, *(kind for kind, wanted in zip(others, chosen, strict=True) if wanted)}
        rest = tuple(count - (kind in taken) for kind, count in enumerate(goods))
        best = max(best, values[len(taken)] + best_split(rest))
    return best


@pytest.mark.parametrize("goods", SMALL[::9])
def test_layer_by_layer_is_the_best_split(goods) -> None:
    """§6.3"""
    assert worth(goods) == best_split(goods)


@pytest.mark.parametrize("owned", [(3, 2, 1, 0, 1), (1, 1, 1, 1, 1), (4, 0, 0, 2, 0), (2, 2, 2, 2, 2)])
def test_the_payments_are_exactly_those_of_paragraph_6_4(owned) -> None:
    """[R9] Against trying every bag."""
    for total in range(1, 20):
        tried = {
            each
            for each in product(*(range(count + 1) for count in owned))
            if worth(each) >= total and not idle(each, total)
        }
        listed = list(payments(owned, total))
        assert len(listed) == len(set(listed))
        assert set(listed) == tried
        kept = {each for each in tried if sum(owned) - sum(each) >= 1}
        assert set(payments(owned, total, keep=1)) == kept
        assert can_pay(owned, total) == bool(tried)
        assert can_pay(owned, total, keep=1) == bool(kept)
        if tried:
            assert worth(cheapest(tried)) == min(map(worth, tried))
            assert any_payment(owned, total, 0, SeededChance(bytes(32), total)) in tried


def test_excess_is_lost(a_match) -> None:
    """§6.5 Nine goods of one kind are worth nine, three kinds six: 7 is paid with 10."""
    story = a_match().goods(A="H P M Si").board("mercantile", "A M").rounds().resolve("mercantile")
    story = story.plays("A", DeclareVisit(office="trader")).plays("A", Pay(goods=bag("H P M Si")))
    assert story.has("A") == (0, 0, 0, 0, 0)


def test_what_cannot_be_paid_cannot_be_declared(a_match) -> None:
    story = a_match().goods(A="H P").board("mercantile", "A M").rounds().resolve("mercantile")
    story.refuses("A", DeclareVisit(service=True), Code.VISIT_UNAFFORDABLE, "6.5", total=8, worth=3)
    story.refuses("A", DeclareVisit(office="trader"), Code.VISIT_UNAFFORDABLE, "6.5", total=7)


def test_too_little_is_refused(a_match) -> None:
    story = a_match().goods(A="2H P M Si").board("mercantile", "A M").rounds().resolve("mercantile")
    story = story.plays("A", DeclareVisit(service=True))
    story.refuses("A", Pay(goods=bag("H P M")), Code.PAYMENT_TOO_SMALL, "6.4", total=8, value=6)
    story.refuses("A", Pay(goods=bag("3H P M Si")), Code.GOODS_NOT_OWNED, "6.4", goods=("hardwood",))


def test_notes_and_bankers(a_match) -> None:
    """[R10] [R13] Never below 0, nothing spills over; two Bankers are no better than one."""
    story = a_match(4).owns("A", "banker", "banker")
    assert office_cost(story.state, 0, "smuggler", note=True) == 0
    assert office_cost(story.state, 0, "impostor", note=True) == 1
    assert office_cost(story.state, 1, "impostor", note=True) == 3
    story = story.notes("A").goods(A="H P M").board("culture", "A P").rounds().resolve("culture")
    story.refuses("A", DeclareVisit(service=True, note=True), Code.NOTE_WITHOUT_OFFICE, "6.6")


def test_a_banker_bought_now_works_from_the_next_visit_on(a_match) -> None:
    """[R10]"""
    story = a_match().goods(A="H P").notes("A").board("culture", "A P").rounds().resolve("culture")
    story = story.plays("A", DeclareVisit(office="banker", note=True))
    assert story.state.visit.total == 3


def test_nobody_spends_a_note_without_having_one(a_match) -> None:
    story = a_match().goods(A="H P M").board("military", "A P").rounds().resolve("military")
    story.refuses("A", DeclareVisit(office="raider", note=True), Code.NO_NOTE, "6.6")


def test_loremasters(a_match) -> None:
    """[R11] [R13] Two copies take 6 off, on two services only, and never below 0."""
    story = a_match(4).owns("A", "loremaster", "loremaster")
    assert [service_cost(story.state, 0, "train_merchant", rank) for rank in (1, 2, 3)] == [2, 4, 6]
    assert [service_cost(story.state, 0, "train_pasha", rank) for rank in (1, 2, 3)] == [5, 7, 9]
    assert service_cost(story.state, 0, "train_sage", 1) == 5
    assert office_cost(story.state, 0, "enchanter", note=False) == 12


def test_a_payment_leaves_the_good_that_a_favor_gives(a_match) -> None:
    """§7.7 [F3]"""
    story = a_match().goods(A="H P M").board("military", "A P").rounds().resolve("military")
    both = DeclareVisit(office="negotiator", favor=Favor.GENERAL)
    told = story.plays("A", both)
    assert told.legal("A") == {
        "pay(goods=(hardwood=1, pottery=1))",
        "pay(goods=(hardwood=1, metals=1))",
        "pay(goods=(pottery=1, metals=1))",
    }
    story = story.goods(A="H P")
    story.refuses("A", both, Code.NO_GOOD_LEFT, "7.7", favor="general")


def test_the_goods_of_a_visit_do_not_pay_for_it(a_match) -> None:
    """[R34] A swap at the Vizier comes after the payment."""
    story = a_match().goods(A="2H P M").board("mercantile", "A M").rounds().resolve("mercantile")
    story.refuses(
        "A", DeclareVisit(service=True, favor=Favor.VIZIER), Code.VISIT_UNAFFORDABLE, "6.5", worth=7
    )


def test_a_note_is_no_good(a_match) -> None:
    """[R17]"""
    story = a_match().notes("A", 3).board("mercantile", "A M").rounds().resolve("mercantile")
    story.refuses("A", DeclareVisit(favor=Favor.VIZIER), Code.NO_GOOD_LEFT, "7.7", favor="vizier")


def test_many_payments_are_told_by_a_template_alone(a_match) -> None:
    goods = "15H 15P 15M 15Sp 15Si"
    story = a_match().goods(A=goods).board("political", "A P").rounds().resolve("political")
    story = story.plays("A", DeclareVisit(service=True, office="economist"))
    legal = GAME.legal_actions(story.state, 0)
    (template,) = legal.templates
    assert (template.total, template.listed, template.bags, legal.actions) == (26, False, (), ())
    assert len(list(payments((15,) * 5, 26))) > LISTED
    assert template.cheapest.value == 26
    assert story.plays("A", Pay(goods=template.cheapest.goods)).state.family(0)[0] == 3


def test_supplies_never_run_out(a_match) -> None:
    """[R27] The box has twenty pieces of silk."""
    story = a_match().goods(A="40Si").board("al_rashid", "A P").rounds().resolve("al_rashid")
    assert story.plays("A", DeclareAudience(benevolence=Good.SILK)).has("A")[4] == 41
