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
        koku=min(reward.koku + koku, KOKU_CAP - player.koku),
        silk=min(reward.silk, GOOD_CAP - silk),
        rice=min(reward.rice, GOOD_CAP - rice),
        porcelain=min(reward.porcelain, GOOD_CAP - porcelain),
        favor=min(reward.favor, player.limit - player.favor),
        vp=reward.vp,
    )


def koku_gains(player: Player, koku: int) -> Gains:
    return Gains(koku=min(koku, KOKU_CAP - player.koku))


def favor_gained(player: Player, favor: int) -> int:
    return min(favor, player.limit - player.favor)


def one_good(good: Good) -> Reward:
    """Return the reward of one good."""
    match good:
        case Good.SILK:
            return Reward(silk=1)
        case Good.RICE:
            return Reward(rice=1)
        case Good.PORCELAIN:
            return Reward(porcelain=1)
