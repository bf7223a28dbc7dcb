"""§3 Setup."""

from __future__ import annotations

from engine.kernel.chance import Chance
from engine.kernel.rules_versions import told
from engine.kernel.seats import Seat
from engine.river_dragons.components import (
    COLOURS_IN_PLAY,
    STONE_COUNT,
    Colour,
    destination_of,
    full_reserve,
    hand_of,
    village_of,
)
from engine.river_dragons.events import MatchStarted, RiverDragonsEvent, RoundStarted, SeatSetup
from engine.river_dragons.options import RiverDragonsOptions


def start(
    options: RiverDragonsOptions, seats: int, chance: Chance, rules_version: str
) -> tuple[RiverDragonsEvent, ...]:
    """§3 Seat i has the i-th colour of the table's row; order of play and first player are drawn [R3]."""
    colours = COLOURS_IN_PLAY[seats]
    order = chance.shuffled(Seat(seat) for seat in range(seats))
    first_player = order[chance.below(seats)]
    started = MatchStarted(
        variant=options.variant,
        seats=tuple(_seat(Seat(seat), colour, colours) for seat, colour in enumerate(colours)),
        order=order,
        first_player=first_player,
        supply=STONE_COUNT,
        rules_version=told(rules_version),
    )
    return (started, RoundStarted(round=1, first_player=first_player))


def _seat(seat: Seat, colour: Colour, in_play: tuple[Colour, ...]) -> SeatSetup:
    return SeatSetup(
        seat=seat,
        colour=colour,
        start=village_of(colour),
        destination=destination_of(colour),
        hand=hand_of(colour, in_play),
        reserve=full_reserve(colour),
    )
