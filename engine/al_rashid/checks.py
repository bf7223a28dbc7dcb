"""What Al-Rashid says of itself for `foldtable check-game`."""

from __future__ import annotations

from typing import Final

from engine.al_rashid.box.components import tile_kind
from engine.al_rashid.state import State
from engine.kernel.package import Checks


def conserved(state: State) -> tuple[int, ...]:
    """Return how many mercenary tiles there are of each kind: in stacks and discards, in hands and on the board."""
    count = [a + b for a, b in zip(state.stacks, state.discards, strict=True)]
    for player in state.players:
        count = [a + b for a, b in zip(count, player.hand, strict=True)]
    for lying in state.tiles:
        for tile in lying:
            count[tile_kind(tile.colour, tile.value)] += 1
    return tuple(count)


CHECKS: Final = Checks(conserved=conserved)
