"""§15 Examples derived from the rules, D1 to D10."""

from __future__ import annotations

import pytest

from engine.al_rashid.actions import (
    DeclareAudience,
    DeclareVisit,
    Fight,
    Flee,
    Pay,
    TakeItems,
    TakeSpoil,
    UseTrader,
)
from engine.al_rashid.box.components import START_GOODS, Good, Squad, bag_of
from engine.al_rashid.box.goods import worth
from engine.al_rashid.errors import Code
from engine.al_rashid.game import GAME
from engine.al_rashid.options import AlRashidOptions
from engine.al_rashid.owner_events import DishonorTaken
from engine.al_rashid.rules.prices import office_cost, service_cost
from engine.al_rashid.rules.scoring import point_lines
from engine.kernel.chance import SeededChance
from tests.engine.al_rashid.conftest import bag


def test_d1_start_values() -> None:
    assert [worth(goods) for goods in START_GOODS] == [6, 7, 8, 9, 10]
    started = GAME.start(AlRashidOptions(), 5, SeededChance(bytes(32), 1))[0]
    assert [worth(bag_of(started.seats[seat].goods)) for seat in started.order] == [6, 7, 8, 9, 10]


def test_d2_waste(a_match) -> None:
    story = a_match().goods(A="H P M Si").board("mercantile", "A M").rounds().resolve("mercantile")
    story = story.plays("A", DeclareVisit(service=True))
    assert story.legal("A") == {"pay(goods=(hardwood=1, pottery=1, metals=1, silk=1))"}
    story = a_match().goods(A="H P M Si").board("military", "A M").rounds().resolve("military")
    story = story.plays("A", DeclareVisit(office="raider"))
    story.refuses("A", Pay(goods=bag("H P M Si")), Code.PAYMENT_WASTEFUL, "R9", total=6, value=10)
    assert len(story.legal("A")) == 4


def test_d3_note_and_banker(a_match) -> None:
    story = a_match().owns("A", "banker")
    assert office_cost(story.state, 0, "raider", note=True) == 1
    story = a_match().notes("A").board("spies", "A P, B P").rounds().resolve("spies")
    story = story.plays("A", DeclareVisit(office="smuggler", note=True))
    assert story.player("A").notes == 0
    assert [held.office for held in story.player("A").offices] == ["smuggler"]
    assert story.waiting == ["B visit"]


def test_d4_loremaster(a_match) -> None:
    story = a_match().owns("A", "loremaster")
    assert service_cost(story.state, 0, "train_merchant", 2) == 7
    assert service_cost(story.state, 0, "train_pasha", 1) == 8


@pytest.mark.parametrize(("declining", "order"), [("", "ECABD"), ("E", "ACBDE")])
def test_d5_seats(a_match, declining, order) -> None:
    story = a_match(5).goods(E="H P").board("al_rashid", "E PS, C P").rounds().resolve("al_rashid")
    for letter in "EC":
        if letter in declining:
            story = story.plays(letter, DeclareAudience(office="treasurer")).plays(
                letter, Pay(goods=bag("H P"))
            )
        else:
            story = story.plays(letter, DeclareAudience(benevolence=Good.HARDWOOD))
    changed = next(event for event in story.events if type(event).__struct_config__.tag == "order_changed")
    assert "".join("ABCDE"[seat] for seat in changed.order) == order


def battle(a_match):
    """Red 3 on a territory; A flees, B fails, C with a Strategist is next."""
    story = a_match(5).mercenaries("nilus_valley", "red 3")
    story = story.board("nilus_valley", "A PS, B P, C MS, D M, E S").owns("C", "strategist", "raider")
    story = story.hand("B", "red 3").hand("C", "red 3").rounds().resolve("nilus_valley")
    story = story.plays("A", Flee())
    assert story.player("A").dishonor == 2
    story = story.plays("B", Fight(tiles=Squad(red_3=1)))
    assert story.stack("B", "nilus_valley") == ""
    return story.plays("C", Fight(tiles=Squad(red_3=1)))


def test_d6_battle_passing(a_match) -> None:
    story = battle(a_match).plays("C", TakeSpoil(good=Good.METALS))
    assert story.state.scene.traders == (2, 3, 4)
    assert story.state.tiles[6] == ()


def test_d7_raider(a_match) -> None:
    story = battle(a_match)
    assert story.waiting == ["C spoil"]
    assert story.legal("C") == {
        "take_spoil(good=hardwood)",
        "take_spoil(good=pottery)",
        "take_spoil(good=metals)",
    }
    story.refuses("C", TakeSpoil(good=Good.SILK), Code.GOOD_NOT_PRINTED, "9.5", good="silk")
    story = story.plays("C", TakeSpoil(good=Good.METALS))
    assert story.has("C") == (0, 0, 1, 0, 0)
    assert story.waiting == ["C trade"]
    assert story.plays("C", TakeItems(goods=bag("3H"))).waiting == ["D trade"]


def test_d8_trader(a_match) -> None:
    story = a_match().goods(A="H").owns("A", "trader").board("spies", "A P").rounds()
    assert story.plays("A", UseTrader(give=Good.HARDWOOD)).has("A") == (0, 1, 1, 0, 0)


@pytest.mark.parametrize(
    ("owned", "bought", "goods"),
    [
        ("spice_monopolist", "silk_monopolist", (0, 0, 0, 1, 3)),
        ("silk_monopolist", "spice_monopolist", (0, 0, 0, 3, 1)),
        ("agha", "silk_monopolist", (0, 0, 0, 0, 1)),
        ("agha", "spice_monopolist", (0, 0, 0, 1, 0)),
    ],
)
def test_d9_monopolists(a_match, owned, bought, goods) -> None:
    story = a_match().goods(A="H P").owns("A", owned).board("al_rashid", "A P").rounds().resolve("al_rashid")
    story = story.plays("A", DeclareAudience(office=bought)).plays("A", Pay(goods=bag("H P")))
    assert story.has("A") == goods


def test_d10_final(a_match) -> None:
    story = a_match().owns("A", "economist", "counselor_of_the_caliph", "dean_of_the_academy")
    story = story.family("A", "PMMSSS").influence("A", 6)
    player = story.state.players[0]
    assert player.reserve == (2, 3, 4)
    told = story.told(DishonorTaken(seat=0, markers=2, source="told"))
    lines = {line.source: line.points for line in point_lines(told.state, 0)}
    assert lines == {
        "pashas": 6,
        "merchants": 6,
        "sages": 4,
        "economist": 3,
        "counselor_of_the_caliph": 3,
        "dean_of_the_academy": 3,
        "influence": 5,
        "dishonor": -4,
    }
    assert sum(lines.values()) == 26
