"""§8 The palace of Al-Rashid."""

from __future__ import annotations

from engine.al_rashid.actions import DeclareAudience, PlacePiece
from engine.al_rashid.box.components import Good, Piece
from engine.al_rashid.errors import Code
from engine.al_rashid.rules.audience import reordered


def test_sages_without_a_pasha_hold_no_rank_however_many(a_match) -> None:
    """[R20] Five sages would be the highest stack; the fourth pasha acts as the third."""
    story = a_match(5).board("al_rashid", "A SSSSS, B P, C PS, D P, E PS").rounds().resolve("al_rashid")
    assert [(place.seat, place.rank) for place in story.state.scene.ranking] == [
        (2, 1),
        (4, 2),
        (1, 3),
        (3, 4),
    ]
    assert story.state.scene.queue == (2, 4, 1)
    assert (story.player("A").dishonor, story.player("D").dishonor) == (2, 0)
    assert story.player("A").reserve == (1, 1, 6)
    assert story.stack("D", "al_rashid") == ""


def test_at_least_one_action(a_match) -> None:
    """[R21]"""
    story = a_match().board("al_rashid", "A P").rounds().resolve("al_rashid")
    story.refuses("A", DeclareAudience(), Code.NO_ACTION, "8.2")
    assert len(story.legal("A")) == 5


def test_only_takers_move_and_the_seat_is_the_rank() -> None:
    """[R22] Rank 1 declines: rank 2 gets the second seat, not the first."""
    assert reordered((0, 1, 2, 3, 4), {2: 4}) == (0, 4, 1, 2, 3)
    assert reordered((0, 1, 2, 3, 4), {3: 0, 1: 4}) == (4, 1, 0, 2, 3)


def test_sages_join_a_pasha_only(a_match) -> None:
    """[R3]"""
    story = a_match()
    story.refuses("A", PlacePiece(piece=Piece.SAGE, area="al_rashid"), Code.PASHA_FIRST, "4.4")


def test_benevolence_gives_the_good_after_the_visit_is_paid(a_match) -> None:
    """§8.3 [R34]"""
    story = a_match().board("al_rashid", "A P").rounds().resolve("al_rashid")
    story.refuses(
        "A",
        DeclareAudience(benevolence=Good.SILK, office="treasurer"),
        Code.VISIT_UNAFFORDABLE,
        "6.5",
        worth=0,
    )
