"""§5 The resolution phase."""

from __future__ import annotations

from engine.al_rashid.actions import (
    DeclareAudience,
    DeclareVisit,
    Decline,
    EndTurn,
    MovePiece,
    Pay,
    PlacePiece,
    ResolveArea,
    TakeItems,
    UseImporter,
    UseRecruiter,
    UseSmuggler,
)
from engine.al_rashid.box.components import Colour, Good, Piece
from engine.al_rashid.errors import Code
from engine.al_rashid.event_parts import Manoeuvres
from engine.al_rashid.events import OwnTurnStarted, ResolutionStarted, RoundStarted
from engine.kernel.errors import TableCode
from tests.engine.al_rashid.conftest import bag


def officers(a_match, plotters: int, informers: int):
    """A may move pieces; everybody's pieces stand in three areas."""
    story = a_match().board("spies", "A MS, B S").board("sarmatia", "A S").board("culture", "B M, C S")
    officer = Manoeuvres(seat=0, plotters=plotters, informers=informers)
    return story.told(ResolutionStarted(manoeuvres=(officer,)))


def test_plotters_move_in_the_city_and_informers_on_the_map(a_match) -> None:
    """§5.1 [F6] One piece of a stack, in any order of the tiles."""
    story = officers(a_match, 1, 1)
    story = story.plays("A", MovePiece(piece=Piece.SAGE, from_area="sarmatia", to_area="nilus_valley"))
    again = MovePiece(piece=Piece.SAGE, from_area="nilus_valley", to_area="sarmatia")
    story.refuses("A", again, Code.NO_OFFICER_FOR_MOVE, "5.1")
    across = MovePiece(piece=Piece.SAGE, from_area="spies", to_area="sarmatia")
    story.refuses("A", across, Code.NO_OFFICER_FOR_MOVE, "5.1")
    story = story.plays("A", MovePiece(piece=Piece.MERCHANT, from_area="spies", to_area="culture"))
    assert (story.stack("A", "spies"), story.slots("culture")) == ("S", "BCA")
    assert story.waiting == ["A own_turn"]


def test_two_plotters_move_two_pieces_and_moving_is_optional(a_match) -> None:
    """[R13]"""
    story = officers(a_match, 2, 0)
    moved = story.plays("A", MovePiece(piece=Piece.SAGE, from_area="spies", to_area="culture"))
    assert moved.waiting == ["A manoeuvre"]
    assert moved.plays("A", Decline()).waiting == ["A own_turn"]


def test_who_has_an_officer_and_nothing_to_move_is_not_asked(a_match) -> None:
    """[F5]"""
    story = a_match(2).owns("A", "informer")
    for letter, piece in zip("ABABAB", "PPMMSS", strict=True):
        name = {"P": Piece.PASHA, "M": Piece.MERCHANT, "S": Piece.SAGE}[piece]
        area = {"P": "political", "M": "mercantile", "S": "culture"}[piece]
        story = story.plays(letter, PlacePiece(piece=name, area=area))
    assert story.waiting == ["A own_turn"]


def test_any_area_with_a_piece_can_be_named_once_a_turn(a_match) -> None:
    """§5.3, §5.6"""
    story = a_match().board("military", "B M").board("sarmatia", "A M").board("spies", "A S").rounds()
    story.refuses("A", ResolveArea(area="culture"), Code.AREA_EMPTY, "5.3", area="culture")
    story.refuses("A", ResolveArea(area="atlantis"), Code.AREA_UNKNOWN, "5.3", area="atlantis")
    story.refuses("A", EndTurn(), Code.AREA_NOT_RESOLVED, "5.3")
    story = story.resolve("military").plays("B", DeclareVisit())
    assert story.waiting == ["C own_turn"]  # B has no piece left: skipped (§5.2)
    story.refuses("C", ResolveArea(area="military"), Code.AREA_RESOLVED, "5.6", area="military")


def test_the_check_for_pieces_is_made_only_when_a_turn_starts(a_match) -> None:
    """[R5] A's last piece goes with the area it names; the office may be activated all the same."""
    story = a_match().goods(A="H").owns("A", "smuggler").board("sarmatia", "A M").rounds()
    story = story.resolve("sarmatia").plays("A", TakeItems(goods=bag("M")))
    assert story.waiting == ["A own_turn"]
    story.refuses("A", ResolveArea(area="abbasid_caliphate"), Code.AREA_ALREADY_NAMED, "5.3")
    assert "end_turn" in story.legal("A")
    assert story.plays("A", EndTurn()).waiting == ["C own_turn"]
    story = story.plays("A", UseSmuggler(give=Good.HARDWOOD, take=Good.SILK))
    assert story.has("A") == (0, 0, 1, 0, 1)
    assert story.waiting == ["C own_turn"]


def test_an_office_bought_in_a_turn_may_be_activated_in_it(a_match) -> None:
    """[R6]"""
    story = a_match().goods(A="H P M Si").board("mercantile", "A M").rounds().resolve("mercantile")
    story = story.plays("A", DeclareVisit(office="hardwood_importer")).plays("A", Pay(goods=bag("H P M Si")))
    assert story.legal("A") == {"use_importer(office=hardwood_importer)", "end_turn"}
    assert story.plays("A", UseImporter(office="hardwood_importer")).has("A") == (1, 0, 0, 0, 0)


def test_one_office_per_own_turn_and_each_once_per_turn(a_match) -> None:
    """§5.3, §10.1; two copies are two activations [R13]."""
    story = a_match(4).owns("A", "hardwood_importer", "metal_importer", "metal_importer")
    story = story.board("sarmatia", "A M").board("spies", "A M").board("military", "A S").rounds()
    use = UseImporter(office="metal_importer")
    story = story.plays("A", use)
    story.refuses("A", use, Code.ALREADY_ACTIVATED, "5.3")
    assert [held.used for held in story.player("A").offices] == [False, True, False]


def test_a_used_office_waits_for_the_upkeep(a_match) -> None:
    story = a_match().owns("A", "metal_importer").board("spies", "A M").board("military", "A M").rounds()
    use = UseImporter(office="metal_importer")
    story = story.plays("A", use).resolve("spies").plays("A", DeclareVisit())
    story = story.resolve("abbasid_caliphate").plays("C", TakeItems(goods=bag("")))
    assert story.waiting == ["A own_turn"]
    story.refuses("A", use, Code.OFFICE_USED, "5.3", office="metal_importer")


def test_an_activation_that_could_do_nothing_is_refused(a_match) -> None:
    """[R41]"""
    story = (
        a_match().owns("A", "smuggler", "trader", "negotiator", "recruiter").board("spies", "A M").rounds()
    )
    assert not {line for line in story.legal("A") if "smuggler" in line or "negotiator" in line}
    smuggle = UseSmuggler(give=Good.HARDWOOD, take=Good.SILK)
    story.refuses("A", smuggle, Code.GOOD_NOT_OWNED, "6.8", good="hardwood")
    story = story.plays("A", UseRecruiter(colour=Colour.RED), luck=[0])
    assert story.player("A").hand == (1, 0, 0, 0, 0, 0)


def test_ranks_four_and_five_rise_on_a_territory_and_not_in_a_palace(a_match) -> None:
    """[R7]"""
    palace = a_match(5).board("military", "A P, B MS, C M, D S, E S").rounds().resolve("military")
    assert palace.state.scene.queue == (0, 1, 2)
    assert palace.stack("D", "military") == ""
    land = a_match(5).mercenaries("sarmatia", "red 2").board("sarmatia", "A P, B MS, C M, D S, E S")
    land = land.rounds().resolve("sarmatia")
    assert land.state.scene.queue == (0, 1, 2, 3, 4)


def test_a_new_order_stays_for_the_next_placement_phase(a_match) -> None:
    """[R8] The phase ends with the round in which the order was changed."""
    story = a_match(2).board("al_rashid", "B P")
    story = story.told(
        ResolutionStarted(manoeuvres=()), RoundStarted(round=1, order=(0, 1)), OwnTurnStarted(seat=0)
    )
    story = story.by(0, ResolveArea(area="al_rashid"))
    story = story.by(1, DeclareAudience(benevolence=Good.SILK), luck=[3, 0, 0])
    assert (story.state.turn, story.order()) == (2, "BA")
    assert story.waiting == ["B place"]


def test_nobody_answers_for_another(a_match) -> None:
    story = a_match().board("spies", "A M").rounds()
    story.refuses("B", ResolveArea(area="spies"), TableCode.NOT_YOUR_TURN, "13.5")
    story.refuses("A", Decline(), TableCode.WRONG_DECISION, "5.3", expected="own_turn")
