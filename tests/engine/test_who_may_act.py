"""Who may not act, leave, or sit down: the codes of every game, where they fit."""

from __future__ import annotations

from typing import Any

import pytest

from engine.kernel.chance import SeededChance
from engine.kernel.errors import RuleViolation, TableCode
from engine.match.replay import fold
from engine.match.requests import check_seat_count
from engine.registry import newest
from tests.support.our_games import OUR_GAMES

EVERY_GAME = pytest.mark.parametrize("name", OUR_GAMES)


def luck() -> SeededChance:
    return SeededChance(bytes(32), 1)


def begun(name: str, *leavers: int) -> Any:
    """A match of three, after some of them have left."""
    game = newest(name)
    state = fold(game, game.start(game.types.options(), 3, luck()))
    for seat in leavers:
        state = fold(game, game.leave(state, seat, luck()), state)
    return state


@EVERY_GAME
@pytest.mark.parametrize(
    ("leavers", "seat", "code"),
    [
        pytest.param((0,), 0, "ALREADY_LEFT", id="twice"),
        pytest.param((0, 1), 2, TableCode.MATCH_OVER, id="after the end"),
        pytest.param((0,), 3, TableCode.SEAT_UNKNOWN, id="without a seat"),
        pytest.param((0,), -1, TableCode.SEAT_UNKNOWN, id="nobody"),
    ],
)
def test_who_may_not_leave(name: str, leavers: tuple[int, ...], seat: int, code: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        newest(name).leave(begun(name, *leavers), seat, luck())
    assert refused.value.code == code


@EVERY_GAME
@pytest.mark.parametrize(
    ("leavers", "seat", "code"),
    [
        pytest.param((0, 1), 2, TableCode.MATCH_OVER, id="after the end"),
        pytest.param((1,), 1, TableCode.NOT_YOUR_TURN, id="who has left"),
        pytest.param((), 3, TableCode.SEAT_UNKNOWN, id="without a seat"),
        pytest.param((), -1, TableCode.SEAT_UNKNOWN, id="nobody"),
    ],
)
def test_who_may_not_act(name: str, leavers: tuple[int, ...], seat: int, code: str) -> None:
    game = newest(name)
    state = begun(name)
    action = game.policy(state, game.to_act(state)[0])
    with pytest.raises(RuleViolation) as refused:
        game.decide(begun(name, *leavers), seat, action, luck())
    assert refused.value.code is code


@EVERY_GAME
def test_a_match_is_for_so_many(name: str) -> None:
    game = newest(name)
    for seats in (0, 1, max(game.seat_counts) + 1):
        with pytest.raises(RuleViolation) as refused:
            check_seat_count(game, seats)
        assert refused.value.code is TableCode.SEAT_COUNT
