"""§4 The course of a round."""

from __future__ import annotations

from engine.river_dragons.actions import ChoosePlank, PlaceStone, SubmitProgram
from engine.river_dragons.events import (
    CardBegun,
    EndReason,
    FirstPlayerPassed,
    MatchEnded,
    RoundEnded,
    RoundStarted,
    SlotRevealed,
)

ONLY_FALLS = "jump move1 move2 remove dragon:black"
"""On an empty board all of it happens by itself: falls, a lost card, a dragon."""


def test_everybody_programs_before_the_first_slot_is_revealed(a_match) -> None:
    story = a_match(players=2).programs(black="stone1")
    assert story.state.slot == 1
    before = a_match(players=2)
    assert before.waiting == ["pink program", "black program"]
    half = before.plays("black", SubmitProgram(cards=("jump", "move1", "move2", "remove", "stone1")))
    assert half.waiting == ["pink program"]
    assert half.state.slot == 0


def test_cards_are_carried_out_clockwise_from_the_first_player(a_match) -> None:
    story = a_match(players=4, order="red blue yellow green", first="yellow").programs(
        blue="stone1", red="stone1", yellow="stone1", green="stone1"
    )
    acting = [story.waiting]
    for colour, island in (("yellow", "I01"), ("green", "I02"), ("red", "I03")):
        story = story.plays(colour, PlaceStone(island=island))
        acting.append(story.waiting)
    assert acting == [["yellow stone"], ["green stone"], ["red stone"], ["blue stone"]]


def test_the_next_slot_is_revealed_when_the_last_card_is_done(a_match) -> None:
    story = a_match(players=2).programs(pink="stone1 plank1", black="move1 plank1")
    assert story.state.slot == 1
    story = story.plays("pink", PlaceStone(island="I01"))
    assert [event.slot for event in story.events if isinstance(event, SlotRevealed)] == [2]
    assert story.waiting == ["pink plank_size"]


def test_a_round_in_which_nothing_can_be_chosen_runs_by_itself(a_match) -> None:
    story = a_match(players=2, order="pink black").programs(
        pink=ONLY_FALLS, black=ONLY_FALLS.replace("black", "pink")
    )
    assert [event.slot for event in story.events if isinstance(event, SlotRevealed)] == [1, 2, 3, 4, 5]
    assert story.events[-3:] == (
        RoundEnded(round=1),
        FirstPlayerPassed(from_seat=story.seat("pink"), to_seat=story.seat("black")),
        RoundStarted(round=2, first_player=story.seat("black")),
    )
    assert story.waiting == ["pink program", "black program"]


def test_the_first_player_passes_to_the_left_in_the_drawn_order(a_match) -> None:
    story = a_match(players=4, order="red blue yellow green", first="green").programs(
        blue=ONLY_FALLS.replace("black", "red"),
        red=ONLY_FALLS.replace("black", "blue"),
        yellow=ONLY_FALLS.replace("black", "red"),
        green=ONLY_FALLS.replace("black", "red"),
    )
    assert story.state.first_player == story.seat("red")


def test_board_pawns_and_reserves_stay_when_the_round_ends(a_match) -> None:
    story = (
        a_match(players=2)
        .stones("I14 I16")
        .planks("pink-6 I14-V-pink")
        .pawn("pink", "I14-V-pink")
        .programs(
            black="jump move1 dragon:pink move2 plank1", pink="dragon:black plank1 stone1 stone2 plank2"
        )
    )
    assert story.waiting == ["pink plank_size"]
    story = story.plays("pink", ChoosePlank(size=1))
    assert story.state.table.planks[0].id == "I14~V-pink"
    assert story.place("pink") == "I14~V-pink"


def test_the_hand_is_full_again_in_the_next_round(a_match) -> None:
    """§5 No card is ever used up."""
    pink, black = ONLY_FALLS, ONLY_FALLS.replace("black", "pink")
    story = a_match(players=2).programs(pink=pink, black=black).programs(pink=pink, black=black)
    assert story.state.round == 3


def test_after_40_rounds_without_a_winner_the_match_is_a_draw(a_match) -> None:
    """[R23]"""
    pink, black = ONLY_FALLS, ONLY_FALLS.replace("black", "pink")
    story = a_match(players=2)
    for _ in range(40):
        assert story.waiting in (["pink program", "black program"], [])
        story = story.programs(pink=pink, black=black)
    assert story.events[-2:] == (
        RoundEnded(round=40),
        MatchEnded(reason=EndReason.ROUND_LIMIT, winners=()),
    )
    assert story.waiting == []


def test_a_card_begins_when_its_turn_comes(a_match) -> None:
    story = a_match(players=2, order="pink black").programs(pink="stone1", black="stone1")
    assert [event.seat for event in story.events if isinstance(event, CardBegun)] == [story.seat("pink")]
