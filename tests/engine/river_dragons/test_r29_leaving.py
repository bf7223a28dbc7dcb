"""[R29] A player leaves for good."""

from __future__ import annotations

from engine.kernel.errors import TableCode
from engine.river_dragons.actions import ChoosePlank, PlaceStone, Step, SubmitProgram
from engine.river_dragons.box.components import Plank
from engine.river_dragons.events import (
    CardBegun,
    EndReason,
    FirstPlayerPassed,
    MatchEnded,
    SeatLeft,
    SlotRevealed,
)
from engine.river_dragons.game import GAME

ONLY_FALLS = "jump move1 move2 remove dragon:"
PROGRAM = SubmitProgram(cards=("jump", "move1", "move2", "remove", "plank1"))


def falls(colour: str) -> str:
    return ONLY_FALLS + colour


def test_the_pawn_goes_home_the_reserve_leaves_the_game_the_planks_on_the_board_stay(a_match) -> None:
    story = (
        a_match(players=3)
        .stones("I12 I14")
        .planks("red-3 I12-I14")
        .pawn("red", "I12-I14")
        .programming()
        .leaves("red")
    )
    reserve = tuple(Plank(colour="red", size=size) for size in (1, 2, 4, 5, 6))
    assert story.events[0] == SeatLeft(
        seat=story.seat("red"), from_place="I12~I14", to_place="V-red", planks=reserve
    )
    assert story.state.lost_planks == reserve
    assert story.sizes("red") == ""
    assert story.state.table.planks[0].id == "I12~I14"


def test_the_match_goes_on_without_the_seat(a_match) -> None:
    story = a_match(players=3).leaves("red")
    assert story.waiting == ["blue program", "pink program"]
    story.refuses("red", PROGRAM, TableCode.NOT_YOUR_TURN, "5")


def test_if_only_the_leaver_had_not_programmed_the_slots_begin(a_match) -> None:
    """[F9]"""
    story = a_match(players=3).plays("blue", PROGRAM).plays("pink", PROGRAM).leaves("red")
    revealed = next(event for event in story.events if isinstance(event, SlotRevealed))
    assert [shown.seat for shown in revealed.cards] == [story.seat("blue"), story.seat("pink")]


def test_a_submitted_program_is_void(a_match) -> None:
    """[F9]"""
    story = a_match(players=3).plays("red", PROGRAM).leaves("red")
    assert story.waiting == ["blue program", "pink program"]
    assert story.state.programs[story.seat("red")] == ()


def test_if_the_leaver_was_waited_for_the_next_card_begins(a_match) -> None:
    story = a_match(players=3, order="blue red pink").programs(blue="stone1", red="stone1", pink="stone1")
    assert story.waiting == ["blue stone"]
    story = story.leaves("blue")
    assert story.waiting == ["red stone"]


def test_in_the_middle_of_a_card_its_rest_is_not_played(a_match) -> None:
    """[F8]"""
    story = a_match(players=3, order="blue red pink").programs(blue="stone2", red="stone1", pink="stone1")
    story = story.plays("blue", PlaceStone(island="I01")).leaves("blue")
    assert story.waiting == ["red stone"]
    assert len(story.state.table.stones) == 1


def test_a_chosen_plank_leaves_the_game_with_the_reserve(a_match) -> None:
    """[F4]"""
    story = a_match(players=3).stones("I01 I03").executes("blue", "plank1")
    story = story.plays("blue", ChoosePlank(size=3)).leaves("blue")
    assert story.state.lost_planks == tuple(Plank(colour="blue", size=size) for size in range(1, 7))


def test_a_seat_that_is_not_waited_for_leaves_without_disturbing(a_match) -> None:
    story = a_match(players=3, order="blue red pink").programs(blue="stone1", red="stone1", pink="stone1")
    story = story.leaves("red")
    assert story.waiting == ["blue stone"]
    assert story.plays("blue", PlaceStone(island="I01")).waiting == ["pink stone"]


def test_what_the_leaver_had_shown_stays_and_later_slots_are_empty(a_match) -> None:
    """[F8] The dragon of the slot in progress keeps its victim cancelled; the next one is never shown."""
    story = a_match(players=3, order="blue red pink").programs(
        red="dragon:pink move1", pink="plank1 stone1", blue="stone1 stone2"
    )
    story = story.leaves("red").plays("blue", PlaceStone(island="I01"))
    begun = [event.seat for event in story.events if isinstance(event, CardBegun)]
    assert story.seat("pink") not in begun
    revealed = next(event for event in story.events if isinstance(event, SlotRevealed))
    assert story.seat("red") not in [shown.seat for shown in revealed.cards]


def test_the_first_players_card_passes_over_who_has_left(a_match) -> None:
    """[F6]"""
    story = a_match(players=4, order="blue green red yellow").leaves("green")
    story = story.programs(blue=falls("red"), red=falls("blue"), yellow=falls("blue"))
    assert FirstPlayerPassed(from_seat=0, to_seat=story.seat("red")) in story.events


def test_if_the_first_player_leaves_the_order_stays_and_the_card_passes_on_at_the_end(a_match) -> None:
    """[F6]"""
    story = a_match(players=4, order="blue green red yellow").leaves("blue")
    assert story.state.first_player == story.seat("blue")
    story = story.programs(green=falls("red"), red=falls("green"), yellow=falls("red"))
    assert FirstPlayerPassed(from_seat=0, to_seat=story.seat("green")) in story.events


def test_the_last_one_left_wins_at_once(a_match) -> None:
    story = a_match(players=3).leaves("red").leaves("pink")
    assert story.events[-1] == MatchEnded(reason=EndReason.LAST_PLAYER_LEFT, winners=(story.seat("blue"),))
    outcome = GAME.outcome(story.state)
    assert (outcome.reason, outcome.rule) == ("LAST_PLAYER_LEFT", "R29")
    assert [result.rank for result in outcome.results] == [1, 2, 2]
    assert story.waiting == []


def test_the_last_one_left_wins_in_the_middle_of_a_card(a_match) -> None:
    story = a_match(players=2).programs(pink="stone2", black="stone2").leaves("pink")
    assert story.events[-1] == MatchEnded(reason=EndReason.LAST_PLAYER_LEFT, winners=(story.seat("black"),))


def test_a_plank_the_leavers_pawn_stood_on_is_free(a_match) -> None:
    story = (
        a_match(players=3)
        .stones("I12 I14")
        .planks("red-3 I12-I14", "red-1 I12-V-pink")
        .pawn("red", "I12-I14")
        .pawn("blue", "I12-V-pink")
        .programming()
        .leaves("red")
        .executes("blue", "move1")
    )
    assert story.plays("blue", Step(to="I12~I14")).place("blue") == "I12~I14"
