"""§7 The palaces of the guilds."""

from __future__ import annotations

import pytest

from engine.al_rashid.actions import (
    ChooseFavors,
    DeclareVisit,
    Decline,
    GiveGood,
    MovePiece,
    NameColours,
    Pay,
    Peek,
    SwapGood,
    TakeItems,
)
from engine.al_rashid.box.components import Colour, Favor, Good, Piece
from engine.al_rashid.errors import Code
from engine.al_rashid.events import OwnTurnEnded, OwnTurnStarted
from tests.engine.al_rashid.conftest import bag


def visiting(a_match, palace: str, goods: str = "", stacks: str = "A P", **players):
    return a_match(**players).goods(A=goods).board(palace, stacks).rounds().resolve(palace)


def test_three_actions_are_too_many(a_match) -> None:
    """§7.2"""
    story = visiting(a_match, "military", "2H 2P 2M")
    three = DeclareVisit(service=True, office="raider", favor=Favor.GENERAL)
    story.refuses("A", three, Code.TOO_MANY_ACTIONS, "7.2", actions=3, limit=2)


def test_nothing_and_only_a_favor_cost_a_dishonor(a_match) -> None:
    """[R12]"""
    assert visiting(a_match, "culture").plays("A", DeclareVisit()).player("A").dishonor == 1
    story = visiting(a_match, "culture", "H P").plays("A", DeclareVisit(favor=Favor.COURT_SCHOLAR))
    assert story.player("A").dishonor == 1
    story = story.plays("A", Pay(goods=bag("H P")))
    assert story.player("A").notes == 1


def test_the_free_service_avoids_dishonor_even_if_every_move_is_waived(a_match) -> None:
    """[R12] [R16]"""
    story = visiting(a_match, "spies").plays("A", DeclareVisit(service=True))
    for _ in range(3):
        story = story.plays("A", Decline())
    assert story.player("A").dishonor == 0
    assert story.waiting == ["C own_turn"]


def test_an_office_is_bought_where_it_is_sold_and_while_it_lasts(a_match) -> None:
    """§7.4"""
    story = visiting(a_match, "military", "5H 5P 5M")
    story.refuses("A", DeclareVisit(office="trader"), Code.OFFICE_ELSEWHERE, "7.4", palace="mercantile")
    story.refuses("A", DeclareVisit(office="cook"), Code.OFFICE_UNKNOWN, "10", office="cook")
    story = visiting(lambda: a_match().owns("B", "raider"), "military", "5H 5P 5M")
    story.refuses("A", DeclareVisit(office="raider"), Code.OFFICE_SOLD_OUT, "7.4", office="raider")


def test_a_second_copy_of_an_office_may_be_bought(a_match) -> None:
    """[R13]"""
    story = visiting(lambda: a_match(4).owns("A", "raider"), "military", "H P M")
    story = story.plays("A", DeclareVisit(office="raider")).plays("A", Pay(goods=bag("H P M")))
    assert story.state.offices(0, "raider") == 2


@pytest.mark.parametrize(
    ("palace", "piece", "pieces", "limit"),
    [("culture", "sage", "SSSSS", 6), ("mercantile", "merchant", "MMM", 4), ("political", "pasha", "PP", 3)],
)
def test_a_family_has_its_limits(a_match, palace, piece, pieces, limit) -> None:
    """[R15] The visitor's own piece on the board counts."""
    story = visiting(lambda: a_match().family("A", pieces[1:]), palace, "9H 9P 9M 9Sp 9Si", f"A {pieces[0]}")
    story.refuses("A", DeclareVisit(service=True), Code.FAMILY_LIMIT, "7.5", piece=piece, limit=limit)


def test_the_enchanter_with_four_merchants(a_match) -> None:
    """[R15] No piece, the dishonor all the same."""
    story = visiting(lambda: a_match().family("A", "MMM"), "culture", "H P M Sp Si")
    story = story.plays("A", DeclareVisit(office="enchanter")).plays("A", Pay(goods=bag("H P M Sp Si")))
    assert (story.state.family(0)[1], story.player("A").dishonor) == (4, 1)
    assert story.state.offices(0, "enchanter") == 1


@pytest.mark.parametrize(
    ("stacks", "letter", "number"), [("A P", "A", 3), ("B P, A M", "A", 2), ("B P, C M, A S", "A", 1)]
)
def test_recruiting_by_rank_with_colours_named_beforehand(a_match, stacks, letter, number) -> None:
    """§7.5 [R14]"""
    story = visiting(a_match, "military", "", stacks)
    while story.waiting != ["A visit"]:
        story = story.plays(story.waiting[0][0], DeclareVisit())
    story = story.plays("A", DeclareVisit(service=True))
    wrong = NameColours(red=number, blue=1)
    story.refuses("A", wrong, Code.WRONG_NUMBER, "7.5", number=number + 1, expected=number)
    assert len(story.legal("A")) == number + 1
    story = story.plays("A", NameColours(red=number, blue=0), luck=[0] * number)
    assert story.player("A").hand == (number, 0, 0, 0, 0, 0)


def test_nothing_is_drawn_before_everything_is_declared(a_match) -> None:
    """[R14] [F1] Service and General: three colours and one more are named, then four tiles are drawn."""
    story = visiting(a_match, "military", "H").plays("A", DeclareVisit(service=True, favor=Favor.GENERAL))
    story = story.plays("A", NameColours(red=1, blue=2))
    assert sum(story.player("A").hand) == 0
    story = story.plays("A", GiveGood(give=Good.HARDWOOD, colour=Colour.RED), luck=[0, 0, 0, 0])
    assert story.player("A").hand == (2, 0, 0, 2, 0, 0)
    assert story.has("A") == (0, 0, 0, 0, 0)


def test_the_general_takes_a_good_and_gives_a_tile(a_match) -> None:
    """[R19]"""
    story = visiting(a_match, "military", "H").plays("A", DeclareVisit(favor=Favor.GENERAL))
    give = GiveGood(give=Good.SILK, colour=Colour.RED)
    story.refuses("A", give, Code.GOOD_NOT_OWNED, "6.8", good="silk")


def test_the_vizier_swaps_for_another_kind(a_match) -> None:
    story = visiting(a_match, "mercantile", "H").plays("A", DeclareVisit(favor=Favor.VIZIER))
    same = SwapGood(give=Good.HARDWOOD, take=Good.HARDWOOD)
    story.refuses("A", same, Code.SAME_GOOD, "10.2", good="hardwood")
    story = story.plays("A", SwapGood(give=Good.HARDWOOD, take=Good.SILK))
    assert story.has("A") == (0, 0, 0, 0, 1)


def test_a_favor_is_done_by_its_own_head(a_match) -> None:
    story = visiting(a_match, "mercantile", "2H")
    story.refuses("A", DeclareVisit(favor=Favor.QADI), Code.FAVOR_ELSEWHERE, "7.7", favor="qadi")
    story = visiting(a_match, "spies", "2H")
    story.refuses("A", DeclareVisit(favor=Favor.FAVORITE), Code.FAVOR_ELSEWHERE, "7.7", favor="favorite")


def test_the_favorite_costs_one_in_all_and_may_copy_the_qadi(a_match) -> None:
    """[R18] [R39]"""
    for favor in (Favor.COURT_SCHOLAR, Favor.QADI):
        story = visiting(a_match, "spies", "H").plays("A", DeclareVisit(service=True, favor=favor))
        assert story.state.visit.total == 1
    story = story.plays("A", Pay(goods=bag("H")))
    assert story.player("A").influence == 1


def impostor(a_match, goods: str, favor: Favor | None = None):
    story = visiting(a_match, "spies", goods).plays("A", DeclareVisit(office="impostor", favor=favor))
    return story.plays("A", Pay(goods=bag("H P M" if favor is None else "H P M Sp")))


def test_the_impostor_does_two_different_favors_for_free(a_match) -> None:
    """[R35] A good that the Vizier gives is given away to the General."""
    story = impostor(a_match, "2H P M")
    twice = ChooseFavors(first=Favor.QADI, second=Favor.QADI)
    story.refuses("A", twice, Code.SAME_FAVOR_TWICE, "10.2", favor="qadi")
    story.refuses("A", ChooseFavors(first=Favor.FAVORITE, second=Favor.QADI), Code.FAVOR_ELSEWHERE, "10.2")
    wrong = ChooseFavors(first=Favor.GENERAL, second=Favor.VIZIER)
    story.refuses("A", wrong, Code.NO_GOOD_LEFT, "7.7", favor="vizier")
    story = story.plays("A", ChooseFavors(first=Favor.VIZIER, second=Favor.GENERAL))
    story = story.plays("A", SwapGood(give=Good.HARDWOOD, take=Good.SILK))
    story = story.plays("A", GiveGood(give=Good.SILK, colour=Colour.BLUE), luck=[31])
    assert story.player("A").hand == (0, 0, 0, 0, 0, 1)


def test_the_impostor_and_the_favorite_may_do_the_same_favor(a_match) -> None:
    """[R40] [F3] The goods left must do for all three."""
    story = impostor(a_match, "2H P M Sp", Favor.GENERAL)
    wrong = ChooseFavors(first=Favor.GENERAL, second=Favor.QADI)
    story.refuses("A", wrong, Code.NO_GOOD_LEFT, "7.7", favor="general")
    story = impostor(a_match, "2H P M Sp", Favor.QADI)
    story = story.plays("A", ChooseFavors(first=Favor.QADI, second=Favor.COURT_SCHOLAR))
    assert (story.player("A").influence, story.player("A").notes) == (2, 1)


def spying(a_match):
    """A has three spy moves; sarmatia has been resolved, its own merchant stands in the Nilus valley."""
    story = a_match().board("sarmatia", "B S").board("nilus_valley", "A MS, B M").board("spies", "A P")
    story = story.rounds().resolve("sarmatia")
    story = story.plays("B", TakeItems(goods=bag("")))
    story = story.told(OwnTurnEnded(seat=1), OwnTurnStarted(seat=2))
    return story.resolve("spies").plays("A", DeclareVisit(service=True))


def test_a_spy_moves_to_an_unresolved_territory_with_or_without_pieces(a_match) -> None:
    """§7.6"""
    story = spying(a_match)
    merchant = {"piece": Piece.MERCHANT, "from_area": "nilus_valley"}
    story.refuses("A", MovePiece(**merchant, to_area="sarmatia"), Code.AREA_RESOLVED, "7.6", area="sarmatia")
    story.refuses("A", MovePiece(**merchant, to_area="culture"), Code.AREA_UNKNOWN, "7.6", area="culture")
    story.refuses("A", MovePiece(**merchant, to_area="nilus_valley"), Code.SAME_AREA, "7.6")
    away = MovePiece(piece=Piece.PASHA, from_area="silk_road", to_area="nilus_valley")
    story.refuses("A", away, Code.PIECE_NOT_IN_AREA, "7.6", piece="pasha")
    story = story.plays("A", MovePiece(**merchant, to_area="mare_indianum"))
    assert (story.stack("A", "nilus_valley"), story.stack("A", "mare_indianum")) == ("S", "M")


def test_any_territory_may_be_looked_at(a_match) -> None:
    """[R16] Resolved and empty ones too."""
    story = spying(a_match)
    story.refuses("A", Peek(territory="culture"), Code.AREA_UNKNOWN, "7.6", area="culture")
    assert story.plays("A", Peek(territory="sarmatia")).waiting == ["A spy_move"]


def test_pieces_go_back_at_the_end_of_the_visit(a_match) -> None:
    """[F9]"""
    story = visiting(a_match, "culture", "", "A P, B M")
    assert story.slots("culture") == "AB"
    story = story.plays("A", DeclareVisit())
    assert story.slots("culture") == "B"
