"""[F12] Bonuses of a journey do not lapse unasked where an exchange would make room for one of them."""

from __future__ import annotations

from functools import partial

import pytest

from engine.kernel.errors import TableCode
from engine.kernel.seats import Seat
from engine.river_of_gold.actions import ExchangeGoods, ExchangeKoku, SellGoods
from engine.river_of_gold.box.components import Good
from engine.river_of_gold.game import GAME
from tests.engine.river_of_gold.conftest import DECLINE, END, Story, bag, bonus, sail, use

KOKU = ExchangeKoku()


def arrived(a_match, *merchants: str, goods: str = "", koku: int = 25, favor: int = 2) -> Story:
    """A's upstream ship has completed a journey past four shrines: nothing but VP gained on the way."""
    story = a_match().masteries().delivered("A", *merchants).ships("A", 14, 5).goods("A", goods)
    shrines = ("era1_shrine_1", "era1_shrine_2", "start_shrine_1", "start_shrine_2")
    for number, tile in enumerate(shrines, start=1):
        story = story.building(number, tile, "")
    return story.with_player("A", koku=koku, favor=favor).plays("A", sail("upstream", 1))


def test_who_could_make_room_is_asked_before_the_bonus_lapses(a_match) -> None:
    """[F12] Given 25 koku and `merchant_6`, when the good of the journey is taken, then A may buy a favor first."""
    story = arrived(a_match, "merchant_6").plays("A", bonus("silk"))
    assert story.waiting == ["A lapsing"]
    assert story.legal("A") == {"exchange_koku", "decline_exchange"}
    made = story.plays("A", KOKU)
    assert "merchant_used(seat=0, customer=merchant_6, sold=(), gains=(koku=3))" in made.lines
    assert (made.player("A").koku, made.player("A").favor) == (23, 3)
    assert made.waiting == ["B turn"]
    lapsed = story.plays("A", DECLINE)
    assert "bonuses_lapsed(seat=0, bonuses=[merchant_6])" in lapsed.lines
    assert (lapsed.player("A").koku, lapsed.waiting) == (25, ["A closing"])


def test_by_the_first_rules_it_lapsed_unasked(a_match) -> None:
    """[F12] 1.0.0"""
    story = arrived(partial(a_match, rules="1.0.0"), "merchant_6").plays("A", bonus("silk"))
    assert "bonuses_lapsed(seat=0, bonuses=[merchant_6])" in story.lines
    assert story.waiting == ["A closing"]


def test_the_bonus_itself_may_need_room(a_match) -> None:
    """[F12] Every good at its cap and 25 koku: after the exchange the 3 koku are taken."""
    story = arrived(a_match, goods="6S 6R 6P")
    assert story.waiting == ["A lapsing"]
    story = story.plays("A", KOKU)
    assert (story.waiting, story.legal("A")) == (["A journey"], {"take_journey_bonus"})
    story = story.plays("A", bonus())
    assert (story.player("A").koku, story.player("A").favor) == (23, 3)


def test_goods_can_be_sold_once_there_is_room(a_match) -> None:
    """[F12] [F5] `merchant_4` at 25 koku."""
    story = arrived(a_match, "merchant_4").plays("A", bonus("silk"))
    assert story.waiting == ["A lapsing"]
    story = story.plays("A", KOKU)
    assert story.waiting == ["A journey"]
    assert story.plays("A", SellGoods(silk=1)).player("A").koku == 25


def test_an_exchange_that_makes_no_room_is_followed_by_the_same_question(a_match) -> None:
    """[F12] Two silk for a rice; then a favor."""
    story = arrived(a_match, "merchant_6", goods="2S").plays("A", bonus("silk"))
    story = story.plays("A", ExchangeGoods(give=Good.SILK, take=Good.RICE))
    assert story.waiting == ["A lapsing"]
    assert story.player("A").goods == bag("S R")
    assert story.plays("A", KOKU).player("A").koku == 23


@pytest.mark.parametrize(
    ("merchant", "goods", "favor"),
    [
        pytest.param("merchant_6", "", 3, id="the favor is at its limit: no exchange for it"),
        pytest.param("merchant_5", "", 3, id="there is no exchange out of favor"),
        pytest.param("merchant_1", "", 2, id="without a building nothing makes room"),
    ],
)
def test_where_no_exchange_makes_room_nothing_is_asked(a_match, merchant, goods, favor) -> None:
    """[F12] [F4] What gains nothing lapses as ever."""
    story = arrived(a_match, merchant, goods=goods, favor=favor).plays("A", bonus("silk"))
    assert f"bonuses_lapsed(seat=0, bonuses=[{merchant}])" in story.lines
    assert story.waiting in (["A closing"], ["B turn"])


def test_goods_at_their_caps_cannot_make_room_for_a_good(a_match) -> None:
    """[F12] §3.4 No exchange takes what is at its cap, and a kind that is not is gained at once."""
    story = arrived(a_match, "merchant_3", goods="6S 6R 6P", koku=20).plays("A", bonus())
    assert "bonuses_lapsed(seat=0, bonuses=[merchant_3])" in story.lines
    assert story.waiting == ["A closing"]


def test_a_gain_in_part_is_no_lapse(a_match) -> None:
    """[F12] [A26] 24 koku: one of the three of `merchant_6` is gained, and nothing is asked."""
    story = arrived(a_match, "merchant_6", koku=24).plays("A", bonus("silk"))
    assert "merchant_used(seat=0, customer=merchant_6, sold=(), gains=(koku=1))" in story.lines
    assert story.waiting == ["A closing"]


def test_nothing_lapses_while_another_bonus_gains(a_match) -> None:
    """[F12] [F4] `merchant_2` first, `merchant_6` after it."""
    story = arrived(a_match, "merchant_2", "merchant_6").plays("A", bonus("silk"))
    assert story.waiting == ["A journey"]
    assert story.plays("A", use("merchant_2")).waiting == ["A lapsing"]


def test_at_that_question_nothing_else_is_done(a_match) -> None:
    """[F12]"""
    story = arrived(a_match, "merchant_6").plays("A", bonus("silk"))
    for action in (END, use("merchant_6"), bonus()):
        story.refuses("A", action, TableCode.WRONG_DECISION, "F12", expected="lapsing")
    story.refuses("B", KOKU, TableCode.NOT_YOUR_TURN, "11.3", seat=1)
    (asked,) = story.view("A").pending
    assert (asked.decision, asked.rule) == ("lapsing", "F12")
    assert story.view("A").voyage.bonuses == ("merchant_6",)


def test_a_bonus_that_gains_cannot_be_declined(a_match) -> None:
    """[F12] §11.4"""
    story = arrived(a_match, "merchant_6", koku=20)
    story.refuses("A", DECLINE, TableCode.WRONG_DECISION, "5.4", expected="journey")


def test_who_leaves_is_asked_no_more(a_match) -> None:
    """[F12] [F8]"""
    story = arrived(a_match, "merchant_6").plays("A", bonus("silk")).leaves("A")
    assert story.waiting == ["B turn"]


def test_an_absent_player_lets_it_lapse(a_match) -> None:
    """[F12] What is owned is kept."""
    story = arrived(a_match, "merchant_6").plays("A", bonus("silk"))
    assert GAME.policy(story.state, Seat(0)) == DECLINE
