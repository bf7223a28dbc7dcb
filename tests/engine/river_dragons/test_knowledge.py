"""What a seat cannot know of the others' programs: dealt again, and the bound of taking a move back."""

from __future__ import annotations

from itertools import pairwise, permutations

import msgspec
import pytest

from engine.kernel.knowledge import audiences
from engine.kernel.seats import PUBLIC, REFEREE, seat_audience
from engine.match.boundary import UndoBoundaryReason as Reason
from engine.river_dragons.actions import ChoosePlank, LayPlank, SubmitProgram
from engine.river_dragons.box.components import DRAGON_TARGET, Card, Variant
from engine.river_dragons.game import GAME
from engine.river_dragons.rules.programming import hand
from tests.engine import knowledge_properties as owed
from tests.support.judgements import judged

SIDES = pytest.mark.parametrize("variant", list(Variant))
FILLER = (Card.PLANK1, Card.STONE1, Card.STONE2, Card.PLANK2, Card.REMOVE)


@SIDES
def test_redealt_programs_are_legal_and_begin_with_what_was_shown(play, variant) -> None:
    """§5 Five different cards of the hand, one dragon at most. Own programs stay; who has left has what it had shown."""
    for place, step in enumerate(play(3, variant, 7, keen=True, leavers={40: 1})):
        state = step.state
        for audience in audiences(3):
            dealt = GAME.redeal(state, audience, owed.luck(place))
            assert msgspec.structs.replace(dealt, programs=state.programs) == state
            for seat, (was, now) in enumerate(zip(state.programs, dealt.programs, strict=True)):
                if not was or seat == audience.seat or seat in state.left:
                    assert now == was
                else:
                    assert now[: state.slot] == was[: state.slot]
                    assert len(set(now)) == 5
                    assert set(now) <= set(hand(state, seat))
                    assert sum(card in DRAGON_TARGET for card in now) <= 1


@pytest.mark.parametrize(
    ("programs", "slot", "deals"),
    [
        pytest.param("stone1 stone2 plank1 plank2 remove", 4, 5, id="§5 one slot: four cards and a dragon"),
        pytest.param("stone1 stone2 plank1 plank2 remove", 3, 30, id="§5 two slots"),
        pytest.param("stone1 dragon:pink plank1 plank2 remove", 3, 30, id="§5 two slots after the dragon"),
        pytest.param("stone1 stone2 plank1 plank2 remove", 5, 1, id="§6 all is revealed"),
    ],
)
def test_every_legal_program_comes_up_equally_often(a_match, programs, slot, deals) -> None:
    """§5 For the pink seat that has seen so many slots of black's program."""
    story = a_match(players=2).programs(pink="plank1", black=programs)
    state = msgspec.structs.replace(story.state, slot=slot)
    black = story.seat("black")
    shown = state.programs[black][:slot]
    possible = {
        cards: 1
        for cards in permutations(hand(state, black), 5)
        if cards[:slot] == shown and sum(card in DRAGON_TARGET for card in cards) <= 1
    }
    assert len(possible) == deals
    chance = owed.luck(1)
    seen = [GAME.redeal(state, seat_audience(0), chance).programs[black] for _ in range(100 * deals)]
    owed.comes_up_as_often_as_it_should(seen, possible)


def test_a_submitted_program_may_be_any_of_the_hand(a_match) -> None:
    """§5 Every card comes up in every slot."""
    story = a_match(players=3).plays("red", SubmitProgram(cards=FILLER))
    chance, red = owed.luck(2), story.seat("red")
    dealt = [GAME.redeal(story.state, PUBLIC, chance).programs[red] for _ in range(1000)]
    for slot in range(5):
        assert {program[slot] for program in dealt} == set(hand(story.state, red))


def test_who_has_left_hides_for_good_what_it_had_not_shown(a_match) -> None:
    """[R29] Its next slots are empty; nobody learns by that what they would have been."""
    story = a_match(players=3).programs(red="plank1", pink="plank1", blue="plank1")
    before, after = story.state, story.leaves("red").state
    hidden = {f"program:seat{story.seat('red')}:slot{slot}" for slot in (2, 3, 4, 5)}
    assert hidden <= set(GAME.hidden(before, PUBLIC))
    assert hidden <= set(GAME.hidden(after, PUBLIC))
    assert GAME.hidden(before, REFEREE) == ()
    assert GAME.redeal(after, PUBLIC, owed.luck(3)).programs[story.seat("red")] == (Card.PLANK1,)


def test_a_program_can_be_taken_back_until_another_seat_moves(a_match) -> None:
    """§5 Not even the other's secret program is undone for it."""
    given_ = a_match(players=3).state
    first = (0, SubmitProgram(cards=FILLER))
    assert owed.undone(GAME, given_, 0, first) == owed.stopped(1, Reason.NOTHING_TO_UNDO, 1)
    assert owed.undone(GAME, given_, 0, first, (1, SubmitProgram(cards=FILLER))) == owed.stopped(
        3, Reason.ANSWERED, 3
    )


def test_the_program_that_reveals_the_first_slot_cannot(a_match) -> None:
    """§6 Everybody sees a card of everybody else."""
    turns = [(seat, SubmitProgram(cards=FILLER)) for seat in range(3)]
    given_ = a_match(players=3).state
    assert owed.undone(GAME, given_, 2, *turns) == owed.stopped(4, Reason.REVEALED, 4)
    told = judged(GAME, owed.line(GAME, given_, *turns)[1:], 3)
    assert [each.revealed_to for each in told] == [(), (), audiences(3)]
    assert not any(each.drew for each in told)


def test_the_parts_of_a_card_can_be_taken_back_to_where_the_card_was_revealed(a_match) -> None:
    """§7.2 A size, then the place: both without luck, and in the middle of a slot nothing is shown."""
    story = (
        a_match(players=3, first="pink")
        .stones("I12 I14 I18")
        .programs(red="plank1", blue="plank1", pink="plank2")
    )
    assert story.waiting == ["pink plank_size"]
    pink = story.seat("pink")
    chosen = story.plays("pink", ChoosePlank(size=1))
    place = GAME.legal_actions(chosen.state, pink).actions[0]
    assert isinstance(place, LayPlank)
    turns = [(pink, ChoosePlank(size=1)), (pink, place)]
    assert owed.undone(GAME, story.state, pink, *turns) == owed.stopped(1, Reason.NOTHING_TO_UNDO, 1)


def test_the_last_card_of_a_slot_reveals_the_next(play) -> None:
    """§4 Whose move ends the slot cannot take it back: it would have seen what comes."""
    closing = 0
    for before, step in pairwise(play(3, Variant.ISLANDS, 7)):
        if before.state.slot and step.state.round == before.state.round:
            (move,) = judged(GAME, [owed.move_of(GAME, before.state, step)], 3)
            assert bool(move.revealed_to) == (step.state.slot > before.state.slot)
            closing += bool(move.revealed_to)
    assert closing
