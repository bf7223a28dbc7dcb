"""§13.1 The five worked examples of the rulebook, on this project's board: six players, island side."""

from __future__ import annotations

from engine.river_dragons.actions import Jump, Step
from engine.river_dragons.errors import Code
from engine.river_dragons.events import (
    EndReason,
    FallReason,
    MatchEnded,
    PawnFell,
    PawnJumped,
    PawnStepped,
    SlotRevealed,
)


def one_step(a_match):
    return (
        a_match()
        .stones("I07 I11 I16 I20 I21")
        .planks("blue-3 I11-I16", "green-6 I11-I21", "red-5 I07-I16", "pink-1 I16-I20")
        .pawn("green", "I11-I16")
        .pawn("yellow", "I16-I20")
        .executes("green", "move1")
    )


def test_example_1_one_step_to_a_free_adjacent_plank(a_match) -> None:
    story = one_step(a_match)
    assert story.legal("green") == {"step(to=I11~I21)", "step(to=I07~I16)"}
    after = story.plays("green", Step(to="I07~I16"))
    assert after.place("green") == "I07~I16"


def test_example_1_the_plank_with_yellows_pawn_is_refused(a_match) -> None:
    story = one_step(a_match)
    story.refuses("green", Step(to="I16~I20"), Code.PLACE_TAKEN, "7.4", seat=story.seat("yellow"))


def test_example_1_staying_is_refused(a_match) -> None:
    one_step(a_match).refuses("green", Step(to="I11~I16"), Code.NOT_ADJACENT, "7.4")


def u_turn(a_match):
    return (
        a_match()
        .stones("I08 I13 I15 I20 I24")
        .planks("yellow-6 I15-I24", "red-5 I24-V-red", "blue-2 I20-I24", "black-5 I08-I15", "pink-2 I13-I15")
        .pawn("green", "I15-I24")
        .pawn("yellow", "I20-I24")
        .pawn("black", "I08-I15")
        .pawn("blue", "I13-I15")
        .executes("green", "move2")
    )


def test_example_2_the_only_first_step_is_the_red_plank(a_match) -> None:
    assert u_turn(a_match).legal("green") == {"step(to=I24~V-red)"}


def test_example_2_the_second_step_leads_on_or_straight_back(a_match) -> None:
    story = u_turn(a_match).plays("green", Step(to="I24~V-red"))
    assert story.legal("green") == {"step(to=V-red)", "step(to=I15~I24)"}
    back = story.plays("green", Step(to="I15~I24"))
    assert back.place("green") == "I15~I24"


def test_example_2_the_red_village_is_greens_destination_and_wins(a_match) -> None:
    story = u_turn(a_match).plays("green", Step(to="I24~V-red")).plays("green", Step(to="V-red"))
    green = story.seat("green")
    assert story.events == (
        PawnStepped(seat=green, from_place="I24~V-red", to_place="V-red"),
        MatchEnded(reason=EndReason.DESTINATION_REACHED, winners=(green,)),
    )


def a_jump(a_match, *planks: str, green: str = "I16-I20"):
    return (
        a_match()
        .stones("I11 I14 I16 I20 I21")
        .planks("yellow-3 I11-I16", "green-1 I16-I20", "blue-6 I11-I21", *planks)
        .pawn("yellow", "I11-I16")
        .pawn("green", green)
        .executes("yellow", "jump")
    )


def test_example_3_a_jump_over_green_lands_on_the_red_plank(a_match) -> None:
    story = a_jump(a_match, "red-2 I14-I20")
    yellow, green = story.seat("yellow"), story.seat("green")
    assert story.legal("yellow") == {f"jump(over={green}, to=I14~I20)"}
    after = story.plays("yellow", Jump(over=green, to="I14~I20"))
    assert after.events[0] == PawnJumped(
        seat=yellow, from_place="I11~I16", over=green, over_place="I16~I20", to_place="I14~I20"
    )
    assert after.place("green") == "I16~I20"


def test_example_4_nobody_to_jump_and_yellow_falls(a_match) -> None:
    story = a_jump(a_match, "red-2 I14-I20", green="V-green")
    assert story.place("yellow") == "V-yellow"
    assert (
        PawnFell(
            seat=story.seat("yellow"),
            from_place="I11~I16",
            to_place="V-yellow",
            reason=FallReason.NOBODY_TO_JUMP,
        )
        in story.events
    )


def test_example_4_a_pawn_to_jump_but_nowhere_to_land(a_match) -> None:
    story = a_jump(a_match)
    assert story.place("yellow") == "V-yellow"
    assert FallReason.NO_LANDING in [e.reason for e in story.events if isinstance(e, PawnFell)]


def test_example_5_a_dragon_does_not_cancel_a_dragon(a_match) -> None:
    """Slot 4: pink's dragon meets green's dragon, which cancels blue's card all the same."""
    story = a_match(first="red").programs(
        pink="jump move1 move2 dragon:green",
        green="jump move1 move2 dragon:blue",
        blue="jump move1 move2 stone1",
        red="jump move1 move2 plank1",
        yellow="jump move1 move2 plank1",
        black="jump move1 move2 plank1",
    )
    slot = next(e for e in story.events if isinstance(e, SlotRevealed) and e.slot == 4)
    cancelled = {shown.seat: shown.cancelled_by for shown in slot.cards if shown.cancelled_by}
    assert cancelled == {story.seat("blue"): (story.seat("green"),)}
    assert [story.state.colours[seat] for seat in slot.acting] == ["red", "yellow", "black"]
    assert story.waiting == ["red plank_size"]
