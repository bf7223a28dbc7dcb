"""Text of actions, events and tables: short, and silent about what its reader may not know."""

from __future__ import annotations

import doctest

import pytest

import engine.river_of_gold.box.board
import engine.river_of_gold.rules.favor
import engine.river_of_gold.text.notation
from engine.kernel.seats import PUBLIC
from engine.river_of_gold.actions import (
    ChoosePatron,
    ChooseRoyalShip,
    ExchangeKoku,
    RollDie,
    SellGoods,
)
from engine.river_of_gold.box.components import ShipId
from engine.river_of_gold.box.ids import CustomerId, PatronId
from engine.river_of_gold.events import CustomerDrawn
from engine.river_of_gold.game import GAME
from tests.engine.river_of_gold.conftest import END, UP, bonus, build, deliver, good, mark, sail, set_die, use


@pytest.mark.parametrize(
    "module",
    [engine.river_of_gold.box.board, engine.river_of_gold.text.notation, engine.river_of_gold.rules.favor],
)
def test_examples_in_docstrings_run(module) -> None:
    assert doctest.testmod(module).attempted
    assert not doctest.testmod(module).failed


@pytest.mark.parametrize(
    ("action", "line"),
    [
        (ChoosePatron(patron=PatronId.PATRON_KUDAKA), "choose patron_kudaka"),
        (UP, "turn the die up"),
        (ExchangeKoku(), "exchange 5 koku for 1 favor"),
        (build(2, "era1_port_1"), "build era1_port_1 on shore_02"),
        (sail("midstream", 4), "sail the midstream ship by 4"),
        (deliver("monk_3"), "deliver to monk_3"),
        (good("silk"), "choose silk"),
        (ChooseRoyalShip(ship=ShipId.UPSTREAM), "make the upstream ship the royal one"),
        (mark(9), "place the second marker on shore_09"),
        (bonus(), "journey: 3 koku"),
        (bonus("rice"), "journey: 1 rice"),
        (use("merchant_5"), "use merchant_5"),
        (use("merchant_3", "silk"), "use merchant_3: 1 silk"),
        (SellGoods(rice=2, silk=1), "sell 1 silk, 2 rice"),
        (SellGoods(), "sell nothing"),
        (set_die(3), "set the die to 3"),
        (RollDie(), "roll the die"),
        (END, "end turn"),
    ],
)
def test_actions_are_one_line(action, line) -> None:
    assert GAME.notation.action(action) == line


def test_a_move_is_told_line_by_line(a_match) -> None:
    story = a_match().with_player("A", koku=24).ships("A", 5, 8).building(13, "era1_market_2", "B")
    assert story.plays("A", sail("upstream", 1)).lines == [
        "seat 0 sails the upstream ship by 1 to river_06",
        "visitor_rewards of seat 0",
        "seat 0 visits an empty space on shore_11: 1 koku",
        "seat 0 visits an empty space on shore_12: nothing",
        "seat 0 visits era1_market_2 on shore_13: 1 rice",
        "seat 0 visits an empty space on shore_15: nothing",
        "owner_rewards of seat 0",
        "seat 1 owns era1_market_2 on shore_13, visited: 1 favor, 1 VP",
        "after_sail of seat 0",
        "masteries of seat 0",
    ]


def test_a_drawn_card_is_not_told_to_the_public() -> None:
    drawn = CustomerDrawn(seat=1, customer=CustomerId.ELDER_4)
    assert GAME.notation.event(drawn) == "seat 1 draws elder_4"
    assert GAME.notation.event(GAME.redact(drawn, PUBLIC)) == "seat 1 draws a customer"


def test_the_table_is_drawn_for_who_looks(a_match) -> None:
    story = a_match().hand("A", "elder_4").building(2, "era1_port_1", "AB").delivered("B", "artisan_1")
    drawn = GAME.notation.view(story.view("B"))
    assert "02 era1_port_1 of 0/1" in drawn
    assert "01 [4]" in drawn
    assert "hand 1 cards" in drawn
    assert "elder_4" not in drawn
    assert "waiting for seat 0: turn (§3.2)" in drawn
    assert "hand elder_4" in GAME.notation.view(story.view("A"))
    assert "winners" in GAME.notation.view(story.finish().view())


def test_nothing_else_has_a_notation() -> None:
    class Strange:
        class __struct_config__:  # noqa: N801
            tag = "strange"

    for told in (GAME.notation.action, GAME.notation.event):
        with pytest.raises(TypeError, match="no notation"):
            told(Strange())
