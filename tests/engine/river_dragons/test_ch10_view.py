"""§10 Who sees what, when."""

from __future__ import annotations

import msgspec
import pytest

from engine.kernel.codec import encode
from engine.kernel.seats import PUBLIC, REFEREE, seat_audience
from engine.river_dragons.actions import ChoosePlank, PlaceStone, Step, SubmitProgram
from engine.river_dragons.box.components import Plank, Variant
from engine.river_dragons.events import ProgramSubmitted, RevealedCard
from engine.river_dragons.game import GAME
from engine.river_dragons.view import (
    OpenCard,
    PlankOnBoard,
    RevealedSlot,
    SeatProgram,
    Stage,
    StoneOnBoard,
    view,
)

PROGRAM = SubmitProgram(cards=("stone1", "move2", "jump", "remove", "dragon:red"))
RED, BLUE, PINK = 1, 0, 2


@pytest.fixture
def programming(a_match):
    """Blue, red and pink; blue has submitted."""
    return a_match(players=3).plays("blue", PROGRAM)


def test_that_a_player_has_submitted_is_public(programming) -> None:
    assert [seat.submitted for seat in view(programming.state, PUBLIC).seats] == [True, False, False]


def test_the_five_cards_are_for_the_owner_only(programming) -> None:
    state = programming.state
    assert view(state, seat_audience(BLUE)).programs == (SeatProgram(seat=BLUE, cards=PROGRAM.cards),)
    assert view(state, REFEREE).programs == (SeatProgram(seat=BLUE, cards=PROGRAM.cards),)
    assert view(state, seat_audience(RED)).programs == ()
    assert view(state, PUBLIC).programs == ()


def test_a_submitted_program_is_told_without_its_cards(programming) -> None:
    (event,) = programming.events
    hidden = ProgramSubmitted(seat=BLUE, cards=None)
    assert GAME.redact(event, PUBLIC) == GAME.redact(event, seat_audience(RED)) == hidden
    assert GAME.redact(event, seat_audience(BLUE)) == GAME.redact(event, REFEREE) == event


def test_every_other_event_is_public(a_match) -> None:
    story = a_match(players=2).programs(pink="stone1", black="stone1")
    for event in story.events[1:]:
        assert GAME.redact(event, PUBLIC) is event


def test_a_slot_is_shown_to_everybody_at_once_cancelled_cards_too(a_match) -> None:
    story = a_match(players=3).programs(blue="dragon:red", red="move1", pink="stone1")
    shown = RevealedSlot(
        slot=1,
        cards=(
            RevealedCard(seat=BLUE, card="dragon:red"),
            RevealedCard(seat=RED, card="move1", cancelled_by=(BLUE,)),
            RevealedCard(seat=PINK, card="stone1"),
        ),
    )
    assert view(story.state, PUBLIC).revealed == (shown,)


def test_later_slots_stay_hidden_even_after_the_end(a_match) -> None:
    """[F13]"""
    story = (
        a_match(players=3)
        .stones("I25")
        .planks("red-6 I25-V-yellow")
        .pawn("blue", "I25-V-yellow")
        .programs(red="plank1 stone2", pink="plank1 remove", blue="move1 jump")
        .plays("blue", Step(to="V-yellow"))
    )
    public = view(story.state, PUBLIC)
    assert public.stage is Stage.ENDED
    assert (public.to_come, public.open_card, public.pending) == ((), None, ())
    assert [slot.slot for slot in public.revealed] == [1]
    assert public.programs == ()
    assert [each.seat for each in view(story.state, seat_audience(RED)).programs] == [RED]
    assert [each.seat for each in view(story.state, REFEREE).programs] == [BLUE, RED, PINK]


def test_hands_are_public_by_deduction(programming) -> None:
    red = view(programming.state, PUBLIC).seats[RED]
    assert len(red.hand) == 10
    assert "dragon:blue" in red.hand


def test_the_board_can_be_drawn_from_the_view_alone(a_match) -> None:
    story = a_match(players=3).stones("I07 I16").planks("red-5 I07-I16").programming()
    seen = view(story.state, PUBLIC)
    assert seen.stones[0] == StoneOnBoard(id="I07", x=-455, y=-1109, radius=140)
    assert seen.planks == (
        PlankOnBoard(
            id="I07~I16",
            plank=Plank(colour="red", size=5),
            length=1400,
            a="I07",
            b="I16",
            ax=-455,
            ay=-1109,
            bx=-518,
            by=299,
        ),
    )
    assert (len(seen.islands), len(seen.villages), len(seen.water)) == (27, 6, 6)
    assert seen.measures.plank_width == 100
    assert seen.supply == 25


def test_the_expert_side_has_no_islands(a_match) -> None:
    assert view(a_match(variant=Variant.EXPERT).state, PUBLIC).islands == ()


def test_the_open_card_says_what_remains_and_the_chosen_plank(a_match) -> None:
    story = a_match(players=3).stones("I01 I03").executes("blue", "plank2")
    assert view(story.state, PUBLIC).open_card == OpenCard(
        seat=BLUE, card="plank2", part=1, parts=2, decision="plank_size"
    )
    story = story.plays("blue", ChoosePlank(size=4))
    assert view(story.state, PUBLIC).open_card == OpenCard(
        seat=BLUE,
        card="plank2",
        part=1,
        parts=2,
        decision="plank_pair",
        plank=Plank(colour="blue", size=4),
    )


def test_who_is_still_to_act_in_the_slot_is_public(a_match) -> None:
    story = a_match(players=3, order="pink blue red").programs(pink="stone1", blue="stone1", red="stone1")
    assert view(story.state, PUBLIC).to_come == (BLUE, RED)
    assert view(story.plays("pink", PlaceStone(island="I01")).state, PUBLIC).to_come == (RED,)


def test_what_is_waited_for_is_told_with_its_paragraph(a_match) -> None:
    story = a_match(players=3).executes("blue", "stone1")
    (waiting,) = view(story.state, PUBLIC).pending
    assert (waiting.seat, waiting.decision, waiting.rule) == (BLUE, "stone", "7.1")


def test_planks_out_of_the_game_are_public(a_match) -> None:
    story = a_match(players=3).executes("blue", "plank1").plays("blue", ChoosePlank(size=2))
    assert view(story.state, PUBLIC).lost_planks == (Plank(colour="blue", size=2),)


def test_a_seat_that_has_left_is_shown_as_gone(a_match) -> None:
    story = a_match(players=3).plays("red", PROGRAM_OF_RED).leaves("red")
    red = view(story.state, PUBLIC).seats[RED]
    assert (red.left, red.submitted, red.reserve, red.pawn) == (True, False, (), "V-red")


PROGRAM_OF_RED = SubmitProgram(cards=("stone1", "move2", "jump", "remove", "dragon:pink"))


@pytest.mark.parametrize(
    "audience", [PUBLIC, REFEREE, seat_audience(BLUE)], ids=["public", "referee", "seat"]
)
def test_a_view_is_the_same_after_writing_and_reading(programming, audience) -> None:
    seen = view(programming.state, audience)
    assert msgspec.json.decode(encode(seen), type=type(seen)) == seen


def test_a_printed_view_shows_no_program(programming) -> None:
    assert "move2" not in repr(view(programming.state, seat_audience(BLUE)).programs)


def test_the_view_has_no_field_for_the_drawn_luck() -> None:
    assert "secret" not in encode(msgspec.json.schema(GAME.types.view)).decode()
