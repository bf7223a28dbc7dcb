"""The box and the board for front ends: static, public, the same for every match."""

from __future__ import annotations

from typing import Final

import msgspec

from engine.al_rashid.box.areas import (
    AREA_NAMES,
    GUILDS,
    NOTES,
    PALACE_COLOURS,
    PALACES,
    SETUP_CRISES,
    STOCKS,
    TURN_CRISES,
    CrisisTile,
)
from engine.al_rashid.box.components import (
    ACTING_RANKS,
    BANKER_DISCOUNT,
    DOMINANCE,
    FAMILY_LIMITS,
    FAMILY_POINTS,
    FAVOR_COSTS,
    INFLUENCE_LIMIT,
    LOREMASTER_DISCOUNT,
    NOTE_DISCOUNT,
    PIECES,
    SEAT_COUNTS,
    SERVICE_COSTS,
    SET_VALUES,
    SLOTS,
    START_FAMILY,
    START_GOODS,
    TILE_COUNTS,
    TRADE_LIMITS,
    TURNS,
    AreaId,
    Favor,
    Goods,
    Piece,
    Service,
    Squad,
    goods_of,
    squad_of,
)
from engine.al_rashid.box.offices import OFFICES, Office, copies


class PalaceKind(msgspec.Struct, frozen=True, kw_only=True):
    """§7, §8 A palace. Those of guilds have a service and a head with a favor; that of Al-Rashid has neither."""

    id: AreaId
    name: str
    colour: str
    service: Service | None = None
    service_costs: tuple[int, ...] = ()
    """By rank."""
    head: Favor | None = None
    favor_cost: int = 0


class TerritoryKind(msgspec.Struct, frozen=True, kw_only=True):
    """§2.2"""

    id: AreaId
    name: str
    goods: Goods
    notes: int


class PieceKind(msgspec.Struct, frozen=True, kw_only=True):
    """§1.2"""

    piece: Piece
    dominance: int
    start: int
    limit: int
    points: int


class TableSetup(msgspec.Struct, frozen=True, kw_only=True):
    """§2 What depends on the number of players."""

    seats: int
    office_tiles: int
    start_goods: tuple[Goods, ...]
    """By place in the turn order."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers a player has to know."""

    turns: int
    slots: int
    acting_ranks: int
    trade_items: tuple[int, ...]
    """§9.7 By rank."""
    set_values: tuple[int, ...]
    """§6.3 The worth of a set by its number of different goods, from 0 on."""
    note_discount: int
    banker_discount: int
    loremaster_discount: int
    influence_points: int


class Components(msgspec.Struct, frozen=True, kw_only=True):
    """§1, §2, §7, §10, §11"""

    palaces: tuple[PalaceKind, ...]
    territories: tuple[TerritoryKind, ...]
    pieces: tuple[PieceKind, ...]
    offices: tuple[Office, ...]
    mercenaries: Squad
    setup_crises: tuple[CrisisTile, ...]
    turn_crises: tuple[CrisisTile, ...]
    setups: tuple[TableSetup, ...]
    limits: Limits


def _palace(area: AreaId) -> PalaceKind:
    name, colour = AREA_NAMES[area], PALACE_COLOURS[area]
    if area not in GUILDS:
        return PalaceKind(id=area, name=name, colour=colour)
    guild = GUILDS[area]
    return PalaceKind(
        id=area,
        name=name,
        colour=colour,
        service=guild.service,
        service_costs=SERVICE_COSTS[guild.service],
        head=guild.head,
        favor_cost=FAVOR_COSTS[guild.head],
    )


COMPONENTS: Final = Components(
    palaces=tuple(_palace(area) for area in PALACES),
    territories=tuple(
        TerritoryKind(id=area, name=AREA_NAMES[area], goods=goods_of(bag), notes=NOTES[area])
        for area, bag in STOCKS.items()
    ),
    pieces=tuple(
        PieceKind(
            piece=piece,
            dominance=DOMINANCE[index],
            start=START_FAMILY[index],
            limit=FAMILY_LIMITS[index],
            points=FAMILY_POINTS[index],
        )
        for index, piece in enumerate(PIECES)
    ),
    offices=OFFICES,
    mercenaries=squad_of(TILE_COUNTS),
    setup_crises=SETUP_CRISES,
    turn_crises=TURN_CRISES,
    setups=tuple(
        TableSetup(
            seats=seats,
            office_tiles=sum(copies(office, seats) for office in OFFICES),
            start_goods=tuple(goods_of(bag) for bag in START_GOODS[:seats]),
        )
        for seats in SEAT_COUNTS
    ),
    limits=Limits(
        turns=TURNS,
        slots=SLOTS,
        acting_ranks=ACTING_RANKS,
        trade_items=TRADE_LIMITS,
        set_values=SET_VALUES,
        note_discount=NOTE_DISCOUNT,
        banker_discount=BANKER_DISCOUNT,
        loremaster_discount=LOREMASTER_DISCOUNT,
        influence_points=INFLUENCE_LIMIT,
    ),
)
