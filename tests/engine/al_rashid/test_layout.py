"""The boards show every area with its slots, and nothing on them overlaps."""

from __future__ import annotations

from itertools import combinations

import pytest

from engine.al_rashid.box.areas import AREAS, GUILDS, PALACES, TERRITORIES
from engine.al_rashid.box.components import GOODS, SLOTS
from engine.al_rashid.box.offices import OFFICE
from engine.al_rashid.game import GAME
from engine.kernel.layout import Board, Group, Place

BOARDS = {board.id: board for board in (*GAME.layout.boards, *GAME.layout.mats)}
PLACES = {place.id: place for board in GAME.layout.boards for place in board.places}


def overlap(one: Place, other: Place) -> bool:
    return (
        abs(one.x - other.x) * 2 < one.width + other.width
        and abs(one.y - other.y) * 2 < one.height + other.height
    )


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_no_two_places_overlap(board: Board) -> None:
    assert [(a.id, b.id) for a, b in combinations(board.places, 2) if overlap(a, b)] == []


@pytest.mark.parametrize("board", GAME.layout.boards, ids=lambda board: board.id)
def test_the_hull_of_a_group_contains_no_place_of_another(board: Board) -> None:
    for group in board.groups:
        inside = [place for place in board.places if place.group == group.id]
        hull = _hull(group, inside)
        assert [place.id for place in board.places if place.group != group.id and overlap(hull, place)] == []


def _hull(group: Group, inside: list[Place]) -> Place:
    left, right = min(p.x - p.width // 2 for p in inside), max(p.x + p.width // 2 for p in inside)
    top, bottom = min(p.y - p.height // 2 for p in inside), max(p.y + p.height // 2 for p in inside)
    return Place(
        id=group.id,
        kind=group.kind,
        x=(left + right) // 2,
        y=(top + bottom) // 2,
        width=right - left,
        height=bottom - top,
    )


def test_a_finger_finds_every_place_on_a_small_screen() -> None:
    """Boards are scaled to 360 pixels; 24 pixels are the least size of a target (WCAG 2.2, 2.5.8)."""
    for board in GAME.layout.boards:
        for place in board.places:
            assert min(place.width, place.height) * 360 >= 24 * board.view_box.width, place.id


def test_palaces_are_in_the_city_and_territories_on_the_map() -> None:
    """§1.1"""
    for board, areas in (("city", PALACES), ("map", TERRITORIES)):
        assert set(areas) <= {place.id for place in BOARDS[board].places}
        assert set(areas) <= {group.id for group in BOARDS[board].groups}


@pytest.mark.parametrize("area", AREAS)
def test_an_area_has_five_slots_from_left_to_right(area) -> None:
    """§1.7"""
    slots = [place for place in PLACES.values() if place.group == area and place.kind == "slot"]
    assert [place.label for place in slots] == [str(number) for number in range(1, SLOTS + 1)]
    assert [place.x for place in slots] == sorted(place.x for place in slots)
    assert len({place.y for place in slots}) == 1


def test_offices_services_and_favors_lie_at_their_palace() -> None:
    """§7, §10"""
    for office in OFFICE.values():
        assert PLACES[office.id].group == office.palace
    for palace, guild in GUILDS.items():
        assert PLACES[guild.service].group == PLACES[guild.head].group == palace


def test_the_supply_has_every_good() -> None:
    """§1.4"""
    assert {place.id for place in PLACES.values() if place.group == "supply"} == set(GOODS)


def test_no_rule_makes_areas_neighbours() -> None:
    """§5.1, §7.6 A piece that moves may go to any area of its kind."""
    assert [path for board in BOARDS.values() for path in board.paths] == []
