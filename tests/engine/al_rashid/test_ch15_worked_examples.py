"""§15 The worked examples of the rulebook, W1 to W23."""

from __future__ import annotations

import pytest

from engine.al_rashid.actions import (
    DeclareAudience,
    DeclareVisit,
    Decline,
    Fight,
    Flee,
    MovePiece,
    Pay,
    Peek,
    PlacePiece,
    TakeAll,
    TakeItems,
)
from engine.al_rashid.box.components import Favor, Good, Piece, Squad, bag_of
from engine.al_rashid.box.goods import idle, payments, worth
from engine.al_rashid.errors import Code
from engine.al_rashid.game import GAME
from engine.al_rashid.rules.scoring import point_lines
from tests.engine.al_rashid.conftest import bag


@pytest.mark.parametrize(
    ("pieces", "value"),
    [("P", 5), ("MS", 4), ("SS", 2), ("PSS", 7)],
)
def test_w1_dominance_values(a_match, pieces, value) -> None:
    story = a_match().board("spies", f"A {pieces}")
    assert story.state.stack("spies", 0).dominance == value


@pytest.mark.parametrize(
    ("there", "more"), [("P", Piece.MERCHANT), ("P", Piece.PASHA), ("M", Piece.MERCHANT)]
)
def test_w2_illegal_stacks(a_match, there, more) -> None:
    story = a_match().board("spies", f"A {there}, C S")  # C has placed last: A is next
    story.refuses("A", PlacePiece(piece=more, area="spies"), Code.SECOND_BIG_PIECE, "4.4", area="spies")


def visitors(story) -> str:
    """Who acts, in order of ranks."""
    return "".join("ABCDE"[seat] for seat in story.state.scene.queue)


def test_w3_order_by_dominance(a_match) -> None:
    """Green A, red B, yellow C, placed in this order."""
    story = a_match().board("military", "A M, B P, C S").rounds().resolve("military")
    assert visitors(story) == "BAC"


def test_w4_a_tie_goes_to_the_left_slot(a_match) -> None:
    story = a_match().board("military", "A S, B MS, C MS").rounds().resolve("military")
    assert visitors(story) == "BCA"


def test_w5_the_fourth_takes_its_sage_back(a_match) -> None:
    """Green A 1, red B 1 on the right of green, yellow C 4, blue D 3."""
    story = a_match(4).board("military", "A S, B S, C MS, D M").rounds()
    before = story.player("B").reserve
    story = story.resolve("military")
    assert visitors(story) == "CDA"
    assert story.stack("B", "military") == ""
    assert story.player("B").reserve == (before[0], before[1], before[2] + 1)
    assert story.player("B").dishonor == 0


def test_w6_stacking_later(a_match) -> None:
    story = a_match().board("culture", "C S").board("spies", "B S")  # B has placed last: C is next
    assert story.waiting == ["C place"]
    for piece in Piece:
        assert f"place_piece(piece={piece}, area=culture)" in story.legal("C")
    story = a_match().board("culture", "C M").board("spies", "B S")
    assert "place_piece(piece=sage, area=culture)" in story.legal("C")
    assert not {
        "place_piece(piece=pasha, area=culture)",
        "place_piece(piece=merchant, area=culture)",
    } & story.legal("C")


@pytest.mark.parametrize(
    ("goods", "value"),
    [("Sp", 1), ("H", 1), ("H 2P Si", 7), ("H P 2M 2Si", 13), ("2H 2P 2M 2Sp 2Si", 30)],
)
def test_w7_barter(goods, value) -> None:
    assert worth(bag_of(bag(goods))) == value


def test_w8_paying_18_takes_all_seven_goods() -> None:
    everything = bag_of(bag("H 2P M Sp 2Si"))
    assert worth(everything) == 18
    assert idle(everything, 18) == []
    assert list(payments(everything, 18)) == [everything]


def test_w9_paying_14() -> None:
    for goods, value in (("3H 2P M Si", 14), ("H P M Sp Si", 15)):
        assert worth(bag_of(bag(goods))) == value
        assert bag_of(bag(goods)) in set(payments((9, 9, 9, 9, 9), 14))


def test_w10_one_payment_for_a_service_and_an_office(a_match) -> None:
    story = a_match().goods(A="H P M Sp Si").board("mercantile", "A M").rounds().resolve("mercantile")
    story = story.plays("A", DeclareVisit(service=True, office="trader"))
    assert story.state.visit.total == 15
    assert story.legal("A") == {"pay(goods=(hardwood=1, pottery=1, metals=1, spices=1, silk=1))"}
    story = story.plays("A", Pay(goods=bag("H P M Sp Si")))
    assert story.has("A") == (0, 0, 0, 0, 0)
    assert story.state.family(0) == (1, 3, 1)
    assert [held.office for held in story.player("A").offices] == ["trader"]


def test_w11_two_turns_running(a_match) -> None:
    """C is last in the order, takes benevolence in A's turn, takes its own turn last and is first in the next round."""
    story = a_match().board("al_rashid", "C P").board("military", "A M").board("spies", "B M")
    story = story.board("culture", "C M").board("mercantile", "C S").rounds().resolve("al_rashid")
    story = story.plays("C", DeclareAudience(benevolence=Good.SILK))
    assert story.has("C") == (0, 0, 0, 0, 1)
    assert story.waiting == ["B own_turn"]
    story = story.resolve("military").plays("A", DeclareVisit())
    assert story.waiting == ["C own_turn"]
    assert (story.order(), story.state.round) == ("ABC", 1)
    story = story.resolve("culture").plays("C", DeclareVisit())
    assert story.waiting == ["C own_turn"]
    assert (story.order(), story.state.round) == ("CAB", 2)


def test_w12_al_rashid_entry(a_match) -> None:
    story = a_match()
    story.refuses("A", PlacePiece(piece=Piece.SAGE, area="al_rashid"), Code.PASHA_FIRST, "4.4")
    story.refuses("A", PlacePiece(piece=Piece.MERCHANT, area="al_rashid"), Code.MERCHANT_AT_AL_RASHID, "4.4")
    story = story.plays("A", PlacePiece(piece=Piece.PASHA, area="al_rashid"))
    story = story.plays("B", PlacePiece(piece=Piece.SAGE, area="spies"))
    story = story.plays("C", PlacePiece(piece=Piece.SAGE, area="spies"))
    story = story.plays("A", PlacePiece(piece=Piece.SAGE, area="al_rashid"))
    assert story.stack("A", "al_rashid") == "PS"


def test_w13_no_pasha_left(a_match) -> None:
    story = a_match().board("al_rashid", "A S, B P").rounds().resolve("al_rashid")
    assert story.player("A").dishonor == 2
    assert story.stack("A", "al_rashid") == ""
    assert visitors(story) == "B"


def test_w14_the_gift_does_not_pay(a_match) -> None:
    story = a_match().goods(A="H P").board("al_rashid", "A P").rounds().resolve("al_rashid")
    story = story.plays("A", DeclareAudience(benevolence=Good.SILK, office="treasurer"))
    story.refuses("A", Pay(goods=bag("H Si")), Code.GOODS_NOT_OWNED, "6.4", goods=("silk",))
    story = story.plays("A", Pay(goods=bag("H P")))
    assert story.has("A") == (0, 0, 0, 0, 1)


SPY = DeclareVisit(service=True)


@pytest.mark.parametrize(
    ("declining", "sequence"),
    [("", "ABCABA"), ("B", "ACAA"), ("A", "BCB"), ("C", "ABABA"), ("AB", "C")],
)
def test_w15_spies_sequence(a_match, declining, sequence) -> None:
    story = a_match().board("spies", "A P, B M, C S").rounds().resolve("spies")
    for letter in "ABC":
        story = story.plays(letter, DeclareVisit() if letter in declining else SPY)
    assert "".join("ABC"[seat] for seat in story.state.scene.spies) == sequence


def test_w16_peek_then_move(a_match) -> None:
    story = a_match().mercenaries("sarmatia", "red 2").board("spies", "A P").board("nilus_valley", "A M")
    story = story.rounds().resolve("spies").plays("A", SPY).plays("A", Peek(territory="sarmatia"))
    assert "colour=red, value=2" in story.lines[0]
    move = MovePiece(piece=Piece.MERCHANT, from_area="nilus_valley", to_area="sarmatia")
    story = story.plays("A", move)
    assert story.stack("A", "sarmatia") == "M"
    assert story.waiting == ["A spy_move"]
    assert story.plays("A", Decline()).waiting == ["C own_turn"]


def test_w17_two_colours(a_match) -> None:
    story = a_match().mercenaries("sarmatia", "red 4, blue 2").board("sarmatia", "A P, B M")
    story = story.hand("A", "blue 3, red 2").rounds().resolve("sarmatia")
    story = story.plays("A", Fight(tiles=Squad(blue_3=1)))
    left = story.state.tiles[2]
    assert [(tile.colour, tile.value, tile.face_up) for tile in left] == [("red", 4, True)]
    assert story.player("A").dishonor == 0
    assert story.stack("A", "sarmatia") == ""
    assert story.waiting == ["B battle"]


def test_w18_all_lose_and_the_tiles_stay_face_up(a_match) -> None:
    story = a_match().mercenaries("sarmatia", "red 4").board("sarmatia", "A P, B M").hand("B", "red 4")
    story = story.rounds().resolve("sarmatia").plays("A", Flee()).plays("B", Fight(tiles=Squad(red_4=1)))
    assert [tile.face_up for tile in story.state.tiles[2]] == [True]
    assert "sarmatia" in story.state.resolved
    assert story.state.stocks[2] == (2, 1, 5, 0, 0, 1)


def test_w19_mare_indianum(a_match) -> None:
    story = a_match().board("mare_indianum", "A P, B M, C S").rounds().resolve("mare_indianum")
    story = story.plays("A", TakeAll(good=Good.HARDWOOD)).plays("B", TakeItems(goods=bag("Si Sp")))
    assert story.state.scene is None
    assert (story.has("A"), story.has("B"), story.has("C")) == (
        (4, 0, 0, 0, 0),
        (0, 0, 0, 1, 1),
        (0, 0, 0, 0, 0),
    )


def test_w20_a_note_in_trade(a_match) -> None:
    story = a_match().board("silk_road", "A P").rounds().resolve("silk_road")
    assert story.plays("A", TakeAll(good=Good.SILK)).player("A").notes == 0
    story.refuses("A", TakeItems(goods=bag("3Si"), note=True), Code.TOO_MANY_ITEMS, "9.7", items=4, limit=3)
    assert story.plays("A", TakeItems(goods=bag("2Si"), note=True)).player("A").notes == 1


def test_w21_a_note_in_a_visit(a_match) -> None:
    story = a_match().goods(A="5H 5P 5M 5Si").notes("A").board("mercantile", "A M").rounds()
    story = story.resolve("mercantile")
    story.refuses(
        "A", DeclareVisit(service=True, favor=Favor.VIZIER, note=True), Code.NOTE_WITHOUT_OFFICE, "6.6"
    )
    story = story.plays("A", DeclareVisit(service=True, office="trader", note=True))
    assert story.state.visit.total == 8 + 7 - 3
    paid = GAME.legal_actions(story.state, 0).templates[0].cheapest.goods
    assert story.plays("A", Pay(goods=paid)).player("A").notes == 0


def test_w22_dishonor_amounts(a_match) -> None:
    fled = a_match().mercenaries("sarmatia", "red 4").board("sarmatia", "A P, B P").rounds()
    assert fled.resolve("sarmatia").plays("A", Flee()).player("A").dishonor == 2
    sages = a_match().board("al_rashid", "A SS").rounds().resolve("al_rashid")
    assert sages.player("A").dishonor == 2
    enchanter = a_match().goods(A="H P M Sp Si").board("culture", "A P, B P").rounds().resolve("culture")
    enchanter = enchanter.plays("A", DeclareVisit(office="enchanter")).plays(
        "A", Pay(goods=bag("H P M Sp Si"))
    )
    assert enchanter.player("A").dishonor == 1
    favor = a_match().goods(A="H").board("political", "A P, B P").rounds().resolve("political")
    assert favor.plays("A", DeclareVisit(favor=Favor.QADI)).player("A").dishonor == 1


def test_w23_influence_cap(a_match) -> None:
    story = a_match().influence("A", 7)
    line = next(line for line in point_lines(story.state, 0) if line.source == "influence")
    assert (line.count, line.points) == (7, 5)
