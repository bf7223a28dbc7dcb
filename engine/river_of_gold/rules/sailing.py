"""§5.1, §5.5 A ship sails; what the royal ship and Daidoji Uji do after it.

§5 Sail. A ship sails, the player is rewarded by what is on the shores, owners of buildings there are rewarded too,
and a completed journey brings a bonus.

§5.1 Moving a ship. The player moves one own ship downstream, exactly as far as the die shows. Ships never block each
other. A ship that passes from `river_14` to `river_01` completes a journey [A3]. With `noble_5` the royal ship may
use the face above or below instead [A18].

§5.5 After the sail. If the royal ship sailed, the abilities of `noble_3`, `noble_4` and `noble_6` come now, and then
Daidoji Uji's [A20].
"""

from __future__ import annotations

from functools import lru_cache

from engine.kernel.errors import RuleViolation
from engine.kernel.seats import Seat
from engine.river_of_gold.actions import Sail
from engine.river_of_gold.box.board import RIVERS, TOUCHED, VISITED, downstream
from engine.river_of_gold.box.components import SHIP_INDEX, SHIPS
from engine.river_of_gold.box.ids import CustomerId
from engine.river_of_gold.box.patrons import UJI, UJI_VP
from engine.river_of_gold.errors import Code
from engine.river_of_gold.event_parts import Choice, InfluenceSource
from engine.river_of_gold.gain_events import NobleRewarded, PatronRewarded, ShipSailed
from engine.river_of_gold.rules.choices import open_choices
from engine.river_of_gold.rules.favor import turned
from engine.river_of_gold.rules.holdings import is_opponents
from engine.river_of_gold.rules.influence import advance
from engine.river_of_gold.rules.turn import Turn
from engine.river_of_gold.state import Player, State, Voyage

NOBLE_VP = 1
"""§10.5 The VP of `noble_4` and `noble_6`."""


def sail(turn: Turn, seat: Seat, action: Sail) -> None:
    """§5.1 Sail a ship; ships never block each other."""
    player = turn.state.players[seat]
    ship = SHIP_INDEX[action.ship]
    allowed = distances(player, ship)
    if action.distance not in allowed:
        raise RuleViolation(
            Code.DISTANCE_NOT_ALLOWED, rule="5.1", field="distance", distance=action.distance, allowed=allowed
        )
    start = player.ships[ship]
    end, completed = downstream(start, action.distance)
    turn.record(
        ShipSailed(
            seat=seat,
            ship=action.ship,
            royal=player.royal == ship,
            distance=action.distance,
            from_space=RIVERS[start],
            to_space=RIVERS[end],
            completed=completed,
        )
    )


def distances(player: Player, ship: int) -> tuple[int, ...]:
    """§5.1 Return the distances the ship may sail: the face of the die; for the royal ship with `noble_5` also its neighbours [A18]."""
    face = player.die
    if player.royal == ship and CustomerId.NOBLE_5 in player.delivered:
        return tuple(sorted((turned(face, -1), face, turned(face, 1))))
    return (face,)


def sails(player: Player) -> tuple[Sail, ...]:
    """§5.1 Return every sail: each ship with each of its distances."""
    return _sails(tuple([distances(player, ship) for ship in range(len(SHIPS))]))


@lru_cache(maxsize=4096)
def _sails(of_ships: tuple[tuple[int, ...], ...]) -> tuple[Sail, ...]:
    """Return the actions; the cache stays small, with 6 faces and one royal ship at most."""
    return tuple(
        Sail(ship=ship, distance=distance)
        for ship, its in zip(SHIPS, of_ships, strict=True)
        for distance in its
    )


def after_sail(turn: Turn, seat: Seat) -> None:
    """§5.5 [A20] `noble_3`, `noble_4`, `noble_6` if the royal ship sailed; then Daidoji Uji, once."""
    voyage = voyage_of(turn.state)
    player = turn.state.players[seat]
    if not voyage.royal and player.patron is not UJI:
        return
    visited = [site for at in VISITED[voyage.river] if (site := turn.state.sites[at]) is not None]
    opponents = any(is_opponents(site, seat) for site in visited)
    opened: list[Choice] = []
    if voyage.royal:
        if CustomerId.NOBLE_3 in player.delivered:
            for region in TOUCHED[voyage.river]:  # [A17]
                opened += advance(turn, seat, region, 1, InfluenceSource.NOBLE, customer=CustomerId.NOBLE_3)
        if CustomerId.NOBLE_4 in player.delivered and opponents:
            turn.record(NobleRewarded(seat=seat, customer=CustomerId.NOBLE_4, vp=NOBLE_VP))
        if CustomerId.NOBLE_6 in player.delivered and any(seat in site.markers for site in visited):
            turn.record(NobleRewarded(seat=seat, customer=CustomerId.NOBLE_6, vp=NOBLE_VP))
    if player.patron is UJI and opponents:
        turn.record(PatronRewarded(seat=seat, patron=UJI, vp=UJI_VP))
    open_choices(turn, opened)


def voyage_of(state: State) -> Voyage:
    """Return the sail of this turn."""
    if state.voyage is None:
        raise TypeError("no ship has sailed in this turn")
    return state.voyage
