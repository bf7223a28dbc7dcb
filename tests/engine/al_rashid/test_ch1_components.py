"""§1, §2, §10 The box, counted."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.al_rashid.box.areas import (
    AL_RASHID,
    AREAS,
    CRISES,
    GUILDS,
    NOTES,
    PALACE_COLOURS,
    PALACES,
    SETUP_CRISES,
    STOCKS,
    TURN_CRISES,
)
from engine.al_rashid.box.catalogue import COMPONENTS
from engine.al_rashid.box.components import DOMINANCE, FAMILY_LIMITS, FAMILY_POINTS, TILE_COUNTS, Colour
from engine.al_rashid.box.offices import OFFICE, OFFICES, Metric, OfficeKind, copies
from engine.kernel.codec import encode


def test_there_are_six_palaces_and_seven_territories() -> None:
    assert (len(PALACES), len(STOCKS), len(AREAS)) == (6, 7, 13)
    assert {*PALACES} - {*GUILDS} == {AL_RASHID}


def test_the_territories_hold_51_goods_and_four_notes() -> None:
    """[R37]"""
    assert [sum(bag) for bag in STOCKS.values()] == [8, 8, 8, 6, 7, 7, 7]
    assert [sum(kind) for kind in zip(*STOCKS.values(), strict=True)] == [17, 10, 10, 8, 6]
    assert [area for area, notes in NOTES.items() if notes] == [
        "silk_road",
        "spice_road",
        "sarmatia",
        "mare_internum",
    ]


def test_there_are_32_tiles_of_each_colour() -> None:
    assert TILE_COUNTS == (8, 16, 8, 8, 16, 8)


def test_pieces() -> None:
    assert (DOMINANCE, FAMILY_LIMITS, FAMILY_POINTS) == ((5, 3, 1), (3, 4, 6), (3, 2, 1))


def test_there_are_32_offices_with_serial_numbers() -> None:
    """[R36] C001 to C032; the Loremaster is C009."""
    assert [office.serial for office in OFFICES] == [f"C{n:03}" for n in range(1, 33)]
    assert OFFICE["loremaster"].serial == "C009"
    kinds = Counter(office.kind for office in OFFICES)
    assert kinds == {OfficeKind.ACTIVATE: 7, OfficeKind.CONTINUOUS: 15, OfficeKind.ONE_SHOT: 10}
    assert Counter(office.palace for office in OFFICES) == {
        "spies": 4,
        "military": 4,
        "culture": 4,
        "mercantile": 4,
        "political": 8,
        "al_rashid": 8,
    }


def test_office_colours() -> None:
    """[R36]"""
    assert [*PALACE_COLOURS.values()] == ["black", "red", "purple", "blue", "turquoise", "green"]


@pytest.mark.parametrize(("seats", "tiles"), [(2, 32), (3, 32), (4, 48), (5, 48)])
def test_office_tiles_by_number_of_players(seats, tiles) -> None:
    assert sum(copies(office, seats) for office in OFFICES) == tiles


def test_costs_and_points() -> None:
    assert sum(office.cost for office in OFFICES) == 15 + 21 + 34 + 28 + 120 + 31
    assert all(office.cost == 15 and office.metric for office in OFFICES if office.palace == "political")
    fixed = {office.id: office.points for office in OFFICES if office.metric is None}
    assert Counter(fixed.values()) == {0: 4, 1: 14, 2: 6}
    assert OFFICE["weapon_master"].points == 3
    steps = {
        office.metric: [(s.at_least, s.points) for s in office.steps] for office in OFFICES if office.metric
    }
    assert steps == {
        Metric.INFLUENCE_MARKERS: [(5, 4), (6, 5)],
        Metric.DISTINCT_PALACES: [(6, 6)],
        Metric.DISTINCT_GOODS: [(4, 4), (5, 6)],
        Metric.SPIES_OFFICES: [(3, 5)],
        Metric.MILITARY_OFFICES: [(3, 6)],
        Metric.SAGES: [(4, 3), (5, 5), (6, 7)],
        Metric.MERCHANTS: [(3, 3), (4, 5)],
        Metric.PASHAS: [(2, 3), (3, 5)],
    }


def test_crisis_tiles() -> None:
    assert (len(SETUP_CRISES), len(TURN_CRISES), len(CRISES)) == (3, 8, 11)
    symbols = Counter((each.territory, each.colour) for tile in TURN_CRISES for each in tile.placements)
    assert symbols == {
        ("silk_road", Colour.RED): 6,
        ("spice_road", Colour.RED): 2,
        ("spice_road", Colour.BLUE): 3,
        ("sarmatia", Colour.RED): 3,
        ("sarmatia", Colour.BLUE): 2,
        ("mare_indianum", Colour.BLUE): 4,
        ("nilus_valley", Colour.RED): 2,
        ("abbasid_caliphate", Colour.RED): 1,
        ("abbasid_caliphate", Colour.BLUE): 1,
        ("mare_internum", Colour.BLUE): 2,
    }


def test_the_catalogue_can_be_written() -> None:
    assert len(COMPONENTS.offices) == 32
    assert encode(COMPONENTS)
