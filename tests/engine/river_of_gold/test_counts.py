"""Numbers of legal sequences from named positions: a change of any rule on the way changes them."""

from __future__ import annotations

from engine.river_of_gold.game import GAME
from tests.engine.river_of_gold.answers import answers
from tests.engine.river_of_gold.conftest import bonus, sail
from tests.engine.whole_matches import sequences


def test_a_first_turn(a_match) -> None:
    """10 koku in region 1 pay 4 of its 5 spaces with 4 tiles each; 2 ships; the die up or down; a favor to buy."""
    story = a_match()
    assert sequences(GAME, story.state, 1, answers) == 4 * 4 + 2 + 2 + 1


def test_every_region_by_what_it_costs(a_match) -> None:
    """§4.1, §4.2 Spaces that 8 koku pay, times the tiles; Kaiu may build on all of them."""
    counts = {}
    for region in range(1, 7):
        story = a_match().with_player("A", die=region, koku=8)
        counts[region] = sum("build" in action for action in story.legal("A"))
    assert counts == {1: 16, 2: 8, 3: 12, 4: 8, 5: 8, 6: 12}
    kaiu = a_match().patron("A", "kaiu_shihobu").with_player("A", koku=8)
    assert sum("build" in action for action in kaiu.legal("A")) == sum(counts.values())


def test_two_turns_of_a_poor_player(a_match) -> None:
    """Without koku and favor there is nothing but the two ships, each time."""
    story = a_match()
    for letter in "ABC":
        story = story.with_player(letter, koku=0, favor=0, limit=0).ships(letter, 4, 9)
    story = story.empty(6, 17, 29)
    assert [sequences(GAME, story.state, depth, answers) for depth in (1, 2, 3)] == [2, 4, 8]


def test_the_bonuses_of_a_journey_with_three_merchants(a_match) -> None:
    """3 koku or one of 3 goods; 1 of 3 goods; `merchant_2`; `merchant_4` sells up to 3 of 1 silk, 2 rice: 6 ways."""
    story = a_match().with_player("A", koku=3, favor=3).goods("A", "S 2R").ships("A", 14, 8)
    story = story.delivered("A", "merchant_2", "merchant_3", "merchant_4").plays("A", sail("upstream", 1))
    exchanges = 2
    assert sequences(GAME, story.state, 1, answers) == 4 + 3 + 1 + 6 + exchanges
    after = story.plays("A", bonus())
    assert sequences(GAME, after.state, 1, answers) == 3 + 1 + 6 + exchanges


def test_an_exchange_for_every_pair_of_goods(a_match) -> None:
    """§3.4 2 silk, 2 rice, porcelain at its cap: 2 into the other of the two, 2 from porcelain; and a favor."""
    story = a_match().goods("A", "2S 2R 6P").with_player("A", koku=5, die=6)
    assert {action for action in story.legal("A") if "exchange" in action} == {
        "exchange_goods(give=silk, take=rice)",
        "exchange_goods(give=rice, take=silk)",
        "exchange_goods(give=porcelain, take=silk)",
        "exchange_goods(give=porcelain, take=rice)",
        "exchange_koku",
    }
