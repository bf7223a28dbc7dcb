"""Every legal answer of a seat one by one, those that a template describes included."""

from __future__ import annotations

from itertools import product

from engine.kernel.seats import Seat
from engine.river_of_gold.actions import RiverOfGoldAction, SellGoods
from engine.river_of_gold.box.components import bag_of
from engine.river_of_gold.game import GAME
from engine.river_of_gold.state import State
from engine.river_of_gold.templates import SellGoodsTemplate


def answers(state: State, seat: Seat) -> tuple[RiverOfGoldAction, ...]:
    """Return the listed actions, then the sales of the template, if there is one."""
    legal = GAME.legal_actions(state, seat)
    return (*legal.actions, *(sale for template in legal.templates for sale in sales_in(template)))


def sales_in(template: SellGoodsTemplate) -> list[SellGoods]:
    """Return every sale that a template describes (§10.3)."""
    return [
        SellGoods(silk=silk, rice=rice, porcelain=porcelain)
        for silk, rice, porcelain in product(*(range(owned + 1) for owned in bag_of(template.owned)))
        if silk + rice + porcelain <= template.most
    ]
