"""Traps that implementers of this game have fallen into: each is a test of its own."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.kernel.seats import PUBLIC, REFEREE, Seat, seat_audience
from engine.river_of_gold.actions import RollDie
from engine.river_of_gold.box.components import Clan, PatronMode
from engine.river_of_gold.errors import Code
from engine.river_of_gold.game import GAME
from tests.engine.river_of_gold.conftest import (
    END,
    Story,
    bonus,
    build,
    deliver,
    discard,
    mark,
    sail,
    set_die,
)
from tests.engine.river_of_gold.endings import INCOME, ended

ROW = ("era1_port_1", "era1_port_2", "era1_port_3", "era1_port_4")
STEPS = {1: "era1_port_1", 2: "era1_market_3", 3: "era1_port_4"}
"""A tile with so much influence for its builder."""


def advanced(a_match, steps: int, *, patron: str, of: str, players: int = 4, **spaces: int) -> Story:
    """A builds in region 1; `of` has the patron, the markers stand on these spaces: `a=3, b=4`."""
    story = a_match(players).masteries().patron(of, patron)
    for letter, space in spaces.items():
        story = story.influence(letter.upper(), r1=space)
    others = [tile for tile in ROW if tile != STEPS[steps]][:3]
    return story.row(STEPS[steps], *others).plays("A", build(2, STEPS[steps]))


@pytest.mark.parametrize(("koku", "vp"), [(4, 0), (5, 1), (7, 1), (8, 1), (9, 1), (10, 2)])
def test_merchants_points_are_rounded_down_and_not_to_the_nearest(a_match, koku, vp) -> None:
    """§10.3"""
    story = a_match().delivered("A", "merchant_1").with_player("A", koku=koku - INCOME, favor=3)
    assert ended(story).score("A")["merchant_1"] == vp


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize(("tile", "second"), [(1, 3), (2, 5), (3, 4)])
def test_the_second_of_a_tile_with_two_values_is_paid_with_three_and_four_players(
    a_match, players, tile, second
) -> None:
    """§8.5 However far behind: the gap counts for two players only."""
    story = a_match(players).region_tile(6, tile).influence("B", r6=18).influence("C", r6=1)
    assert ended(story).score("C")["region_6"] == second


def test_a_monks_second_marker_does_not_count_the_building_twice(a_match) -> None:
    """[A15] Masteries, koku for buildings of a type, nobles and `merchant_1`."""
    story = a_match().masteries("earth").building(20, "era1_port_4", "A").building(21, "era1_port_1", "A")
    story = story.goods("A", "S 2R P").hand("A", "monk_1").plays("A", deliver("monk_1")).plays("A", mark(21))
    assert story.owners(21) == "AA"
    story = story.with_player("A", favor=0).plays("A", discard(story.player("A").hand[0].value))
    story = story.turn_of("B").with_player("A", koku=0).with_player("B", die=1, koku=0).ships("B", 9, 1)
    story = story.plays("B", sail("upstream", 1))
    assert story.player("A").koku == 2
    assert story.view().masteries[0].slots[0].seat is None
    scored = ended(story.turn_of("A").delivered("A", "noble_2", "noble_6", "noble_5")).score("A")
    assert (scored["noble_2"], scored["noble_6"], scored["noble_5"]) == (2, 2, 1)


def test_the_fifth_noble_turns_the_die_and_does_not_add_to_the_move(a_match) -> None:
    """[A18] With a 6: 5, 6 or 1, never 7; with a 1: 6, 1 or 2, never 0."""
    story = a_match().delivered("A", "noble_5").ships("A", 1, 8, royal="upstream")
    for die, wrapped in ((6, 1), (1, 6)):
        sailed = story.with_player("A", die=die).plays("A", sail("upstream", wrapped))
        assert sailed.river("A")[0] == f"river_{1 + wrapped:02}"


def test_the_patron_who_jumps_jumps_over_all_consecutive_markers(a_match) -> None:
    """[A22] One step from 3 with rivals on 4, 5 and 6."""
    story = advanced(a_match, 1, patron="kachiko", of="A", a=3, b=4, c=5, d=6)
    assert story.player("A").tracks[0] == 7


def test_the_patron_who_is_passed_does_not_pay_herself(a_match) -> None:
    """[A21] Her own marker moves past the rivals, and off its own space."""
    story = advanced(a_match, 3, patron="hyobu", of="A", a=2, b=2, c=3)
    assert story.player("A").tracks[0] == 5
    assert [story.vp(letter, "patron") for letter in "ABC"] == [0, 0, 0]


@pytest.mark.parametrize(
    ("hers", "rival", "steps", "vp"),
    [
        pytest.param(0, 0, 3, 0, id="on 0 she is not on the track"),
        pytest.param(1, 0, 1, 0, id="a tie with her on 1 is no passing"),
        pytest.param(1, 0, 2, 3, id="from 0 past her on 1"),
        pytest.param(1, 1, 1, 3, id="out of a tie on 1"),
        pytest.param(5, 5, 1, 3, id="out of a tie further on"),
        pytest.param(5, 3, 2, 0, id="into a tie"),
    ],
)
def test_the_patron_who_is_passed_on_1_and_out_of_ties(a_match, hers, rival, steps, vp) -> None:
    """[A21]"""
    assert advanced(a_match, steps, patron="hyobu", of="B", b=hers, a=rival).vp("B", "patron") == vp


def test_two_moves_past_the_patron_pay_once(a_match) -> None:
    """[A21] Into the tie, then out of it."""
    story = advanced(a_match, 2, patron="hyobu", of="B", b=4, a=2)
    assert story.vp("B", "patron") == 0
    story = story.turn_of("A").with_player("A", die=1, koku=10).row("era1_market_2", *ROW[1:])
    assert story.plays("A", build(1, "era1_market_2")).vp("B", "patron") == 3


@pytest.mark.parametrize("deck", [(), ("monk_6",)])
def test_nothing_is_discarded_when_the_deck_is_empty(a_match, deck) -> None:
    """[A11] Not enough cards were drawn, and the one in hand stays there."""
    story = a_match().goods("A", "2P").hand("A", "artisan_1", "elder_1").deck(*deck).with_player("A", koku=0)
    story = story.plays("A", deliver("artisan_1"))
    assert story.waiting == ["B turn"]
    assert story.player("A").hand == ("elder_1", *deck)
    assert story.state.discards == ()


def test_the_die_may_be_set_to_the_face_it_shows(a_match) -> None:
    """[A23] A roll might bring another; keeping it costs the favor."""
    story = (
        a_match()
        .patron("A", "ryoku")
        .with_player("A", koku=0, favor=1, die=1)
        .plays("A", sail("upstream", 1))
    )
    story = story.plays("A", set_die(1))
    assert (story.player("A").die, story.player("A").favor) == (1, 0)


def test_the_die_cannot_be_set_where_that_is_of_no_use(a_match) -> None:
    """[A23] [F6] Without favor the die is rolled, without a further turn there is none; with five koku it is asked."""
    story = a_match().patron("A", "ryoku").with_player("A", koku=0, favor=0)
    assert story.plays("A", sail("upstream", 1)).waiting == ["B turn"]
    assert story.last_turns("BC").with_player("A", favor=2).plays("A", sail("upstream", 1)).waiting == [
        "B turn"
    ]
    asked = story.with_player("A", koku=1).plays("A", sail("upstream", 1)).plays("A", END)
    asked.refuses("A", set_die(1), Code.FAVOR_NOT_OWNED, "9", favor=0)
    assert asked.plays("A", RollDie()).waiting == ["B turn"]


def test_any_number_of_ships_share_a_river_space(a_match) -> None:
    """§5.1 Four upstream ships and a midstream one."""
    story = a_match(4).ships("A", 1, 2)
    for letter in "BCD":
        story = story.ships(letter, 2, 8)
    story = story.plays("A", sail("upstream", 1))
    there = [(ship.seat, ship.ship) for ship in story.view().river[1].ships]
    assert there == [(0, "upstream"), (0, "midstream"), (1, "upstream"), (2, "upstream"), (3, "upstream")]


def test_regions_with_buildings_count_no_markers_that_lie_elsewhere(a_match) -> None:
    """§10.3, §10.5 Not those on masteries, on tracks, or on artisans' and elders' spaces."""
    story = a_match().masteries(air="A", fire="A", void="A").influence("A", r1=9, r2=9, r3=9, r4=9)
    story = story.delivered("A", "noble_6", "noble_5", "merchant_1", "artisan_2", "elder_3", "artisan_4")
    story = story.building(22, "era1_port_1", "A").ships("A", 14, 3)
    arrived = story.plays("A", sail("upstream", 1)).plays("A", bonus())
    assert arrived.player("A").tracks == (9, 9, 9, 9, 1, 0)
    scored = ended(story).score("A")
    assert (scored["noble_6"], scored["noble_5"]) == (1, 1)


def test_the_emperor_pays_in_a_fixed_order_wherever_tiles_were_built_first(a_match) -> None:
    """[A38] [A42] From the first shore space to the last, whatever the order of building; caps fall where they fall."""
    tiles = ((24, "era1_market_1"), (9, "era1_port_2"), (13, "era1_shrine_5"))
    orders = []
    for built in (tiles, tiles[::-1]):
        story = a_match().masteries().row(*ROW[2:], "era1_manor_6", "era1_manor_5").stacks(1, 11)
        for number, tile in built:
            story = story.building(number, tile, "B")
        story = story.with_player("A", koku=5, favor=0).with_player("B", koku=23)
        story = story.plays("A", build(2, "era1_manor_6"))
        paid = [event for event in story.events if event.__struct_config__.tag == "owner_rewarded"]
        orders.append([(event.shore, event.gains.koku) for event in paid if event.seat == 1])
    assert orders[0] == [("shore_09", 1), ("shore_13", 1), ("shore_24", 0)]
    assert orders[1] == orders[0]


MATCHES = [(2, PatronMode.NONE), (3, PatronMode.DRAFT), (4, PatronMode.CHOICE_OF_TWO)]


@pytest.mark.parametrize(("players", "patrons"), MATCHES)
def test_no_points_are_added_twice(play, players, patrons) -> None:
    """Every VP of the final score was told by one event, or stands in a line of the final scoring."""
    told: Counter[int] = Counter()
    played_lines = {
        "visitor_rewards",
        "owner_rewards",
        "tracks",
        "masteries",
        "merchants",
        "nobles",
        "patron",
        "end_trigger",
    }
    for step in play(players, 77, patrons=patrons, keen=True):
        for event in step.events:
            gains = getattr(event, "gains", None)
            vp = getattr(event, "vp", 0) if gains is None else gains.vp
            if vp:
                told[event.seat] += vp
        assert [told[seat] for seat in range(players)] == [player.vp for player in step.state.players]
    outcome = GAME.outcome(step.state)
    for result in outcome.results:
        during = sum(line.points for line in result.breakdown if line.reason in played_lines)
        assert during == told[result.seat]
        assert result.score == sum(line.points for line in result.breakdown)


@pytest.mark.parametrize("clan", Clan)
def test_everybody_can_look_whatever_clans_are_at_the_table(a_match, clan) -> None:
    """§11 A spectator, every seat and a referee, with each clan at the table alone and among others; as view and as text."""
    story = a_match(2).with_player("A", clan=clan).hand("A", "monk_1")
    rest = [each for each in Clan if each is not clan]
    full = a_match(4).with_player("A", clan=clan).hand("A", "monk_1")
    for letter, other in zip("BCD", rest, strict=True):
        story = story.with_player("B", clan=other)
        full = full.with_player(letter, clan=other)
        for table in (story, full):
            for audience in (PUBLIC, REFEREE, *(seat_audience(Seat(n)) for n in range(table.state.seats))):
                seen = GAME.view(table.state, audience)
                assert seen.seats[0].clan is clan
                assert seen.seats[0].hand_size == 1
                knows = audience is REFEREE or audience.seat == 0
                assert seen.seats[0].hand == (("monk_1",) if knows else ())
                assert clan in GAME.draw(seen)
