"""§2 Setup."""

from __future__ import annotations

from engine.al_rashid.actions import ChooseStack
from engine.al_rashid.box.areas import NOTES, SETUP_CRISES, STOCKS
from engine.al_rashid.box.components import START_FAMILY, START_GOODS, TILE_COUNTS, goods_of, squad_of
from engine.al_rashid.box.offices import OFFICES, copies
from engine.al_rashid.event_parts import OfficeStock, SeatSetup, TerritoryStock
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
        territories=tuple(
            TerritoryStock(territory=territory, goods=goods_of(bag), notes=NOTES[territory])
            for territory, bag in STOCKS.items()
        ),
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
