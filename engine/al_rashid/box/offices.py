"""The 32 offices (§10): where each is sold, what it costs, what it is worth at the end."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

from engine.al_rashid.box.areas import AL_RASHID, CULTURE, MERCANTILE, MILITARY, PALACES, POLITICAL, SPIES
from engine.al_rashid.box.components import AreaId, Good, OfficeId


class OfficeKind(StrEnum):
    """When an office does something (§10.1)."""

    ACTIVATE = "activate"
    """Its owner activates it in the own turn, once per turn."""
    CONTINUOUS = "continuous"
    """It works as long as somebody owns it."""
    ONE_SHOT = "one_shot"
    """It works once, when it is acquired. The tile stays with its owner and counts at the end."""


class Metric(StrEnum):
    """§12.3 What a variable office counts."""

    INFLUENCE_MARKERS = "influence_markers"
    DISTINCT_PALACES = "distinct_palaces_among_own_offices"
    DISTINCT_GOODS = "distinct_goods_kinds_owned"
    SPIES_OFFICES = "spies_offices"
    MILITARY_OFFICES = "military_offices"
    SAGES = "family_sages"
    MERCHANTS = "family_merchants"
    PASHAS = "family_pashas"


class PointStep(msgspec.Struct, frozen=True, kw_only=True):
    """One step of a variable office; the highest one reached counts."""

    at_least: int
    points: int


class Office(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of office tile."""

    id: OfficeId
    serial: str
    name: str
    palace: AreaId
    kind: OfficeKind
    cost: int
    points: int
    """Points at the end if no step of `metric` is reached."""
    metric: Metric | None = None
    steps: tuple[PointStep, ...] = ()


SMUGGLER: Final = OfficeId("smuggler")
PLOTTER: Final = OfficeId("plotter")
INFORMER: Final = OfficeId("informer")
IMPOSTOR: Final = OfficeId("impostor")
STRATEGIST: Final = OfficeId("strategist")
RECRUITER: Final = OfficeId("recruiter")
RAIDER: Final = OfficeId("raider")
NEGOTIATOR: Final = OfficeId("negotiator")
LOREMASTER: Final = OfficeId("loremaster")
ENCHANTER: Final = OfficeId("enchanter")
DIPLOMAT: Final = OfficeId("diplomat")
BANKER: Final = OfficeId("banker")
TRADER: Final = OfficeId("trader")
HARDWOOD_IMPORTER: Final = OfficeId("hardwood_importer")
POTTERY_IMPORTER: Final = OfficeId("pottery_importer")
METAL_IMPORTER: Final = OfficeId("metal_importer")
AIDE_TO_THE_QADI: Final = OfficeId("aide_to_the_qadi")
STEWARD_OF_THE_CITY: Final = OfficeId("steward_of_the_city")
WAREHOUSE_KEEPER: Final = OfficeId("warehouse_keeper")
FAVORITES_MAIDEN: Final = OfficeId("favorites_maiden")
WEAPON_MASTER: Final = OfficeId("weapon_master")
DEAN_OF_THE_ACADEMY: Final = OfficeId("dean_of_the_academy")
ECONOMIST: Final = OfficeId("economist")
COUNSELOR_OF_THE_CALIPH: Final = OfficeId("counselor_of_the_caliph")
TREASURER: Final = OfficeId("treasurer")
AGHA: Final = OfficeId("agha")
SILK_MONOPOLIST: Final = OfficeId("silk_monopolist")
SPICE_MONOPOLIST: Final = OfficeId("spice_monopolist")
ASTROLOGIST: Final = OfficeId("astrologist")
LAW_EXPERT: Final = OfficeId("law_expert")
QUARTERMASTER: Final = OfficeId("quartermaster")
ALCHEMIST: Final = OfficeId("alchemist")


def _office(
    serial: int,
    office: OfficeId,
    name: str,
    palace: AreaId,
    kind: OfficeKind,
    cost: int,
    points: int,
    metric: Metric | None = None,
    **steps: int,
) -> Office:
    """Steps are written `at_5=4`: four points for five."""
    return Office(
        id=office,
        serial=f"C{serial:03}",
        name=name,
        palace=palace,
        kind=kind,
        cost=cost,
        points=points,
        metric=metric,
        steps=tuple(
            PointStep(at_least=int(step.removeprefix("at_")), points=worth) for step, worth in steps.items()
        ),
    )


_ACTIVATE, _CONTINUOUS, _ONE_SHOT = OfficeKind
OFFICES: Final = (
    _office(1, SMUGGLER, "Smuggler", SPIES, _ACTIVATE, 3, 1),
    _office(2, PLOTTER, "Plotter", SPIES, _CONTINUOUS, 3, 1),
    _office(3, INFORMER, "Informer", SPIES, _CONTINUOUS, 3, 1),
    _office(4, IMPOSTOR, "Impostor", SPIES, _ONE_SHOT, 6, 1),
    _office(5, STRATEGIST, "Strategist", MILITARY, _CONTINUOUS, 6, 2),
    _office(6, RECRUITER, "Recruiter", MILITARY, _ACTIVATE, 6, 1),
    _office(7, RAIDER, "Raider", MILITARY, _CONTINUOUS, 6, 1),
    _office(8, NEGOTIATOR, "Negotiator", MILITARY, _ACTIVATE, 3, 1),
    _office(9, LOREMASTER, "Loremaster", CULTURE, _CONTINUOUS, 8, 1),
    _office(10, ENCHANTER, "Enchanter", CULTURE, _ONE_SHOT, 12, 0),
    _office(11, DIPLOMAT, "Diplomat", CULTURE, _CONTINUOUS, 8, 2),
    _office(12, BANKER, "Banker", CULTURE, _CONTINUOUS, 6, 2),
    _office(13, TRADER, "Trader", MERCANTILE, _ACTIVATE, 7, 1),
    _office(14, HARDWOOD_IMPORTER, "Hardwood Importer", MERCANTILE, _ACTIVATE, 7, 2),
    _office(15, POTTERY_IMPORTER, "Pottery Importer", MERCANTILE, _ACTIVATE, 7, 2),
    _office(16, METAL_IMPORTER, "Metal Importer", MERCANTILE, _ACTIVATE, 7, 2),
    _office(
        17,
        AIDE_TO_THE_QADI,
        "Aide to the Qadi",
        POLITICAL,
        _CONTINUOUS,
        15,
        0,
        Metric.INFLUENCE_MARKERS,
        at_5=4,
        at_6=5,
    ),
    _office(
        18,
        STEWARD_OF_THE_CITY,
        "Steward of the City",
        POLITICAL,
        _CONTINUOUS,
        15,
        0,
        Metric.DISTINCT_PALACES,
        at_6=6,
    ),
    _office(
        19,
        WAREHOUSE_KEEPER,
        "Warehouse Keeper",
        POLITICAL,
        _CONTINUOUS,
        15,
        0,
        Metric.DISTINCT_GOODS,
        at_4=4,
        at_5=6,
    ),
    _office(
        20, FAVORITES_MAIDEN, "Favorite's Maiden", POLITICAL, _CONTINUOUS, 15, 0, Metric.SPIES_OFFICES, at_3=5
    ),
    _office(
        21, WEAPON_MASTER, "Weapon Master", POLITICAL, _CONTINUOUS, 15, 3, Metric.MILITARY_OFFICES, at_3=6
    ),
    _office(
        22,
        DEAN_OF_THE_ACADEMY,
        "Dean of the Academy",
        POLITICAL,
        _CONTINUOUS,
        15,
        0,
        Metric.SAGES,
        at_4=3,
        at_5=5,
        at_6=7,
    ),
    _office(23, ECONOMIST, "Economist", POLITICAL, _CONTINUOUS, 15, 0, Metric.MERCHANTS, at_3=3, at_4=5),
    _office(
        24,
        COUNSELOR_OF_THE_CALIPH,
        "Counselor of the Caliph",
        POLITICAL,
        _CONTINUOUS,
        15,
        0,
        Metric.PASHAS,
        at_2=3,
        at_3=5,
    ),
    _office(25, TREASURER, "Treasurer", AL_RASHID, _ONE_SHOT, 3, 1),
    _office(26, AGHA, "Agha", AL_RASHID, _ONE_SHOT, 7, 1),
    _office(27, SILK_MONOPOLIST, "Silk Monopolist", AL_RASHID, _ONE_SHOT, 3, 1),
    _office(28, SPICE_MONOPOLIST, "Spice Monopolist", AL_RASHID, _ONE_SHOT, 3, 1),
    _office(29, ASTROLOGIST, "Astrologist", AL_RASHID, _ONE_SHOT, 3, 0),
    _office(30, LAW_EXPERT, "Law Expert", AL_RASHID, _ONE_SHOT, 6, 1),
    _office(31, QUARTERMASTER, "Quartermaster", AL_RASHID, _ONE_SHOT, 3, 0),
    _office(32, ALCHEMIST, "Alchemist", AL_RASHID, _ONE_SHOT, 3, 0),
)
OFFICE: Final[dict[OfficeId, Office]] = {office.id: office for office in OFFICES}
OFFICE_INDEX: Final[dict[OfficeId, int]] = {office.id: index for index, office in enumerate(OFFICES)}
OFFICES_OF: Final[dict[AreaId, tuple[OfficeId, ...]]] = {
    palace: tuple(office.id for office in OFFICES if office.palace == palace) for palace in PALACES
}
ACTIVATED: Final = frozenset(office.id for office in OFFICES if office.kind is OfficeKind.ACTIVATE)
IMPORTED: Final = {
    HARDWOOD_IMPORTER: Good.HARDWOOD,
    POTTERY_IMPORTER: Good.POTTERY,
    METAL_IMPORTER: Good.METALS,
}
"""§10.2 The good that each importer brings."""
ASTROLOGIST_INFLUENCE: Final = (0, 0, 1, 1, 2, 2, 3)
"""§10.2 Influence by the number of sages owned."""
_DOUBLED: Final = (SPIES, MILITARY, CULTURE, MERCANTILE)
_LARGE_TABLE: Final = 4


def copies(office: Office, seats: int) -> int:
    """§2.4 Return how many tiles of an office are in play."""
    return 2 if seats >= _LARGE_TABLE and office.palace in _DOUBLED else 1
