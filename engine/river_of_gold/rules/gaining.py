"""§1.4 Gains up to the caps; what exceeds a cap is lost."""

from __future__ import annotations

from engine.river_of_gold.box.components import GOOD_CAP, KOKU_CAP, Good
from engine.river_of_gold.box.rewards import Reward
from engine.river_of_gold.event_parts import Gains
from engine.river_of_gold.state import Player


def capped(player: Player, reward: Reward, koku: int = 0) -> Gains:
    """Return what the player really gains from the fixed parts of a reward, with `koku` added to its koku."""
    silk, rice, porcelain = player.goods
    return Gains(
        koku=_up_to(KOKU_CAP - player.koku, reward.koku + koku),
        silk=_up_to(GOOD_CAP - silk, reward.silk),
        rice=_up_to(GOOD_CAP - rice, reward.rice),
        porcelain=_up_to(GOOD_CAP - porcelain, reward.porcelain),
        favor=_up_to(player.limit - player.favor, reward.favor),
        vp=reward.vp,
    )


def _up_to(room: int, number: int) -> int:
    """Return the smaller one; in plain Python this is faster than `min`."""
    return min(room, number)


def koku_gains(player: Player, koku: int) -> Gains:
    return Gains(koku=_up_to(KOKU_CAP - player.koku, koku))


def favor_gained(player: Player, favor: int) -> int:
    return _up_to(player.limit - player.favor, favor)


def one_good(good: Good) -> Reward:
    """Return the reward of one good."""
    match good:
        case Good.SILK:
            return Reward(silk=1)
        case Good.RICE:
            return Reward(rice=1)
        case Good.PORCELAIN:
            return Reward(porcelain=1)
