"""§7 Masteries: claimed in phase 3 by the player whose turn it is.

§7 Masteries. Three masteries are in play; each has a condition and scores VP at once.

§7.1 Claiming. After the action the player whose turn it is claims every mastery in play whose condition holds now,
that has a free slot, and that the player has not claimed before. This is not a choice [A37].

§7.2 Slots. A mastery has one slot of 5 VP with 2 players, and slots of 7, 5 and 3 VP with 3 or 4. Each claim takes
the highest free slot. When all are taken, nobody can claim it any more.

§7.3 Conditions. `mastery_air`: delivered to 3 types of customers. `mastery_fire`: delivered to 2 customers of a type.
`mastery_earth`: 3 own buildings of a type. `mastery_water`: an own building of each of the 4 types. `mastery_void`:
influence in all six regions. `mastery_courts`: influence of 11 or more in a region.

§7.4 Progress in others' turns. What a player gains in the turns of others counts, but a mastery is claimed only in
the own turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from engine.kernel.seats import Seat
from engine.river_of_gold.box.board import FLOWER_SPACE
from engine.river_of_gold.box.components import BUILDING_TYPES
from engine.river_of_gold.box.customers import CUSTOMER
from engine.river_of_gold.box.ids import MasteryId
from engine.river_of_gold.box.masteries import MASTERY_SLOTS
from engine.river_of_gold.gain_events import MasteryClaimed
from engine.river_of_gold.rules.holdings import owned_types
from engine.river_of_gold.rules.turn import Turn
from engine.river_of_gold.state import State

DISTINCT_CUSTOMERS = 3
EQUAL_CUSTOMERS = 2
EQUAL_BUILDINGS = 3


def claim_masteries(turn: Turn, seat: Seat) -> None:
    """§7.1, §7.2 Claim every mastery whose condition holds, each once, at the highest free slot."""
    slots = MASTERY_SLOTS[len(turn.state.players)]
    for card in turn.state.masteries:
        free = len(card.claims) < len(slots)
        if free and seat not in card.claims and holds(turn.state, seat, card.mastery):
            turn.record(MasteryClaimed(seat=seat, mastery=card.mastery, vp=slots[len(card.claims)]))


def holds(state: State, seat: Seat, mastery: MasteryId) -> bool:
    """§7.3"""
    return CONDITIONS[mastery](state, seat)


def _air(state: State, seat: Seat) -> bool:
    delivered = state.players[seat].delivered
    return len({CUSTOMER[card].type for card in delivered}) >= DISTINCT_CUSTOMERS


def _courts(state: State, seat: Seat) -> bool:
    return max(state.players[seat].tracks) >= FLOWER_SPACE


def _earth(state: State, seat: Seat) -> bool:
    return _most_equal(owned_types(state, seat)) >= EQUAL_BUILDINGS


def _fire(state: State, seat: Seat) -> bool:
    return _most_equal([CUSTOMER[card].type for card in state.players[seat].delivered]) >= EQUAL_CUSTOMERS


def _void(state: State, seat: Seat) -> bool:
    return 0 not in state.players[seat].tracks


def _water(state: State, seat: Seat) -> bool:
    return len(set(owned_types(state, seat))) == len(BUILDING_TYPES)


def _most_equal(kinds: Sequence[str]) -> int:
    """Return how many there are of the kind there are most of; 0 without any."""
    return max([kinds.count(kind) for kind in kinds], default=0)


CONDITIONS: Final[dict[MasteryId, Callable[[State, Seat], bool]]] = {
    MasteryId.MASTERY_AIR: _air,
    MasteryId.MASTERY_COURTS: _courts,
    MasteryId.MASTERY_EARTH: _earth,
    MasteryId.MASTERY_FIRE: _fire,
    MasteryId.MASTERY_VOID: _void,
    MasteryId.MASTERY_WATER: _water,
}
