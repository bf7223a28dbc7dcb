"""§11 Upkeep, and the stacks of mercenaries."""

from __future__ import annotations

from engine.al_rashid.actions import EndTurn, Fight, ResolveArea, TakeAll, UseImporter, UseRecruiter
from engine.al_rashid.box.components import Colour, Good, Squad
from engine.al_rashid.errors import Code
from engine.al_rashid.events import CrisisDrawn, OwnTurnStarted, ResolutionStarted, RoundStarted, StackRebuilt


def last_area(a_match):
    """A's pasha is the last piece on the board, in sarmatia; the phase ends with A's turn."""
    story = a_match(2).board("sarmatia", "A P").owns("A", "metal_importer")
    return story.told(
        ResolutionStarted(manoeuvres=()), RoundStarted(round=1, order=(0, 1)), OwnTurnStarted(seat=0)
    )


def test_goods_offices_and_tiles_are_made_ready_for_the_next_turn(a_match) -> None:
    """§11.1 to §11.4"""
    story = last_area(a_match).mercenaries("mare_indianum", "blue 2")
    story = story.plays("A", UseImporter(office="metal_importer")).by(0, ResolveArea(area="sarmatia"))
    story = story.by(0, TakeAll(good=Good.METALS), luck=[1, 0, 0, 0])  # turn_2
    assert story.state.stocks[2] == (2, 1, 5, 0, 0, 1)
    assert [held.used for held in story.player("A").offices] == [False]
    assert (story.state.turn, story.state.resolved) == (2, ())
    assert [tile.colour for tile in story.state.tiles[3]] == ["blue", "blue"]
    assert [tile.face_up for tile in story.state.tiles[6]] == [False]
    assert story.waiting == ["A place"]


def test_no_crisis_tile_comes_twice(play) -> None:
    """[R30]"""
    for number in range(6):
        *_, last = play(2, number)
        assert len(set(last.state.crises)) == len(last.state.crises) == 5
        assert [name.startswith("setup") for name in last.state.crises] == [True, False, False, False, False]


def drawn_up(a_match, left: str):
    """All red tiles are in B's hand but those named, which A is about to draw or spend."""
    story = a_match().board("spies", "A P").owns("A", "recruiter")
    rest = ["red 2"] * 8 + ["red 3"] * 16 + ["red 4"] * 8
    for tile in filter(None, left.split(", ")):
        rest.remove(tile)
    return story.hand("B", ", ".join(rest))


def test_an_empty_stack_is_rebuilt_from_its_discards(a_match) -> None:
    """[R31] §11.5 Told in one move: B fights with all red tiles, A recruits one of them again."""
    story = drawn_up(a_match, "red 4").board("sarmatia", "B M").mercenaries("sarmatia", "red 4").rounds()
    story = story.resolve("sarmatia").plays("B", Fight(tiles=Squad(red_2=8)))
    assert story.waiting == ["B trade"]
    story = story.plays("B", TakeAll(good=Good.METALS))
    story = story.plays("A", UseRecruiter(colour=Colour.RED), luck=[8])
    assert StackRebuilt(colour=Colour.RED, tiles=Squad(red_2=8, red_4=1)) in story.events
    assert story.player("A").hand == (0, 0, 1, 0, 0, 0)
    assert (story.state.stacks[:3], story.state.discards[:3]) == ((8, 0, 0), (0, 0, 0))


def test_nothing_is_drawn_where_nothing_is_left(a_match) -> None:
    """[R31] [R41]"""
    story = drawn_up(a_match, "").rounds()
    story.refuses("A", UseRecruiter(colour=Colour.RED), Code.NOTHING_TO_DRAW, "R41", colour="red")
    assert "use_recruiter(colour=blue)" in story.legal("A")
    ends = last_area(a_match).hand("B", "red 2, " * 8 + "red 3, " * 16 + "red 4, " * 8)
    ends = ends.by(0, ResolveArea(area="sarmatia")).by(0, TakeAll(good=Good.METALS))
    ends = ends.by(0, EndTurn(), luck=[4])  # turn_5: all red
    crisis = next(event for event in ends.events if isinstance(event, CrisisDrawn))
    assert (crisis.crisis, crisis.tiles) == ("turn_5", ())


def test_a_tile_is_drawn_from_all_that_is_left_of_its_colour(a_match) -> None:
    """[F2] 8 twos, 16 threes, 8 fours: the numbers 0 to 31."""
    for number, kind in ((0, 0), (7, 0), (8, 1), (23, 1), (24, 2), (31, 2)):
        story = a_match().owns("A", "recruiter").board("spies", "A P").rounds()
        story = story.plays("A", UseRecruiter(colour=Colour.RED), luck=[number])
        assert story.player("A").hand.index(1) == kind
