"""§9.6, §9.7 The trade: up to three players take from what lies on the territory.

§9.6 Who trades. The three highest of those who are still present trade, in this order. The others take their pieces
back.

§9.7 Trading. Rank 1 takes all goods of one kind that lie on the territory, or up to three items; rank 2 takes up to
two, rank 3 one. Goods count as items, and so does the credit note, which is never part of all goods of one kind.
Several items may be of the same kind, and a player may take fewer or none [R26].

§9.8 No limit on goods. A player may own any number of goods.
"""

from __future__ import annotations

from functools import lru_cache

from engine.al_rashid.actions import TakeAll, TakeItems
from engine.al_rashid.box.areas import TERRITORY_INDEX
from engine.al_rashid.box.components import GOOD_INDEX, GOODS, ONE_GOOD, TRADE_LIMITS, bag_of, goods_of
from engine.al_rashid.errors import Code
from engine.al_rashid.event_parts import BackReason
from engine.al_rashid.events import Traded
from engine.al_rashid.rules.battle import scene_of
from engine.al_rashid.rules.opening import take_back
from engine.al_rashid.rules.turn import Turn
from engine.al_rashid.state import State
from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat

Items = tuple[int, ...]
"""Five kinds of goods, then credit notes."""
_NAMES = (*(good.value for good in GOODS), "credit_note")


def take_all(turn: Turn, seat: Seat, action: TakeAll) -> None:
    """§9.7 Rank 1 takes every good of one kind, never the note."""
    rank = trade_rank(turn.state, seat)
    if rank != 1:
        raise RuleViolation(Code.ONLY_FIRST_RANK, rule="9.7", rank=rank)
    count = stock(turn.state)[GOOD_INDEX[action.good]]
    if not count:
        raise RuleViolation(Code.NOT_ON_TERRITORY, rule="9.7", field="good", items=(action.good.value,))
    bag = tuple([count * each for each in ONE_GOOD[action.good]])
    _trade(turn, seat, (*bag, 0))


def take_items(turn: Turn, seat: Seat, action: TakeItems) -> None:
    """§9.7 [R26] Take items up to the limit of the rank. A note is an item, kinds may repeat, fewer or none may be taken."""
    items = (*bag_of(action.goods), int(action.note))
    limit = TRADE_LIMITS[trade_rank(turn.state, seat) - 1]
    if sum(items) > limit:
        raise RuleViolation(Code.TOO_MANY_ITEMS, rule="9.7", items=sum(items), limit=limit)
    lying = stock(turn.state)
    missing = tuple(
        [name for name, wanted, there in zip(_NAMES, items, lying, strict=True) if wanted > there]
    )
    if missing:
        raise RuleViolation(Code.NOT_ON_TERRITORY, rule="9.7", field="goods", items=missing)
    _trade(turn, seat, items)


def skip_trade(turn: Turn, seat: Seat) -> bool:
    """§9.7 If nothing is left, skip the trade and return True."""
    if any(stock(turn.state)):
        return False
    take_back(turn, seat, scene_of(turn.state).area, BackReason.TRADED)
    return True


def trades(state: State, seat: Seat) -> tuple[TakeAll | TakeItems, ...]:
    """§9.7 List everything that can be taken, the largest takings first."""
    rank = trade_rank(state, seat)
    limit = TRADE_LIMITS[rank - 1]
    return _takings(tuple([min(limit, count) for count in stock(state)]), rank)


@lru_cache(maxsize=4096)
def _takings(lying: Items, rank: int) -> tuple[TakeAll | TakeItems, ...]:
    """List everything that a rank can take. Counts are cut to its limit, so few different arguments are cached."""
    limit = TRADE_LIMITS[rank - 1]
    whole = [TakeAll(good=good) for good in GOODS if lying[GOOD_INDEX[good]]] if rank == 1 else []
    chosen: list[Items] = [()]
    for count in lying:
        chosen = [(*items, n) for items in chosen for n in range(min(count, limit - sum(items)) + 1)]
    chosen.sort(key=sum, reverse=True)
    return (*whole, *(TakeItems(goods=goods_of(items[:-1]), note=bool(items[-1])) for items in chosen))


def trade_rank(state: State, seat: Seat) -> int:
    """§9.6"""
    return scene_of(state).traders.index(seat) + 1


def stock(state: State) -> Items:
    """§9.7 Return what lies on the territory now."""
    return state.stocks[TERRITORY_INDEX[scene_of(state).area]]


def _trade(turn: Turn, seat: Seat, items: Items) -> None:
    area = scene_of(turn.state).area
    turn.record(Traded(seat=seat, territory=area, goods=goods_of(items[:-1]), notes=items[-1]))
    take_back(turn, seat, area, BackReason.TRADED)
