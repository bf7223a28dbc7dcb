"""§13 Information and choices."""

from __future__ import annotations

from engine.al_rashid.actions import DeclareVisit, Peek, ResolveArea
from engine.al_rashid.box.components import Colour, Squad
from engine.al_rashid.event_parts import DrawnTile, PlacedTile
from engine.al_rashid.events import TerritoryPeeked
from engine.al_rashid.game import GAME
from engine.al_rashid.owner_events import MercenariesDrawn
from engine.kernel.seats import PUBLIC, REFEREE, seat_audience


def test_hands_show_colours_to_everybody_and_values_to_their_owner(a_match) -> None:
    """[R33] Goods are open."""
    story = a_match().goods(A="H 2P").hand("A", "red 4, blue 2, blue 3")
    for audience, tiles in (
        (seat_audience(0), Squad(red_4=1, blue_2=1, blue_3=1)),
        (REFEREE, Squad(red_4=1, blue_2=1, blue_3=1)),
        (seat_audience(1), None),
        (PUBLIC, None),
    ):
        seen = GAME.view(story.state, audience).seats[0]
        assert (seen.hand.red, seen.hand.blue, seen.hand.tiles) == (1, 2, tiles)
        assert (seen.goods.hardwood, seen.goods.pottery) == (1, 2)


def test_a_peek_stays_known_to_the_peeker_while_the_tile_lies_there(a_match) -> None:
    """§13.2 [F4]"""
    story = a_match().mercenaries("sarmatia", "red 4").board("spies", "A P, B M").rounds().resolve("spies")
    story = story.plays("A", DeclareVisit(service=True)).plays("B", DeclareVisit())
    story = story.plays("A", Peek(territory="sarmatia"))
    story = story.mercenaries("sarmatia", "red 2")
    values = {}
    for name, audience in (
        ("A", seat_audience(0)),
        ("B", seat_audience(1)),
        ("all", PUBLIC),
        ("ref", REFEREE),
    ):
        values[name] = [tile.value for tile in GAME.view(story.state, audience).territories[2].mercenaries]
    assert values == {"A": [4, None], "B": [None, None], "all": [None, None], "ref": [4, 2]}


def test_events_hide_what_their_audience_cannot_know() -> None:
    drawn = MercenariesDrawn(seat=0, tiles=(DrawnTile(colour=Colour.RED, value=4),))
    tile = PlacedTile(id=1, territory="sarmatia", colour=Colour.RED, value=4)
    peeked = TerritoryPeeked(seat=0, territory="sarmatia", source="negotiator", tiles=(tile,))
    for event in (drawn, peeked):
        assert GAME.redact(event, seat_audience(0)) == GAME.redact(event, REFEREE) == event
        for audience in (seat_audience(1), PUBLIC):
            hidden = GAME.redact(event, audience)
            assert [(each.colour, each.value) for each in hidden.tiles] == [(Colour.RED, None)]
            assert "4" not in repr(hidden)
    assert "4" not in repr(drawn)


def test_areas_are_shown_with_slots_dominance_and_rank(a_match) -> None:
    story = a_match().board("military", "A M, B P, C S")
    seen = GAME.view(story.state, PUBLIC).palaces[1]
    told = [(stack.seat, stack.slot, stack.dominance, stack.rank) for stack in seen.stacks]
    assert told == [(0, 1, 3, 2), (1, 2, 5, 1), (2, 3, 1, 3)]
    story = a_match().board("al_rashid", "A SS, B P")
    assert [stack.rank for stack in GAME.view(story.state, PUBLIC).palaces[5].stacks] == [None, 1]
    assert "al_rashid: seat 0 SS #-; seat 1 P #1" in GAME.draw(GAME.view(story.state, PUBLIC))


def test_ranks_stay_as_they_were_while_an_area_is_resolved(a_match) -> None:
    """§1.8, §5.7 Who has visited takes the pieces home; the others keep their ranks."""
    story = a_match().board("spies", "A P, B M, C S").rounds().resolve("spies").plays("A", DeclareVisit())
    spies = next(palace for palace in GAME.view(story.state, PUBLIC).palaces if palace.id == "spies")
    assert {stack.seat: stack.rank for stack in spies.stacks} == {1: 2, 2: 3}


def test_the_view_says_who_is_waited_for_and_why(a_match) -> None:
    """§13.5"""
    story = a_match().board("culture", "A M, B P").rounds()
    story = story.plays("A", ResolveArea(area="culture"))
    seen = GAME.view(story.state, PUBLIC)
    assert [(each.seat, each.decision, each.rule) for each in seen.pending] == [(1, "visit", "7.2")]
    assert (seen.scene.area, seen.scene.to_act, seen.turn_of) == ("culture", (1, 0), 0)
    assert [place.rank for place in seen.scene.ranking] == [1, 2]
