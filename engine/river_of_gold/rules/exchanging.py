"""§3.4 [A7] Exchanges: 2 goods of one kind for 1 of another, 5 koku for 1 favor.

§3.4 End of the turn, and exchanges. When the masteries are claimed, the player may exchange once more and then ends
the turn: the Emperor visits if that is due, the end is triggered if that is due, and the die for the next turn is
rolled [A8]. An exchange is 2 goods of one kind for 1 good of another, or 5 koku for 1 favor. It is possible at every
open decision of the player but the choice of a patron, and not if what it brings is at its cap [A7].
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from engine.kernel.errors import RuleViolation
from engine.kernel.recorder import Recorder
from engine.kernel.seats import Seat
from engine.river_of_gold.actions import ExchangeGoods, ExchangeKoku, RiverOfGoldAction
from engine.river_of_gold.box.components import (
    EXCHANGE_GOODS,
    EXCHANGE_KOKU,
    GOOD_CAP,
    GOOD_INDEX,
    GOODS,
    Bag,
)
from engine.river_of_gold.changes import with_item
from engine.river_of_gold.errors import Code
from engine.river_of_gold.events import RiverOfGoldEvent
from engine.river_of_gold.gain_events import GoodsExchanged, KokuExchanged
from engine.river_of_gold.state import Player, State

_EXCHANGE_KOKU: Final = ExchangeKoku()


def exchange_goods(turn: Recorder[State, RiverOfGoldEvent], seat: Seat, action: ExchangeGoods) -> None:
    """§3.4 Exchange goods for another kind, which must be below its cap."""
    goods = turn.state.players[seat].goods
    if action.give is action.take:
        raise RuleViolation(Code.SAME_GOOD, rule="3.4", field="take", good=action.take.value)
    if goods[GOOD_INDEX[action.give]] < EXCHANGE_GOODS:
        raise RuleViolation(Code.GOODS_NOT_OWNED, rule="3.4", field="give", goods=(action.give.value,))
    if goods[GOOD_INDEX[action.take]] >= GOOD_CAP:
        raise RuleViolation(Code.GOOD_AT_CAP, rule="3.4", field="take", good=action.take.value, cap=GOOD_CAP)
    turn.record(GoodsExchanged(seat=seat, given=action.give, number=EXCHANGE_GOODS, taken=action.take))


def exchange_koku(turn: Recorder[State, RiverOfGoldEvent], seat: Seat, _action: ExchangeKoku) -> None:
    """§3.4 Exchange koku for a favor, unless the player is at the favor limit."""
    player = turn.state.players[seat]
    if player.koku < EXCHANGE_KOKU:
        raise RuleViolation(Code.KOKU_NOT_OWNED, rule="3.4", cost=EXCHANGE_KOKU, koku=player.koku)
    if player.favor >= player.limit:
        raise RuleViolation(Code.FAVOR_AT_LIMIT, rule="3.4", limit=player.limit)
    turn.record(KokuExchanged(seat=seat, koku=EXCHANGE_KOKU, favor=1))


def can_buy_favor(player: Player) -> bool:
    """§3.4 Return whether the player has 5 koku and room for a favor."""
    return player.koku >= EXCHANGE_KOKU and player.favor < player.limit


def with_koku_exchanged(state: State, seat: Seat) -> State:
    """Return the state as it would be if the seat bought a favor."""
    player = state.players[seat]
    bought = replace(player, koku=player.koku - EXCHANGE_KOKU, favor=player.favor + 1)
    return replace(state, players=with_item(state.players, seat, bought))


def can_exchange(player: Player) -> bool:
    """§3.4 Return whether any exchange is possible."""
    return can_buy_favor(player) or bool(_goods_exchanges(player.goods))


def exchanges(player: Player) -> tuple[RiverOfGoldAction, ...]:
    """§3.4 Return every exchange that is possible."""
    goods = _goods_exchanges(player.goods)
    return (*goods, _EXCHANGE_KOKU) if can_buy_favor(player) else goods


@lru_cache(maxsize=4096)
def _goods_exchanges(goods: Bag) -> tuple[RiverOfGoldAction, ...]:
    """§1.4 Return the possible exchanges of goods; the cache stays small, with at most 343 bags."""
    return tuple(
        ExchangeGoods(give=give, take=take)
        for give in GOODS
        for take in GOODS
        if give is not take
        and goods[GOOD_INDEX[give]] >= EXCHANGE_GOODS
        and goods[GOOD_INDEX[take]] < GOOD_CAP
    )
