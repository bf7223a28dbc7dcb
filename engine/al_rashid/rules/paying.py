"""§6.4 The payment of a declared visit.

§6.2 What can pay. A visit is paid with what the player has when it begins. Goods and notes gained in the visit cannot
pay for it, and an office bought in it does not change its costs [R34].

§6.4 A legal payment. The payer names the goods. The payer must have them, they must be worth the total at least
(§6.3), and no good in them may be one that could be left out [R9]. If the total is 0, the payment is empty.

§6.5 No change. Value beyond the total is lost. A visit is possible only if all goods of the player together are worth
its total.
"""

from __future__ import annotations

from engine.al_rashid.actions import Pay
from engine.al_rashid.box.components import GOODS, bag_of, goods_of
from engine.al_rashid.box.goods import any_payment, cheapest, idle, payments, worth
from engine.al_rashid.errors import Code
from engine.al_rashid.owner_events import GoodsPaid
from engine.al_rashid.rules.declaring import goods_to_keep
from engine.al_rashid.rules.turn import Turn
from engine.al_rashid.state import State, Visit
from engine.al_rashid.templates import LISTED, PayTemplate, PricedBag
from engine.kernel.chance import Chance
from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat


def pay(turn: Turn, seat: Seat, action: Pay) -> None:
    """§6.4 Pay with own goods worth the total, none of which could be left out [R9]; excess value is lost (§6.5)."""
    owned, bag = turn.state.players[seat].goods, bag_of(action.goods)
    visit = visit_of(turn.state)
    short = tuple(good.value for good, has, gives in zip(GOODS, owned, bag, strict=True) if gives > has)
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


def pay_template(state: State, seat: Seat) -> PayTemplate:
    """§6.4 Describe the complete set of payments; list them if they are few."""
    visit = visit_of(state)
    owned, keep = state.players[seat].goods, goods_to_keep(visit.favor)
    bags = list(payments(owned, visit.total, keep))
    listed = len(bags) <= LISTED
    best = cheapest(bags)
    priced = [PricedBag(goods=goods_of(bag), value=worth(bag)) for bag in bags] if listed else []
    return PayTemplate(
        owned=goods_of(owned),
        total=visit.total,
        keep=keep,
        cheapest=PricedBag(goods=goods_of(best), value=worth(best)),
        bags=tuple(sorted(priced, key=_value)),
        listed=listed,
    )


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


def _value(priced: PricedBag) -> int:
    return priced.value
