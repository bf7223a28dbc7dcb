"""A board for the terminal."""

from __future__ import annotations

from engine.kernel.seats import PUBLIC, seat_audience
from engine.river_dragons.box.components import Variant
from engine.river_dragons.game import GAME
from engine.river_dragons.text.drawing import COLUMNS
from engine.river_dragons.view import view


def a_table(a_match):
    return (
        a_match(players=3)
        .stones("I07 I16 I12")
        .planks("red-5 I07-I16", "pink-1 I12-V-pink")
        .pawn("pink", "I12-V-pink")
        .executes("blue", "plank1")
    )


def test_the_board_shows_islands_stones_planks_and_pawns(a_match) -> None:
    text = GAME.draw(view(a_table(a_match).state, PUBLIC))
    board = text.split("\n(07)")[0]
    for mark in ("[07]", "[16]", "(15)", "r5", "p1@2", "BLUE@0", "RED@1", "PINK", "YELLOW"):
        assert mark in board, mark
    assert "V-blue" not in board


def test_the_board_stands_upright(a_match) -> None:
    """Green and blue on top, yellow and red at the bottom, pink left, black right."""
    lines = GAME.draw(view(a_match().state, PUBLIC)).split("\n")
    row = {name: next(n for n, line in enumerate(lines) if name in line) for name in ("GREEN", "PINK", "RED")}
    assert row["GREEN"] < row["PINK"] < row["RED"]
    middle = lines[row["PINK"]]
    assert middle.index("PINK") < 10 < 60 < middle.index("BLACK")


def test_a_drawing_keeps_to_its_columns_and_lines(a_match) -> None:
    text = GAME.draw(view(a_table(a_match).state, PUBLIC))
    assert max(map(len, text.split("\n"))) <= COLUMNS
    assert len(text.split("\n")) < 60


def test_beside_the_board_stand_reserves_cards_and_who_is_waited_for(a_match) -> None:
    text = GAME.draw(view(a_table(a_match).state, seat_audience(1)))
    assert "seat 2 pink to V-black, pawn on I12~V-pink, program ready; reserve pink-2" in text
    assert "planks on the board: red-5 I07~I16, pink-1 I12~V-pink" in text
    assert "open: seat 0 plank1, part 1 of 1" in text
    assert "waiting for seat 0: plank_size (§7.2)" in text
    assert "program of seat 1: plank1" in text
    assert "program of seat 0" not in text


def test_expert_stones_are_drawn_with_their_names(a_match) -> None:
    story = a_match(variant=Variant.EXPERT).stone_at("S1", 0, 0)
    assert "[S1]" in GAME.draw(view(story.state, PUBLIC))
