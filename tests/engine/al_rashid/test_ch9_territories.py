"""§9 Territories."""

from __future__ import annotations

import pytest

from engine.al_rashid.actions import Fight, Flee, TakeAll, TakeItems, TakeSpoil
from engine.al_rashid.box.components import Good, Squad
from engine.al_rashid.errors import Code
from engine.al_rashid.game import GAME
from tests.engine.al_rashid.conftest import bag


def fighting(a_match, lying: str, hand: str, *offices: str, stacks: str = "A P, B M"):
    story = a_match(4).mercenaries("nilus_valley", lying).board("nilus_valley", stacks)
    return story.owns("A", *offices).hand("A", hand).rounds().resolve("nilus_valley")


def test_without_a_tile_of_a_colour_that_lies_there_a_player_must_flee(a_match) -> None:
    """[R23]"""
    story = fighting(a_match, "red 2", "blue 4")
    assert story.legal("A") == {"flee"}
    story.refuses("A", Fight(tiles=Squad(blue_4=1)), Code.WRONG_COLOUR, "R23", colour="blue")
    story.refuses("A", Fight(tiles=Squad()), Code.CANNOT_FIGHT, "9.2")
    story.refuses("A", Fight(tiles=Squad(red_2=1)), Code.TILE_NOT_IN_HAND, "9.2", colour="red", value=2)


@pytest.mark.parametrize(
    ("lying", "spent", "left"),
    [
        ("red 3, red 2", Squad(red_4=1), ["red 3", "red 2"]),
        ("red 3, red 2", Squad(red_4=1, red_2=1), []),
        ("red 4, blue 2", Squad(red_4=1, blue_3=1), ["red 4"]),
        ("red 3, blue 4", Squad(red_4=1, blue_3=1), ["blue 4"]),
        ("red 2, blue 2", Squad(red_4=1, blue_3=1), []),
    ],
)
def test_colours_fight_separately_by_their_sums(a_match, lying, spent, left) -> None:
    """[R24] Equal does not win."""
    story = fighting(a_match, lying, "red 4, red 2, blue 3").plays("A", Fight(tiles=spent))
    assert [f"{tile.colour} {tile.value}" for tile in story.state.tiles[6]] == left
    assert story.waiting == (["B battle"] if left else ["A trade"])
    assert sum(story.player("A").hand) < 3


def test_two_strategists_add_two_to_each_tile(a_match) -> None:
    """[R13]"""
    story = fighting(a_match, "red 4, red 3", "red 2, red 2", "strategist", "strategist")
    story = story.plays("A", Fight(tiles=Squad(red_2=2)))
    assert story.state.tiles[6] == ()


def test_a_partial_win_gives_the_raider_nothing_and_the_last_tile_does(a_match) -> None:
    """[R25] Two Raiders take two goods, also of a kind that is sold out [R13]."""
    story = fighting(a_match, "red 2, blue 4", "red 3, blue 2", "raider", "raider")
    story = story.plays("A", Fight(tiles=Squad(red_3=1)))
    assert (story.waiting, story.has("A")) == (["B battle"], (0, 0, 0, 0, 0))
    story = fighting(a_match, "red 2", "red 3", "raider", "raider")
    story = story.plays("A", Fight(tiles=Squad(red_3=1)))
    story = story.plays("A", TakeSpoil(good=Good.METALS))
    assert story.waiting == ["A spoil"]
    assert story.plays("A", TakeSpoil(good=Good.METALS)).has("A") == (0, 0, 2, 0, 0)


def test_no_battle_no_spoils(a_match) -> None:
    """[R25]"""
    story = a_match().board("nilus_valley", "A P").owns("A", "raider").rounds().resolve("nilus_valley")
    assert story.waiting == ["A trade"]


def test_all_fight_and_three_of_those_left_trade(a_match) -> None:
    """[R7] Ranks 4 and 5 rise when others flee; who is over takes the pieces back without dishonor."""
    story = a_match(5).mercenaries("sarmatia", "blue 2").hand("B", "blue 3")
    story = story.board("sarmatia", "A PS, B P, C MS, D M, E S").rounds().resolve("sarmatia")
    story = story.plays("A", Flee()).plays("B", Fight(tiles=Squad(blue_3=1)))
    assert story.state.scene.traders == (1, 2, 3)
    assert story.stack("E", "sarmatia") == ""
    assert story.player("E").dishonor == 0


def test_tiles_are_turned_up_and_stay_so(a_match) -> None:
    """§9.1, §9.4"""
    story = fighting(a_match, "red 2", "", stacks="A P")
    assert (
        "tiles_revealed(territory=nilus_valley, tiles=[(id=0, territory=nilus_valley, colour=red, value=2)])"
        in story.lines
    )
    story = story.plays("A", Flee())
    assert story.waiting == ["D own_turn"]
    assert [tile.face_up for tile in story.state.tiles[6]] == [True]


def test_trade_amounts(a_match) -> None:
    """[R26] Kinds may repeat, fewer or none may be taken."""
    story = a_match().board("sarmatia", "A P, B M, C S").rounds().resolve("sarmatia")
    story.refuses("A", TakeAll(good=Good.SILK), Code.NOT_ON_TERRITORY, "9.7", items=("silk",))
    story = story.plays("A", TakeAll(good=Good.METALS))
    assert story.has("A") == (0, 0, 5, 0, 0)
    story.refuses("B", TakeAll(good=Good.HARDWOOD), Code.ONLY_FIRST_RANK, "9.7", rank=2)
    story.refuses("B", TakeItems(goods=bag("2H P")), Code.TOO_MANY_ITEMS, "9.7", items=3, limit=2)
    story.refuses("B", TakeItems(goods=bag("2P")), Code.NOT_ON_TERRITORY, "9.7", items=("pottery",))
    story = story.plays("B", TakeItems(goods=bag("2H")))
    assert story.legal("C") == {
        "take_items(goods=(pottery=1))",
        "take_items(goods=(), note=true)",
        "take_items(goods=())",
    }
    story = story.plays("C", TakeItems(goods=bag("")))
    assert story.state.stocks[2] == (0, 1, 0, 0, 0, 1)


def test_many_squads_are_told_by_a_template_alone(a_match) -> None:
    story = fighting(
        a_match, "red 4, blue 4", "red 2, " * 8 + "blue 2, " * 8 + "red 3, blue 3, red 4, blue 4"
    )
    legal = GAME.legal_actions(story.state, 0)
    assert legal.actions == (Flee(),)
    assert legal.templates[0].listed is False
    assert legal.templates[0].owned == Squad(red_2=8, red_3=1, red_4=1, blue_2=8, blue_3=1, blue_4=1)
    assert story.plays("A", Fight(tiles=Squad(red_2=8, blue_2=8))).waiting == ["A trade"]
