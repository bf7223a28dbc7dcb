"""§3 Setup."""

from __future__ import annotations

import pytest

from engine.kernel.chance import ScriptedChance, SeededChance
from engine.river_dragons.box.components import COLOURS_IN_PLAY, Colour, Variant
from engine.river_dragons.events import MatchStarted, RoundStarted
from engine.river_dragons.game import GAME
from engine.river_dragons.options import RiverDragonsOptions

PLAYERS = (2, 3, 4, 5, 6)


def started(players: int, *numbers: int, variant: Variant = Variant.ISLANDS) -> MatchStarted:
    options = RiverDragonsOptions(variant=variant)
    first, _ = GAME.start(options, players, ScriptedChance(numbers))
    assert isinstance(first, MatchStarted)
    return first


@pytest.mark.parametrize("players", PLAYERS)
def test_seat_i_has_the_i_th_colour_of_the_tables_row(players: int) -> None:
    """[F1]"""
    story = started(players, *([0] * players))
    assert tuple(seat.colour for seat in story.seats) == COLOURS_IN_PLAY[players]
    assert [seat.seat for seat in story.seats] == list(range(players))


def test_a_pawn_starts_at_the_own_village_and_wants_to_the_one_opposite() -> None:
    blue = started(3, 0, 0, 0).seats[0]
    assert (blue.start, blue.destination) == ("V-blue", "V-yellow")


def test_a_reserve_holds_one_own_plank_of_each_size_and_the_supply_27_stones() -> None:
    match = started(4, 0, 0, 0, 0)
    for seat in match.seats:
        assert [(plank.colour, plank.size) for plank in seat.reserve] == [
            (seat.colour, n) for n in range(1, 7)
        ]
    assert match.supply == 27


def test_the_order_is_one_shuffle_and_the_first_player_one_draw_in_it() -> None:
    """[R3] Fisher-Yates from the last place down: 3 swaps with 0, 2 with 2, 1 with 0; then place 1 of the order."""
    match = started(4, 0, 2, 0, 1)
    assert match.order == (1, 3, 2, 0)
    assert match.first_player == 3


def test_nothing_else_is_drawn() -> None:
    chance = SeededChance(bytes(32), 1)
    GAME.start(RiverDragonsOptions(), 5, chance)
    assert [draw.bound for draw in chance.draws] == [5, 4, 3, 2, 5]


def test_the_first_round_begins_at_once() -> None:
    _, begun = GAME.start(RiverDragonsOptions(), 2, ScriptedChance([0, 1]))
    assert begun == RoundStarted(round=1, first_player=0)


def test_the_expert_side_is_an_option() -> None:
    assert started(2, 0, 0, variant=Variant.EXPERT).variant is Variant.EXPERT
    assert GAME.options_codec.decode(b"{}").variant is Variant.ISLANDS


def test_with_three_players_every_destination_is_an_unused_village() -> None:
    match = started(3, 0, 0, 0)
    unused = {f"V-{colour}" for colour in set(Colour) - set(COLOURS_IN_PLAY[3])}
    assert {seat.destination for seat in match.seats} == unused
