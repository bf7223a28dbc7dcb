"""§4 The placement phase."""

from __future__ import annotations

from engine.al_rashid.actions import Decline, HoldBack, MovePiece, PlacePiece
from engine.al_rashid.box.components import Piece
from engine.al_rashid.errors import Code
from engine.al_rashid.event_parts import Manoeuvres
from engine.al_rashid.events import ResolutionStarted, TurnStarted


def put(story, letters: str, pieces: str, area: str):
    names = {"P": Piece.PASHA, "M": Piece.MERCHANT, "S": Piece.SAGE}
    for letter, piece in zip(letters, pieces, strict=True):
        story = story.plays(letter, PlacePiece(piece=names[piece], area=area))
    return story


def test_everybody_places_one_piece_in_turn_order_until_all_are_placed(a_match) -> None:
    """§4.2 [R1] There is no passing; who has more pieces goes on alone."""
    story = a_match().family("B", "S")
    story = put(put(story, "ABC", "PPP", "spies"), "ABC", "MMM", "military")
    story = put(story, "ABC", "SSS", "culture")
    assert story.waiting == ["B place"]
    assert not any("decline" in line for line in story.legal("B"))
    story = put(story, "B", "S", "culture")
    assert story.stack("B", "culture") == "SS"
    assert story.waiting == ["A own_turn"]


def test_the_first_piece_takes_the_next_slot_and_later_ones_keep_it(a_match) -> None:
    """§4.6"""
    story = put(a_match(), "ABCA", "SPMP", "spies")
    assert story.slots("spies") == "ABC"
    assert story.stack("A", "spies") == "PS"


def test_a_moved_piece_takes_the_rightmost_slot_and_gives_its_old_one_up(a_match) -> None:
    """[R4]"""
    story = a_match().board("spies", "A S, B S, C S").board("culture", "B M, C S")
    officer = Manoeuvres(seat=0, plotters=1, informers=0)
    story = story.told(ResolutionStarted(manoeuvres=(officer,)))
    story = story.plays("A", MovePiece(piece=Piece.SAGE, from_area="spies", to_area="culture"))
    assert (story.slots("spies"), story.slots("culture")) == ("BC", "BCA")


def diplomats(a_match):
    """A and B each own a Diplomat; it is the start of the phase."""
    story = a_match(4).owns("A", "diplomat").owns("B", "diplomat")
    return story.told(TurnStarted(turn=1, order=story.state.order, diplomats=(0, 1)))


def test_diplomats_hold_pieces_back_in_turn_order_and_place_them_last(a_match) -> None:
    """§4.1, §4.3 [R2] [F7]"""
    story = diplomats(a_match)
    assert story.waiting == ["A hold_back"]
    assert story.legal("A") == {"hold_back(piece=pasha)", "hold_back(piece=merchant)", "decline"}
    story.refuses("A", HoldBack(piece=Piece.SAGE), Code.SAGE_NOT_HELD_BACK, "4.1")
    story = story.plays("A", HoldBack(piece=Piece.PASHA)).plays("B", HoldBack(piece=Piece.MERCHANT))
    story = put(put(story, "ABCD", "MPPP", "spies"), "ABCD", "SSMM", "culture")
    story = put(story, "CD", "SS", "military")
    assert story.waiting == ["A place_held"]
    story.refuses("A", PlacePiece(piece=Piece.SAGE, area="spies"), Code.PIECE_NOT_HELD, "4.3", piece="sage")
    story.refuses("A", PlacePiece(piece=Piece.PASHA, area="spies"), Code.SECOND_BIG_PIECE, "4.4")
    story = put(put(story, "A", "P", "political"), "B", "M", "political")
    assert story.state.turn_of is not None


def test_a_diplomat_may_be_left_unused(a_match) -> None:
    """[R2]"""
    story = diplomats(a_match).plays("A", Decline()).plays("B", Decline())
    assert story.waiting == ["A place"]
    assert not any(any(player.held) for player in story.state.players)


def test_two_diplomats_hold_two_pieces(a_match) -> None:
    """[R13] Placed one at a time."""
    story = a_match(4).owns("A", "diplomat", "diplomat")
    story = story.told(TurnStarted(turn=1, order=story.state.order, diplomats=(0, 0)))
    story = story.plays("A", HoldBack(piece=Piece.PASHA)).plays("A", HoldBack(piece=Piece.MERCHANT))
    assert story.player("A").held == (1, 1, 0)
    assert story.player("A").reserve == (0, 0, 1)


def test_plotters_meet_the_same_door_at_al_rashid(a_match) -> None:
    """[R3]"""
    story = plotting(a_match, "A MS")
    move = {"from_area": "spies", "to_area": "al_rashid"}
    story.refuses("A", MovePiece(piece=Piece.MERCHANT, **move), Code.MERCHANT_AT_AL_RASHID, "4.4")
    story.refuses("A", MovePiece(piece=Piece.SAGE, **move), Code.PASHA_FIRST, "4.4")


def plotting(a_match, stack: str):
    story = a_match().owns("A", "plotter").board("spies", stack).board("culture", "C S")
    officer = Manoeuvres(seat=0, plotters=1, informers=0)
    return story.told(ResolutionStarted(manoeuvres=(officer,)))
