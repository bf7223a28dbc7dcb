"""Small changes to a state that several events share: one place of a tuple, a player, what a player gains."""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from engine.river_of_gold.box.components import GOOD_INDEX, Bag, Good
from engine.river_of_gold.event_parts import Gains, Step, VpSource
from engine.river_of_gold.state import TALLY_INDEX, Player, State

T = TypeVar("T")


def with_item(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """Return the tuple with one place changed."""
    changed = list(items)
    changed[at] = item
    return tuple(changed)


def without(items: tuple[T, ...], item: T) -> tuple[T, ...]:
    """Return the tuple without the first item that equals this one. Raises ValueError if there is none."""
    at = items.index(item)
    return items[:at] + items[at + 1 :]


def with_good(bag: Bag, good: Good, number: int) -> Bag:
    """Return the bag with this number of one good added; a negative number takes them away."""
    silk, rice, porcelain = bag
    index = GOOD_INDEX[good]
    if index == 0:
        return (silk + number, rice, porcelain)
    if index == 1:
        return (silk, rice + number, porcelain)
    return (silk, rice, porcelain + number)


def with_vp(tally: tuple[int, ...], vp: int, source: VpSource) -> tuple[int, ...]:
    index = TALLY_INDEX[source]
    return with_item(tally, index, tally[index] + vp)


def with_gains(player: Player, gains: Gains, source: VpSource) -> Player:
    """Return the player with what was really gained; VP are counted by their source."""
    silk, rice, porcelain = player.goods
    return replace(
        player,
        koku=player.koku + gains.koku,
        goods=(silk + gains.silk, rice + gains.rice, porcelain + gains.porcelain),
        favor=player.favor + gains.favor,
        tally=with_vp(player.tally, gains.vp, source) if gains.vp else player.tally,
    )


def after_step(state: State, step: Step) -> tuple[Step, ...]:
    """Return the steps that remain once this one has begun. Raises ValueError if it is not the next step."""
    if not state.steps or state.steps[0] is not step:
        raise ValueError(f"{step} is not the next step of this turn")
    return state.steps[1:]
