"""§11 What a front end can draw from a view, and what it is told of a choice."""

from __future__ import annotations

from msgspec.structs import replace

from engine.kernel.seats import PUBLIC, REFEREE, seat_audience
from engine.river_of_gold.game import GAME
from tests.engine.knowledge_properties import received
from tests.engine.river_of_gold.conftest import bonus, build, deliver, good, sail

A, B = seat_audience(0), seat_audience(1)


def test_shore_spaces_tell_what_they_cost_the_seat_that_looks(a_match) -> None:
    """§4.2 The artisan's discount is the viewer's own; the public has no own cost; a taken space none at all."""
    story = a_match().delivered("A", "artisan_3").building(14, "era1_port_1", "BA")
    for letter, cost in (("A", 4), ("B", 6), (None, None)):
        seen = story.view(letter).shores[12]
        assert (seen.id, seen.region, seen.cost, seen.your_cost) == ("shore_13", 3, 6, cost)
    taken = story.view("A").shores[13]
    assert (taken.building, taken.markers, taken.cost, taken.your_cost) == ("era1_port_1", (1, 0), 5, None)
    market = story.view("A").shores[16]
    assert (market.building, market.markers, market.cost) == ("imperial_market_rice", (), None)


def test_ships_row_and_stacks(a_match) -> None:
    """§5.1 Several ships share a space; [A13] both tops lie open."""
    story = a_match().ships("A", 4, 4).ships("B", 4, 9, royal="midstream").stacks(3, 0)
    seen = story.view()
    there = [(ship.seat, ship.ship, ship.royal) for ship in seen.river[3].ships]
    assert there == [(0, "upstream", False), (0, "midstream", False), (1, "upstream", False)]
    assert [(ship.seat, ship.royal) for ship in seen.river[8].ships] == [(1, True)]
    assert seen.seats[1].royal_ship == "midstream"
    assert [(slot.slot, slot.favor) for slot in seen.row] == [(1, 0), (2, 0), (3, 0), (4, 1)]
    assert [(stack.era, stack.left, stack.top is None) for stack in seen.stacks] == [
        ("era_1", 3, False),
        ("era_2", 0, True),
    ]


def test_a_clan_board_with_delivered_customers_and_what_they_do(a_match) -> None:
    story = a_match().delivered("A", "elder_2", "artisan_2", "monk_4", "merchant_4", "noble_5")
    story = story.building(13, "era1_port_1", "AA").goods("A", "2S P").influence("A", r6=11)
    seen = story.view("B").seats[0]
    assert [(card.customer, card.ongoing) for card in seen.delivered] == [
        ("elder_2", None),
        ("artisan_2", "build_discount"),
        ("monk_4", "marked_building"),
        ("merchant_4", "journey_sale"),
        ("noble_5", "royal_die"),
    ]
    assert seen.buildings == ("shore_13",)
    assert (seen.clan, seen.place, seen.koku, seen.favor, seen.favor_limit) == ("crab", 1, 10, 2, 3)
    assert (seen.goods.silk, seen.goods.rice, seen.goods.porcelain) == (2, 0, 1)
    assert (seen.influence, seen.die) == ((0, 0, 0, 0, 0, 11), 1)
    region = story.view("B").regions[1]
    assert (region.artisans, region.elders, region.influence) == ((0,), (0,), (0, 0, 0))


def test_a_hand_is_seen_by_its_owner_and_a_referee_and_counted_by_all(a_match) -> None:
    """§11"""
    story = a_match().hand("A", "monk_1", "noble_2")
    for audience, hand in (
        (A, ("monk_1", "noble_2")),
        (REFEREE, ("monk_1", "noble_2")),
        (B, ()),
        (PUBLIC, ()),
    ):
        seen = GAME.view(story.state, audience).seats[0]
        assert (seen.hand, seen.hand_size) == (hand, 2)


def test_below_the_top_of_a_stack_nobody_sees_what_lies_there_not_even_a_referee(a_match) -> None:
    """[F1] Nothing is decided there yet."""
    state = a_match().state
    other = replace(state, unseen_1=(), unseen_2=())
    for audience in (PUBLIC, REFEREE, A):
        assert received(GAME, other, audience) == received(GAME, state, audience)
        assert repr(other) == repr(state)


def test_the_merchant_space_has_one_marker_of_each_who_delivered_to_a_merchant(a_match) -> None:
    """§10.3 Any number of players, each once; who has left took the marker along."""
    story = a_match().delivered("A", "merchant_1", "merchant_2").delivered("C", "elder_1", "merchant_5")
    assert story.view("B").merchants == (0, 2)
    assert story.leaves("C").view().merchants == (0,)


def test_masteries_with_their_slots(a_match) -> None:
    seen = a_match().masteries(void="CA", air="").view()
    assert [[(slot.vp, slot.seat) for slot in each.slots] for each in seen.masteries] == [
        [(7, 2), (5, 0), (3, None)],
        [(7, None), (5, None), (3, None)],
    ]


def test_a_choice_says_what_is_waited_for_and_why(a_match) -> None:
    """§11.3 An owner's choice in A's turn: whose, from which space, and what is still to come."""
    story = a_match().ships("A", 5, 8).building(13, "era2_port_2", "BC").plays("A", sail("upstream", 1))
    seen = story.view()
    (waited,) = seen.pending
    assert (waited.seat, waited.decision, waited.rule) == (1, "good", "5.3")
    assert [(each.seat, each.kind, each.source, each.shore) for each in seen.choices] == [
        (1, "good", "owner", "shore_13"),
        (2, "good", "owner", "shore_13"),
    ]
    assert seen.active == 0
    assert seen.steps == ("after_sail", "masteries", "closing")
    assert (seen.voyage.river, seen.voyage.ship, seen.voyage.royal) == ("river_06", "upstream", False)
    story = story.plays("B", good("silk"))
    assert story.waiting == ["C good"]


def test_choices_are_settled_acting_player_first_then_clockwise(a_match) -> None:
    """§11.3 B sails; the markers lie in another order."""
    story = a_match().turn_of("B").with_player("B", die=1).ships("B", 5, 8)
    story = story.building(11, "era2_port_2", "CA").building(13, "era2_shrine_3", "AB")
    story = story.plays("B", sail("upstream", 1))
    asked = []
    while "good" in story.waiting[0]:
        letter = story.waiting[0][0]
        asked.append(letter)
        story = story.plays(letter, good("rice"))
    assert asked == ["B", "C", "A", "A"]


def test_paragraphs_of_the_open_decision(a_match) -> None:
    """Which paragraph asks depends on where a choice comes from."""
    visit = a_match().ships("A", 5, 8).building(13, "era2_market_1").plays("A", sail("upstream", 1))
    track = a_match().influence("A", r1=15).row("era1_manor_3", None, None, None)
    track = track.plays("A", build(2, "era1_manor_3"))
    card = a_match().goods("A", "S 2R P").hand("A", "monk_1").plays("A", deliver("monk_1"))
    journey = a_match().ships("A", 14, 8).plays("A", sail("upstream", 1))
    closing = journey.plays("A", bonus("silk"))
    paragraphs = [story.view().pending[0].rule for story in (visit, track, card, journey, closing)]
    assert paragraphs == ["5.2", "4.6", "6.4", "5.4", "3.4"]


def test_what_goes_to_the_end_of_the_match_is_seen(a_match) -> None:
    """§8.2, §8.3 Flags while the turn still runs, and who plays once more."""
    story = a_match().stacks(1, 11).plays("A", build(2, "era1_shrine_3"))
    assert story.waiting == ["A closing"]
    assert (story.view().emperor_due, story.view().emperor_visited) == (True, False)
    end = a_match().stacks(0, 1).plays("A", build(2, "era1_shrine_3"))
    seen = end.view()
    assert (seen.end_due, seen.end_triggered, seen.emperor_visited) == (True, False, True)
    seen = end.plays("A", GAME.legal_actions(end.state, 0).actions[0]).view()
    assert (seen.end_due, seen.end_triggered, seen.last_turns) == (False, True, (2,))
    assert [seat.last_turn for seat in seen.seats] == [False, False, True]


def test_the_final_view_tells_every_line(a_match) -> None:
    story = a_match().influence("A", r3=4).delivered("A", "merchant_3").with_player("A", koku=11).finish()
    outcome = story.view("B").outcome
    lines = {line.reason: (line.rule, line.points) for line in outcome.results[0].breakdown if line.points}
    assert lines == {"region_3": ("8.5", 8), "customers": ("8.5", 2), "merchant_3": ("10.3", 2)}
    assert outcome.winners == (0,)


def test_the_last_scores_are_kept_with_what_was_counted(a_match) -> None:
    story = a_match().goods("A", "4S").delivered("A", "artisan_1", "noble_6").building(3, "era1_port_1", "A")
    counted = {line.source: line.count for line in story.finish().state.scores[0].lines}
    assert (counted["artisan_1"], counted["noble_6"], counted["customers"]) == (4, 1, 2)


def test_the_deck_and_the_discards_are_counted_apart(a_match) -> None:
    """[A12] The discards lie open beside the deck."""
    seen = a_match().deck("monk_1", "elder_3", "noble_2", discards=("artisan_1",)).view()
    assert (seen.deck_size, seen.discarded_customers) == (3, ("artisan_1",))
