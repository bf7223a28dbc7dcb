"""§2 Setup."""

from __future__ import annotations

import pytest

from engine.al_rashid.actions import ChooseStack
from engine.al_rashid.box.components import Colour, bag_of
from engine.al_rashid.events import CrisisDrawn
from engine.al_rashid.game import GAME
from engine.al_rashid.options import AlRashidOptions
from engine.al_rashid.owner_events import MercenariesDrawn
from engine.kernel.chance import ScriptedChance, SeededChance
from engine.kernel.errors import RuleViolation, TableCode
from engine.kernel.seats import PUBLIC
from engine.match.replay import fold
from engine.match.requests import check_seat_count


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_everybody_chooses_a_stack_in_turn_order(seats) -> None:
    """§2.8, §2.9"""
    events = GAME.start(AlRashidOptions(), seats, SeededChance(bytes(32), 1))
    state = fold(GAME, events)
    assert isinstance(events[1], CrisisDrawn)
    assert events[1].crisis.startswith("setup_")
    for place, seat in enumerate(state.order):
        assert GAME.to_act(state) == (seat,)
        drawn = GAME.decide(state, seat, ChooseStack(colour=Colour.BLUE), SeededChance(bytes(32), place + 2))
        assert isinstance(drawn[0], MercenariesDrawn)
        state = fold(GAME, drawn, state)
    assert state.turn == 1
    assert [sum(player.hand) for player in state.players] == [1] * seats
    assert all(player.reserve == (1, 1, 1) for player in state.players)


def test_the_turn_order_and_the_crisis_are_drawn() -> None:
    """§2.6 The last two places are swapped, the third setup tile has four symbols."""
    chance = ScriptedChance([2, 0, 2, 31, 30, 31, 30])
    started, crisis = GAME.start(AlRashidOptions(), 3, chance)
    assert started.order == (1, 0, 2)
    assert bag_of(started.seats[1].goods) == (1, 1, 1, 0, 0)
    assert bag_of(started.seats[2].goods) == (3, 1, 1, 0, 0)
    assert crisis.crisis == "setup_3"
    assert [(tile.territory, tile.colour, tile.value) for tile in crisis.tiles] == [
        ("silk_road", "red", 4),
        ("sarmatia", "red", 4),
        ("spice_road", "blue", 4),
        ("mare_indianum", "blue", 4),
    ]


def test_nobody_sees_the_crisis_tiles() -> None:
    _, crisis = GAME.start(AlRashidOptions(), 3, SeededChance(bytes(32), 1))
    assert {tile.value for tile in GAME.redact(crisis, PUBLIC).tiles} == {None}


@pytest.mark.parametrize("seats", [0, 1, 6])
def test_the_game_is_for_two_to_five(seats) -> None:
    with pytest.raises(RuleViolation) as refused:
        check_seat_count(GAME, seats)
    assert refused.value.code is TableCode.SEAT_COUNT
