"""One line per action and event; a board for the terminal."""

from __future__ import annotations

import doctest
from typing import get_args

import pytest

from engine.kernel.chance import ScriptedChance
from engine.kernel.seats import PUBLIC, seat_audience
from engine.river_dragons import actions, events
from engine.river_dragons.box import geometry
from engine.river_dragons.box.components import Plank, Variant
from engine.river_dragons.events import RevealedCard
from engine.river_dragons.game import GAME
from engine.river_dragons.rules import programming
from engine.river_dragons.text import notation
from engine.river_dragons.text.drawing import COLUMNS
from engine.river_dragons.view import view

RED_5 = Plank(colour="red", size=5)

ACTIONS = [
    (
        actions.SubmitProgram(cards=("jump", "stone1", "move1", "move2", "dragon:red")),
        "program jump stone1 move1 move2 dragon:red",
    ),
    (actions.PlaceStone(island="I07"), "stone on I07"),
    (actions.PlaceStoneAt(x=-3, y=40), "stone at (-3, 40)"),
    (actions.ChoosePlank(size=5), "choose plank 5"),
    (actions.LayPlank(a="V-red", b="I26"), "lay plank I26~V-red"),
    (actions.RemovePlank(plank="I07~I16"), "remove plank I07~I16"),
    (actions.RemoveStone(support="I07"), "remove stone I07"),
    (actions.Step(to="V-red"), "step to V-red"),
    (actions.Jump(over=2, to="V-red"), "jump over seat 2 to V-red"),
]
EVENTS = [
    (events.RoundStarted(round=2, first_player=1), "round 2, seat 1 first"),
    (events.ProgramSubmitted(seat=1), "seat 1 submits a hidden program"),
    (
        events.ProgramSubmitted(seat=1, cards=("jump", "stone1", "move1", "move2", "plank1")),
        "seat 1 submits jump stone1 move1 move2 plank1",
    ),
    (
        events.SlotRevealed(
            round=1,
            slot=2,
            cards=(
                RevealedCard(seat=0, card="jump", cancelled_by=(1,)),
                RevealedCard(seat=1, card="dragon:blue"),
            ),
            acting=(),
        ),
        "slot 2 of round 1: seat 0 jump (cancelled by seat 1), seat 1 dragon:blue",
    ),
    (events.CardBegun(seat=0, card="jump"), "seat 0 carries out jump"),
    (events.StonePlaced(seat=0, stone="S3", x=1, y=-2, supply=24), "seat 0 puts a stone S3 at (1, -2)"),
    (
        events.PartLost(seat=0, card="stone2", part=2, reason="supply_empty"),
        "seat 0 loses part 2 of stone2: supply empty",
    ),
    (events.PlankChosen(seat=0, plank=RED_5), "seat 0 chooses red-5"),
    (
        events.PlankLaid(seat=0, id="I07~I16", plank=RED_5, a="I07", b="I16"),
        "seat 0 lays red-5 I07~I16",
    ),
    (events.PlankLost(seat=0, plank=RED_5), "seat 0 finds no place for red-5: out of the game"),
    (
        events.PlankRemoved(seat=0, id="I07~I16", plank=RED_5),
        "seat 0 takes red-5 I07~I16 into the reserve",
    ),
    (events.StoneRemoved(seat=0, stone="I07", supply=27), "seat 0 takes the stone I07 off the board"),
    (
        events.PawnStepped(seat=0, from_place="V-blue", to_place="I06~V-blue"),
        "seat 0 steps from V-blue to I06~V-blue",
    ),
    (
        events.PawnJumped(seat=0, from_place="V-blue", over=1, over_place="I06~V-blue", to_place="I04~I06"),
        "seat 0 jumps from V-blue over seat 1 to I04~I06",
    ),
    (
        events.PawnFell(seat=0, from_place="I04~I06", to_place="V-blue", reason="no_step"),
        "seat 0 falls from I04~I06 to V-blue: no step",
    ),
    (events.RoundEnded(round=4), "round 4 ends"),
    (events.FirstPlayerPassed(from_seat=0, to_seat=2), "first player: seat 2 after seat 0"),
    (
        events.SeatLeft(seat=0, from_place="V-red", to_place="V-blue", planks=(RED_5,)),
        "seat 0 leaves for good, its pawn goes to V-blue; out of the game: red-5",
    ),
    (
        events.MatchEnded(reason="DESTINATION_REACHED", winners=(1,)),
        "match ends: destination reached; seat 1 wins",
    ),
    (events.MatchEnded(reason="ROUND_LIMIT", winners=()), "match ends: round limit; a draw"),
]


@pytest.mark.parametrize(("action", "line"), ACTIONS, ids=[line for _, line in ACTIONS])
def test_an_action_in_one_line(action, line) -> None:
    assert GAME.notation.action(action) == line


@pytest.mark.parametrize(("event", "line"), EVENTS, ids=[line for _, line in EVENTS])
def test_an_event_in_one_line(event, line) -> None:
    assert GAME.notation.event(event) == line


def test_the_start_in_one_line() -> None:
    started, _ = GAME.start(GAME.options_codec.decode(b"{}"), 2, ScriptedChance([0, 0]))
    assert GAME.notation.event(started) == (
        "match of seat 0 pink, seat 1 black on the islands side; clockwise 1 0"
    )


def test_every_action_and_every_event_is_here() -> None:
    assert {type(action) for action, _ in ACTIONS} == set(get_args(actions.RiverDragonsAction))
    told = {type(event) for event, _ in EVENTS} | {events.MatchStarted}
    assert told == set(get_args(events.RiverDragonsEvent))


def a_table(a_match):
    return (
        a_match(players=3)
        .stones("I07 I16 I12")
        .planks("red-5 I07-I16", "pink-1 I12-V-pink")
        .pawn("pink", "I12-V-pink")
        .executes("blue", "plank1")
    )


def test_the_board_shows_islands_stones_planks_and_pawns(a_match) -> None:
    text = GAME.notation.view(view(a_table(a_match).state, PUBLIC))
    board = text.split("\n(07)")[0]
    for mark in ("[07]", "[16]", "(15)", "r5", "p1@2", "BLUE@0", "RED@1", "PINK", "YELLOW"):
        assert mark in board, mark
    assert "V-blue" not in board


def test_the_board_stands_upright(a_match) -> None:
    """Green and blue on top, yellow and red at the bottom, pink left, black right."""
    lines = GAME.notation.view(view(a_match().state, PUBLIC)).split("\n")
    row = {name: next(n for n, line in enumerate(lines) if name in line) for name in ("GREEN", "PINK", "RED")}
    assert row["GREEN"] < row["PINK"] < row["RED"]
    middle = lines[row["PINK"]]
    assert middle.index("PINK") < 10 < 60 < middle.index("BLACK")


def test_a_drawing_keeps_to_its_columns_and_lines(a_match) -> None:
    text = GAME.notation.view(view(a_table(a_match).state, PUBLIC))
    assert max(map(len, text.split("\n"))) <= COLUMNS
    assert len(text.split("\n")) < 60


def test_beside_the_board_stand_reserves_cards_and_who_is_waited_for(a_match) -> None:
    text = GAME.notation.view(view(a_table(a_match).state, seat_audience(1)))
    assert "seat 2 pink to V-black, pawn on I12~V-pink, program ready; reserve pink-2" in text
    assert "planks on the board: red-5 I07~I16, pink-1 I12~V-pink" in text
    assert "open: seat 0 plank1, part 1 of 1" in text
    assert "waiting for seat 0: plank_size (§7.2)" in text
    assert "program of seat 1: plank1" in text
    assert "program of seat 0" not in text


def test_expert_stones_are_drawn_with_their_names(a_match) -> None:
    story = a_match(variant=Variant.EXPERT).stone_at("S1", 0, 0)
    assert "[S1]" in GAME.notation.view(view(story.state, PUBLIC))


@pytest.mark.parametrize("module", [notation, geometry, programming], ids=lambda module: module.__name__)
def test_the_examples_in_the_docstrings_are_true(module) -> None:
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0
