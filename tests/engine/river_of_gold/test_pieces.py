"""What lies where, as each audience may see it."""

from __future__ import annotations

from engine.kernel.layout import Piece
from engine.kernel.seats import PUBLIC, Audience, seat_audience
from engine.river_of_gold.actions import ChooseRoyalShip
from engine.river_of_gold.box.components import ShipId
from engine.river_of_gold.game import GAME
from tests.engine.river_of_gold.conftest import Story, build, deliver, discard, sail, seat_of


def table(story: Story, audience: Audience = PUBLIC) -> dict[str, Piece]:
    return {piece.id: piece for piece in GAME.pieces(GAME.view(story.state, audience))}


def seen_by(story: Story, letter: str) -> dict[str, Piece]:
    return table(story, seat_audience(seat_of(letter)))


def at(pieces: dict[str, Piece], place: str) -> list[Piece]:
    return [piece for piece in pieces.values() if piece.place == place]


def test_a_built_tile_moves_from_the_row_to_the_shore_with_a_marker(a_match) -> None:
    """§4.3, §4.4"""
    story = a_match().row("era1_port_1", "era1_manor_1", "era1_market_1", "era1_shrine_5")
    before = table(story)
    assert before["era1_shrine_5"].place == "row_4"
    after = table(story.with_player("A", die=1, koku=20).empty(1).plays("A", build(1, "era1_shrine_5")))
    assert after["era1_shrine_5"].place == "shore_01"
    marker = after["marker_shore_01@0"]
    assert (marker.place, marker.seat, marker.component) == ("shore_01", 0, "clan_marker")


def test_both_markers_of_a_seat_lie_on_a_building(a_match) -> None:
    """§1.6"""
    there = table(a_match().building(8, "era1_port_2", "AA"))
    assert {piece.id for piece in at(there, "shore_08")} == {
        "era1_port_2",
        "marker_shore_08@0",
        "second_marker_shore_08@0",
    }


def test_a_ship_is_the_same_piece_wherever_it_sails(a_match) -> None:
    """§5.1"""
    story = a_match().with_player("A", die=3).ships("A", 1, 8)
    assert table(story)["ship_upstream@0"].place == "river_01"
    assert table(story.plays("A", sail("upstream", 3)))["ship_upstream@0"].place == "river_04"


def test_the_royal_ship_comes_from_the_mat_and_takes_the_place_of_another(a_match) -> None:
    """§10.5"""
    story = a_match().with_player("A", die=1).goods("A", "S R 2P").hand("A", "noble_1", "elder_1")
    story = story.ships("A", 3, 8).plays("A", deliver("noble_1"))
    assert table(story)["ship_royal@0"].place == "royal_ship@0"
    there = table(story.plays("A", ChooseRoyalShip(ship=ShipId.UPSTREAM)))
    assert (there["ship_royal@0"].place, there["ship_royal@0"].component) == ("river_03", "royal_ship")
    assert "ship_upstream@0" not in there


def test_a_hand_lies_face_down_for_everybody_but_its_owner(a_match) -> None:
    """§11"""
    story = a_match().hand("A", "merchant_1", "monk_2")
    assert [piece.component for piece in at(seen_by(story, "A"), "hand@0")] == ["merchant_1", "monk_2"]
    for others in (table(story), seen_by(story, "B")):
        (cards,) = at(others, "hand@0")
        assert (cards.component, cards.count) == ("", 2)
        assert not {"merchant_1", "monk_2"} & set(others)


def test_a_discarded_card_lies_face_up_on_the_pile(a_match) -> None:
    """§6.4 [A12]"""
    story = a_match().with_player("A", die=6).goods("A", "S 2R").hand("A", "merchant_6", "monk_2")
    story = story.plays("A", deliver("merchant_6")).plays("A", discard("monk_2"))
    there = table(story)
    assert there["merchant_6"].place == "delivered@0"
    assert there["monk_2"].place == "discard_pile"
    assert there["merchant_marker@0"].place == "merchant_space"


def test_only_the_tile_on_top_of_a_stack_is_known(a_match) -> None:
    """[A13]"""
    story = a_match().stacks(8, 9)
    covered, top = at(table(story), "era_1")
    assert (covered.component, covered.count) == ("", 7)
    assert top.component == GAME.view(story.state, PUBLIC).stacks[0].top


def test_an_empty_stack_has_no_piece(a_match) -> None:
    assert at(table(a_match().stacks(0, 9)), "era_1") == []


def test_what_is_held_is_counted(a_match) -> None:
    """§1.3: one piece for all koku, none for a kind that the seat has not."""
    there = table(a_match().with_player("A", koku=7, favor=2).goods("A", "3S P"))
    assert [piece.count for piece in at(there, "koku@0")] == [7]
    assert [piece.count for piece in at(there, "silk@0")] == [3]
    assert at(there, "rice@0") == []


def test_the_die_lies_at_the_face_it_shows(a_match) -> None:
    assert table(a_match().with_player("A", die=4))["own_die@0"].place == "die_4@0"


def test_markers_stand_on_their_space_of_the_track(a_match) -> None:
    """§4.6"""
    there = table(a_match().influence("A", r2=11))
    assert there["influence_2@0"].place == "track_2_11"
    assert there["influence_2@1"].place == "track_2_0"
