"""§10.5 The six nobles: a royal ship, 2 influence, an ability of the royal ship, buildings that count at the end."""

from __future__ import annotations

import pytest

from engine.river_of_gold.actions import ChooseRoyalShip
from engine.river_of_gold.box.components import ShipId
from engine.river_of_gold.errors import Code
from tests.engine.river_of_gold.conftest import UP, Story, bag, bonus, deliver, discard, good, sail
from tests.engine.river_of_gold.endings import ended

ORDERS = {1: "S R 2P", 2: "2S 2P", 3: "2S R P", 4: "2S 2R", 5: "2R 2P", 6: "S 2R P"}

every_noble = pytest.mark.parametrize("region", ORDERS, ids=lambda region: f"noble_{region}")
ROYAL = {ship: ChooseRoyalShip(ship=ShipId(ship)) for ship in ("upstream", "midstream")}


def arriving(a_match, *nobles: str, royal: str | None = "upstream") -> Story:
    """A, who is poor, sails by 1 from `river_11` to `river_12`: `shore_22`, `24`, `25`, `26`, all empty so far."""
    story = a_match().masteries().delivered("A", *nobles).ships("A", 11, 3, royal=royal)
    return story.with_player("A", die=1, koku=0, favor=0)


def arrived(a_match, *nobles: str, royal: str | None = "upstream") -> Story:
    return arriving(a_match, *nobles, royal=royal).plays("A", sail("upstream", 1))


# Delivery


@every_noble
@pytest.mark.parametrize("ship", ROYAL)
def test_the_first_noble_replaces_a_ship_of_choice_by_the_royal_ship(a_match, region, ship) -> None:
    """In place; before the influence comes."""
    story = a_match().with_player("A", die=region).goods("A", ORDERS[region]).ships("A", 4, 11)
    story = story.hand("A", f"noble_{region}").plays("A", deliver(f"noble_{region}"))
    assert story.waiting == ["A royal_ship"]
    assert story.player("A").tracks == (0,) * 6
    story = story.plays("A", ROYAL[ship])
    assert story.river("A") == ("river_04", "river_11")
    assert story.view().seats[0].royal_ship == ship
    assert story.player("A").tracks == tuple(2 if each == region else 0 for each in range(1, 7))
    assert story.waiting == ["A discard"]


@every_noble
def test_a_later_noble_brings_influence_only(a_match, region) -> None:
    first = "noble_2" if region == 1 else "noble_1"
    story = a_match().with_player("A", die=region).goods("A", ORDERS[region]).delivered("A", first)
    story = story.ships("A", 4, 11, royal="midstream").hand("A", f"noble_{region}")
    story = story.plays("A", deliver(f"noble_{region}"))
    assert story.waiting == ["A discard"]
    assert story.view().seats[0].royal_ship == "midstream"
    assert story.player("A").tracks[region - 1] == 2


# Ongoing, when the royal ship sails


@pytest.mark.parametrize("kind", ["silk", "rice", "porcelain"])
@pytest.mark.parametrize(
    ("tile", "owners"), [("era1_market_1", "B"), ("era1_market_2", "A"), ("era1_market_3", "")]
)
def test_noble_1_gives_a_good_of_choice_instead_of_a_markets(a_match, tile, owners, kind) -> None:
    """[A19] The printed good is one of the options; the owner reward stays as it is."""
    story = arrived(lambda: a_match().building(24, tile, owners), "noble_1")
    assert story.waiting == ["A good"]
    assert {line for line in story.legal("A") if line.startswith("choose")} == {
        "choose_good(good=silk)",
        "choose_good(good=rice)",
        "choose_good(good=porcelain)",
    }
    story = story.plays("A", good(kind))
    assert story.player("A").goods == bag({"silk": "S", "rice": "R", "porcelain": "P"}[kind])


def test_noble_1_works_on_every_market_for_itself(a_match) -> None:
    """[A19] The imperial market's favor comes as printed; of two goods one may be exchanged, the other not."""
    story = arriving(
        lambda: (
            a_match()
            .building(27, "era1_market_1", "B")
            .building(29, "imperial_market_rice")
            .building(25, "era2_market_1", "B")
        ),
        "noble_1",
    )
    story = story.ships("A", 12, 3, royal="upstream").plays("A", sail("upstream", 1))
    assert story.player("A").favor == 1
    for kind in ("porcelain", "silk", "porcelain"):
        assert story.waiting == ["A good"]
        story = story.plays("A", good(kind))
    assert story.player("A").goods == bag("S 2P")
    assert "A good" not in story.waiting


def test_noble_1_leaves_the_card_of_the_silk_market_as_it_is(a_match) -> None:
    """[A19] First the good, then the discard, in the order in which they arose."""
    story = arriving(lambda: a_match().building(29, "imperial_market_silk"), "noble_1").hand("A", "elder_1")
    story = story.deck("elder_2").ships("A", 12, 3, royal="upstream")
    story = story.plays("A", sail("upstream", 1)).plays("A", good("porcelain"))
    assert story.waiting == ["A discard"]
    story = story.plays("A", discard("elder_2"))
    assert (story.player("A").goods, story.player("A").hand) == (bag("P"), ("elder_1",))


def test_noble_1_finds_another_good_when_the_printed_one_is_at_its_cap(a_match) -> None:
    """[A26]"""
    story = arriving(lambda: a_match().building(24, "era1_market_1", "B"), "noble_1")
    story = story.goods("A", "6S").plays("A", sail("upstream", 1))
    assert {line for line in story.legal("A") if line.startswith("choose")} == {
        "choose_good(good=rice)",
        "choose_good(good=porcelain)",
    }
    full = arriving(lambda: a_match().building(24, "era1_market_1", "B"), "noble_1")
    full = full.goods("A", "6S 6R 6P").plays("A", sail("upstream", 1))
    assert "A good" not in full.waiting


def test_noble_1_changes_no_owner_reward_and_no_other_building(a_match) -> None:
    """§10.5 Visitor's goods from markets only: a shrine's VP and owner's porcelain, a port's koku, a manor's influence stay."""
    story = arrived(
        lambda: (
            a_match()
            .building(24, "era1_shrine_1", "A")
            .building(25, "era1_port_5", "B")
            .building(26, "era1_manor_6", "B")
            .influence("A", r6=2)
        ),
        "noble_1",
    )
    assert "A good" not in story.waiting
    assert story.player("A").goods == bag("P")
    assert story.vp("A", "visitor_rewards") == 2
    assert story.player("A").koku == 1 + 3
    assert story.player("A").tracks[5] == 4


def test_noble_2_gives_two_koku_for_each_empty_space(a_match) -> None:
    story = arrived(lambda: a_match().building(24, "era1_shrine_6", "B"), "noble_2")
    assert story.player("A").koku == 6
    assert [line for line in story.lines if "building=none" in line] == [
        "visitor_rewarded(seat=0, shore=shore_22, building=none, gains=(koku=2))",
        "visitor_rewarded(seat=0, shore=shore_25, building=none, gains=(koku=2))",
        "visitor_rewarded(seat=0, shore=shore_26, building=none, gains=(koku=2))",
    ]


@pytest.mark.parametrize(
    ("start", "tracks"),
    [
        pytest.param(11, (0, 0, 0, 0, 1, 1), id="two regions"),
        pytest.param(3, (0, 1, 0, 0, 0, 0), id="one region"),
        pytest.param(1, (1, 1, 0, 0, 0, 0), id="two regions upstream"),
        pytest.param(10, (0, 0, 0, 0, 1, 0), id="one region midway"),
    ],
)
def test_noble_3_gives_influence_in_each_region_the_river_space_touches(a_match, start, tracks) -> None:
    """[A17] Once in each, however many shore spaces the region has there."""
    story = arriving(a_match, "noble_3").ships("A", start, 3, royal="upstream")
    story = story.plays("A", sail("upstream", 1))
    assert story.player("A").tracks == tracks


def test_noble_3_collects_what_the_tracks_give(a_match) -> None:
    """§4.6 And space 18 asks for a good of choice, after the sail."""
    story = arriving(a_match, "noble_3").influence("A", r5=1, r6=17).plays("A", sail("upstream", 1))
    assert story.player("A").goods == bag("R")
    assert story.vp("A", "tracks") == 3
    assert story.waiting == ["A good"]
    assert story.plays("A", good("silk")).player("A").goods == bag("S R")


@pytest.mark.parametrize(("owners", "vp"), [("B", 1), ("AB", 1), ("BC", 1), ("A", 0), ("AA", 0), ("", 0)])
def test_noble_4_scores_if_an_opponents_building_was_visited(a_match, owners, vp) -> None:
    """[A16] A shared one is one; neutral ones and imperial markets are not [A43]."""
    story = arrived(lambda: a_match().building(24, "era1_port_1", owners), "noble_4")
    assert story.vp("A", "nobles") == vp


@pytest.mark.parametrize(("owners", "vp"), [("A", 1), ("AB", 1), ("BA", 1), ("AA", 1), ("B", 0), ("", 0)])
def test_noble_6_scores_if_an_own_building_was_visited(a_match, owners, vp) -> None:
    """[A16] A double-marked one scores once [A15]."""
    story = arrived(lambda: a_match().building(24, "era1_port_1", owners), "noble_6")
    assert story.vp("A", "nobles") == vp


@pytest.mark.parametrize("noble", ["noble_4", "noble_6"])
def test_noble_4_and_noble_6_score_once_however_many_buildings_there_are(a_match, noble) -> None:
    story = arrived(
        lambda: a_match().building(24, "era1_port_1", "AB").building(25, "era1_port_2", "BA"), noble
    )
    assert story.vp("A", "nobles") == 1


@pytest.mark.parametrize(
    ("die", "distances"),
    [(1, {6, 1, 2}), (2, {1, 2, 3}), (3, {2, 3, 4}), (4, {3, 4, 5}), (5, {4, 5, 6}), (6, {5, 6, 1})],
)
def test_noble_5_lets_the_royal_ship_use_the_face_above_or_below(a_match, die, distances) -> None:
    """[A18] With wrap; the other ship goes by the die itself."""
    story = arriving(a_match, "noble_5").with_player("A", die=die)
    lines = {line for line in story.legal("A") if line.startswith("sail")}
    assert lines == {f"sail(ship=upstream, distance={each})" for each in distances} | {
        f"sail(ship=midstream, distance={die})"
    }
    story.refuses(
        "A",
        sail("upstream", (die + 2) % 6 + 1),
        Code.DISTANCE_NOT_ALLOWED,
        "5.1",
        allowed=tuple(sorted(distances)),
    )
    story.refuses("A", sail("midstream", die % 6 + 1), Code.DISTANCE_NOT_ALLOWED, "5.1", allowed=(die,))


def test_noble_5_is_free_and_comes_on_top_of_favor(a_match) -> None:
    """[A18] Favor turns the die from 1 to 2, the royal ship goes 3; the die stays."""
    story = arriving(a_match, "noble_5").with_player("A", favor=1).plays("A", UP)
    assert story.player("A").favor == 0
    story = story.plays("A", sail("upstream", 3))
    assert story.river("A")[0] == "river_14"
    assert story.events[0].distance == 3


@pytest.mark.parametrize("noble", ["noble_1", "noble_2", "noble_3", "noble_4", "noble_6"])
@pytest.mark.parametrize("royal", ["midstream", None])
def test_the_abilities_belong_to_the_royal_ship(a_match, noble, royal) -> None:
    """A standard ship sails past a market of A and B: 1 koku for each of three empty spaces, and nothing more."""
    story = arrived(lambda: a_match().building(24, "era1_market_4", "AB"), noble, royal=royal)
    assert "A good" not in story.waiting
    assert story.vp("A", "nobles") == 0
    assert story.player("A").tracks == (0,) * 6
    assert [line for line in story.lines if "building=none" in line] == [
        "visitor_rewarded(seat=0, shore=shore_22, building=none, gains=(koku=1))",
        "visitor_rewarded(seat=0, shore=shore_25, building=none, gains=(koku=1))",
        "visitor_rewarded(seat=0, shore=shore_26, building=none, gains=(koku=1))",
    ]


@every_noble
def test_a_rivals_royal_ship_does_not_use_it(a_match, region) -> None:
    """B has a royal ship, A the noble."""
    story = arriving(lambda: a_match().building(24, "era1_market_4", "AB"), f"noble_{region}").turn_of("B")
    story = story.ships("B", 11, 3, royal="upstream").with_player("B", die=1, koku=0, favor=0)
    assert {line for line in story.legal("B") if line.startswith("sail")} == {
        "sail(ship=upstream, distance=1)",
        "sail(ship=midstream, distance=1)",
    }
    story = story.plays("B", sail("upstream", 1))
    assert story.vp("B", "nobles") == story.vp("A", "nobles") == 0
    assert story.player("B").tracks == (0,) * 6
    assert story.player("B").koku == 3
    assert story.player("B").goods == bag("S")


def test_all_delivered_nobles_apply_in_the_order_3_4_6(a_match) -> None:
    """[A20] W12: after the journey, its tile and the refill; then Uji, who is nobody here."""
    story = arriving(lambda: a_match().building(2, "era1_shrine_1", "AB"), "noble_6", "noble_4", "noble_3")
    story = story.ships("A", 14, 3, royal="upstream").plays("A", sail("upstream", 1))
    assert story.vp("A", "nobles") == 0
    story = story.plays("A", bonus("silk"))
    told = [line for line in story.lines if "noble" in line or line.startswith(("row", "tile"))]
    assert [line.partition(", era")[0] for line in told] == [
        "tile_discarded(building=era1_shrine_6, slot=4)",
        "row_refilled(building=era1_shrine_2",
        "influence_gained(seat=0, region=1, from_space=0, to_space=1, source=noble, customer=noble_3)",
        "noble_rewarded(seat=0, customer=noble_4, vp=1)",
        "noble_rewarded(seat=0, customer=noble_6, vp=1)",
    ]


# At the end


def scored(a_match, noble: str) -> int:
    """A owns ports in regions 1 (both markers) and 2, a shared manor in 2, markets in 3 and 4, shrines in 4; B some too."""
    story = (
        a_match()
        .masteries()
        .building(1, "era1_port_1", "AA")
        .building(8, "era1_port_2", "A")
        .building(10, "era1_manor_2", "BA")
        .building(13, "era1_market_1", "A")
        .building(16, "era1_market_2", "AB")
        .building(18, "era2_market_1", "A")
        .building(19, "era1_shrine_3", "A")
        .building(20, "era1_shrine_2", "B")
        .building(22, "start_shrine_1")
        .building(24, "era1_port_3", "BC")
        .building(28, "era1_manor_3", "CB")
    )
    return ended(story.delivered("A", noble)).score("A")[noble]


@pytest.mark.parametrize(
    ("noble", "vp"),
    [
        pytest.param("noble_1", 3, id="noble_1: own markets, no imperial one [A44]"),
        pytest.param("noble_2", 2, id="noble_2: own ports, a double marker counts once [A15]"),
        pytest.param("noble_3", 1, id="noble_3: own manors, a shared one counts [A16]"),
        pytest.param("noble_4", 1, id="noble_4: own shrines, no neutral one [A43]"),
        pytest.param("noble_5", 4, id="noble_5: types among own buildings"),
        pytest.param("noble_6", 4, id="noble_6: regions with own buildings"),
    ],
)
def test_own_buildings_count_at_the_end(a_match, noble, vp) -> None:
    assert scored(a_match, noble) == vp


@every_noble
def test_without_own_buildings_a_noble_scores_nothing(a_match, region) -> None:
    story = ended(a_match().building(20, "era1_port_1", "B").delivered("A", f"noble_{region}"))
    assert story.score("A")[f"noble_{region}"] == 0
