"""The places of the table are those of the box, they have room, and the rules' points are points of the board."""

from __future__ import annotations

import pytest

from engine.kernel.layout import Board, Place
from engine.river_dragons.box.components import COLOURS_IN_PLAY, PLANK_LENGTHS, Colour, Variant
from engine.river_dragons.box.geometry import distance_squared
from engine.river_dragons.box.sites import ISLANDS, VILLAGES
from engine.river_dragons.game import GAME
from engine.river_dragons.layout.mat import RACK

BOARDS = {board.id: board for board in GAME.layout.boards}
(MAT,) = GAME.layout.mats
ROUND = ("circle", "circle")


def apart(one: Place, other: Place) -> bool:
    """Return whether two places have no point in common."""
    if (one.shape, other.shape) == ROUND:
        return distance_squared(one.x, one.y, other.x, other.y) > ((one.width + other.width) // 2) ** 2
    return (
        2 * abs(one.x - other.x) >= one.width + other.width
        or 2 * abs(one.y - other.y) >= one.height + other.height
    )


@pytest.mark.parametrize("board", [*GAME.layout.boards, MAT], ids=lambda board: board.id)
def test_no_place_lies_on_another_except_in_the_water(board: Board) -> None:
    places = [place for place in board.places if place.kind != "water"]
    for number, one in enumerate(places):
        for other in places[number + 1 :]:
            assert apart(one, other), (one.id, other.id)


@pytest.mark.parametrize("variant", Variant)
def test_a_side_has_all_villages_and_its_islands_where_the_rules_have_them(variant: Variant) -> None:
    sites = (*VILLAGES, *(ISLANDS if variant is Variant.ISLANDS else ()))
    round_places = {place.id: place for place in BOARDS[variant].places if place.shape == "circle"}
    assert {name: (place.x, place.y, place.width) for name, place in round_places.items()} == {
        site.id: (site.x, site.y, 2 * site.radius) for site in sites
    }
    assert BOARDS[variant].options == {"variant": variant}


def test_the_rack_has_a_place_for_each_size_in_the_proportions_of_the_planks() -> None:
    assert set(RACK) == set(PLANK_LENGTHS)
    lengths = [place.width / PLANK_LENGTHS[size] for size, place in RACK.items()]
    assert max(lengths) < 1.01 * min(lengths)


@pytest.mark.parametrize("seats", GAME.seat_counts)
def test_seats_have_the_colours_that_the_words_give_them(seats: int) -> None:
    """With two and three players the rules give some seats other colours (§3)."""
    palette = {
        Colour.BLUE: "#0072b2",
        Colour.GREEN: "#009e73",
        Colour.RED: "#d55e00",
        Colour.YELLOW: "#f0e442",
        Colour.BLACK: "#000000",
        Colour.PINK: "#cc79a7",
    }
    with_them = [one.marks for one in GAME.layout.seats_with if one.players == seats]
    marks = [mark.colour for mark in (*with_them, GAME.layout.seats)[0][:seats]]
    assert marks == [palette[colour] for colour in COLOURS_IN_PLAY[seats]]
