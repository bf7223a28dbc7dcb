"""§9 The clan patrons, what each does and where it ends; those of the Scorpion have a file of their own."""

from __future__ import annotations

import pytest

from engine.kernel.chance import SeededChance
from engine.kernel.errors import TableCode
from engine.match.replay import fold
from engine.river_of_gold.actions import ChoosePatron, ExchangeKoku, RollDie
from engine.river_of_gold.box.components import Clan, PatronMode
from engine.river_of_gold.box.ids import PatronId
from engine.river_of_gold.box.patrons import PATRONS
from engine.river_of_gold.errors import Code
from engine.river_of_gold.game import GAME
from engine.river_of_gold.options import RiverOfGoldOptions
from tests.engine.river_of_gold.conftest import (
    END,
    LETTERS,
    UP,
    Story,
    bonus,
    build,
    deliver,
    discard,
    sail,
    set_die,
)

CLANS = {
    "crab": ("patron_kaiu_shihobu", "patron_yasuki_taka"),
    "mantis": ("patron_yoritomo", "patron_kudaka"),
    "crane": ("patron_daidoji_uji", "patron_kakita_ryoku"),
    "scorpion": ("patron_shosuro_hyobu", "patron_bayushi_kachiko"),
}
ROLL = RollDie()
TOUCHING = {2: 1, 1: 1, 3: 2, 4: 3, 16: 2, 18: 3, 19: 1, 25: 3, 30: 1}
"""Shore space and the number of river spaces it touches, copied from the board by hand."""


def chosen(seats: int = 4, mode: PatronMode = PatronMode.CHOICE_OF_TWO, **wanted: str) -> Story:
    """A match set up in full; the seats take the patrons they want, the others the first that is offered."""
    options = RiverOfGoldOptions(
        patrons=mode, clans=tuple(Clan)[:seats] if mode is PatronMode.CHOICE_OF_TWO else ()
    )
    story = Story(fold(GAME, GAME.start(options, seats, SeededChance(bytes(32), 1))))
    while story.waiting and story.waiting[0].endswith("patron"):
        letter = story.waiting[0][0]
        offered = [
            each.patron.value for each in GAME.legal_actions(story.state, LETTERS.index(letter)).actions
        ]
        name = next((each for each in offered if each.endswith(wanted.get(letter, "?"))), offered[0])
        story = story.plays(letter, ChoosePatron(patron=PatronId(name)))
    return story


def test_every_clan_has_its_two_patrons() -> None:
    assert {patron.id.value: patron.clan.value for patron in PATRONS} == {
        name: clan for clan, names in CLANS.items() for name in names
    }


# Kaiu Shihobu


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_kaiu_begins_with_ten_koku_more(seats) -> None:
    """§9 On top of what the place in the turn order brings."""
    story = chosen(seats, A="shihobu")
    place = story.state.order.index(0)
    assert story.player("A").koku == 7 + place + 10
    for other in range(1, seats):
        assert story.state.players[other].koku == 7 + story.state.order.index(other)


@pytest.mark.parametrize("die", [1, 2, 3, 4, 5, 6])
def test_kaiu_builds_in_every_region_whatever_the_die_shows(a_match, die) -> None:
    """[A25] All 27 spaces are hers; the die stays as it is."""
    story = a_match().patron("A", "shihobu").with_player("A", koku=25, die=die)
    tile = story.state.row[0].value
    spaces = {int(line[18:20]) for line in story.legal("A") if line.endswith(f", building={tile})")}
    assert spaces == {*range(1, 31)} - {6, 17, 29}
    story = story.plays("A", build(30, tile))
    assert story.owners(30) == "A"
    assert story.player("A").die == die


def test_kaiu_pays_the_cost_and_uses_her_artisans_everywhere(a_match) -> None:
    """§4.2"""
    story = a_match().patron("A", "shihobu").delivered("A", "artisan_6").with_player("A", koku=11, die=2)
    tile = story.state.row[0].value
    assert story.plays("A", build(26, tile)).player("A").koku == 0
    poor = story.with_player("A", koku=10)
    poor.refuses("A", build(26, tile), Code.SPACE_UNAFFORDABLE, "4.2", cost=11, koku=10)


def test_kaiu_delivers_by_the_die(a_match) -> None:
    """[A25] Only the named action ignores the die."""
    story = a_match().patron("A", "shihobu").goods("A", "2P").hand("A", "artisan_1").with_player("A", die=2)
    story.refuses("A", deliver("artisan_1"), Code.CUSTOMER_OF_OTHER_REGION, "6.1", region=1, die=2)


def test_nobody_else_builds_elsewhere(a_match) -> None:
    story = a_match().patron("B", "shihobu").patron("A", "taka").with_player("A", koku=25, die=1)
    tile = story.state.row[0].value
    story.refuses("A", build(30, tile), Code.SPACE_OF_OTHER_REGION, "4.1", region=6, die=1)


# Yasuki Taka


@pytest.mark.parametrize(("number", "vp"), TOUCHING.items())
def test_taka_scores_for_every_river_space_that_touches_the_build(a_match, number, vp) -> None:
    region = (number - 1) // 5 + 1
    story = a_match().patron("A", "taka").with_player("A", die=region, koku=25).masteries()
    story = story.row("era1_port_2", "era1_port_1", "era1_port_3", "era1_port_4")
    story = story.plays("A", build(number, "era1_port_2"))
    assert story.vp("A", "patron") == story.vp("A") == vp


def test_taka_scores_for_no_build_of_others_and_for_no_sail(a_match) -> None:
    story = a_match().patron("B", "taka").with_player("A", koku=25)
    assert story.plays("A", build(4, story.state.row[0].value)).vp("B") == 0
    story = a_match().patron("A", "taka").plays("A", sail("upstream", 1))
    assert story.vp("A", "patron") == 0


# Yoritomo


def test_yoritomo_begins_with_three_cards() -> None:
    """§6.4 And has three again after every delivery."""
    story = chosen(4, B="yoritomo")
    assert [len(player.hand) for player in story.state.players] == [2, 3, 2, 2]
    story = story.turn_of("B").goods("B", "6S 6R 6P")
    card = story.player("B").hand[0].value
    story = story.plays("B", deliver(card))
    while not story.waiting[0].endswith("discard"):
        answer = GAME.legal_actions(story.state, 1).actions[0]
        story = story.plays("B", answer)
    assert len(story.player("B").hand) == 4
    assert len(story.plays("B", discard(story.player("B").hand[0].value)).player("B").hand) == 3


@pytest.mark.parametrize("die", [1, 2, 3, 4, 5, 6])
def test_yoritomo_delivers_to_every_region_whatever_the_die_shows(a_match, die) -> None:
    """[A25] The influence is in the region of the card; the die stays."""
    cards = [f"artisan_{region}" for region in range(1, 7)]
    story = a_match().patron("A", "yoritomo").goods("A", "2S 2R 2P").hand("A", *cards)
    story = story.with_player("A", die=die)
    assert {line for line in story.legal("A") if line.startswith("deliver")} == {
        f"deliver(customer={card})" for card in cards
    }
    story = story.plays("A", deliver("artisan_4"))
    assert story.player("A").tracks == (0, 0, 0, 2, 0, 0)
    assert story.player("A").die == die


def test_yoritomo_pays_the_order_and_builds_by_the_die(a_match) -> None:
    """[A25]"""
    story = a_match().patron("A", "yoritomo").goods("A", "S").hand("A", "artisan_4").with_player("A", die=1)
    story.refuses("A", deliver("artisan_4"), Code.ORDER_NOT_PAYABLE, "6.2", goods=("silk",))
    tile = story.state.row[0].value
    story.refuses("A", build(30, tile), Code.SPACE_OF_OTHER_REGION, "4.1", region=6, die=1)


# Kudaka


def test_kudaka_scores_for_her_first_customer_of_a_region(a_match) -> None:
    """[A24] Hers, not the table's: B has been there before."""
    story = a_match().patron("A", "kudaka").delivered("B", "elder_2").goods("A", "2P").hand("A", "artisan_2")
    story = story.with_player("A", die=2).plays("A", deliver("artisan_2"))
    assert story.vp("A", "patron") == 3


def test_kudaka_scores_nothing_for_a_second_of_the_region_of_whatever_type(a_match) -> None:
    story = a_match().patron("A", "kudaka").delivered("A", "monk_2").goods("A", "2P").hand("A", "artisan_2")
    story = story.with_player("A", die=2).plays("A", deliver("artisan_2"))
    assert story.vp("A", "patron") == 0


def test_kudaka_scores_in_every_region_once(a_match) -> None:
    """§9 18 VP in all."""
    story = a_match().patron("A", "kudaka").masteries()
    for region in range(1, 7):
        story = story.turn_of("A").goods("A", "2S 2R 2P").with_player("A", die=region, koku=0, favor=0)
        story = story.hand("A", f"artisan_{region}", "elder_1").plays("A", deliver(f"artisan_{region}"))
        story = story.plays("A", discard("elder_1"))
    assert story.vp("A", "patron") == 18


def test_kudaka_scores_for_no_delivery_of_others(a_match) -> None:
    story = a_match().patron("B", "kudaka").goods("A", "2P").hand("A", "artisan_1")
    assert story.plays("A", deliver("artisan_1")).vp("B") == 0


# Daidoji Uji


@pytest.mark.parametrize(
    ("owners", "vp"),
    [
        pytest.param("B", 2, id="an opponent's"),
        pytest.param("BC", 2, id="two opponents'"),
        pytest.param("AB", 2, id="shared with an opponent [A16]"),
        pytest.param("A", 0, id="own"),
        pytest.param("AA", 0, id="own twice"),
        pytest.param("", 0, id="neutral [A43]"),
    ],
)
def test_uji_scores_if_an_opponents_building_was_visited(a_match, owners, vp) -> None:
    story = a_match().patron("A", "uji").building(4, "era1_port_1", owners).plays("A", sail("upstream", 1))
    assert story.vp("A", "patron") == vp


def test_uji_scores_once_for_a_sail_with_any_ship(a_match) -> None:
    """§9 Four buildings of B; the midstream ship does as well, no royal one is needed."""
    story = a_match().patron("A", "uji").ships("A", 8, 1)
    for number, tile in ((3, "era1_port_1"), (4, "era1_port_2"), (5, "era1_port_3"), (7, "era1_port_4")):
        story = story.building(number, tile, "B")
    assert story.plays("A", sail("midstream", 1)).vp("A", "patron") == 2


def test_uji_scores_after_the_journey_and_the_nobles(a_match) -> None:
    """§5.5 [A20]"""
    story = a_match().patron("A", "uji").delivered("A", "noble_4", "noble_6")
    story = story.building(2, "era1_port_1", "AB").ships("A", 14, 5, royal="upstream")
    story = story.plays("A", sail("upstream", 1))
    assert story.vp("A") == 0
    story = story.plays("A", bonus("rice"))
    told = [line for line in story.lines if line.startswith(("noble_rewarded", "patron_rewarded"))]
    assert told == [
        "noble_rewarded(seat=0, customer=noble_4, vp=1)",
        "noble_rewarded(seat=0, customer=noble_6, vp=1)",
        "patron_rewarded(seat=0, patron=patron_daidoji_uji, vp=2)",
    ]


def test_uji_scores_for_no_sail_of_others(a_match) -> None:
    story = a_match().patron("C", "uji").building(4, "era1_port_1", "B").plays("A", sail("upstream", 1))
    assert story.vp("C") == 0


# Kakita Ryoku


def at_the_die(a_match, **fields) -> Story:
    """A, who is Ryoku, has sailed and exchanges nothing more."""
    story = a_match().patron("A", "ryoku").with_player("A", **fields).plays("A", sail("upstream", 1))
    return story.plays("A", END) if story.waiting == ["A closing"] else story


@pytest.mark.parametrize("face", [1, 2, 3, 4, 5, 6])
def test_ryoku_sets_the_die_to_any_face_for_a_favor(a_match, face) -> None:
    """[A23] Also to the one it shows, which is 1."""
    story = at_the_die(a_match, favor=2)
    assert story.waiting == ["A die"]
    story = story.plays("A", set_die(face), luck=[])
    assert (story.player("A").die, story.player("A").favor) == (face, 1)
    assert story.waiting == ["B turn"]


def test_ryoku_may_roll_as_everybody_else(a_match) -> None:
    story = at_the_die(a_match, favor=2).plays("A", ROLL, luck=[4])
    assert (story.player("A").die, story.player("A").favor) == (5, 2)


def test_ryoku_without_favor_rolls(a_match) -> None:
    """[A23] She is not asked."""
    story = at_the_die(a_match, favor=0, koku=0)
    assert story.waiting == ["B turn"]


def test_ryoku_may_buy_the_favor_at_her_die(a_match) -> None:
    """[A7] [F6] Her decision is a decision point: five koku, a favor, a face."""
    story = at_the_die(a_match, favor=0, koku=5)
    assert story.waiting == ["A die"]
    story.refuses("A", set_die(4), Code.FAVOR_NOT_OWNED, "9", favor=0)
    story = story.plays("A", ExchangeKoku()).plays("A", set_die(4), luck=[])
    assert (story.player("A").die, story.player("A").favor) == (4, 0)


def test_ryoku_decides_on_every_one_of_her_rolls(a_match) -> None:
    """[A23] Having paid before her first turn, she rolls or pays after it all the same."""
    story = at_the_die(a_match, favor=3, koku=0).plays("A", set_die(3)).turn_of("A")
    story = story.with_player("A", koku=0).plays("A", sail("upstream", 3))
    assert story.waiting == ["A die"]
    assert story.plays("A", ROLL, luck=[5]).player("A").die == 6


def test_ryoku_decides_on_the_first_roll_but_not_on_her_ships_rolls() -> None:
    """[A23] The ships are rolled in the setup; then, when her place in the order comes, she is asked."""
    story = chosen(4, C="ryoku")
    assert story.waiting == ["C die"]
    assert len(story.player("C").ships) == 2
    story = story.plays("C", set_die(3))
    assert (story.player("C").die, story.player("C").favor) == (3, 1)
    assert story.waiting[0].endswith("turn")


def test_ryoku_pays_with_favor_of_the_emperors_visit(a_match) -> None:
    """[A8] The visit comes before the die: `era1_port_3` gives her the favor she needs."""
    story = a_match().patron("A", "ryoku").building(22, "era1_port_3", "A").stacks(1, 11)
    story = story.with_player("A", koku=5, favor=0).row(
        "era1_port_2", "era1_port_1", "era1_port_4", "era1_port_5"
    )
    story = story.plays("A", build(2, "era1_port_2"))
    assert "emperor_visited" in story.lines
    assert story.waiting == ["A die"]
    assert story.player("A").favor == 1


def test_ryoku_has_no_die_to_set_when_she_has_no_further_turn(a_match) -> None:
    """§3.4, §8.3 Neither as the one who triggers the end nor in her last turn."""
    story = a_match().patron("A", "ryoku").stacks(0, 1).with_player("A", koku=5, favor=2)
    story = story.plays("A", build(2, story.state.row[0].value))
    assert story.waiting == ["B turn"]
    last = a_match().patron("A", "ryoku").last_turns("B").with_player("A", koku=0, favor=2)
    assert last.plays("A", sail("upstream", 1)).waiting == ["B turn"]


def test_nobody_else_sets_a_die(a_match) -> None:
    story = a_match().patron("B", "ryoku").with_player("A", koku=0, favor=2)
    story.refuses("A", set_die(3), TableCode.WRONG_DECISION, "3.2", expected="turn")
    assert story.plays("A", sail("upstream", 1)).waiting == ["B turn"]


# Choosing


def test_hyobu_and_kachiko_are_of_one_clan() -> None:
    """[A22] So they never meet: a clan is at the table once."""
    assert CLANS["scorpion"] == ("patron_shosuro_hyobu", "patron_bayushi_kachiko")
    for number in range(8):
        events = GAME.start(
            RiverOfGoldOptions(patrons=PatronMode.DRAFT), 4, SeededChance(bytes([number] * 32), 1)
        )
        assert len({*CLANS["scorpion"]} & {*events[0].offers}) == 1


def test_a_drafted_patron_brings_its_clan() -> None:
    """§9.1 And its effect: whoever has taken Kaiu has the ten koku."""
    story = chosen(4, PatronMode.DRAFT)
    assert {player.clan for player in story.state.players} == {*Clan}
    for player in story.state.players:
        assert player.patron in CLANS[player.clan]
        kaiu = player.patron == "patron_kaiu_shihobu"
        place = story.state.order.index(story.state.players.index(player))
        assert player.koku == 7 + place + 10 * kaiu


def test_the_favor_of_the_turn_and_the_patrons_die_are_two_things(a_match) -> None:
    """§3.1, §9 Ryoku turns the die in phase 1 like everybody else."""
    story = a_match().patron("A", "ryoku").with_player("A", favor=2, die=1).plays("A", UP)
    assert (story.player("A").die, story.player("A").favor) == (2, 1)
    assert story.waiting == ["A turn"]
