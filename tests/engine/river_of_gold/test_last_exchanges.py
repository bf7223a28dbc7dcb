"""[F11] After the last turn each seat that can exchange is asked once more, before the final scoring: favor breaks ties."""

from __future__ import annotations

from functools import partial

import pytest

from engine.kernel.errors import TableCode
from engine.kernel.seats import Seat
from engine.river_of_gold.actions import ExchangeGoods, ExchangeKoku
from engine.river_of_gold.box.components import Good
from engine.river_of_gold.game import GAME
from engine.river_of_gold.state import Stage
from tests.engine.river_of_gold.conftest import DECLINE, END, LETTERS, Story, bag, sail
from tests.engine.river_of_gold.endings import nobody_exchanges

KOKU = ExchangeKoku()
SILK_FOR_RICE = ExchangeGoods(give=Good.SILK, take=Good.RICE)


def played_out(story: Story) -> Story:
    """A plays the very last turn, exchanges nothing in it and ends it."""
    story = story.last_turns("").masteries().plays("A", sail("upstream", 1))
    return story.plays("A", END) if story.waiting == ["A closing"] else story


def poor(story: Story, letters: str) -> Story:
    """They have nothing to exchange."""
    for letter in letters:
        story = story.with_player(letter, koku=4, favor=2).goods(letter, "S R P")
    return story


def winners(story: Story) -> str:
    outcome = GAME.outcome(story.state)
    assert outcome is not None, story.waiting
    return "".join(LETTERS[seat] for seat in outcome.winners)


# Who is asked, and in which order


def test_everybody_who_can_is_asked_in_turn_order_the_last_player_last(a_match) -> None:
    """[F11] Given A's turn was the last, then B, C, D and at the end A."""
    story = played_out(a_match(4))
    asked = []
    while story.waiting:
        asked += story.waiting
        story = story.plays(story.waiting[0][0], DECLINE)
    assert asked == ["B last_exchanges", "C last_exchanges", "D last_exchanges", "A last_exchanges"]
    assert story.state.stage is Stage.ENDED


def test_the_order_is_that_of_the_turns_and_not_of_the_seats(a_match) -> None:
    """[F11] A after C: D and B before them."""
    order = tuple(Seat(LETTERS.index(letter)) for letter in "CADB")
    story = played_out(a_match(4).with_state(order=order))
    assert [LETTERS[seat] for seat in story.state.queue] == ["D", "B", "C", "A"]


def test_who_cannot_exchange_is_not_asked(a_match) -> None:
    """[F11] B has nothing; C's favor is at its limit, and it has two silk."""
    story = poor(a_match(4), "B").with_player("C", koku=25, favor=3).goods("C", "2S")
    story = played_out(story.with_player("D", koku=25, favor=3))
    assert story.waiting == ["C last_exchanges"]
    assert story.legal("C") == {
        "exchange_goods(give=silk, take=rice)",
        "exchange_goods(give=silk, take=porcelain)",
        "decline_exchange",
    }
    assert story.plays("C", DECLINE).waiting == ["A last_exchanges"]


def test_where_nobody_else_is_asked_the_last_player_is_not_asked_again(a_match) -> None:
    """[F11] [F9] A has just ended the turn; nothing has happened since."""
    story = played_out(poor(a_match(), "BC"))
    assert story.waiting == []
    assert "last_exchanges_opened" not in [event.__struct_config__.tag for event in story.events]
    assert story.state.stage is Stage.ENDED


def test_the_last_player_may_answer_what_the_others_did(a_match) -> None:
    """[F11] Tied in VP, B buys a second favor, then A a third."""
    story = _tied(a_match, a_favor=2, b_favor=2)
    story = story.plays("B", KOKU)
    assert story.waiting == ["A last_exchanges"]
    assert winners(nobody_exchanges(story)) == "B"
    assert winners(story.plays("A", KOKU)) == "AB"


# What it is for


def _tied(a_match, *, a_favor: int, b_favor: int, **fields) -> Story:
    """Two players without a point; each can buy one favor and do nothing else. A has played the last turn."""
    story = a_match(2, **fields).empty(6, 17, 29)
    story = story.with_player("A", koku=2, favor=a_favor).with_player("B", koku=6, favor=b_favor)
    story = played_out(story.with_player("A", ships=(0, 7), die=1))  # four empty spaces bring 4 koku
    assert (story.player("A").koku, story.vp("A"), story.vp("B")) == (6, 0, 0)
    return story


def test_a_favor_bought_out_of_turn_breaks_the_tie(a_match) -> None:
    """[F11] [A41] Given equal VP and favor, when B buys a favor, then B wins alone; without it they share."""
    story = _tied(a_match, a_favor=2, b_favor=2)
    assert winners(nobody_exchanges(story)) == "AB"
    story = story.plays("B", KOKU).plays("A", DECLINE)
    assert winners(story) == "B"


def test_by_the_first_rules_nobody_was_asked(a_match) -> None:
    """[F11] 1.0.0: the final scoring follows at once."""
    story = _tied(a_match, a_favor=2, b_favor=2, rules="1.0.0")
    assert story.waiting == []
    assert winners(story) == "AB"


def test_what_is_exchanged_counts_in_the_scoring_as_it_is_then(a_match) -> None:
    """[F11] §8.5 5 koku spent are a VP of a merchant less."""
    story = played_out(a_match().delivered("B", "merchant_2").with_player("B", koku=10, favor=1))
    kept = nobody_exchanges(story)
    spent = nobody_exchanges(story.plays("B", KOKU))
    assert (kept.score("B")["merchant_2"], spent.score("B")["merchant_2"]) == (2, 1)


# How often, and how it ends


def test_a_seat_exchanges_as_often_as_it_likes_before_the_next_is_asked(a_match) -> None:
    """[F11] [A7]"""
    story = played_out(a_match().goods("B", "4S").with_player("B", koku=12, favor=1))
    story = story.plays("B", SILK_FOR_RICE).plays("B", KOKU).plays("B", SILK_FOR_RICE)
    assert story.waiting == ["B last_exchanges"]
    assert (story.player("B").goods, story.player("B").koku) == (bag("2R"), 7)
    story = story.plays("B", DECLINE)
    assert story.waiting == ["C last_exchanges"]


def test_who_has_nothing_left_to_exchange_is_done(a_match) -> None:
    """[F11] [F9] Nobody has to say so."""
    story = played_out(a_match().with_player("B", koku=5, favor=2)).plays("B", KOKU)
    assert "last_exchanges_closed(seat=1)" in story.lines
    assert story.waiting == ["C last_exchanges"]


def test_declining_is_final(a_match) -> None:
    """[F11] Whatever the others do after it."""
    story = played_out(a_match()).plays("B", DECLINE).plays("C", KOKU)
    story.refuses("B", KOKU, TableCode.NOT_YOUR_TURN, "11.3", seat=1)
    assert story.waiting == ["A last_exchanges"]  # C has bought all the favor there is room for


def test_nothing_but_exchanges_is_left_to_do(a_match) -> None:
    """[F11]"""
    story = played_out(a_match())
    for action in (END, sail("upstream", 1)):
        story.refuses("B", action, TableCode.WRONG_DECISION, "F11", expected="last_exchanges")
    over = nobody_exchanges(story)
    over.refuses("B", KOKU, TableCode.MATCH_OVER, "8.6")
    a_match().refuses("A", DECLINE, TableCode.WRONG_DECISION, "3.2", expected="turn")


# What is seen of it


def test_the_table_says_what_is_waited_for(a_match) -> None:
    """[F11]"""
    story = played_out(a_match())
    assert story.lines[-1] == "last_exchanges_opened(seats=[1, 2, 0])"
    for letter in (None, "A", "B"):
        view = story.view(letter)
        assert (view.stage, view.active, view.to_come) == ("last_exchanges", None, (1, 2, 0))
        (asked,) = view.pending
        assert (asked.seat, asked.decision, asked.rule) == (1, "last_exchanges", "F11")


# Who leaves


def test_who_leaves_is_asked_no_more(a_match) -> None:
    """[F11] [F8]"""
    story = played_out(a_match(4))
    assert story.leaves("C").waiting == ["B last_exchanges"]
    assert story.leaves("B").waiting == ["C last_exchanges"]
    assert [LETTERS[seat] for seat in story.leaves("A").state.queue] == ["B", "C", "D"]
    alone = story.leaves("B").leaves("C").leaves("D")
    assert (alone.state.reason, winners(alone)) == ("LAST_PLAYER_LEFT", "A")


def test_the_others_are_asked_although_the_last_player_left_in_the_last_turn(a_match) -> None:
    """[F11] [F8]"""
    story = a_match().last_turns("").masteries().leaves("A")
    assert story.waiting == ["B last_exchanges"]
    assert [LETTERS[seat] for seat in story.state.queue] == ["B", "C"]


@pytest.mark.parametrize("rules", ["1.0.0", "1.1.0"])
def test_the_last_one_left_is_not_asked(a_match, rules) -> None:
    """[F8] It has won."""
    story = partial(a_match, rules=rules)(2).leaves("B")
    assert (story.waiting, winners(story)) == ([], "A")


def test_an_absent_player_exchanges_nothing(a_match) -> None:
    """[F11]"""
    assert GAME.policy(played_out(a_match()).state, Seat(1)) == DECLINE
