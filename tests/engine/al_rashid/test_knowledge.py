"""§13 What a seat cannot know of mercenary tiles: dealt again, and the bound of taking a move back."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import msgspec

from engine.al_rashid.actions import (
    ChooseStack,
    DeclareVisit,
    Decline,
    Fight,
    Flee,
    MovePiece,
    Peek,
    PlacePiece,
    ResolveArea,
)
from engine.al_rashid.box.areas import TERRITORY_INDEX
from engine.al_rashid.box.components import Colour, Piece, Squad
from engine.al_rashid.game import GAME
from engine.al_rashid.knowledge import NAMES
from engine.al_rashid.options import AlRashidOptions
from engine.kernel.knowledge import audiences
from engine.kernel.seats import PUBLIC, REFEREE, seat_audience
from engine.match.boundary import UndoBoundaryReason as Reason
from engine.match.boundary import free_undo
from engine.match.replay import fold
from tests.engine import knowledge_properties as owed
from tests.support.judgements import judged

A, B = seat_audience(0), seat_audience(1)


def few_red_tiles(a_match, stack, lying: str, hand: str):
    """Of the red tiles A misses these: in the stack (so many 2s, 3s, 4s), face down in sarmatia, in B's hand."""
    story = a_match(2).mercenaries("sarmatia", lying).hand("B", hand)
    return msgspec.structs.replace(story.state, stacks=(*stack, 0, 0, 0))


def test_every_deal_comes_up_as_often_as_with_tiles_in_a_bag(a_match) -> None:
    """§2.3 A red 2, two red 3s and a red 4: one lies face down, B holds two, one is left."""
    state = few_red_tiles(a_match, (0, 1, 0), "red 3", "red 2, red 4")
    possible = Counter((tile, tuple(sorted(hand))) for tile, *hand in permutations((2, 3, 3, 4), 3))
    chance = owed.luck(1)

    def dealt() -> tuple[int, tuple[int, ...]]:
        now = GAME.redeal(state, A, chance)
        (tile,) = now.tiles[TERRITORY_INDEX["sarmatia"]]
        reds = now.players[1].hand[:3]
        return tile.value, tuple(
            value for value, count in zip((2, 3, 4), reds, strict=True) for _ in range(count)
        )

    owed.comes_up_as_often_as_it_should([dealt() for _ in range(3000)], possible)


def test_a_seat_misses_the_tiles_it_has_not_seen(a_match) -> None:
    """§13.2 A's own red 4 it knows, and after a look the one in sarmatia."""
    story = a_match().mercenaries("sarmatia", "red 4").hand("A", "red 4").hand("C", "red 3")
    story = story.board("spies", "A P, B M").rounds().resolve("spies")
    story = story.plays("A", DeclareVisit(service=True)).plays("B", DeclareVisit())

    def red_4s(state, audience) -> int:
        return sum(name in NAMES[2] for name in GAME.hidden(state, audience))

    assert [red_4s(story.state, each) for each in (A, B, PUBLIC, REFEREE)] == [7, 8, 8, 0]
    story = story.plays("A", Peek(territory="sarmatia"))
    assert [red_4s(story.state, each) for each in (A, B, PUBLIC, REFEREE)] == [6, 8, 8, 0]


def test_what_can_be_worked_out_is_not_hidden(a_match) -> None:
    """One place left for all that is missing, or only one kind missing."""
    one_place = few_red_tiles(a_match, (0, 0, 0), "", "red 2, red 4")
    one_kind = few_red_tiles(a_match, (0, 2, 0), "red 3", "red 3")
    open_ = few_red_tiles(a_match, (0, 2, 0), "red 3", "red 4")
    assert GAME.hidden(one_place, A) == GAME.hidden(one_kind, A) == ()
    assert GAME.hidden(open_, A) == (*NAMES[1][:3], NAMES[2][0])
    for state in (one_place, one_kind):
        assert GAME.redeal(state, A, owed.luck(1)) == state


def test_a_piece_can_be_taken_back_until_the_next_is_placed(a_match) -> None:
    """§4.2"""
    place = PlacePiece(piece=Piece.PASHA, area="spies")
    given_ = a_match().state
    assert owed.undone(GAME, given_, 0, (0, place)) == owed.stopped(1, Reason.NOTHING_TO_UNDO, 1)
    assert owed.undone(GAME, given_, 0, (0, place), (1, place)) == owed.stopped(3, Reason.ANSWERED, 3)


def test_a_drawn_mercenary_cannot_be_put_back() -> None:
    """§2.9 It was drawn for the seat, which alone has seen it."""
    given_ = fold(GAME, GAME.start(AlRashidOptions(), 2, owed.luck(1)))
    (seat,) = GAME.to_act(given_)
    draw = (seat, ChooseStack(colour=Colour.RED))
    assert owed.undone(GAME, given_, seat, draw) == owed.stopped(2, Reason.DREW_LUCK, 2)
    (told,) = judged(GAME, owed.line(GAME, given_, draw)[1:], 2)
    assert told.revealed_to == (seat_audience(seat),)


def spying(a_match, lying: str):
    """A has three spy moves, and a merchant in the Nilus valley."""
    story = a_match().mercenaries("sarmatia", lying).board("spies", "A P").board("nilus_valley", "A M")
    return story.rounds().resolve("spies").plays("A", DeclareVisit(service=True)).state


def test_a_peeked_tile_cannot_be_unseen(a_match) -> None:
    """§7.6 What A did before, back to there, and what it does afterwards, is free."""
    given_ = spying(a_match, "red 2")
    move = (0, MovePiece(piece=Piece.MERCHANT, from_area="nilus_valley", to_area="sarmatia"))
    peek = (0, Peek(territory="sarmatia"))
    assert owed.undone(GAME, given_, 0, move) == owed.stopped(1, Reason.NOTHING_TO_UNDO, 1)
    assert owed.undone(GAME, given_, 0, peek) == owed.stopped(2, Reason.REVEALED, 2)
    assert owed.undone(GAME, given_, 0, peek, move) == owed.stopped(2, Reason.REVEALED, 2)
    (told,) = judged(GAME, owed.line(GAME, given_, peek)[1:], 3)
    assert (told.drew, told.revealed_to) == (False, (A,))


def test_a_peek_where_nothing_is_hidden_is_free(a_match) -> None:
    """[R16] Without a tile there, and at a tile that A has seen already."""
    peek = (0, Peek(territory="sarmatia"))
    assert owed.undone(GAME, spying(a_match, ""), 0, peek) == owed.stopped(1, Reason.NOTHING_TO_UNDO, 1)
    assert owed.undone(GAME, spying(a_match, "red 2"), 0, peek, peek) == owed.stopped(2, Reason.REVEALED, 2)


def test_naming_a_territory_turns_its_tiles_up(a_match) -> None:
    """§9.1"""
    story = a_match().mercenaries("sarmatia", "red 2").board("sarmatia", "A P, B P").rounds()
    line = owed.line(GAME, story.state, (0, ResolveArea(area="sarmatia")))
    assert judged(GAME, line[1:], 3)[0].revealed_to == audiences(3)
    assert free_undo(GAME, line, 3, 0) == owed.stopped(2, Reason.REVEALED, 2)


def test_a_fight_shows_tiles_of_the_hand_and_fleeing_does_not(a_match) -> None:
    """§9.2, §9.3"""
    story = a_match().mercenaries("sarmatia", "red 4").board("sarmatia", "A P, B P").hand("A", "red 2")
    given_ = story.rounds().resolve("sarmatia").state
    fight = (0, Fight(tiles=Squad(red_2=1)))
    assert owed.undone(GAME, given_, 0, fight) == owed.stopped(2, Reason.REVEALED, 2)
    assert judged(GAME, owed.line(GAME, given_, fight)[1:], 3)[0].revealed_to == audiences(3)[1:]
    assert owed.undone(GAME, given_, 0, (0, Flee())) == owed.stopped(1, Reason.NOTHING_TO_UNDO, 1)


def test_several_moves_without_news_can_be_taken_back_together(a_match) -> None:
    """§7.6 A moves there, and back, and waives."""
    given_ = spying(a_match, "red 2")
    there = (0, MovePiece(piece=Piece.MERCHANT, from_area="nilus_valley", to_area="sarmatia"))
    back = (0, MovePiece(piece=Piece.MERCHANT, from_area="sarmatia", to_area="nilus_valley"))
    assert owed.undone(GAME, given_, 0, there, back, (0, Decline())) == owed.stopped(
        1, Reason.NOTHING_TO_UNDO, 1
    )
