"""How actions are presented: what to touch, in the order of touching, and what is paid."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.kernel.hints import Hint
from engine.kernel.seats import Seat, seat_audience
from engine.river_of_gold.actions import (
    ChooseRoyalShip,
    ExchangeGoods,
    ExchangeKoku,
    RiverOfGoldAction,
    RollDie,
    SellGoods,
)
from engine.river_of_gold.box.components import Good, Goods, ShipId
from engine.river_of_gold.game import GAME
from engine.river_of_gold.templates import SellGoodsTemplate
from tests.engine.river_of_gold.conftest import (
    DOWN,
    END,
    UP,
    Story,
    bonus,
    build,
    deliver,
    discard,
    good,
    mark,
    sail,
    set_die,
    use,
)


def shown(story: Story, action: RiverOfGoldAction) -> tuple[str, tuple[str, ...], dict[str, int]]:
    """Group, targets and cost for A, who has the action."""
    hint: Hint = GAME.hint(GAME.view(story.state, seat_audience(story.view().pending[0].seat)), action)
    return hint.group, hint.targets, {cost.resource: cost.amount for cost in hint.cost}


def test_a_build_takes_a_tile_of_the_row_to_a_space(a_match: Callable[..., Story]) -> None:
    """§4 W3: the tile, then the space; 9 koku are paid."""
    story = a_match().with_player("A", die=4, koku=9).empty(16)
    story = story.row("era1_port_1", "era1_manor_1", "era1_market_1", "era1_shrine_5")
    told = shown(story, build(16, "era1_shrine_5"))
    assert told == ("build", ("era1_shrine_5", "shore_16"), {"koku": 9})


def test_a_build_is_cheaper_with_an_artisan(a_match: Callable[..., Story]) -> None:
    """§4.2 W13: `shore_13` costs 6, 4 with the artisan of region 3."""
    story = a_match().with_player("A", die=3, koku=9).empty(13).delivered("A", "artisan_3")
    tile = GAME.view(story.state, seat_audience(Seat(0))).row[0].building
    assert shown(story, build(13, tile))[2] == {"koku": 4}


def test_a_sails_targets_are_the_ship_and_the_space_where_it_arrives(a_match: Callable[..., Story]) -> None:
    """§5.1 [A3] W18: from space 13 with a 4 to space 3."""
    story = a_match().with_player("A", die=4).ships("A", 13, 8)
    assert shown(story, sail("upstream", 4)) == ("sail", ("ship_upstream@0", "river_03"), {})


def test_the_royal_ship_is_touched_as_the_royal_ship(a_match: Callable[..., Story]) -> None:
    """§10.5 [A18]: with `noble_5` its sails differ in the space where they end."""
    story = a_match().with_player("A", die=1).ships("A", 5, 8, "upstream").delivered("A", "noble_5")
    ends = [shown(story, sail("upstream", distance))[1] for distance in (1, 2, 6)]
    assert ends == [("ship_royal@0", f"river_{end:02}") for end in (6, 7, 11)]


def test_a_delivery_costs_the_order(a_match: Callable[..., Story]) -> None:
    """§6.2 W5"""
    story = a_match().with_player("A", die=6).goods("A", "S 2R P").hand("A", "merchant_6", "elder_1")
    told = shown(story, deliver("merchant_6"))
    assert told == ("deliver", ("merchant_6",), {"silk": 1, "rice": 2})


@pytest.mark.parametrize(("action", "face"), [(UP, 1), (DOWN, 5)])
def test_favor_turns_the_die_to_the_face_that_is_touched(
    a_match: Callable[..., Story], action: RiverOfGoldAction, face: int
) -> None:
    """§3.1: 6 and 1 are neighbours."""
    story = a_match().with_player("A", die=6, favor=2)
    assert shown(story, action) == ("die", (f"die_{face}@0",), {"favor": 1})


def test_an_exchange_gives_and_takes(a_match: Callable[..., Story]) -> None:
    """§3.4"""
    story = a_match().with_player("A", koku=5, favor=0).goods("A", "2S")
    goods = ExchangeGoods(give=Good.SILK, take=Good.RICE)
    assert shown(story, goods) == ("exchange", ("silk@0", "rice@0"), {"silk": 2})
    assert shown(story, ExchangeKoku()) == ("exchange", ("koku@0", "favor@0"), {"koku": 5})


def test_the_bonus_of_a_journey_and_its_merchants(a_match: Callable[..., Story]) -> None:
    """§5.4: koku or a good is touched on the mat, a merchant where it was delivered."""
    story = a_match().with_player("A", die=1, koku=0).goods("A", "2S R").ships("A", 14, 5)
    story = story.delivered("A", "merchant_3", "merchant_4", "merchant_6").plays("A", sail("upstream", 1))
    assert shown(story, bonus()) == ("journey", ("koku@0",), {})
    assert shown(story, bonus("rice")) == ("journey", ("rice@0",), {})
    assert shown(story, use("merchant_3", "silk")) == ("journey", ("merchant_3", "silk@0"), {})
    assert shown(story, use("merchant_6")) == ("journey", ("merchant_6",), {})
    sale = shown(story, SellGoods(silk=2))
    assert sale == ("journey", ("merchant_4", "silk@0"), {"silk": 2})


def test_what_is_chosen_on_the_way_is_touched(a_match: Callable[..., Story]) -> None:
    """§11.1: the card that is discarded, the ship that is replaced, the building that is marked, the good."""
    story = a_match().hand("A", "noble_1", "elder_1").with_player("A", die=1).goods("A", "S R 2P")
    story = story.plays("A", deliver("noble_1"))
    ship = ChooseRoyalShip(ship=ShipId.MIDSTREAM)
    assert shown(story, ship) == ("choose", ("ship_midstream@0",), {})
    story = story.plays("A", ship)
    assert shown(story, discard("elder_1")) == ("choose", ("elder_1",), {})
    assert shown(story, mark(8)) == ("choose", ("shore_08",), {})
    assert shown(story, good("silk")) == ("choose", ("silk@0",), {})


def test_what_concerns_no_place_has_no_target(a_match: Callable[..., Story]) -> None:
    story = a_match()
    assert shown(story, END) == ("end", (), {})
    assert shown(story, RollDie()) == ("die", (), {})


def test_ryoku_touches_the_face_that_the_die_shall_show(a_match: Callable[..., Story]) -> None:
    """[A23]"""
    assert shown(a_match(), set_die(3)) == ("die", ("die_3@0",), {"favor": 1})


def test_a_sale_is_three_numbers_with_a_limit_on_their_sum(a_match: Callable[..., Story]) -> None:
    """§10.3 [F5]: 19 koku leave room for 2 goods, of 3 silk, 1 rice and no porcelain."""
    told = GAME.template_hint(
        a_match().view(), SellGoodsTemplate(owned=Goods(silk=3, rice=1), most=2, koku_each=5)
    )
    assert told.group == "journey"
    steps = [(step.field, step.name, step.least, step.most, step.suggested) for step in told.steps]
    assert steps == [
        ("/silk", "silk", 0, 2, 0),
        ("/rice", "rice", 0, 1, 0),
        ("/porcelain", "porcelain", 0, 0, 0),
    ]
    ((limit,), (name,)) = told.limits, {step.limit for step in told.steps}
    assert (limit.name, limit.least, limit.most) == (name, 0, 2)
