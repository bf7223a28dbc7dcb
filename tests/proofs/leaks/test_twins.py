"""Pairs of matches that look alike and are not."""

from __future__ import annotations

import pytest

from engine.kernel.knowledge import audiences
from engine.kernel.seats import PUBLIC, REFEREE, Audience, Seat, seat_audience
from engine.registry import GAMES
from tests.proofs.leaks.pairs import any_pair, pairs_of
from tests.proofs.leaks.planted import PLANTS, planted
from tests.proofs.leaks.twins import make_twins

MOVES = 12


@pytest.mark.parametrize("game_id", GAMES)
@pytest.mark.parametrize("audience", [*audiences(2)], ids=lambda audience: f"{audience.kind}-{audience.seat}")
def test_there_are_twins_for_every_seat_and_for_the_public(game_id: str, audience: Audience) -> None:
    twins = any_pair(game_id, audience, 0, MOVES)
    assert twins.tables_differ > 0
    assert twins.altered or any(row.truth != row.twin for row in twins.rows)


def test_the_audience_makes_the_same_moves_in_both() -> None:
    for twins in pairs_of(tuple(GAMES), 4, MOVES):
        assert all(row.truth == row.twin for row in twins.rows if row.seat == twins.audience.seat)


def test_the_same_number_makes_the_same_pair() -> None:
    audience = seat_audience(Seat(1))
    assert any_pair("al_rashid", audience, 3, MOVES) == any_pair("al_rashid", audience, 3, MOVES)


@pytest.mark.parametrize("game_id", GAMES)
def test_from_a_referee_nothing_can_be_made_to_differ(game_id: str) -> None:
    assert all(make_twins(game_id, REFEREE, number, moves=MOVES, seats=2) is None for number in range(3))


def test_a_game_that_shows_everything_has_no_twins_and_that_is_said() -> None:
    """Else a leak in a view would be found by nobody: no pair would look alike."""
    everything = [plant for plant in PLANTS if plant.name == "everybody sees what a referee sees"]
    with planted(*everything), pytest.raises(AssertionError, match="nothing is hidden"):
        any_pair("river_dragons", PUBLIC, 0, 3)
