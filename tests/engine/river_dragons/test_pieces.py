"""What lies where: stones, planks and pawns on the board, planks in the racks, cards in hands and slots."""

from __future__ import annotations

from engine.kernel.layout import Piece
from engine.kernel.seats import PUBLIC, REFEREE, Audience, seat_audience
from engine.river_dragons.actions import ChoosePlank, LayPlank, RemovePlank, Step
from engine.river_dragons.box.board import ISLAND_STONES
from engine.river_dragons.box.components import Variant
from engine.river_dragons.game import GAME


def on_the_table(story, audience: Audience = PUBLIC) -> dict[str, Piece]:
    return {piece.id: piece for piece in GAME.pieces(GAME.view(story.state, audience))}


def cards_of(story, colour: str, audience: Audience) -> dict[str, list[str]]:
    """The components of a seat's cards, by place; empty names lie face down."""
    seat = story.seat(colour)
    found: dict[str, list[str]] = {}
    for piece in on_the_table(story, audience).values():
        if piece.kind == "card" and piece.seat == seat:
            found.setdefault(piece.place.split("@")[0], []).append(piece.component)
    return found


def test_at_the_start_pawns_stand_in_their_villages_and_all_planks_lie_in_the_racks(a_match) -> None:
    story = a_match(2)
    there = on_the_table(story)
    assert (there["pawn:0"].place, there["pawn:1"].place) == ("V-pink", "V-black")
    assert (there["plank:black:3"].place, there["plank:black:3"].seat) == ("reserve_3@1", 1)
    assert (there["stones"].place, there["stones"].count) == ("supply", 27)
    assert (there["sign:0:start"].component, there["sign:0:destination"].component) == ("V-pink", "V-black")


def test_a_stone_lies_on_its_island_and_leaves_the_supply(a_match) -> None:
    there = on_the_table(a_match().stones("I07"))
    assert (there["stone:I07"].place, there["stone:I07"].component) == ("I07", "stone")
    assert there["stones"].count == 26


def test_a_stone_of_the_expert_side_lies_where_it_was_put(a_match) -> None:
    """§9"""
    there = on_the_table(a_match(variant=Variant.EXPERT).stone_at("S1", -500, 120))
    stone = there["stone:S1"]
    assert (stone.place, stone.x, stone.y, stone.width) == ("water", -500, 120, 280)


def test_a_plank_lies_between_its_stones(a_match) -> None:
    there = on_the_table(a_match().stones("I07 I16").planks("red-5 I07-I16"))
    plank, a, b = there["plank:red:5"], ISLAND_STONES["I07"], ISLAND_STONES["I16"]
    assert (plank.place, plank.component, plank.seat) == ("water", "plank_5", 2)
    assert (plank.x, plank.y, plank.x2, plank.y2) == (a.x, a.y, b.x, b.y)


def test_a_plank_ends_inside_a_village_and_leaves_its_middle_to_the_pawns(a_match) -> None:
    there = on_the_table(a_match().stones("I12").planks("pink-6 I12-V-pink"))
    plank = there["plank:pink:6"]
    assert plank.x2 is not None
    assert -2850 + 480 > plank.x2 > -2850 + 220


def test_a_pawn_on_a_plank_stands_in_its_middle(a_match) -> None:
    story = a_match().stones("I07 I16").planks("red-5 I07-I16").pawn("green", "I07-I16")
    pawn, a, b = on_the_table(story)["pawn:1"], ISLAND_STONES["I07"], ISLAND_STONES["I16"]
    assert (pawn.place, pawn.x, pawn.y) == ("water", (a.x + b.x) // 2, (a.y + b.y) // 2)


def test_a_plank_is_the_same_piece_in_the_rack_on_the_board_and_in_another_rack(a_match) -> None:
    """So that a front end can move it: §7.2 from the reserve to the board, §7.3 into another reserve."""
    story = a_match().stones("I07 I11").executes("red", "plank1").plays("red", ChoosePlank(size=5))
    assert on_the_table(story)["plank:red:5"].place == "reserve_5@2"
    story = story.plays("red", LayPlank(a="I07", b="I11"))
    assert on_the_table(story)["plank:red:5"].place == "water"
    story = a_match().stones("I07 I11").planks("red-5 I07-I11").reserve("blue", "blue-1")
    story = story.executes("blue", "remove").plays("blue", RemovePlank(plank="I07~I11"))
    taken = on_the_table(story)["plank:red:5"]
    assert (taken.place, taken.seat) == ("reserve_5@0", 2)


def test_a_lost_plank_lies_beside_the_board(a_match) -> None:
    there = on_the_table(a_match().reserve("red", "red-1"))
    assert there["plank:red:6"].place == "lost_planks"


def test_before_programs_are_submitted_everybody_knows_all_hands(a_match) -> None:
    """§10"""
    assert len(cards_of(a_match(2), "pink", PUBLIC)["hand"]) == 9
    assert "" not in cards_of(a_match(2), "pink", PUBLIC)["hand"]


def test_a_submitted_program_lies_face_down_and_so_does_the_rest_of_the_hand(a_match) -> None:
    """§10 Who saw which cards stay in the hand would know the program."""
    story = a_match(2, order="pink black").executes("pink", "move1 jump")
    black = cards_of(story, "black", seat_audience(story.seat("pink")))
    assert black["slot_1"] == ["plank1"]
    assert [black[f"slot_{slot}"] for slot in (2, 3, 4, 5)] == [[""]] * 4
    assert black["hand"] == [""] * 4


def test_a_seat_and_a_referee_see_the_whole_program_and_what_is_left_of_the_hand(a_match) -> None:
    story = a_match(2, order="pink black").executes("pink", "move1 jump")
    for audience in (seat_audience(story.seat("pink")), REFEREE):
        pink = cards_of(story, "pink", audience)
        assert pink["slot_1"] == ["move1"]
        assert pink["slot_2"] == ["jump"]
        assert len(pink["hand"]) == 4
        assert set(pink["hand"]).isdisjoint({"move1", "jump", ""})


def test_a_card_keeps_its_id_when_it_is_revealed(a_match) -> None:
    story = a_match(2, order="pink black").executes("pink", "move1 jump")
    hidden = on_the_table(story)["card:0:slot:2"]
    shown = on_the_table(story.plays("black", ChoosePlank(size=1)))["card:0:slot:2"]
    assert (hidden.component, shown.component) == ("", "jump")
    assert hidden.place == shown.place == "slot_2@0"


def test_a_card_keeps_its_id_when_its_owner_puts_it_in_a_slot(a_match) -> None:
    story = a_match(2, order="pink black")
    pink = seat_audience(story.seat("pink"))
    assert on_the_table(story, pink)["card:0:jump"].place == "hand@0"
    story = story.executes("pink", "move1 jump")
    assert on_the_table(story, pink)["card:0:jump"].place == "slot_2@0"


def test_a_seat_that_has_left_has_no_hand_and_no_marker_of_the_order(a_match) -> None:
    """[R29]"""
    there = on_the_table(a_match(3).leaves("red"))
    assert not [piece for piece in there.values() if piece.kind == "card" and piece.seat == 1]
    assert "turn:1" not in there
    assert there["pawn:1"].place == "V-red"


def test_the_first_player_card_lies_before_the_first_player(a_match) -> None:
    assert on_the_table(a_match(first="red"))["first_player_card"].place == "first_player@2"


def test_a_step_into_a_village_takes_the_pawn_off_the_plank(a_match) -> None:
    story = a_match().stones("I24").planks("red-5 I24-V-red").pawn("blue", "I24-V-red")
    story = story.executes("blue", "move1").plays("blue", Step(to="V-red"))
    pawn = on_the_table(story)["pawn:0"]
    assert (pawn.place, pawn.x, pawn.width) == ("V-red", None, 220)


def test_a_whole_match_keeps_every_plank_and_stone_and_all_exact_points_on_board_or_mat(play) -> None:
    for variant in Variant:
        for step in play(4, variant, 3):
            there = GAME.pieces(GAME.view(step.state, PUBLIC))
            assert len([piece for piece in there if piece.kind == "plank"]) == 24
            assert sum(piece.count for piece in there if piece.kind == "stone") == 27
            for piece in there:
                box = (GAME.layout.mats if "@" in piece.place else GAME.layout.boards)[0].view_box
                for x, y in ((piece.x, piece.y), (piece.x2, piece.y2)):
                    assert (x is None) == (y is None)
                    assert x is None or box.x <= x <= box.x + box.width
                    assert y is None or box.y <= y <= box.y + box.height
