"""§3.4 [A7] Exchanges: at every decision the match waits for of a seat, own turn or not; within the caps; never after the end."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.kernel.chance import SeededChance
from engine.kernel.errors import TableCode
from engine.match.replay import fold
from engine.river_of_gold.actions import ChooseRoyalShip, ExchangeGoods, ExchangeKoku
from engine.river_of_gold.box.components import GOODS, Good, PatronMode, ShipId
from engine.river_of_gold.errors import Code
from engine.river_of_gold.game import GAME
from engine.river_of_gold.options import RiverOfGoldOptions
from engine.river_of_gold.phases import Decision
from tests.engine.river_of_gold.conftest import (
    END,
    Story,
    bag,
    bonus,
    build,
    deliver,
    discard,
    good,
    mark,
    sail,
)
from tests.engine.river_of_gold.endings import ended

KOKU = ExchangeKoku()


def swap(give: str, take: str) -> ExchangeGoods:
    return ExchangeGoods(give=Good(give), take=Good(take))


def rich(story: Story, letter: str) -> Story:
    """The player can make every exchange there is: 2 of each good, 10 koku, room for a favor."""
    return story.goods(letter, "2S 2R 2P").with_player(letter, koku=10, favor=1)


def visited(a_match, tile: str, owners: str) -> Story:
    return a_match().building(4, tile, owners).plays("A", sail("upstream", 1))


def delivering(a_match, card: str, order: str, **fields) -> Story:
    story = a_match().goods("A", order).hand("A", card, "elder_1").building(20, "era1_port_1", "A")
    return story.with_player("A", die=int(card[-1]), **fields).plays("A", deliver(card))


WINDOWS: dict[str, tuple[str, Callable[..., Story]]] = {
    "turn": ("A", lambda a_match: a_match()),
    "good, as visitor": ("A", lambda a_match: visited(a_match, "era2_market_1", "")),
    "good, as owner out of turn": ("B", lambda a_match: visited(a_match, "era2_port_2", "B")),
    "good, from a track out of turn": (
        "B",
        lambda a_match: visited(lambda: a_match().influence("B", r1=17), "era2_shrine_1", "B"),
    ),
    "discard": ("A", lambda a_match: delivering(a_match, "artisan_1", "2P")),
    "royal_ship": ("A", lambda a_match: delivering(a_match, "noble_1", "S R 2P")),
    "marker": ("A", lambda a_match: delivering(a_match, "monk_1", "S 2R P")),
    "journey": ("A", lambda a_match: a_match().ships("A", 14, 5).plays("A", sail("upstream", 1))),
    "closing": ("A", lambda a_match: a_match().plays("A", sail("upstream", 1))),
    "die": (
        "A",
        lambda a_match: a_match().patron("A", "ryoku").plays("A", sail("upstream", 1)).plays("A", END),
    ),
    "last_exchanges": (
        "B",
        lambda a_match: a_match().last_turns("").plays("A", sail("upstream", 1)).plays("A", END),
    ),
}
"""Every kind of decision there is after the setup: who is asked, and how it comes to be."""

every_window = pytest.mark.parametrize(
    ("letter", "given", "decision"),
    [pytest.param(letter, given, name.split(",")[0], id=name) for name, (letter, given) in WINDOWS.items()],
)


def exchanges(story: Story, letter: str) -> set[str]:
    return {line for line in story.legal(letter) if line.startswith("exchange")}


ALL = {
    "exchange_koku",
    *(f"exchange_goods(give={give}, take={take})" for give in GOODS for take in GOODS if give is not take),
}


def test_the_windows_are_all_there_are() -> None:
    """A new kind of decision wants a line here. Patrons are chosen before there is anything to exchange; what an exchange
    does to bonuses that would lapse is in test_lapsing.py."""
    others = {"patron", "lapsing"}
    assert {name.split(",")[0] for name in WINDOWS} | others == {decision.value for decision in Decision}


@every_window
def test_every_decision_is_a_window_for_every_exchange(a_match, letter, given, decision) -> None:
    """[A7] Listed, carried out, and the same thing is asked again."""
    story = rich(given(a_match), letter)
    assert story.waiting == [f"{letter} {decision}"]
    assert exchanges(story, letter) == ALL
    for give in GOODS:
        for take in GOODS:
            if give is not take:
                after = story.plays(letter, swap(give, take), luck=[])
                gone, come = GOODS.index(give), GOODS.index(take)
                counts = [2, 2, 2]
                counts[gone], counts[come] = 0, 3
                assert after.player(letter).goods == tuple(counts)
                assert after.waiting == story.waiting
    after = story.plays(letter, KOKU, luck=[])
    assert (after.player(letter).koku, after.player(letter).favor) == (5, 2)
    assert after.waiting == story.waiting


@every_window
def test_any_number_of_them_one_after_another(a_match, letter, given, decision) -> None:
    """§3.4 A porcelain out of four silk; ten koku for two favors; then nothing is left to exchange."""
    story = rich(given(a_match), letter).goods(letter, "4S").with_player(letter, favor=1)
    story = story.plays(letter, swap("silk", "rice")).plays(letter, swap("silk", "rice"))
    story = (
        story.plays(letter, KOKU).plays(letter, KOKU) if decision != "closing" else story.plays(letter, KOKU)
    )
    story = story.plays(letter, swap("rice", "porcelain"))
    assert story.player(letter).goods == bag("P")


@every_window
def test_nobody_else_exchanges_meanwhile(a_match, letter, given, decision) -> None:
    """[F3]"""
    other = "C"
    story = rich(given(a_match), other)
    story.refuses(other, swap("silk", "rice"), TableCode.NOT_YOUR_TURN, "11.3", seat=2)
    story.refuses(other, KOKU, TableCode.NOT_YOUR_TURN, "11.3", seat=2)
    assert exchanges(story, other) == set()


@every_window
def test_caps_hold_at_every_window(a_match, letter, given, decision) -> None:
    """§1.4, §3.4 Not into what is at its cap, nor for the same kind, nor out of too little."""
    story = given(a_match).with_player(letter, goods=(2, 6, 1), koku=5, favor=3, limit=3)
    if decision == "closing":
        assert exchanges(story, letter) == {
            "exchange_goods(give=silk, take=porcelain)",
            "exchange_goods(give=rice, take=silk)",
            "exchange_goods(give=rice, take=porcelain)",
        }
    story.refuses(letter, swap("silk", "rice"), Code.GOOD_AT_CAP, "3.4", good="rice", cap=6)
    story.refuses(letter, swap("silk", "silk"), Code.SAME_GOOD, "3.4", good="silk")
    story.refuses(letter, swap("porcelain", "silk"), Code.GOODS_NOT_OWNED, "3.4", goods=("porcelain",))
    story.refuses(letter, KOKU, Code.FAVOR_AT_LIMIT, "3.4", limit=3)
    poor = story.with_player(letter, koku=4, favor=1)
    poor.refuses(letter, KOKU, Code.KOKU_NOT_OWNED, "3.4", cost=5, koku=4)


def test_no_exchange_gives_koku_or_takes_favor(a_match) -> None:
    """§3.4 Two kinds of exchange, six pairs of goods."""
    assert exchanges(rich(a_match(), "A"), "A") == ALL
    assert len(ALL) == 7


def test_a_favor_bought_before_the_action_turns_the_die(a_match) -> None:
    """§3.1 In phase 1."""
    story = a_match().with_player("A", favor=0, koku=10, die=1).plays("A", KOKU)
    assert "spend_favor(direction=up)" in story.legal("A")


def test_a_favor_bought_during_the_action_does_not_turn_this_turns_die(a_match) -> None:
    """§3.1"""
    story = a_match().with_player("A", favor=0).plays("A", sail("upstream", 1)).plays("A", KOKU)
    assert story.waiting == ["A closing"]
    assert "spend_favor(direction=up)" not in story.legal("A")


def test_an_owner_makes_room_before_choosing(a_match) -> None:
    """[A7] Rulebook over everything: the waiting owner gives two silk for a rice, then takes a silk."""
    story = visited(lambda: a_match().goods("B", "6S R"), "era2_port_2", "B")
    assert "choose_good(good=silk)" not in story.legal("B")
    story = story.plays("B", swap("silk", "rice")).plays("B", good("silk"))
    assert story.player("B").goods == bag("5S 2R")


def test_a_choice_is_answered_once_however_often_there_was_an_exchange(a_match) -> None:
    story = rich(visited(a_match, "era2_market_1", ""), "A")
    story = story.plays("A", KOKU).plays("A", good("silk"))
    assert story.waiting == ["A closing"]


def test_the_closing_window_comes_after_the_masteries_and_before_the_emperor(a_match) -> None:
    """[A7] [A8] The VP of `mastery_void` are there, the Emperor's koku are not."""
    story = a_match().masteries("void").influence("A", r1=1, r2=1, r3=1, r4=1, r5=1, r6=1).stacks(1, 11)
    story = story.building(20, "era1_market_1", "A").with_player("A", koku=10, favor=2)
    story = story.plays("A", build(2, "era1_shrine_5"))
    assert story.waiting == ["A closing"]
    assert story.vp("A", "masteries") == 7
    assert story.player("A").koku == 5
    story = story.plays("A", END)
    assert story.player("A").koku == 5 + 2 + 1  # the market's, and the new shrine's


def test_the_closing_window_closes_itself_when_nothing_is_left_to_exchange(a_match) -> None:
    """[F9]"""
    story = a_match().with_player("A", koku=2, favor=2).plays("A", sail("upstream", 1))
    assert story.waiting == ["A closing"]
    assert story.plays("A", KOKU).waiting == ["B turn"]


def test_exchanges_of_the_last_turn_count_and_then_no_more(a_match) -> None:
    """[A7] [A41] Favor bought in the closing window breaks the tie; after the final scoring nothing is exchanged."""
    story = a_match(2).with_state(last_turns=()).with_player("A", koku=5, favor=2, die=1)
    story = story.with_player("B", koku=0, favor=2).masteries().plays("A", sail("upstream", 1))
    assert story.waiting == ["A closing"]
    story = story.plays("A", KOKU)
    assert story.waiting == []
    assert GAME.outcome(story.state).winners == (0,)
    story.refuses("A", swap("silk", "rice"), TableCode.MATCH_OVER, "8.6")
    over = ended(rich(a_match(), "B"))
    over.refuses("B", KOKU, TableCode.MATCH_OVER, "8.6")


def test_before_the_patrons_are_chosen_there_is_nothing_to_exchange() -> None:
    """[A7] Nobody has anything yet."""
    options = RiverOfGoldOptions(patrons=PatronMode.DRAFT)
    story = Story(fold(GAME, GAME.start(options, 3, SeededChance(bytes(32), 1))))
    letter = story.waiting[0][0]
    assert exchanges(story, letter) == set()
    story.refuses(letter, KOKU, TableCode.WRONG_DECISION, "9.1", expected="patron")


def test_answers_of_the_windows_go_on_as_they_would_have(a_match) -> None:
    """The royal ship, the marker and the discard after an exchange."""
    story = rich(delivering(a_match, "noble_1", "S R 2P"), "A").plays("A", swap("silk", "rice"))
    story = story.plays("A", ChooseRoyalShip(ship=ShipId.MIDSTREAM)).plays("A", KOKU)
    assert story.waiting == ["A discard"]
    story = rich(delivering(a_match, "monk_1", "S 2R P"), "A").plays("A", swap("silk", "rice"))
    story = story.plays("A", mark(20)).plays("A", swap("rice", "silk")).plays("A", discard("elder_1"))
    assert story.owners(20) == "AA"
    journey = rich(a_match().ships("A", 14, 5), "A").plays("A", sail("upstream", 1)).plays("A", KOKU)
    assert journey.plays("A", bonus()).waiting == ["A closing"]
