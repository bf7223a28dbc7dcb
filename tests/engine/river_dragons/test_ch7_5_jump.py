"""§7.5 The jump."""

from __future__ import annotations

from engine.river_dragons.actions import Jump
from engine.river_dragons.errors import Code
from engine.river_dragons.events import EndReason, FallReason, MatchEnded, PawnFell


def a_line(a_match):
    """Village of pink – I18 – I14 – I16, and a side way from I18 to I20."""
    return (
        a_match()
        .stones("I18 I14 I16 I20")
        .planks("red-6 I18-V-pink", "green-6 I14-I18", "blue-6 I14-I16", "yellow-6 I18-I20")
    )


def test_from_a_village_over_a_pawn_on_a_plank_that_ends_there(a_match) -> None:
    story = a_line(a_match).pawn("red", "I18-V-pink").executes("pink", "jump")
    assert story.legal("pink") == {f"jump(over=2, to={place})" for place in ("I14~I18", "I18~I20")}


def test_a_jump_may_land_in_a_village(a_match) -> None:
    story = a_line(a_match).pawn("red", "I18-V-pink").pawn("green", "I14-I18").executes("green", "jump")
    assert story.legal("green") == {"jump(over=2, to=V-pink)", "jump(over=2, to=I18~I20)"}
    assert story.plays("green", Jump(over=2, to="V-pink")).place("green") == "V-pink"


def test_pawns_in_a_village_cannot_be_jumped(a_match) -> None:
    """[R20]"""
    story = a_line(a_match).pawn("red", "V-pink").pawn("green", "I18-V-pink").executes("green", "jump")
    fell = next(event for event in story.events if isinstance(event, PawnFell))
    assert fell.reason is FallReason.NOBODY_TO_JUMP


def test_a_jump_does_not_end_where_it_began(a_match) -> None:
    """[R21]"""
    story = a_line(a_match).pawn("red", "I18-V-pink").executes("pink", "jump")
    story.refuses("pink", Jump(over=2, to="V-pink"), Code.LANDING_AT_START, "7.5", place="V-pink")


def test_a_jump_back_is_not_a_landing_either_so_the_pawn_falls(a_match) -> None:
    """[R21] Otherwise there would always be a place to land."""
    story = a_match().stones("I18").planks("red-6 I18-V-pink").pawn("red", "I18-V-pink")
    story = story.executes("pink", "jump")
    fell = next(event for event in story.events if isinstance(event, PawnFell))
    assert (fell.reason, fell.to_place) == (FallReason.NO_LANDING, "V-pink")


def test_a_taken_plank_is_no_landing(a_match) -> None:
    story = a_line(a_match).pawn("red", "I18-V-pink").pawn("green", "I14-I18").executes("pink", "jump")
    story.refuses("pink", Jump(over=2, to="I14~I18"), Code.LANDING_TAKEN, "7.5", seat=1)
    assert story.legal("pink") == {"jump(over=2, to=I18~I20)"}


def test_the_landing_is_next_to_the_jumped_pawns_plank(a_match) -> None:
    story = a_line(a_match).pawn("red", "I18-V-pink").executes("pink", "jump")
    story.refuses("pink", Jump(over=2, to="I14~I16"), Code.NOT_ADJACENT, "7.5", from_place="I18~V-pink")
    story.refuses("pink", Jump(over=2, to="I14~I20"), Code.PLACE_UNKNOWN, "7.4")


def test_only_a_pawn_on_an_adjacent_plank_can_be_jumped(a_match) -> None:
    story = a_line(a_match).pawn("red", "I18-V-pink").pawn("green", "I14-I16").executes("pink", "jump")
    for over in (1, 5, 0, 9):
        story.refuses("pink", Jump(over=over, to="I14~I18"), Code.NOBODY_TO_JUMP, "7.5", seat=over)


def test_which_pawn_to_jump_is_a_choice(a_match) -> None:
    story = (
        a_line(a_match)
        .stones("I22")
        .planks("yellow-5 I20-I22")
        .pawn("red", "I18-V-pink")
        .pawn("green", "I18-I20")
        .pawn("blue", "I14-I18")
        .executes("blue", "jump")
    )
    assert story.legal("blue") == {"jump(over=2, to=V-pink)", "jump(over=1, to=I20~I22)"}


def test_a_jump_onto_the_destination_wins(a_match) -> None:
    """[R22]"""
    story = (
        a_match()
        .stones("I12 I09")
        .planks("red-1 I12-V-pink", "red-6 I09-I12")
        .pawn("red", "I12-V-pink")
        .pawn("black", "I09-I12")
        .executes("black", "jump")
        .plays("black", Jump(over=2, to="V-pink"))
    )
    assert story.events[-1] == MatchEnded(
        reason=EndReason.DESTINATION_REACHED, winners=(story.seat("black"),)
    )


def test_the_jumped_pawn_stays(a_match) -> None:
    story = a_line(a_match).pawn("red", "I18-V-pink").executes("pink", "jump")
    assert story.plays("pink", Jump(over=2, to="I18~I20")).place("red") == "I18~V-pink"
