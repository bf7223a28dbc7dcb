"""The 13 areas (§1.1): palaces with what they offer, territories with what is printed on them, and the crisis tiles.

§1.1 Areas. An area is one of 13 places on the board. Six are palaces in the city: those of the five guilds (Spies,
Military, Culture, Mercantile, Political) and the palace of Al-Rashid. Seven are territories on the map.

§2.2 Goods on the territories. At the start every territory has the goods that are printed on it. Silk Road, Spice
Road, Sarmatia and Mare Internum have a credit note each as well.
"""

from __future__ import annotations

from typing import Final

import msgspec

from engine.al_rashid.box.components import AreaId, Bag, Colour, Favor, Service

SPIES: Final = AreaId("spies")
MILITARY: Final = AreaId("military")
CULTURE: Final = AreaId("culture")
MERCANTILE: Final = AreaId("mercantile")
POLITICAL: Final = AreaId("political")
AL_RASHID: Final = AreaId("al_rashid")
SILK_ROAD: Final = AreaId("silk_road")
SPICE_ROAD: Final = AreaId("spice_road")
SARMATIA: Final = AreaId("sarmatia")
MARE_INDIANUM: Final = AreaId("mare_indianum")
ABBASID_CALIPHATE: Final = AreaId("abbasid_caliphate")
MARE_INTERNUM: Final = AreaId("mare_internum")
NILUS_VALLEY: Final = AreaId("nilus_valley")


class Guild(msgspec.Struct, frozen=True, kw_only=True):
    """§7 What a guild's palace offers beside its offices."""

    service: Service
    head: Favor


class Placement(msgspec.Struct, frozen=True, kw_only=True):
    """One symbol of a crisis tile."""

    territory: AreaId
    colour: Colour


class CrisisTile(msgspec.Struct, frozen=True, kw_only=True):
    """§11.3 Says where mercenaries are laid."""

    id: str
    placements: tuple[Placement, ...]


GUILDS: Final[dict[AreaId, Guild]] = {
    SPIES: Guild(service=Service.SPY_MOVES, head=Favor.FAVORITE),
    MILITARY: Guild(service=Service.RECRUIT_MERCENARIES, head=Favor.GENERAL),
    CULTURE: Guild(service=Service.TRAIN_SAGE, head=Favor.COURT_SCHOLAR),
    MERCANTILE: Guild(service=Service.TRAIN_MERCHANT, head=Favor.VIZIER),
    POLITICAL: Guild(service=Service.TRAIN_PASHA, head=Favor.QADI),
}
PALACES: Final = (*GUILDS, AL_RASHID)

STOCKS: Final[dict[AreaId, Bag]] = {
    SILK_ROAD: (1, 0, 1, 2, 4),
    SPICE_ROAD: (2, 1, 0, 4, 1),
    SARMATIA: (2, 1, 5, 0, 0),
    MARE_INDIANUM: (4, 0, 0, 1, 1),
    ABBASID_CALIPHATE: (2, 3, 1, 1, 0),
    MARE_INTERNUM: (2, 4, 1, 0, 0),
    NILUS_VALLEY: (4, 1, 2, 0, 0),
}
"""§2.2 The goods printed on each territory."""
NOTES: Final[dict[AreaId, int]] = {
    territory: int(territory in (SILK_ROAD, SPICE_ROAD, SARMATIA, MARE_INTERNUM)) for territory in STOCKS
}
"""§2.2 [R37]"""
TERRITORIES: Final = tuple(STOCKS)
AREAS: Final = (*PALACES, *TERRITORIES)
AREA_INDEX: Final[dict[AreaId, int]] = {area: index for index, area in enumerate(AREAS)}
TERRITORY_INDEX: Final[dict[AreaId, int]] = {area: index for index, area in enumerate(TERRITORIES)}
AREA_NAMES: Final[dict[AreaId, str]] = {
    SPIES: "Palace of the Spies Guild",
    MILITARY: "Palace of the Military Guild",
    CULTURE: "Palace of the Culture Guild",
    MERCANTILE: "Palace of the Mercantile Guild",
    POLITICAL: "Palace of the Political Guild",
    AL_RASHID: "Palace of Al-Rashid",
    SILK_ROAD: "Silk Road",
    SPICE_ROAD: "Spice Road",
    SARMATIA: "Sarmatia",
    MARE_INDIANUM: "Mare Indianum",
    ABBASID_CALIPHATE: "Abbasid Caliphate",
    MARE_INTERNUM: "Mare Internum",
    NILUS_VALLEY: "Nilus Valley",
}
PALACE_COLOURS: Final[dict[AreaId, str]] = {
    SPIES: "black",
    MILITARY: "red",
    CULTURE: "purple",
    MERCANTILE: "blue",
    POLITICAL: "turquoise",
    AL_RASHID: "green",
}
"""[R36] The palace's office tiles have the same colour."""


def _tile(name: str, red: tuple[AreaId, ...], blue: tuple[AreaId, ...]) -> CrisisTile:
    return CrisisTile(
        id=name,
        placements=(
            *(Placement(territory=territory, colour=Colour.RED) for territory in red),
            *(Placement(territory=territory, colour=Colour.BLUE) for territory in blue),
        ),
    )


SETUP_CRISES: Final = (
    _tile("setup_1", (SILK_ROAD,), (SPICE_ROAD, MARE_INDIANUM)),
    _tile("setup_2", (SILK_ROAD, SPICE_ROAD), (MARE_INDIANUM,)),
    _tile("setup_3", (SILK_ROAD, SARMATIA), (SPICE_ROAD, MARE_INDIANUM)),
)
"""§2.8"""
TURN_CRISES: Final = (
    _tile("turn_1", (SILK_ROAD,), (SPICE_ROAD, SARMATIA)),
    _tile("turn_2", (SILK_ROAD, NILUS_VALLEY), (MARE_INDIANUM,)),
    _tile("turn_3", (SILK_ROAD, SARMATIA), (MARE_INDIANUM,)),
    _tile("turn_4", (SARMATIA,), (SPICE_ROAD,)),
    _tile("turn_5", (SILK_ROAD, SARMATIA, ABBASID_CALIPHATE, NILUS_VALLEY), ()),
    _tile("turn_6", (), (SARMATIA, MARE_INTERNUM, SPICE_ROAD, MARE_INDIANUM)),
    _tile("turn_7", (SILK_ROAD, SPICE_ROAD), (ABBASID_CALIPHATE,)),
    _tile("turn_8", (SILK_ROAD, SPICE_ROAD), (MARE_INDIANUM, MARE_INTERNUM)),
)
"""§11.3"""
CRISES: Final[dict[str, CrisisTile]] = {tile.id: tile for tile in (*SETUP_CRISES, *TURN_CRISES)}
