"""§13 The worked examples of the rulebook, each with its number."""

from __future__ import annotations

import pytest

from engine.kernel.chance import ScriptedChance
from engine.match.replay import fold
from engine.river_of_gold.box.components import Clan
from engine.river_of_gold.events import SeatSetUp
from engine.river_of_gold.game import GAME
from engine.river_of_gold.options import RiverOfGoldOptions
from engine.river_of_gold.rules.building import cost_for
from engine.river_of_gold.rules.scoring import customer_vp
from tests.engine.river_of_gold.conftest import (
    DOWN,
    bag,
    bonus,
    build,
    deliver,
    discard,
    index_of,
    mark,
    sail,
    use,
)


def test_w1_setup_moves_both_ships_each_by_its_own_roll() -> None:
    """A is Crab and first: the upstream ship rolls 3, the midstream ship 5."""
    first, tiles, markets, starting, regions, masteries = [0], [0] * 6, [0] * 2, [0] * 6, [0] * 5, [0] * 3
    table = [*first, *tiles, *markets, *starting, *regions, *masteries]
    chance = ScriptedChance([*table, 2, 4, 0, 0, 0, 0, 0, 0, 0, 0])
    events = GAME.start(RiverOfGoldOptions(clans=(Clan.CRAB, Clan.CRANE)), 2, chance)
    assert chance.rest == []
    crab = next(event for event in events if isinstance(event, SeatSetUp))
    assert (crab.clan, crab.upstream_roll, crab.upstream) == ("crab", 3, "river_04")
    assert (crab.midstream_roll, crab.midstream) == (5, "river_13")
    assert fold(GAME, events).players[0].ships == (3, 12)


def test_w2_favor_wraps_the_die(a_match) -> None:
    story = a_match().with_player("A", die=2, favor=2)
    story = story.plays("A", DOWN)
    assert (story.player("A").die, story.player("A").favor) == (1, 1)
    story = story.plays("A", DOWN)
    assert (story.player("A").die, story.player("A").favor) == (6, 0)
    assert "spend_favor(direction=down)" not in story.legal("A")


def test_w3_a_build_from_the_end_slot(a_match) -> None:
    story = (
        a_match()
        .with_player("A", die=4, koku=9, favor=1)
        .row("era1_port_1", "era1_port_2", "era1_port_3", "era1_shrine_5")
        .plays("A", build(16, "era1_shrine_5"))
    )
    crane = story.player("A")
    assert (crane.koku, crane.favor, crane.goods, crane.tracks[3]) == (0, 2, bag("P"), 2)
    assert story.owners(16) == "A"
    assert story.state.row[1:] == ("era1_port_1", "era1_port_2", "era1_port_3")
    assert story.state.row[0] == "era1_shrine_2"
    assert story.state.era_1.left == 9


def test_w4_a_sail_pays_the_visitor_and_every_owner(a_match) -> None:
    story = (
        a_match()
        .with_player("A", die=2, koku=0)
        .with_player("B", koku=0, favor=1)
        .with_player("C", koku=0)
        .ships("A", 4, 8)
        .building(11, "era1_market_3", "C")
        .building(13, "era1_market_2", "B")
        .building(15, "era1_shrine_1", "A")
        .plays("A", sail("upstream", 2))
    )
    assert story.river("A")[0] == "river_06"
    crab = story.player("A")
    assert (crab.goods, crab.koku, crab.vp) == (bag("R 2P"), 1, 2)
    assert story.gained("C") == {"koku": 1, "vp": 1}
    assert story.gained("B") == {"favor": 1, "vp": 1}


def test_w5_a_delivery(a_match) -> None:
    story = (
        a_match()
        .with_player("A", die=6)
        .goods("A", "S 2R")
        .hand("A", "merchant_6", "elder_1")
        .plays("A", deliver("merchant_6"))
    )
    crane = story.player("A")
    assert (crane.tracks[5], crane.goods) == (3, bag("S"))
    assert crane.delivered == ("merchant_6",)
    assert (story.waiting, len(crane.hand)) == (["A discard"], 3)
    story = story.plays("A", discard("elder_1"))
    assert len(story.player("A").hand) == 2
    assert story.state.discards == ("elder_1",)


def test_w6_a_journey_with_that_merchant(a_match) -> None:
    story = a_match().with_player("A", koku=0, die=1).ships("A", 14, 1).delivered("A", "merchant_6")
    story = story.plays("A", sail("upstream", 1))
    before = story.player("A").koku
    rich = story.plays("A", bonus())
    assert rich.gained("A") == {"koku": 6}
    assert rich.player("A").koku == before + 6
    mixed = story.plays("A", bonus("rice"))
    assert mixed.gained("A") == {"koku": 3, "rice": 1}


def test_w7_merchants_at_the_end(a_match) -> None:
    story = a_match().with_player("A", koku=12).delivered("A", "merchant_1", "merchant_3").finish()
    assert (story.score("A")["merchant_1"], story.score("A")["merchant_3"]) == (2, 2)


def test_w8_artisans_at_the_end(a_match) -> None:
    story = a_match().goods("A", "3S 2R 2P").delivered("A", "artisan_2", "artisan_4").finish()
    assert (story.score("A")["artisan_2"], story.score("A")["artisan_4"]) == (2, 2)


@pytest.mark.parametrize(
    ("players", "claimed", "vp"),
    [(4, "", 7), (4, "B", 5), (4, "BC", 3), (4, "BCD", 0), (2, "", 5), (2, "B", 0)],
)
def test_w9_a_mastery_pays_by_its_free_slots(a_match, players, claimed, vp) -> None:
    story = (
        a_match(players)
        .masteries(void=claimed)
        .influence("A", r1=1, r2=1, r3=1, r4=1, r5=1, r6=1)
        .plays("A", sail("upstream", 1))
    )
    assert story.vp("A", "masteries") == vp
    assert len(story.state.masteries[0].claims) == len(claimed) + bool(vp)


def test_w10_a_tie_in_a_region_with_an_elder(a_match) -> None:
    story = (
        a_match()
        .region_tile(2, 2)
        .influence("A", r2=9)
        .influence("B", r2=9)
        .influence("C", r2=4)
        .delivered("A", "elder_2")
        .finish()
    )
    assert story.score("B")["region_2"] == 7
    assert story.score("A")["region_2"] + story.score("A")["elder_2"] == 14
    assert story.score("C")["region_2"] == 0


def test_w11_a_shared_building_pays_both_owners(a_match) -> None:
    """C's second marker lies on B's building; A's ship visits."""
    story = (
        a_match()
        .with_player("A", die=1, koku=0)
        .with_player("B", koku=0)
        .with_player("C", koku=0)
        .ships("A", 5, 8)
        .building(13, "era1_market_1", "BC")
        .plays("A", sail("upstream", 1))
    )
    assert story.gained("B") == story.gained("C") == {"koku": 2}
    assert story.gained("A") == {"silk": 1, "koku": 3}


def test_w12_all_merchants_and_all_nobles_apply(a_match) -> None:
    journey = (
        a_match()
        .with_player("A", die=1, koku=0, favor=0)
        .ships("A", 14, 1)
        .delivered("A", "merchant_5", "merchant_6", "merchant_2")
        .plays("A", sail("upstream", 1))
        .plays("A", bonus())
        .plays("A", use("merchant_5"))
        .plays("A", use("merchant_2"))
    )
    assert journey.gained("A") == {"vp": 3, "koku": 3}
    assert (journey.player("A").favor, journey.vp("A", "merchants")) == (1, 3)
    royal = (
        a_match()
        .with_player("A", die=1, koku=0)
        .ships("A", 5, 8, royal="upstream")
        .delivered("A", "noble_4", "noble_6", "noble_2", "noble_3")
        .building(13, "era1_shrine_6", "AB")
        .plays("A", sail("upstream", 1))
    )
    assert royal.vp("A", "nobles") == 2
    assert royal.player("A").koku == 6
    assert royal.player("A").tracks == (0, 0, 1, 0, 0, 0)


def test_w13_the_artisans_discount(a_match) -> None:
    story = a_match().with_player("A", die=3, koku=10).delivered("A", "artisan_3")
    assert cost_for(story.player("A"), index_of(13)) == 4
    assert cost_for(story.player("A"), index_of(12)) == 10
    story = story.plays("A", build(12, "era1_shrine_6"))
    assert story.player("A").koku == 0


def test_w14_an_elder_doubles_the_tile_only(a_match) -> None:
    """The track's spaces 13 and 18 give 3 VP each, and nothing more."""
    story = (
        a_match()
        .with_player("A", die=4, koku=9)
        .region_tile(4, 4)
        .influence("A", r4=12)
        .delivered("A", "elder_4")
        .row("era2_market_1", "era1_port_2", "era1_port_1", "era1_shrine_2")
        .plays("A", build(16, "era2_market_1"))
        .influence("A", r4=18)
        .finish()
    )
    assert story.score("A")["tracks"] == 3
    assert (story.score("A")["region_4"], story.score("A")["elder_4"]) == (12, 12)


def test_w15_delivered_customers(a_match) -> None:
    cards = ["monk_1", "monk_2", "monk_3", "monk_4", "monk_5", "monk_6", "elder_1"]
    for number, vp in ((3, 9), (6, 27), (7, 27)):
        assert a_match().delivered("A", *cards[:number]).finish().score("A")["customers"] == vp
    assert [customer_vp(number) for number in range(9)] == [0, 2, 5, 9, 14, 20, 27, 27, 27]


def test_a_monks_second_marker_may_be_chosen(a_match) -> None:
    """§10.4, beside W11: how such a shared building comes to be."""
    story = a_match().with_player("A", die=2).goods("A", "3S 2R").hand("A", "monk_2")
    story = story.building(13, "era1_market_1", "B").plays("A", deliver("monk_2")).plays("A", mark(13))
    assert story.owners(13) == "BA"
