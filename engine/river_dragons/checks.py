"""What River Dragons says of itself for `foldtable check-game`."""

from __future__ import annotations

from collections import Counter
from typing import Final

from engine.kernel.package import Checks
from engine.river_dragons.box.components import Variant
from engine.river_dragons.options import RiverDragonsOptions
from engine.river_dragons.state import State


def conserved(state: State) -> Counter[str]:
    """Return the stones in the supply and on the board, and how often there is each plank, wherever it is."""
    planks = Counter(str(laid.plank) for laid in state.table.planks)
    planks.update(str(plank) for reserve in state.reserves for plank in reserve)
    planks.update(str(plank) for plank in state.lost_planks)
    return planks + Counter(stones=state.supply + len({stone.id for stone in state.table.stones}))


CHECKS: Final = Checks(
    options=tuple(RiverDragonsOptions(variant=variant) for variant in Variant), conserved=conserved
)
