"""Everything that a view shows lies at a place, and tiles show no more than their audience knows."""

from __future__ import annotations

import pytest

from engine.al_rashid.actions import DeclareVisit, Pay, PlacePiece, UseNegotiator
from engine.al_rashid.box.components import Piece as Pawn
from engine.al_rashid.game import GAME
from engine.kernel.layout import Piece, on_mat
from engine.kernel.seats import PUBLIC, REFEREE, Audience, seat_audience
from tests.engine.al_rashid.conftest import bag, seat_of

A, B = (seat_audience(seat_of(letter)) for letter in "AB")


def lying(story, audience: Audience = A) -> dict[str, Piece]:
    return {piece.id: piece for piece in GAME.pieces(GAME.view(story.state, audience))}


def at(story, place: str, audience: Audience = A) -> list[tuple[str, int]]:
    """What lies at a place, with its number."""
    return [
        (piece.component, piece.count) for piece in lying(story, audience).values() if piece.place == place
    ]


def test_a_stack_stands_in_its_slot_and_belongs_to_its_seat(a_match) -> None:
    """§1.7"""
    story = a_match().board("sarmatia", "B M, A PSS")
    assert at(story, "sarmatia_slot_1") == [("merchant", 1)]
    assert at(story, "sarmatia_slot_2") == [("pasha", 1), ("sage", 2)]
    seats = {piece.seat for piece in lying(story).values() if piece.place == "sarmatia_slot_2"}
    assert seats == {seat_of("A")}


def test_the_only_pasha_of_a_family_is_the_same_piece_when_it_is_placed(a_match) -> None:
    """§4.2"""
    story = a_match()
    before = {piece.id: piece.place for piece in lying(story).values() if piece.component == "pasha"}
    assert before["pasha@0"] == on_mat("reserve", 0)
    story = story.plays("A", PlacePiece(piece=Pawn.PASHA, area="spies"))
    after = {piece.id: piece.place for piece in lying(story).values() if piece.component == "pasha"}
    assert after == before | {"pasha@0": "spies_slot_1"}


def test_an_office_that_exists_once_is_the_same_piece_when_it_is_bought(a_match) -> None:
    """§7.4"""
    story = a_match(3).goods(A="H P").board("military", "A P").rounds().resolve("military")
    assert lying(story)["office:negotiator"].place == "negotiator"
    story = story.plays("A", DeclareVisit(office="negotiator")).plays("A", Pay(goods=bag("H P")))
    assert lying(story)["office:negotiator"].place == on_mat("offices", 0)


def test_two_copies_of_an_office_are_two_pieces(a_match) -> None:
    """§2.4 [R13] At a table of four there are two."""
    story = a_match(4)
    assert at(story, "smuggler") == [("smuggler", 2)]
    story = story.owns("A", "smuggler", "smuggler")
    assert at(story, "smuggler") == []
    assert at(story, on_mat("offices", 0)) == [("smuggler", 1), ("smuggler", 1)]


def test_a_used_office_looks_different(a_match) -> None:
    """§5.3 It lies face down."""
    story = a_match().owns("A", "negotiator").mercenaries("sarmatia", "red 3").rounds()
    assert lying(story)["office:negotiator"].kind == "office_tile"
    story = story.plays("A", UseNegotiator(territory="sarmatia"))
    assert lying(story)["office:negotiator"].kind == "used_office_tile"
    assert at(story, "sarmatia") == [("negotiator", 1)]


@pytest.mark.parametrize(
    ("audience", "seen"),
    [
        pytest.param(A, [("red_3", 2), ("blue_4", 1)], id="owner"),
        pytest.param(B, [("red_mercenary", 2), ("blue_mercenary", 1)], id="opponent"),
        pytest.param(PUBLIC, [("red_mercenary", 2), ("blue_mercenary", 1)], id="public"),
        pytest.param(REFEREE, [("red_3", 2), ("blue_4", 1)], id="referee"),
    ],
)
def test_a_hand_shows_values_to_its_owner_and_colours_to_all(a_match, audience, seen) -> None:
    """§13.1, §13.2"""
    story = a_match().hand("A", "red 3, red 3, blue 4")
    assert at(story, on_mat("hand", 0), audience) == seen


def test_a_mercenary_keeps_its_id_when_its_value_is_seen(a_match) -> None:
    """§13.2"""
    story = a_match().owns("A", "negotiator").mercenaries("sarmatia", "red 3").rounds()
    (tile,) = [piece for piece in lying(story).values() if piece.place == "sarmatia_mercenaries"]
    assert tile.component == "red_mercenary"
    story = story.plays("A", UseNegotiator(territory="sarmatia"))
    assert lying(story, A)[tile.id].component == "red_3"
    assert lying(story, B)[tile.id].component == "red_mercenary"


def test_goods_notes_and_markers_are_counted(a_match) -> None:
    story = a_match().goods(A="2H Si").notes("A", 3).influence("A", 2)
    assert at(story, on_mat("goods", 0)) == [("hardwood", 2), ("silk", 1), ("credit_note", 3)]
    assert at(story, on_mat("markers", 0)) == [("influence_marker", 2)]
    assert at(story, "silk_road_goods") == [
        ("hardwood", 1),
        ("metals", 1),
        ("spices", 2),
        ("silk", 4),
        ("credit_note", 1),
    ]


def test_a_marker_says_what_is_resolved_and_what_was(a_match) -> None:
    """§5.3, §5.6"""
    story = a_match().board("military", "A P").rounds().resolve("military")
    assert at(story, "military") == [("visits", 1)]
    story = story.plays("A", DeclareVisit())
    assert at(story, "military") == [("resolved", 1)]
