"""§10 Offices."""

from __future__ import annotations

import pytest

from engine.al_rashid.actions import (
    ConvertSage,
    DeclareAudience,
    Decline,
    NameColours,
    Pay,
    RemoveMercenary,
    TakeGoods,
    UseImporter,
    UseNegotiator,
    UseSmuggler,
    UseTrader,
)
from engine.al_rashid.box.components import Good
from engine.al_rashid.errors import Code
from engine.al_rashid.game import GAME
from engine.kernel.seats import PUBLIC, seat_audience
from tests.engine.al_rashid.conftest import bag


def own_turn(a_match, goods: str, *offices: str):
    return a_match().goods(A=goods).owns("A", *offices).board("spies", "A P").rounds()


def bought(a_match, office: str, goods: str = "H P", stack: str = "P"):
    """A has paid for an office of Al-Rashid's."""
    story = a_match().goods(A=goods).board("al_rashid", f"A {stack}").rounds().resolve("al_rashid")
    return story.plays("A", DeclareAudience(office=office)).plays("A", Pay(goods=bag(goods)))


def test_the_smuggler(a_match) -> None:
    story = own_turn(a_match, "2H", "smuggler")
    same = UseSmuggler(give=Good.HARDWOOD, take=Good.HARDWOOD)
    story.refuses("A", same, Code.SAME_GOOD, "10.2", good="hardwood")
    assert story.plays("A", UseSmuggler(give=Good.HARDWOOD, take=Good.SILK)).has("A") == (1, 0, 0, 0, 1)


def test_the_trader_takes_common_goods_only(a_match) -> None:
    story = own_turn(a_match, "Si", "trader")
    story.refuses("A", UseTrader(give=Good.SILK), Code.NOT_A_COMMON_GOOD, "10.2", good="silk")


@pytest.mark.parametrize(
    ("office", "goods"), [("hardwood_importer", 0), ("pottery_importer", 1), ("metal_importer", 2)]
)
def test_importers(a_match, office, goods) -> None:
    story = own_turn(a_match, "", office).plays("A", UseImporter(office=office))
    assert story.has("A")[goods] == sum(story.has("A")) == 1


def test_an_importer_is_named_by_its_office(a_match) -> None:
    story = own_turn(a_match, "", "smuggler")
    story.refuses("A", UseImporter(office="cook"), Code.OFFICE_UNKNOWN, "10", office="cook")
    story.refuses("A", UseImporter(office="smuggler"), Code.OFFICE_NOT_ACTIVATED, "10.2", office="smuggler")
    other = UseImporter(office="metal_importer")
    story.refuses("A", other, Code.OFFICE_NOT_OWNED, "5.3", office="metal_importer")


def test_the_negotiator_looks_first_and_may_then_remove_one(a_match) -> None:
    """[R28] Values do not matter; the territory is empty of pieces. [F4] What was seen stays known."""
    story = a_match().owns("A", "negotiator").mercenaries("sarmatia", "red 4, blue 3").hand("A", "red 2")
    story = story.board("spies", "A P").rounds()
    story.refuses(
        "A", UseNegotiator(territory="silk_road"), Code.NO_TILES_THERE, "R41", territory="silk_road"
    )
    story.refuses("A", UseNegotiator(territory="culture"), Code.AREA_UNKNOWN, "10.2", area="culture")
    story = story.plays("A", UseNegotiator(territory="sarmatia"))
    assert story.legal("A") == {"remove_mercenary(tile=0, own_value=2)", "decline"}
    story.refuses("A", RemoveMercenary(tile=7, own_value=2), Code.TILE_UNKNOWN, "10.2", tile=7)
    blue = RemoveMercenary(tile=1, own_value=3)
    story.refuses("A", blue, Code.TILE_NOT_IN_HAND, "10.2", colour="blue", value=3)
    removed = story.plays("A", RemoveMercenary(tile=0, own_value=2))
    assert removed.state.discards == (1, 0, 1, 0, 0, 0)
    seen = GAME.view(removed.state, seat_audience(0)).territories[2].mercenaries
    assert [(tile.id, tile.value, tile.face_up) for tile in seen] == [(1, 3, False)]
    assert GAME.view(removed.state, PUBLIC).territories[2].mercenaries[0].value is None
    assert story.plays("A", Decline()).player("A").hand == (1, 0, 0, 0, 0, 0)


def test_the_treasurer_the_law_expert_and_the_aide(a_match) -> None:
    assert bought(a_match, "treasurer").player("A").notes == 1
    assert bought(a_match, "law_expert", "H P M").player("A").influence == 1


@pytest.mark.parametrize(("sages", "markers"), [("", 0), ("S", 1), ("SSS", 2), ("SSSSS", 3)])
def test_the_astrologist_counts_all_sages(a_match, sages, markers) -> None:
    """One sage is in the reserve; those on the board count."""
    story = bought(a_match, "astrologist", stack=f"P{sages}")
    assert story.player("A").influence == markers


def test_the_agha_draws_four_with_colours_named_beforehand(a_match) -> None:
    """[R14]"""
    story = bought(a_match, "agha", "H P M Si")
    assert len(story.legal("A")) == 5
    wrong = NameColours(red=2, blue=1)
    story.refuses("A", wrong, Code.WRONG_NUMBER, "7.5", number=3, expected=4)
    story = story.plays("A", NameColours(red=3, blue=1), luck=[0, 0, 0, 0])
    assert story.player("A").hand == (3, 0, 0, 1, 0, 0)


def test_the_quartermaster_brings_two_goods(a_match) -> None:
    story = bought(a_match, "quartermaster")
    assert len(story.legal("A")) == 15
    story.refuses("A", TakeGoods(goods=bag("3Si")), Code.WRONG_NUMBER, "10.2", number=3, expected=2)
    assert story.plays("A", TakeGoods(goods=bag("2Si"))).has("A") == (0, 0, 0, 0, 2)


def test_the_alchemist_in_the_reserve_and_in_the_palace_being_resolved(a_match) -> None:
    """[R29]"""
    story = bought(a_match, "alchemist", stack="PS")
    reserve = story.plays("A", ConvertSage())
    assert reserve.player("A").reserve == (2, 2, 1)
    palace = story.plays("A", ConvertSage(area="al_rashid"))
    assert palace.player("A").reserve == (2, 2, 1)
    assert palace.state.family(0) == reserve.state.family(0) == (2, 2, 1)
    assert story.plays("A", Decline()).state.family(0) == (2, 1, 2)


def test_the_alchemist_on_the_board(a_match) -> None:
    """[R29] The merchant takes the sage's place and slot, where no own pasha or merchant stands."""
    story = a_match().goods(A="H P").board("culture", "A SS, B P").board("military", "A MS")
    story = story.board("al_rashid", "A P").rounds().resolve("al_rashid")
    story = story.plays("A", DeclareAudience(office="alchemist")).plays("A", Pay(goods=bag("H P")))
    story.refuses("A", ConvertSage(area="military"), Code.SECOND_BIG_PIECE, "R29", area="military")
    story.refuses("A", ConvertSage(area="spies"), Code.NO_SAGE_THERE, "10.2", area="spies")
    story.refuses("A", ConvertSage(area="atlantis"), Code.AREA_UNKNOWN, "10.2", area="atlantis")
    story = story.plays("A", ConvertSage(area="culture"))
    assert (story.stack("A", "culture"), story.slots("culture")) == ("MS", "AB")


def test_the_alchemist_at_four_merchants_converts_nothing(a_match) -> None:
    """[R15] [F5] Nothing is asked."""
    story = bought(lambda: a_match().family("A", "MMM"), "alchemist")
    assert story.waiting == ["C own_turn"]
    assert story.state.offices(0, "alchemist") == 1
