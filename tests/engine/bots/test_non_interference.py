"""A bot knows what its seat knows: at tables the seat cannot tell apart it chooses the same with the same luck."""

from __future__ import annotations

import pytest

from engine.bots.levels import LEVELS
from engine.kernel.seats import seat_audience
from tests.engine.bots.tables import NAMES, SIDES, chosen, luck, tables

EVERY_SIDE = pytest.mark.parametrize(("name", "options"), SIDES, ids=NAMES)
EVERY = {"random": 3, "greedy": 11, "search": 40}
"""Of so many tables one: thinking takes time."""
MOST = {"random": 100, "greedy": 12, "search": 3}


@EVERY_SIDE
@pytest.mark.parametrize("level", LEVELS)
def test_a_choice_does_not_depend_on_what_the_seat_cannot_know(
    name: str, options: dict[str, str], level: str
) -> None:
    different = 0
    for place, (game, state, seat) in enumerate(tables(name, options, 2, 2, EVERY[level])):
        twin = game.redeal(state, seat_audience(seat), luck(place, 1))
        different += twin != state
        assert chosen(game, level, twin, seat, place) == chosen(game, level, state, seat, place)
        if place == MOST[level]:
            break
    assert different


@EVERY_SIDE
@pytest.mark.parametrize("level", LEVELS)
def test_a_choice_reads_nothing_but_the_deals(name: str, options: dict[str, str], level: str) -> None:
    """Whoever has the same deals from elsewhere, such as a worker that asked for them, chooses the same."""
    game, state, seat = next(tables(name, options, 5, 2, 1))
    audience = seat_audience(seat)
    for place in range(2):
        twin = game.redeal(state, audience, luck(place, 9))
        assert chosen(game, level, twin, seat, place) == chosen(game, level, state, seat, place)
