"""§11 Upkeep, after turns 1 to 4.

§11 Upkeep. After turns 1 to 4 the board is prepared for the next turn.

§11.1 Refilling. Every territory gets back the goods and notes that are printed on it.

§11.2 Refreshing offices. All offices that were used are turned face up.

§11.4 Next turn. The turn marker moves on by one.
"""

from __future__ import annotations

from typing import Final

from engine.al_rashid.box.areas import TURN_CRISES
from engine.al_rashid.event_parts import PRINTED
from engine.al_rashid.events import OfficesRefreshed, TerritoriesRefilled
from engine.al_rashid.rules.mercenaries import crisis
from engine.al_rashid.rules.turn import Turn
from engine.kernel.chance import Chance

_REFILLED: Final = TerritoriesRefilled(territories=PRINTED)


def upkeep(turn: Turn, chance: Chance) -> None:
    """§11.1 to §11.3; the turn marker moves with the start of the next turn."""
    turn.record(_REFILLED)
    turn.record(OfficesRefreshed())
    left = [tile for tile in TURN_CRISES if tile.id not in turn.state.crises]  # [R30]
    crisis(turn, left[chance.below(len(left))], chance)
