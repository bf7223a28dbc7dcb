"""§2 Setup.

§2 Setup. Before the first turn the board is filled, the offices are laid out, the turn order is drawn, and everybody
gets a family, goods and a mercenary tile. The seats of a match are counted from 0.

§2.1 Number of players. 2 to 5 can play. The number decides only which seats there are and how many copies of the
offices are for sale (§2.4).

§2.4 Offices for sale. The palace of Al-Rashid and the Political palace sell eight offices each, one copy of each. The
other four palaces sell four each: one copy with 2 or 3 players, two copies with 4 or 5. All lie face up.

§2.5 First pieces. Every player begins with a pasha, a merchant and a sage in the reserve.

§2.6 First turn order. The order of the first turn is drawn at random.

§2.7 First goods. Everybody gets hardwood, pottery and metals, one of each. The second in turn order gets one more
hardwood, the third two more, the fourth one more hardwood and one more pottery, and the fifth one spices.

§2.8 First crisis. One of the three crisis tiles for the setup is drawn, and mercenaries are laid on the territories
that it names (§11.3). The other two are put away.

§2.9 First mercenary. In turn order every player names a colour and draws one tile of it into the hand.
"""

from __future__ import annotations

from engine.al_rashid.actions import ChooseStack
from engine.al_rashid.box.areas import SETUP_CRISES
from engine.al_rashid.box.components import START_FAMILY, START_GOODS, TILE_COUNTS, goods_of, squad_of
from engine.al_rashid.box.offices import OFFICES, copies
from engine.al_rashid.event_parts import PRINTED, OfficeStock, SeatSetup
from engine.al_rashid.events import AlRashidEvent, MatchStarted
from engine.al_rashid.evolve import evolve
from engine.al_rashid.options import AlRashidOptions
from engine.al_rashid.rules.mercenaries import crisis, draw
from engine.al_rashid.rules.turn import Turn
from engine.kernel.chance import Chance
from engine.kernel.recorder import Recorder
from engine.kernel.rules_versions import recorded
from engine.kernel.seats import Seat


def start(
    options: AlRashidOptions,  # noqa: ARG001 - there are none
    seats: int,
    chance: Chance,
    rules_version: str,
) -> tuple[AlRashidEvent, ...]:
    """§2.1 to §2.8 Draw the turn order, then the crisis tile of the setup."""
    order = chance.shuffled(Seat(seat) for seat in range(seats))
    started = MatchStarted(
        order=order,
        seats=tuple(_seat(Seat(seat), order.index(Seat(seat))) for seat in range(seats)),
        offices=tuple(OfficeStock(office=office.id, copies=copies(office, seats)) for office in OFFICES),
        territories=PRINTED,
        stacks=squad_of(TILE_COUNTS),
        rules_version=recorded(rules_version),
    )
    turn: Turn = Recorder(evolve(None, started), evolve)
    crisis(turn, SETUP_CRISES[chance.below(len(SETUP_CRISES))], chance)
    return (started, *turn.events)


def choose_stack(turn: Turn, seat: Seat, action: ChooseStack, chance: Chance) -> None:
    """§2.9 In turn order everybody draws the first mercenary."""
    draw(turn, seat, (action.colour,), chance)


def _seat(seat: Seat, place: int) -> SeatSetup:
    pashas, merchants, sages = START_FAMILY
    return SeatSetup(
        seat=seat,
        goods=goods_of(START_GOODS[place]),
        pashas=pashas,
        merchants=merchants,
        sages=sages,
    )
