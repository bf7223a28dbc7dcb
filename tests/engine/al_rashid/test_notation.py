"""Notation: one readable line per action and per event."""

from __future__ import annotations

import doctest

import pytest

import engine.al_rashid.box.goods
import engine.al_rashid.rules.audience
import engine.al_rashid.text.notation
from engine.al_rashid.actions import (
    AlRashidAction,
    DeclareAudience,
    DeclareVisit,
    Fight,
    MovePiece,
    Pay,
    TakeItems,
)
from engine.al_rashid.box.components import Favor, Good, Goods, Piece, Squad
from engine.al_rashid.events import AlRashidEvent
from engine.al_rashid.game import GAME


@pytest.mark.parametrize(
    ("action", "line"),
    [
        (Pay(goods=Goods(hardwood=2, silk=1)), "pay 2 hardwood, 1 silk"),
        (DeclareVisit(), "visit: nothing"),
        (
            DeclareVisit(office="impostor", note=True, favor=Favor.QADI),
            "visit: impostor with a credit note and favor (qadi)",
        ),
        (DeclareAudience(benevolence=Good.SILK, office="agha"), "audience: benevolence (silk) and agha"),
        (Fight(tiles=Squad(red_3=2, blue_2=1)), "fight with red 3, red 3, blue 2"),
        (TakeItems(goods=Goods()), "take nothing"),
        (
            MovePiece(piece=Piece.SAGE, from_area="spies", to_area="culture"),
            "move sage from spies to culture",
        ),
    ],
)
def test_actions(action, line) -> None:
    assert GAME.notation.action(action) == line


def test_every_kind_of_action_and_event_has_a_line_of_its_own(play) -> None:
    """Sixty matches of keen players see nearly all; what they miss, the chapters tell."""
    actions, events = {}, {}
    for number in range(60):
        for step in play(2 + number % 4, number, keen=True):
            if step.action is not None:
                actions.setdefault(type(step.action), GAME.notation.action(step.action))
            for event in step.events:
                events.setdefault(type(event), GAME.notation.event(event))
    rare = {"stack_rebuilt", "seat_left"}
    assert {*actions} == {*AlRashidAction.__args__}
    assert {each.__struct_config__.tag for each in {*AlRashidEvent.__args__} - {*events}} <= rare
    for line in (*actions.values(), *events.values()):
        assert line
        assert "\n" not in line
        assert "{" not in line


@pytest.mark.parametrize(
    "module", [engine.al_rashid.text.notation, engine.al_rashid.box.goods, engine.al_rashid.rules.audience]
)
def test_examples_in_docstrings_run(module) -> None:
    found = doctest.testmod(module)
    assert found.attempted
    assert not found.failed
