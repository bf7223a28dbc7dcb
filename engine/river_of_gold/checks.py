"""What River of Gold says of itself for `foldtable check-game`."""

from __future__ import annotations

from collections import Counter
from typing import Final

from engine.kernel.package import Checks
from engine.river_of_gold.box.components import PatronMode
from engine.river_of_gold.options import RiverOfGoldOptions
from engine.river_of_gold.state import State


def conserved(state: State) -> Counter[str]:
    """Return how often there is each customer card, wherever it is: in the deck, discarded, in hands and delivered."""
    cards = Counter(map(str, (*state.deck, *state.discards)))
    for player in state.players:
        cards.update(map(str, (*player.hand, *player.delivered)))
    return cards


CHECKS: Final = Checks(
    options=tuple(RiverOfGoldOptions(patrons=patrons) for patrons in PatronMode), conserved=conserved
)
