"""Every game says where things are: each place once, each piece at a place, and a name for whatever has one."""

from __future__ import annotations

from typing import Any

import pytest

from engine.kernel.game import AnyGame
from engine.kernel.layout import Board
from engine.registry import GAMES, newest
from tests.engine.layout.tables import EVERY_TABLE, TABLES, audiences, boards_of, match, places_of

EVERY_GAME = pytest.mark.parametrize("game", [pytest.param(newest(name), id=name) for name in GAMES])


@EVERY_TABLE
def test_a_match_has_boards_and_every_place_has_one_id(name: str, options: dict[str, Any]) -> None:
    game = newest(name)
    for seats in game.seat_counts:
        assert boards_of(game, options, seats)
        places = places_of(game, options, seats)
        assert len(places) == len(set(places))


@EVERY_GAME
def test_every_board_and_mat_is_drawn_inside_its_view_box(game: AnyGame) -> None:
    for board in (*game.layout.boards, *game.layout.mats):
        box = board.view_box
        for place in board.places:
            assert box.x <= place.x - place.width // 2, place
            assert place.x + place.width // 2 <= box.x + box.width, place
            assert box.y <= place.y - place.height // 2, place
            assert place.y + place.height // 2 <= box.y + box.height, place
            assert (place.shape == "polygon") == bool(place.corners), place


@EVERY_GAME
def test_groups_and_paths_lead_somewhere(game: AnyGame) -> None:
    for board in (*game.layout.boards, *game.layout.mats):
        groups = {group.id for group in board.groups}
        places = {place.id for place in board.places}
        assert {place.group for place in board.places if place.group} == groups, board.id
        assert {end for path in board.paths for end in (path.a, path.b)} <= places, board.id


@EVERY_GAME
def test_no_place_of_a_board_hides_another(game: AnyGame) -> None:
    """Rectangles of a board may contain each other, as a region contains its spaces; they do not overlap by halves."""
    for board in (*game.layout.boards, *game.layout.mats):
        for number, one in enumerate(board.places):
            for other in board.places[number + 1 :]:
                assert not same_spot(one, other), (board.id, one.id, other.id)


def same_spot(one: Any, other: Any) -> bool:
    return bool((one.x, one.y, one.width, one.height) == (other.x, other.y, other.width, other.height))


@EVERY_GAME
def test_every_seat_has_a_colour_and_a_symbol_of_its_own(game: AnyGame) -> None:
    assert len(game.layout.seats) >= max(game.seat_counts)
    for one in game.layout.seats_with:
        assert len(one.marks) == one.players
    for marks in (game.layout.seats, *(one.marks for one in game.layout.seats_with)):
        assert len({mark.colour for mark in marks}) == len({mark.symbol for mark in marks}) == len(marks)


@EVERY_GAME
def test_the_options_of_boards_exist(game: AnyGame) -> None:
    known = game.types.options.__struct_fields__
    for board in game.layout.boards:
        assert set(board.options) <= set(known)
        assert set(board.seats) <= set(game.seat_counts)


@EVERY_TABLE
@pytest.mark.parametrize("number", range(3))
def test_every_piece_lies_at_a_place_and_has_a_name(name: str, options: dict[str, Any], number: int) -> None:
    some = 0
    for turn, (game, _, seats, state) in enumerate(match(name, options, number, moves=400)):
        if turn % 5:
            continue
        places = set(places_of(game, options, seats))
        names = game.texts.catalogues["en"]
        for audience in audiences(seats):
            pieces = game.pieces(game.view(state, audience))
            some += len(pieces)
            ids = [piece.id for piece in pieces]
            assert len(ids) == len(set(ids))
            assert not set(ids) & places
            for piece in pieces:
                assert piece.place in places, piece
                assert not piece.component or f"component.{piece.component}" in names, piece
                assert piece.kind, piece
                assert piece.count >= 1, piece
                assert piece.seat is None or 0 <= piece.seat < seats, piece
    assert some


def test_all_games_are_tried() -> None:
    assert {name for name, _ in TABLES} == set(GAMES)


@EVERY_GAME
def test_mats_and_boards_have_different_ids(game: AnyGame) -> None:
    boards: list[Board] = [*game.layout.boards, *game.layout.mats]
    assert len({board.id for board in boards}) == len(boards)
