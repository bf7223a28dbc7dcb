"""§7 The six masteries: what each wants, how many slots there are, and when it is claimed."""

from __future__ import annotations

import pytest

from engine.river_of_gold.actions import ChooseRoyalShip, ExchangeKoku
from engine.river_of_gold.box.components import ShipId
from engine.river_of_gold.box.ids import MasteryId
from tests.engine.river_of_gold.conftest import END, Story, build, deliver, discard, good, sail

NAMES = ("air", "courts", "earth", "fire", "void", "water")
SLOTS = {2: (5,), 3: (7, 5, 3), 4: (7, 5, 3)}

every_mastery = pytest.mark.parametrize("name", NAMES)


def fulfilled(story: Story, letter: str, name: str) -> Story:
    """The player has just enough for the mastery."""
    match name:
        case "air":
            return story.delivered(letter, "monk_1", "elder_2", "artisan_3")
        case "fire":
            return story.delivered(letter, "monk_1", "monk_2")
        case "earth":
            story = story.building(16, "era1_port_1", letter).building(18, "era1_port_2", letter)
            return story.building(19, "era1_port_3", letter)
        case "water":
            story = story.building(16, "era1_port_1", letter).building(18, "era1_shrine_1", letter)
            return story.building(19, "era1_manor_1", letter).building(20, "era1_market_1", letter)
        case "void":
            return story.influence(letter, r1=1, r2=1, r3=1, r4=1, r5=1, r6=1)
        case _:
            return story.influence(letter, r4=11)


def quiet(a_match, players: int = 3) -> Story:
    """A is to sail past four empty spaces; nobody can exchange anything."""
    story = a_match(players).empty(6, 17, 29)
    for letter in "ABCD"[:players]:
        story = story.with_player(letter, koku=0, favor=0, die=1)
    return story


def claimed(story: Story) -> dict[str, str]:
    """The masteries in play and who has claimed them, the highest slot first."""
    return {
        card.mastery.value.removeprefix("mastery_"): "".join("ABCD"[seat] for seat in card.claims)
        for card in story.state.masteries
    }


def test_there_are_six() -> None:
    assert {*MasteryId} == {f"mastery_{name}" for name in NAMES}


@every_mastery
def test_just_enough_claims_it(a_match, name) -> None:
    """§7.3, §7.1 Automatically, after a sail that has nothing to do with it."""
    story = fulfilled(quiet(a_match).masteries(name), "A", name)
    story = story.plays("A", sail("upstream", 1))
    assert claimed(story) == {name: "A"}
    assert story.vp("A", "masteries") == 7
    assert story.waiting == ["B turn"]


@pytest.mark.parametrize(
    ("name", "given"),
    [
        pytest.param(
            "air", lambda story: story.delivered("A", "monk_1", "monk_2", "elder_1"), id="air: two types"
        ),
        pytest.param(
            "fire",
            lambda story: story.delivered("A", "monk_1", "elder_1", "noble_1", "artisan_1", "merchant_1"),
            id="fire: one of every type",
        ),
        pytest.param(
            "earth",
            lambda story: (
                story.building(16, "era1_port_1", "A")
                .building(18, "era1_port_2", "AA")
                .building(19, "era1_shrine_1", "A")
                .building(20, "start_port_1")
                .building(21, "era1_port_3", "B")
            ),
            id="earth: two ports, one with both markers [A15]; a neutral one and a rival's beside them",
        ),
        pytest.param(
            "water",
            lambda story: (
                story.building(16, "era1_port_1", "A")
                .building(18, "era1_shrine_1", "A")
                .building(19, "era1_manor_1", "A")
                .building(17, "imperial_market_silk")
            ),
            id="water: three types and a market of nobody [A43]",
        ),
        pytest.param(
            "void",
            lambda story: story.influence("A", r1=18, r2=18, r3=18, r4=18, r5=18, r6=0),
            id="void: five regions",
        ),
        pytest.param(
            "courts",
            lambda story: story.influence("A", r1=10, r2=10, r3=10, r4=10, r5=10, r6=10),
            id="courts: ten in all of them",
        ),
    ],
)
def test_a_little_less_does_not(a_match, name, given) -> None:
    """§7.3"""
    story = given(quiet(a_match)).masteries(name).plays("A", sail("upstream", 1))
    assert claimed(story) == {name: ""}
    assert story.vp("A", "masteries") == 0


def test_a_shared_building_counts_for_both(a_match) -> None:
    """[A16] A's third port and B's third port are the same one."""
    story = quiet(a_match).masteries("earth").building(19, "era1_port_3", "BA")
    for letter, numbers, tiles in (
        ("A", (16, 18), ("era1_port_1", "era1_port_2")),
        ("B", (20, 21), ("era1_port_4", "era1_port_5")),
    ):
        for number, tile in zip(numbers, tiles, strict=True):
            story = story.building(number, tile, letter)
    story = story.plays("A", sail("upstream", 1)).plays("B", sail("upstream", 1))
    assert claimed(story) == {"earth": "AB"}
    assert (story.vp("A", "masteries"), story.vp("B", "masteries")) == (7, 5)


@pytest.mark.parametrize("players", [2, 3, 4])
@every_mastery
def test_slots_go_from_the_highest_down(a_match, players, name) -> None:
    """§7.2 One after another claims it in turn order; whoever comes too late has nothing [A37]."""
    story = quiet(a_match, players).masteries(name)
    seats = "ABCD"[:players]
    gains = []
    for letter in seats:
        story = fulfilled(story, letter, name)
        story = story.plays(letter, sail("upstream", story.player(letter).die))
        gains.append(story.vp(letter, "masteries"))
    slots = SLOTS[players]
    assert tuple(gains) == (*slots, *[0] * players)[:players]
    assert claimed(story) == {name: seats[: len(slots)]}


@every_mastery
def test_nobody_claims_one_twice(a_match, name) -> None:
    """§7.1 Though it holds in the next turn too, and slots are free."""
    story = fulfilled(quiet(a_match).masteries(name), "A", name).plays("A", sail("upstream", 1))
    story = story.turn_of("A").with_player("A", die=1, koku=0).plays("A", sail("upstream", 1))
    assert claimed(story) == {name: "A"}
    assert story.vp("A", "masteries") == 7


def test_several_are_claimed_at_once(a_match) -> None:
    """§7.1 All whose condition holds: 7 + 5 + 7."""
    story = quiet(a_match).masteries("void", "earth", courts="C")
    for name in ("void", "courts", "earth"):
        story = fulfilled(story, "A", name)
    story = story.plays("A", sail("upstream", 1))
    assert story.vp("A", "masteries") == 19
    assert claimed(story) == {"void": "A", "courts": "CA", "earth": "A"}


def test_masteries_out_of_play_are_not_claimed(a_match) -> None:
    """§2.2"""
    story = quiet(a_match).masteries("air")
    for name in ("void", "courts", "earth"):
        story = fulfilled(story, "A", name)
    assert story.plays("A", sail("upstream", 1)).vp("A", "masteries") == 0


def test_they_are_claimed_in_phase_3_and_not_before(a_match) -> None:
    """§3.3 Neither in phase 1 nor while a choice of the action is open; then before the last exchanges."""
    story = fulfilled(quiet(a_match).masteries("void"), "A", "void").with_player("A", koku=5)
    story = story.plays("A", ExchangeKoku())
    assert claimed(story) == {"void": ""}
    story = story.with_player("A", koku=1).building(4, "era2_market_1", "").plays("A", sail("upstream", 1))
    assert story.waiting == ["A good"]
    assert claimed(story) == {"void": ""}
    story = story.with_player("A", koku=5).plays("A", good("rice"))
    assert claimed(story) == {"void": "A"}
    assert story.waiting == ["A closing"]
    assert story.plays("A", END).vp("A", "masteries") == 7


def test_a_delivery_claims_it_after_its_discard(a_match) -> None:
    """§3.3, §6.4 The third type; the royal ship and the discard come first."""
    story = quiet(a_match).masteries("air").delivered("A", "monk_1", "elder_2").goods("A", "S R 2P")
    story = story.hand("A", "noble_1", "elder_1").plays("A", deliver("noble_1"))
    story = story.plays("A", ChooseRoyalShip(ship=ShipId.UPSTREAM))
    assert (story.waiting, claimed(story)) == (["A discard"], {"air": ""})
    assert claimed(story.plays("A", discard("elder_1"))) == {"air": "A"}


def test_the_build_that_completes_it_claims_it(a_match) -> None:
    story = (
        quiet(a_match).masteries("water").building(16, "era1_port_1", "A").building(18, "era1_shrine_1", "A")
    )
    story = story.building(19, "era1_manor_1", "A").with_player("A", koku=5)
    story = story.row("era1_market_1", "era1_port_2", "era1_port_3", "era1_port_4")
    assert claimed(story.plays("A", build(2, "era1_market_1"))) == {"water": "A"}


def test_progress_in_the_turn_of_another_counts_and_is_claimed_in_the_own_phase_3(a_match) -> None:
    """§7.4 B's ship brings A, an owner, the influence in the sixth region; B's turn claims nothing for A."""
    story = quiet(a_match).masteries("void").influence("A", r2=1, r3=1, r4=1, r5=1, r6=1)
    story = story.building(4, "era2_shrine_1", "A").turn_of("B").plays("B", sail("upstream", 1))
    assert story.player("A").tracks == (1,) * 6
    assert claimed(story) == {"void": ""}
    story = story.plays("C", sail("midstream", 1))
    assert claimed(story) == {"void": ""}
    story = story.with_player("A", die=1).plays("A", sail("midstream", 1))
    assert claimed(story) == {"void": "A"}


def test_who_fulfils_it_first_and_who_claims_it_first(a_match) -> None:
    """§7.4 A fulfils it in B's turn; B, who fulfils it in that turn too, is served first."""
    story = quiet(a_match).masteries("void").influence("A", r2=1, r3=1, r4=1, r5=1, r6=1)
    story = story.influence("B", r1=1, r2=1, r3=1, r4=1, r5=1, r6=1)
    story = story.building(4, "era2_shrine_1", "A").turn_of("B").plays("B", sail("upstream", 1))
    story = story.turn_of("A").with_player("A", die=1).plays("A", sail("midstream", 1))
    assert claimed(story) == {"void": "BA"}
    assert (story.vp("B", "masteries"), story.vp("A", "masteries")) == (7, 5)


def test_in_the_last_turn_masteries_are_claimed_as_ever(a_match) -> None:
    """§8.4"""
    story = fulfilled(quiet(a_match).masteries("courts"), "A", "courts").last_turns("")
    story = story.plays("A", sail("upstream", 1))
    assert story.waiting == []
    assert story.score("A")["masteries"] == 7


def test_a_claim_lasts_when_its_condition_no_longer_holds(a_match) -> None:
    """§7.1 The VP were scored at once."""
    story = fulfilled(quiet(a_match).masteries("earth"), "A", "earth").plays("A", sail("upstream", 1))
    story = story.building(19, "start_port_1").turn_of("A").with_player("A", die=1, koku=0)
    story = story.plays("A", sail("upstream", 1))
    assert story.vp("A", "masteries") == 7
    assert claimed(story) == {"earth": "A"}
