"""[F8] A seat leaves for good."""

from __future__ import annotations

from engine.al_rashid.actions import DeclareVisit, Flee, TakeItems
from engine.al_rashid.box.components import Favor
from engine.al_rashid.game import GAME
from engine.al_rashid.rules.audience import _places
from tests.engine.al_rashid.conftest import bag


def test_what_the_leaver_had_is_gone_and_its_offices_stay_with_it(a_match) -> None:
    story = a_match().goods(B="H").hand("B", "red 4").owns("B", "raider").board("spies", "A P, B M").rounds()
    story = story.leaves("B")
    assert (story.has("B"), story.player("B").hand) == ((0,) * 5, (0,) * 6)
    assert story.state.discards == (0, 0, 1, 0, 0, 0)
    assert story.state.offices(1, "raider") == 1
    assert story.slots("spies") == "A"
    assert story.waiting == ["A own_turn"]


def test_the_leavers_visit_lapses_and_the_next_rank_keeps_its_number(a_match) -> None:
    story = a_match().goods(A="2H").board("military", "A P, B M").rounds().resolve("military")
    story = story.plays("A", DeclareVisit(service=True, favor=Favor.GENERAL)).leaves("A")
    assert story.waiting == ["B visit"]
    assert story.plays("B", DeclareVisit(service=True)).state.visit.rank == 2
    assert sum(story.player("A").hand) == 0


def test_the_turn_of_a_leaver_ends_when_its_area_is_resolved(a_match) -> None:
    story = a_match().board("culture", "B M").board("spies", "A M").rounds().resolve("culture").leaves("A")
    assert story.waiting == ["B visit"]
    assert story.plays("B", DeclareVisit()).waiting == ["C own_turn"]


def test_battle_and_trade_go_on_without_the_leaver(a_match) -> None:
    story = a_match().mercenaries("sarmatia", "red 4").board("sarmatia", "A P, B M, C S").rounds()
    story = story.resolve("sarmatia").leaves("A")
    assert story.waiting == ["B battle"]
    story = story.plays("B", Flee()).plays("C", Flee())
    assert story.waiting == ["C own_turn"]
    story = a_match().board("sarmatia", "A P, B M, C S").rounds().resolve("sarmatia").leaves("B")
    story = story.plays("A", TakeItems(goods=bag("H")))
    assert story.waiting == ["C trade"]
    assert "take_items(goods=())" in story.legal("C")
    assert not any("take 2" in line for line in story.legal("C"))


def test_places_in_the_turn_order_are_shared_among_those_who_stayed() -> None:
    """[F8] Rank 2 takes the second place of those present, not a place behind somebody gone."""
    assert _places({2: 2}, 2) == {2: 2}
    assert _places({1: 4, 3: 0}, 2) == {2: 0, 1: 4}
    assert _places({1: 1, 2: 2, 3: 3}, 3) == {1: 1, 2: 2, 3: 3}


def test_the_last_one_left_wins_at_once(a_match) -> None:
    story = a_match().influence("A", 3).leaves("A").leaves("C")
    outcome = GAME.outcome(story.state)
    assert (outcome.reason, outcome.rule, outcome.winners) == ("LAST_PLAYER_LEFT", "F8", (1,))
    assert [result.rank for result in outcome.results] == [2, 1, 3]
    assert story.waiting == []
