"""§5.4 A completed journey: a bonus and the merchants, in the order the player chooses [A5].

§5.4 Completed journeys. The player takes 3 koku or 1 good of choice, and uses every own merchant, in any order [A5].
Then the tile in the end slot of the row is discarded without any effect, and the row is refilled (§4.5).

§10.3 Merchants. Delivering brings 3 influence in the region. Whenever an own ship completes a journey, `merchant_1`
gives 1 influence in each region with an own building, `merchant_2` 1 VP for each delivered customer, `merchant_3` a
good of choice, `merchant_4` sells any number of goods for 5 koku each, `merchant_5` gives 1 favor, `merchant_6` 3
koku. At the end each merchant scores 1 VP for every 5 koku held.
"""

from __future__ import annotations

from typing import Final

from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat
from engine.river_of_gold.actions import RiverOfGoldAction, SellGoods, TakeJourneyBonus, UseMerchant
from engine.river_of_gold.box.components import (
    GOOD_CAP,
    GOOD_INDEX,
    GOODS,
    JOURNEY_KOKU,
    KOKU_CAP,
    MERCHANT_KOKU,
    SALE_KOKU,
    Bag,
    Good,
    Goods,
    goods_of,
)
from engine.river_of_gold.box.ids import CustomerId
from engine.river_of_gold.errors import Code
from engine.river_of_gold.event_parts import Gains, InfluenceSource, JourneyBonus, good_gains
from engine.river_of_gold.gain_events import BonusesLapsed, JourneyCompleted, JourneyRewarded, MerchantUsed
from engine.river_of_gold.rules.choices import open_choices
from engine.river_of_gold.rules.gaining import favor_gained, koku_gains
from engine.river_of_gold.rules.holdings import any_bonus_gains, bonus_gains, owned_regions, wanted_goods
from engine.river_of_gold.rules.influence import advance
from engine.river_of_gold.rules.sailing import voyage_of
from engine.river_of_gold.rules.turn import Turn
from engine.river_of_gold.state import Player, State
from engine.river_of_gold.templates import SellGoodsTemplate

_NOTHING_SOLD: Final = Goods()
_MERCHANTS: Final[dict[JourneyBonus, CustomerId]] = {
    bonus: CustomerId(bonus.value) for bonus in JourneyBonus if bonus is not JourneyBonus.KOKU_OR_GOOD
}
"""Whose bonus it is; all but the one that every journey brings."""


def complete_journey(turn: Turn, seat: Seat) -> None:
    """§5.4 Open the bonus and every merchant the seat has delivered to."""
    delivered = turn.state.players[seat].delivered
    merchants = [bonus for bonus, merchant in _MERCHANTS.items() if merchant in delivered]
    turn.record(JourneyCompleted(seat=seat, bonuses=(JourneyBonus.KOKU_OR_GOOD, *merchants)))


def go_on(turn: Turn, seat: Seat) -> None:
    """§11.3 [F4] Resolve the last bonus if it has no choice; if no remaining bonus gains anything, let all lapse."""
    bonuses = voyage_of(turn.state).bonuses
    if not any_bonus_gains(turn.state, seat, bonuses):
        lapse(turn, seat)
        return
    _use(turn, seat, _MERCHANTS[bonuses[0]], None)


def lapse(turn: Turn, seat: Seat) -> None:
    """[F4] [F12] Let the remaining bonuses lapse."""
    turn.record(BonusesLapsed(seat=seat, bonuses=voyage_of(turn.state).bonuses))


def take_journey_bonus(turn: Turn, seat: Seat, action: TakeJourneyBonus) -> None:
    """§5.4 Gain 3 koku or 1 good."""
    _check_open(turn.state, JourneyBonus.KOKU_OR_GOOD)
    player = turn.state.players[seat]
    if action.good is not None:
        _check_wanted(player, action.good, "5.4")
        turn.record(JourneyRewarded(seat=seat, gains=good_gains(action.good)))
        return
    if player.koku >= KOKU_CAP:
        raise RuleViolation(Code.KOKU_AT_CAP, rule="5.4", cap=KOKU_CAP)
    turn.record(JourneyRewarded(seat=seat, gains=koku_gains(player, JOURNEY_KOKU)))


def use_merchant(turn: Turn, seat: Seat, action: UseMerchant) -> None:
    """§10.3 Resolve a merchant; `merchant_4` is refused here, because `sell_goods` resolves it."""
    state, customer = turn.state, action.customer
    if customer is CustomerId.MERCHANT_4:
        raise RuleViolation(Code.MERCHANT_SELLS, rule="10.3", field="customer")
    bonus = _bonus_of(state, customer)
    if (action.good is None) == (customer is CustomerId.MERCHANT_3):
        if action.good is None:
            raise RuleViolation(Code.GOOD_WANTED, rule="10.3", field="good")
        raise RuleViolation(Code.GOOD_NOT_WANTED, rule="10.3", field="good", customer=customer.value)
    if action.good is not None:
        _check_wanted(state.players[seat], action.good, "10.3")
    if not bonus_gains(state, seat, bonus):
        raise RuleViolation(Code.BONUS_GAINS_NOTHING, rule="11.3", field="customer", bonus=customer.value)
    _use(turn, seat, customer, action.good)


def sell_goods(turn: Turn, seat: Seat, action: SellGoods) -> None:
    """§10.3 `merchant_4`: sell any number of goods for 5 koku each; each must earn at least 1 koku [F5]."""
    state = turn.state
    player = state.players[seat]
    _check_open(state, JourneyBonus.MERCHANT_4)
    sold = (action.silk, action.rice, action.porcelain)
    missing = tuple(
        good.value for good, wanted, there in zip(GOODS, sold, player.goods, strict=True) if wanted > there
    )
    if missing:
        raise RuleViolation(Code.GOODS_NOT_OWNED, rule="10.3", goods=missing)
    if not bonus_gains(state, seat, JourneyBonus.MERCHANT_4):
        bonus = JourneyBonus.MERCHANT_4.value
        raise RuleViolation(Code.BONUS_GAINS_NOTHING, rule="11.3", bonus=bonus)
    if sum(sold) > most_sold(player):
        raise RuleViolation(Code.SALE_WASTEFUL, rule="10.3", goods=sum(sold), most=most_sold(player))
    turn.record(
        MerchantUsed(
            seat=seat,
            customer=CustomerId.MERCHANT_4,
            sold=goods_of(sold),
            gains=koku_gains(player, SALE_KOKU * sum(sold)),
        )
    )


def _use(turn: Turn, seat: Seat, customer: CustomerId, good: Good | None) -> None:
    """§10.3 Record what a merchant gives; `merchant_1` moves markers in ascending order of regions."""
    state = turn.state
    player = state.players[seat]
    match customer:
        case CustomerId.MERCHANT_2:
            gains = Gains(vp=len(player.delivered))
        case CustomerId.MERCHANT_3 if good is not None:
            gains = good_gains(good)
        case CustomerId.MERCHANT_5:
            gains = Gains(favor=favor_gained(player, 1))
        case CustomerId.MERCHANT_6:
            gains = koku_gains(player, MERCHANT_KOKU)
        case _:
            gains = Gains()
    turn.record(MerchantUsed(seat=seat, customer=customer, sold=_NOTHING_SOLD, gains=gains))
    if customer is CustomerId.MERCHANT_1:
        opened = []
        for region in owned_regions(state, seat):
            opened += advance(turn, seat, region, 1, InfluenceSource.MERCHANT, customer=customer)
        open_choices(turn, opened)


def journey_answers(state: State, seat: Seat, *, with_sales: bool) -> list[RiverOfGoldAction]:
    """§5.4 Return the answers for the remaining bonuses that gain something; the sales only if they are asked for."""
    player = state.players[seat]
    goods = wanted_goods(player)
    answers: list[RiverOfGoldAction] = []
    for bonus in voyage_of(state).bonuses:
        if not bonus_gains(state, seat, bonus):
            continue
        match bonus:
            case JourneyBonus.KOKU_OR_GOOD:
                if player.koku < KOKU_CAP:
                    answers.append(TakeJourneyBonus())
                answers += [TakeJourneyBonus(good=good) for good in goods]
            case JourneyBonus.MERCHANT_3:
                answers += [UseMerchant(customer=CustomerId.MERCHANT_3, good=good) for good in goods]
            case JourneyBonus.MERCHANT_4:
                if with_sales:
                    answers += sales(player.goods, most_sold(player))
            case _:
                answers.append(UseMerchant(customer=_MERCHANTS[bonus]))
    return answers


def sales(owned: Bag, most: int) -> list[SellGoods]:
    """§10.3 [F5] Return every sale of at most so many goods, those with the least silk first; selling nothing is the first of all."""
    silk, rice, porcelain = owned
    return [
        SellGoods(silk=s, rice=r, porcelain=p)
        for s in range(min(silk, most) + 1)
        for r in range(min(rice, most - s) + 1)
        for p in range(min(porcelain, most - s - r) + 1)
    ]


def sell_template(state: State, seat: Seat) -> SellGoodsTemplate | None:
    """§10.3 Return a template for the sales; None if `merchant_4` is not open or would gain nothing."""
    if JourneyBonus.MERCHANT_4 not in voyage_of(state).bonuses:
        return None
    if not bonus_gains(state, seat, JourneyBonus.MERCHANT_4):
        return None
    player = state.players[seat]
    return SellGoodsTemplate(owned=goods_of(player.goods), most=most_sold(player), koku_each=SALE_KOKU)


def most_sold(player: Player) -> int:
    """[F5] Return how many goods can be sold so that each earns at least 1 koku."""
    return min(sum(player.goods), -((player.koku - KOKU_CAP) // SALE_KOKU))


def _check_open(state: State, bonus: JourneyBonus) -> None:
    bonuses = voyage_of(state).bonuses
    if bonus not in bonuses:
        left = tuple(each.value for each in bonuses)
        raise RuleViolation(Code.BONUS_NOT_OPEN, rule="5.4", bonus=bonus.value, open=left)


def _bonus_of(state: State, customer: CustomerId) -> JourneyBonus:
    left = tuple(each.value for each in voyage_of(state).bonuses)
    if customer.value not in left:
        raise RuleViolation(
            Code.BONUS_NOT_OPEN, rule="5.4", field="customer", bonus=customer.value, open=left
        )
    return JourneyBonus(customer.value)


def _check_wanted(player: Player, good: Good, rule: str) -> None:
    if player.goods[GOOD_INDEX[good]] >= GOOD_CAP:
        raise RuleViolation(Code.GOOD_AT_CAP, rule=rule, field="good", good=good.value, cap=GOOD_CAP)
