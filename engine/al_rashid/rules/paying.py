"""§6.4 The payment of a declared visit.

§6.2 What can pay. A visit is paid with what the player has when it begins. Goods and notes gained in the visit cannot
pay for it, and an office bought in it does not change its costs [R34].

§6.4 A legal payment. The payer names the goods. The payer must have them, they must be worth the total at least
(§6.3), and no good in them may be one that could be left out [R9]. If the total is 0, the payment is empty.

§6.5 No change. Value beyond the total is lost. A visit is possible only if all goods of the player together are worth
its total.
"""

from __future__ import annotations

from engine.al_rashid.actions import AlRashidAction, Pay
from engine.al_rashid.box.components import GOODS, Bag, bag_of, goods_of
from engine.al_rashid.box.goods import any_payment, by_price, cheapest, idle, payments, worth
from engine.al_rashid.errors import Code
from engine.al_rashid.owner_events import GoodsPaid
from engine.al_rashid.rules.declaring import goods_to_keep
from engine.al_rashid.rules.turn import Turn
from engine.al_rashid.state import State, Visit
from engine.al_rashid.templates import LISTED, AlRashidTemplate, PayTemplate, PricedBag
from engine.kernel.chance import Chance
from engine.kernel.errors import RuleViolation
from engine.kernel.legal import LegalActions
from engine.kernel.seats import Seat


def pay(turn: Turn, seat: Seat, action: Pay) -> None:
    """§6.4 Pay with own goods worth the total, none of which could be left out [R9]; excess value is lost (§6.5)."""
    owned, bag = turn.state.players[seat].goods, bag_of(action.goods)
    visit = visit_of(turn.state)
    short = tuple([good.value for good, has, gives in zip(GOODS, owned, bag, strict=True) if gives > has])
    if short:
        raise RuleViolation(Code.GOODS_NOT_OWNED, rule="6.4", field="goods", goods=short)
    value = worth(bag)
    if value < visit.total:
        raise RuleViolation(Code.PAYMENT_TOO_SMALL, rule="6.4", field="goods", total=visit.total, value=value)
    wasted = idle(bag, visit.total)
    if wasted:
        raise RuleViolation(
            Code.PAYMENT_WASTEFUL,
            rule="R9",
            field="goods",
            total=visit.total,
            value=value,
            goods=tuple(GOODS[kind].value for kind in wasted),
        )
    if sum(owned) - sum(bag) < goods_to_keep(visit.favor):
        raise RuleViolation(Code.NO_GOOD_LEFT, rule="7.7", field="goods", favor=str(visit.favor))
    turn.record(GoodsPaid(seat=seat, goods=action.goods, value=value, total=visit.total))


def payment_answers(state: State, seat: Seat) -> LegalActions[AlRashidAction, AlRashidTemplate]:
    """§6.4 List every payment, the cheapest first; if there are too many, describe them by a template instead."""
    bags = _bags(state, seat)
    if len(bags) <= LISTED:
        return LegalActions(actions=tuple([Pay(goods=goods_of(bag)) for bag in by_price(bags)]))
    visit, best = visit_of(state), cheapest(bags)
    template = PayTemplate(
        owned=goods_of(state.players[seat].goods),
        total=visit.total,
        keep=goods_to_keep(visit.favor),
        cheapest=PricedBag(goods=goods_of(best), value=worth(best)),
        bags=(),
        listed=False,
    )
    return LegalActions(templates=(template,))


def cheapest_payment(state: State, seat: Seat) -> Pay:
    """§6.4 Return a legal payment of the least value."""
    return Pay(goods=goods_of(cheapest(_bags(state, seat))))


def sample_payment(state: State, seat: Seat, chance: Chance) -> Pay:
    """Return a random legal payment, without listing all."""
    visit = visit_of(state)
    bag = any_payment(state.players[seat].goods, visit.total, goods_to_keep(visit.favor), chance)
    return Pay(goods=goods_of(bag))


def visit_of(state: State) -> Visit:
    """Return the visit that is being carried out."""
    if state.visit is None:
        raise TypeError("nobody is visiting a palace")
    return state.visit


def _bags(state: State, seat: Seat) -> list[Bag]:
    visit = visit_of(state)
    return list(payments(state.players[seat].goods, visit.total, goods_to_keep(visit.favor)))
