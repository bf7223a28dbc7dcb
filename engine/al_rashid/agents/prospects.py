"""What a seat's pieces on the board will probably bring (§5.7, §7, §8, §9), by the rank they have there now.

Tiles that a seat has not seen count with the mean value, both on territories and in other hands.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engine.al_rashid.box.areas import (
    AL_RASHID,
    AREAS,
    CULTURE,
    GUILDS,
    MERCANTILE,
    MILITARY,
    POLITICAL,
    SPIES,
    TERRITORIES,
    TERRITORY_INDEX,
)
from engine.al_rashid.box.components import (
    ACTING_RANKS,
    COLOURS,
    DISHONOR_FLED,
    DISHONOR_NO_PRIMARY,
    DISHONOR_POINTS,
    FIRST_KIND,
    PASHA,
    TILE_VALUES,
    TRADE_LIMITS,
    AreaId,
    Bag,
    Colour,
)
from engine.al_rashid.box.goods import worth
from engine.al_rashid.box.offices import OFFICE, OFFICE_INDEX, OFFICES_OF, STRATEGIST
from engine.al_rashid.rules.battle import strength
from engine.al_rashid.rules.opening import ranked
from engine.al_rashid.rules.prices import service_cost
from engine.al_rashid.state import State, TerritoryTile
from engine.kernel.seats import Seat

MEAN_TILE: Final = 3.0
VALUE: Final = 0.28
"""Points for each unit of the value of goods (§6.3), while there is something to buy."""
NOTE: Final = 0.7
VISIT: Final[dict[AreaId, tuple[float, float, float]]] = {
    SPIES: (1.4, 1.1, 0.9),
    MILITARY: (2.2, 1.7, 1.2),
    CULTURE: (2.0, 1.6, 1.2),
    MERCANTILE: (2.2, 1.8, 1.4),
    POLITICAL: (3.0, 2.4, 1.8),
}
"""What a visit brings beyond its price, by rank."""
AUDIENCE: Final = (1.4, 1.1, 0.9)
"""§8.3 A free good, perhaps an office, a place in the order."""
TILE_SPENT: Final = 0.15
"""For each point of strength a battle costs."""
BEHIND: Final = 0.6
"""§9.2 The estimated chance that nobody in front of the seat has cleared the territory."""


def prospects(state: State, seat: Seat, eyes: Seat, budget: int) -> float:
    """Add up all areas with a stack of the seat; a budget for visits is spent on the dearest palaces last."""
    value = 0.0
    for area, stacks in zip(AREAS, state.areas, strict=True):
        if all(stack.seat != seat for stack in stacks):
            continue
        for place, stack in enumerate(ranked(stacks)):
            if stack.seat != seat:
                continue
            if area in TERRITORY_INDEX:
                value += _territory(state, seat, eyes, area, place)
            elif place >= ACTING_RANKS or _being_visited(state, seat, area):
                continue
            elif area == AL_RASHID:
                value += AUDIENCE[place] if stack.pieces[PASHA] else DISHONOR_POINTS
            else:
                price = _cheapest(state, seat, area, place + 1)
                if price <= budget:
                    budget -= price
                    value += VISIT[area][place]
                else:
                    value += DISHONOR_POINTS * DISHONOR_NO_PRIMARY
    return value


def may_still_buy(state: State, seat: Seat) -> bool:
    """Return whether the seat has a piece in a palace."""
    return any(
        stack.seat == seat
        for area, stacks in zip(AREAS, state.areas, strict=True)
        if area not in TERRITORY_INDEX
        for stack in stacks
    )


def may_still_fight(state: State, seat: Seat) -> bool:
    """Return whether there is a battle that the seat may still take part in."""
    return any(
        stack.seat == seat
        for territory, tiles in zip(TERRITORIES, state.tiles, strict=True)
        if tiles
        for stack in state.at(territory)
    )


def _being_visited(state: State, seat: Seat, area: AreaId) -> bool:
    """§7.2 Return whether the seat has declared its visit there; a declared visit is counted separately."""
    return state.visit is not None and state.visit.seat == seat and state.visit.area == area


def _cheapest(state: State, seat: Seat, area: AreaId, rank: int) -> int:
    """§7.2 Return the lowest price of a service or an office there."""
    prices = [OFFICE[office].cost for office in OFFICES_OF[area] if state.market[OFFICE_INDEX[office]]]
    return min([service_cost(state, seat, GUILDS[area].service, rank), *prices])


def _territory(state: State, seat: Seat, eyes: Seat, area: AreaId, place: int) -> float:
    """§9 Return the value of the trade, less the cost or the risk of the battle, if there is one."""
    territory = TERRITORY_INDEX[area]
    tiles = state.tiles[territory]
    trade = _trade(state, seat, territory, place)
    if not tiles:
        return trade
    opposing = {colour: _opposing(tiles, colour, eyes) for colour in COLOURS}
    needed = sum(opposing.values())
    if all(_own(state, seat, eyes, colour) > against for colour, against in opposing.items() if against):
        return trade - TILE_SPENT * needed * (BEHIND if place else 1.0)
    fled = DISHONOR_POINTS * DISHONOR_FLED
    return BEHIND * fled + (1 - BEHIND) * trade if place else fled


def _trade(state: State, seat: Seat, territory: int, place: int) -> float:
    """§9.7 Return the most that can be taken at this rank, as if nobody had taken anything yet."""
    if place >= ACTING_RANKS:
        return 0.0
    *goods, notes = state.stocks[territory]
    return VALUE * _best_trade(tuple(goods), state.players[seat].goods, place) + NOTE / 2 * notes


@lru_cache(maxsize=8192)
def _best_trade(lying: Bag, owned: Bag, place: int) -> int:
    """§9.7 By value (§6.3): all of a kind in front, else one good after another, each the best there is."""
    before = worth(owned)
    best = 0
    if place == 0:
        best = max([worth(_with(owned, kind, count)) for kind, count in enumerate(lying)])
    left = lying
    for _ in range(TRADE_LIMITS[place]):
        gains = [(worth(_with(owned, kind, 1)), kind) for kind, count in enumerate(left) if count]
        if gains:
            kind = max(gains)[1]
            owned, left = _with(owned, kind, 1), _with(left, kind, -1)
    return max(best, worth(owned)) - before


def _with(bag: Bag, kind: int, count: int) -> Bag:
    return (*bag[:kind], bag[kind] + count, *bag[kind + 1 :])


def _opposing(tiles: tuple[TerritoryTile, ...], colour: Colour, eyes: Seat) -> float:
    return sum(
        [
            tile.value if tile.face_up or eyes in tile.seen_by else MEAN_TILE
            for tile in tiles
            if tile.colour is colour
        ]
    )


def _own(state: State, seat: Seat, eyes: Seat, colour: Colour) -> float:
    """§9.3 Return the strength of a hand. Of another seat's hand only the number of tiles is known."""
    hand, bonus = state.players[seat].hand, state.offices(seat, STRATEGIST)
    if seat == eyes:
        return strength(hand, colour, bonus)
    first = FIRST_KIND[colour]
    return sum(hand[first : first + len(TILE_VALUES)]) * (MEAN_TILE + bonus)
