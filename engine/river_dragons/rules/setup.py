"""§3 Setup.

§3 Setup. The number of players decides which colours are in play: pink and black with 2, blue, red and pink with 3,
blue, green, red and yellow with 4, all but pink with 5, all with 6. Dragons of colours that are not in play are out
of the game, so a hand has 9 cards with 2 players and 13 with 6. Every pawn begins in its own village, every reserve
with six planks, and the board is empty. Villages of unused colours stay and can be used by all. The clockwise order
of the seats and the first player are drawn [R3].
"""

from __future__ import annotations

from typing import Final

from msgspec import UNSET

from engine.kernel.chance import Chance
from engine.kernel.errors import RuleViolation
from engine.kernel.rules_versions import recorded
from engine.kernel.seats import Seat
from engine.river_dragons.box.components import (
    COLOURS_IN_PLAY,
    ROUND_LIMIT,
    STONE_COUNT,
    Colour,
    destination_of,
    full_reserve,
    hand_of,
    village_of,
)
from engine.river_dragons.errors import Code
from engine.river_dragons.events import MatchStarted, RiverDragonsEvent, RoundStarted, SeatSetup
from engine.river_dragons.options import NoLimit, RiverDragonsOptions
from engine.river_dragons.versions import RULINGS, VERSIONS

_LIMIT: Final = "round_limit"


def start(
    options: RiverDragonsOptions, seats: int, chance: Chance, rules_version: str
) -> tuple[RiverDragonsEvent, ...]:
    """§3 Start a match: seat i has the i-th colour of the setup table's row; order of play and first player are drawn [R3]."""
    check_options(options, seats, rules_version)
    colours = COLOURS_IN_PLAY[seats]
    order = chance.shuffled(Seat(seat) for seat in range(seats))
    first_player = order[chance.below(seats)]
    started = MatchStarted(
        variant=options.variant,
        seats=tuple(_seat(Seat(seat), colour, colours) for seat, colour in enumerate(colours)),
        order=order,
        first_player=first_player,
        supply=STONE_COUNT,
        rules_version=recorded(rules_version),
        round_limit=options.rounds,
    )
    return (started, RoundStarted(round=1, first_player=first_player))


def check_options(options: RiverDragonsOptions, _seats: int, rules_version: str) -> None:
    """[R23] Refuse a round limit under rules that do not have the option."""
    if options.round_limit is UNSET or RULINGS[rules_version].round_limit_is_an_option:
        return
    since = [one.version for one in VERSIONS if one.rulings.round_limit_is_an_option][-1]
    raise RuleViolation(
        Code.ROUND_LIMIT_FIXED,
        rule="R23",
        field=_LIMIT,
        rounds=ROUND_LIMIT,
        rules_version=rules_version,
        since=since,
    )


def endless(options: RiverDragonsOptions) -> str | None:
    """[R23] Name the option by which a match may go on for ever."""
    return _LIMIT if options.round_limit is NoLimit.NONE else None


def _seat(seat: Seat, colour: Colour, in_play: tuple[Colour, ...]) -> SeatSetup:
    return SeatSetup(
        seat=seat,
        colour=colour,
        start=village_of(colour),
        destination=destination_of(colour),
        hand=hand_of(colour, in_play),
        reserve=full_reserve(colour),
    )
