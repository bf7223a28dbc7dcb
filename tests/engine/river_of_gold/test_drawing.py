"""A table for the terminal: silent about what its reader may not know."""

from __future__ import annotations

from engine.river_of_gold.game import GAME


def test_the_table_is_drawn_for_who_looks(a_match) -> None:
    story = a_match().hand("A", "elder_4").building(2, "era1_port_1", "AB").delivered("B", "artisan_1")
    drawn = GAME.draw(story.view("B"))
    assert "02 era1_port_1 of 0/1" in drawn
    assert "01 [4]" in drawn
    assert "hand 1 cards" in drawn
    assert "elder_4" not in drawn
    assert "waiting for seat 0: turn (§3.2)" in drawn
    assert "hand elder_4" in GAME.draw(story.view("A"))
    assert "winners" in GAME.draw(story.finish().view())
