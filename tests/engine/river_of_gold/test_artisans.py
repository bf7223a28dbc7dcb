"""§10.1 The six artisans: 2 influence, builds in their region cost 2 koku less, goods count at the end."""

from __future__ import annotations

import pytest

from engine.river_of_gold.errors import Code
from tests.engine.river_of_gold.conftest import build, deliver, discard
from tests.engine.river_of_gold.endings import ended

ORDERS = {1: "2P", 2: "2P", 3: "2S", 4: "2S", 5: "2R", 6: "2R"}
PRINTED = {
    1: {1: 6, 2: 5, 3: 8, 4: 12, 5: 6},
    2: {7: 8, 8: 6, 9: 12, 10: 9},
    3: {11: 8, 12: 12, 13: 6, 14: 5, 15: 11},
    4: {16: 9, 18: 12, 19: 6, 20: 6},
    5: {21: 12, 22: 8, 23: 9, 24: 6, 25: 11},
    6: {26: 13, 27: 6, 28: 6, 30: 5},
}
"""What the shore spaces cost, by region; imperial spaces are left out."""

every_region = pytest.mark.parametrize("region", ORDERS, ids=lambda region: f"artisan_{region}")


def costs(story, letter: str, region: int) -> dict[int, int | None]:
    """What a seat is told the empty spaces of a region cost it."""
    shores = {int(space.id[-2:]): space for space in story.view(letter).shores}
    return {number: shores[number].your_cost for number in PRINTED[region]}


@every_region
def test_delivery_gives_two_influence_in_the_region(a_match, region) -> None:
    story = (
        a_match().with_player("A", die=region).goods("A", ORDERS[region]).influence("A", **{f"r{region}": 2})
    )
    story = story.hand("A", f"artisan_{region}").plays("A", deliver(f"artisan_{region}"))
    assert story.player("A").tracks == tuple(4 if each == region else 0 for each in range(1, 7))
    assert story.player("A").goods == (0, 0, 0)
    assert story.view().regions[region - 1].artisans == (0,)


@every_region
def test_its_owners_builds_in_the_region_cost_two_koku_less(a_match, region) -> None:
    """§4.2 Nobody else's, and none elsewhere."""
    story = a_match().delivered("A", f"artisan_{region}")
    assert costs(story, "A", region) == {number: cost - 2 for number, cost in PRINTED[region].items()}
    assert costs(story, "B", region) == PRINTED[region]
    for other in PRINTED.keys() - {region}:
        assert costs(story, "A", other) == PRINTED[other]


@every_region
def test_the_discount_is_what_is_paid(a_match, region) -> None:
    """§4.2 [A39] With exactly the discounted cost a build is possible; with 1 koku less it is not."""
    number, cost = min(PRINTED[region].items(), key=lambda each: each[1])
    story = a_match().delivered("A", f"artisan_{region}").with_player("A", die=region, koku=cost - 2)
    tile = story.state.row[0].value
    built = story.plays("A", build(number, tile))
    assert built.player("A").koku == 0
    assert built.owners(number) == "A"
    poor = story.with_player("A", koku=cost - 3)
    poor.refuses("A", build(number, tile), Code.SPACE_UNAFFORDABLE, "4.2", cost=cost - 2, koku=cost - 3)


def test_the_discount_is_there_from_the_delivery_on(a_match) -> None:
    """§6.3 Also in the region of one delivered in this very turn, as its owner's view says."""
    story = a_match().with_player("A", die=3).goods("A", "2S").hand("A", "artisan_3", "monk_1")
    assert costs(story, "A", 3)[13] == 6
    story = story.plays("A", deliver("artisan_3")).plays("A", discard("monk_1"))
    assert costs(story, "A", 3)[13] == 4


def test_artisans_of_two_regions_do_not_add_up(a_match) -> None:
    story = a_match().delivered("A", "artisan_1", "artisan_2")
    assert costs(story, "A", 1)[1] == 4
    assert costs(story, "A", 2)[8] == 4


@every_region
@pytest.mark.parametrize(
    ("goods", "vp"), [("", 0), ("2P", 0), ("S R P", 1), ("5S", 1), ("2S 2R 2P", 2), ("6S 6R 6P", 6)]
)
def test_goods_held_count_at_the_end(a_match, region, goods, vp) -> None:
    """1 VP for three, all kinds together, rounded down."""
    story = ended(a_match().delivered("A", f"artisan_{region}").with_player("A", koku=0).goods("A", goods))
    assert story.score("A")[f"artisan_{region}"] == vp


def test_every_artisan_counts_all_the_goods_for_itself(a_match) -> None:
    """§8.5 Each card on its own: 3 + 3 VP for nine goods."""
    story = ended(a_match().delivered("A", "artisan_1", "artisan_6").goods("A", "3S 3R 3P"))
    assert (story.score("A")["artisan_1"], story.score("A")["artisan_6"]) == (3, 3)
    assert "artisan_1" not in story.score("B")
