"""[F8] A seat leaves for good."""

from __future__ import annotations

from engine.kernel.chance import SeededChance
from engine.match.replay import fold
from engine.river_of_gold.box.components import PatronMode
from engine.river_of_gold.game import GAME
from engine.river_of_gold.options import RiverOfGoldOptions
from tests.engine.river_of_gold.conftest import (
    END,
    bag,
    bonus,
    build,
    deliver,
    discard,
    good,
    mark,
    sail,
    use,
)


def test_what_the_leaver_had_is_gone_and_its_cards_stay_with_it(a_match) -> None:
    story = (
        a_match()
        .goods("B", "2S")
        .hand("B", "monk_1", "elder_3")
        .delivered("B", "artisan_1", "elder_2")
        .influence("B", r1=5)
        .building(13, "era1_port_1", "BA")
        .building(14, "era1_port_2", "B")
        .masteries(air="B")
        .leaves("B")
    )
    gone = story.player("B")
    assert (gone.koku, gone.goods, gone.favor, gone.hand, gone.ships) == (0, bag(""), 0, (), ())
    assert (gone.tracks, gone.delivered) == ((0,) * 6, ("artisan_1", "elder_2"))
    assert story.state.discards == ("monk_1", "elder_3")
    assert (story.owners(13), story.owners(14)) == ("A", "")
    assert story.state.masteries[0].claims == (1,)
    assert story.waiting == ["A turn"]
    seen = story.view("A")
    assert seen.regions[0].artisans == seen.regions[1].elders == ()
    assert seen.seats[1].left
    assert {card.ongoing for card in seen.seats[1].delivered} == {None}


def test_the_turn_passes_on_when_its_player_leaves(a_match) -> None:
    """And never comes back to it."""
    story = a_match().leaves("A")
    assert story.waiting == ["B turn"]
    for letter, following in (("B", "C turn"), ("C", "B turn")):
        story = story.with_player(letter, koku=0, favor=0).ships(letter, 8, 8)
        story = story.plays(letter, sail("upstream", story.player(letter).die))
        assert story.waiting == [following]


def test_an_open_decision_of_somebody_else_stays_the_same_one(a_match) -> None:
    story = a_match()
    before = GAME.pending(story.state)
    assert GAME.pending(story.leaves("C").state) == before


def test_the_row_is_refilled_though_the_builder_leaves_before(a_match) -> None:
    """The tile is on the board; the choice of space 18 and the masteries lapse."""
    story = (
        a_match()
        .influence("A", r1=15)
        .row("era1_manor_3", "era1_port_2", "era1_port_1", "era1_shrine_2")
        .plays("A", build(2, "era1_manor_3"))
    )
    assert story.waiting == ["A good"]
    assert story.state.row[0] is None
    story = story.leaves("A")
    assert None not in story.state.row
    assert story.waiting == ["B turn"]
    assert story.vp("A", "masteries") == 0
    assert story.owners(2) == ""


def test_owners_are_paid_though_the_visitor_leaves_before(a_match) -> None:
    """A is asked for its good; B and C are paid for A's ship, and the end tile of its journey goes."""
    story = (
        a_match()
        .with_player("A", die=4)
        .with_player("C", koku=0)
        .ships("A", 13, 8)
        .building(4, "era2_market_1", "A")
        .building(7, "era1_shrine_5", "C")
        .building(9, "era2_port_2", "B")
        .plays("A", sail("upstream", 4))
    )
    assert story.waiting == ["A good"]
    end = story.state.row[3]
    story = story.leaves("A")
    assert story.gained("C") == {"koku": 1, "vp": 1}
    assert story.waiting == ["B good"]
    story = story.plays("B", good("silk"))
    assert story.state.discarded == (end,)
    assert story.waiting == ["B turn"]


def test_the_bonuses_of_a_journey_lapse_with_the_player(a_match) -> None:
    story = a_match().ships("A", 14, 8).delivered("A", "merchant_5").plays("A", sail("upstream", 1))
    story = story.leaves("A")
    assert story.waiting == ["B turn"]
    assert len(story.state.discarded) == 1


def test_a_choice_of_the_leaver_lapses_and_the_move_goes_on(a_match) -> None:
    story = a_match().ships("A", 5, 8).building(13, "era2_port_2", "B").plays("A", sail("upstream", 1))
    assert story.waiting == ["B good"]
    story = story.leaves("B")
    assert story.waiting == ["A closing"]


def test_a_monk_without_a_target_any_more_is_skipped(a_match) -> None:
    story = a_match().with_player("A", die=2).goods("A", "3S 2R").hand("A", "monk_2")
    story = story.building(13, "era1_market_1", "B").plays("A", deliver("monk_2"))
    assert story.waiting == ["A marker"]
    story = story.leaves("B")
    assert story.waiting == ["A discard"]
    story = story.with_player("A", koku=0).plays("A", discard(story.player("A").hand[0]))
    assert story.waiting == ["C turn"]


def test_a_marker_beside_a_leavers_counts_alone(a_match) -> None:
    """B's building became neutral; A's shared one takes a second marker again."""
    story = a_match().with_player("A", die=1).goods("A", "S 2R P").hand("A", "monk_1")
    story = story.building(13, "era1_market_1", "BA").building(14, "era1_market_2", "B").leaves("B")
    story = story.plays("A", deliver("monk_1"))
    assert {line for line in story.legal("A") if "marker" in line} == {"place_marker(shore=shore_13)"}
    assert story.plays("A", mark(13)).owners(13) == "AA"


def test_hyobu_and_kachiko_do_not_act_on_markers_of_who_is_gone(a_match) -> None:
    row = ("era1_port_4", "era1_port_2", "era1_manor_2", "era1_shrine_2")
    story = a_match().patron("B", "hyobu").influence("B", r1=2).row(*row).leaves("B")
    assert story.plays("A", build(2, "era1_port_4")).vp("B", "patron") == 0
    story = a_match().patron("A", "kachiko").influence("B", r1=2).row(*row).leaves("B")
    assert story.plays("A", build(2, "era1_port_4")).player("A").tracks[0] == 3


def test_the_end_comes_though_the_one_who_triggers_it_leaves(a_match) -> None:
    """B builds and puts the last tile into the row, and leaves before its turn is over: no 5 VP, last turns for A and C."""
    story = a_match().turn_of("B").with_player("B", die=1, koku=10).stacks(0, 1)
    story = story.plays("B", build(2, "era1_shrine_3"))
    assert story.waiting == ["B closing"]
    story = story.leaves("B")
    assert story.vp("B", "end_trigger") == 0
    assert story.state.last_turns == (0,)
    assert story.waiting == ["C turn"]


def test_last_turns_go_on_without_the_leaver(a_match) -> None:
    story = a_match(4).last_turns("BCD").leaves("C").leaves("A")
    assert story.state.last_turns == (3,)
    assert story.waiting == ["B turn"]


def test_ryoku_leaves_when_she_is_asked_for_her_die(a_match) -> None:
    story = a_match().patron("A", "ryoku").with_player("A", koku=0).plays("A", sail("upstream", 1))
    while story.waiting != ["A die"]:
        story = story.by("A", END)
    assert story.leaves("A").waiting == ["B turn"]


def test_a_draft_goes_on_without_the_leaver() -> None:
    options = RiverOfGoldOptions(patrons=PatronMode.DRAFT)
    state = fold(GAME, GAME.start(options, 3, SeededChance(bytes(32), 1)))
    chooser = state.order[-1]
    state = fold(GAME, GAME.leave(state, chooser, SeededChance(bytes(32), 2)), state)
    assert GAME.to_act(state) == (state.order[1],)
    for move in (3, 4):
        (seat,) = GAME.to_act(state)
        action = GAME.legal_actions(state, seat).actions[0]
        state = fold(GAME, GAME.decide(state, seat, action, SeededChance(bytes(32), move)), state)
    assert (state.players[chooser].clan, state.players[chooser].ships) == (None, ())
    assert all(state.players[seat].ships for seat in state.order[:2])


def test_who_has_left_scores_nothing_at_the_end_and_ranks_last(a_match) -> None:
    story = (
        a_match()
        .influence("B", r3=18)
        .delivered("B", "noble_2", "merchant_3", "elder_3")
        .with_player("B", tally=(30, 0, 0, 0, 0, 0, 0, 0))
        .leaves("B")
        .finish()
    )
    outcome = GAME.outcome(story.state)
    assert [result.rank for result in outcome.results] == [1, 3, 1]
    assert outcome.results[1].score == 30
    assert {reason for reason, points in story.score("B").items() if points} == {"visitor_rewards"}


def test_the_last_one_left_wins_at_once(a_match) -> None:
    story = a_match().leaves("A").leaves("C")
    outcome = GAME.outcome(story.state)
    assert (outcome.reason, outcome.rule, outcome.winners) == ("LAST_PLAYER_LEFT", "F8", (1,))
    assert story.waiting == []


def test_a_journey_of_somebody_else_goes_on(a_match) -> None:
    story = a_match().ships("A", 14, 8).delivered("A", "merchant_5").with_player("A", favor=0)
    story = story.plays("A", sail("upstream", 1)).leaves("B")
    assert story.waiting == ["A journey"]
    assert story.plays("A", use("merchant_5")).plays("A", bonus("silk")).player("A").favor == 1


def test_two_left_of_three_are_still_scored_as_a_match_of_three(a_match) -> None:
    """Tile side, mastery slots and the two-player gap (§8.5) follow the number who began."""
    story = a_match(3).region_tile(1, 4).influence("A", r1=12).influence("B", r1=6).masteries("void")
    story = story.leaves("C").with_state(last_turns=())
    region, mastery = story.view().regions[0], story.view().masteries[0]
    assert region.values == (12, 8, 4)
    assert [slot.vp for slot in mastery.slots] == [7, 5, 3]
    scored = story.finish()
    assert (scored.score("A")["region_1"], scored.score("B")["region_1"]) == (12, 8)
