"""What a person touches and pays for an action."""

from __future__ import annotations

import pytest

from engine.al_rashid.actions import (
    ChooseFavors,
    ConvertSage,
    DeclareAudience,
    DeclareVisit,
    Decline,
    Fight,
    Flee,
    GiveGood,
    HoldBack,
    MovePiece,
    NameColours,
    Pay,
    Peek,
    PlacePiece,
    RemoveMercenary,
    ResolveArea,
    SwapGood,
    TakeAll,
    TakeItems,
    UseNegotiator,
    UseSmuggler,
)
from engine.al_rashid.box.components import Colour, Favor, Good, Piece, Squad
from engine.al_rashid.game import GAME
from engine.al_rashid.templates import LISTED
from engine.kernel.chance import SeededChance
from engine.kernel.hints import Hint, Limit, NumberStep
from engine.kernel.seats import seat_audience
from tests.engine.al_rashid.conftest import bag


def hint(story, action) -> Hint:
    """The hint of a legal action of whoever is waited for."""
    seat = GAME.to_act(story.state)[0]
    legal = GAME.legal_actions(story.state, seat)
    assert action in legal.actions, legal
    return GAME.hint(GAME.view(story.state, seat_audience(seat)), action)


def paid(found: Hint) -> dict[str, int]:
    return {cost.resource: cost.amount for cost in found.cost}


def visiting(a_match, area: str, *offices: str, goods: str = "3H 3P 3M 3Sp 3Si", stacks: str = "A P"):
    story = a_match(3).goods(A=goods).owns("A", *offices).board(area, stacks)
    return story.rounds().resolve(area)


def test_a_placing_touches_the_piece_in_the_reserve_then_the_area(a_match) -> None:
    """§4.2"""
    found = hint(a_match(), PlacePiece(piece=Piece.SAGE, area="culture"))
    assert (found.group, found.targets, found.cost) == ("place", ("sage@0", "culture"), ())


def test_one_of_two_merchants_is_named_by_where_it_stands(a_match) -> None:
    story = a_match().family("A", "M")
    assert hint(story, PlacePiece(piece=Piece.MERCHANT, area="culture")).targets == (
        "merchant:reserve@0",
        "culture",
    )


def test_a_piece_that_was_held_back_is_touched_where_it_waits(a_match) -> None:
    """§4.1, §4.3"""
    story = a_match(2).owns("A", "diplomat")
    while not story.waiting[0].startswith("A hold_back"):
        story = next_answer(story)
    assert hint(story, HoldBack(piece=Piece.PASHA)).targets == ("pasha@0",)
    story = story.plays("A", HoldBack(piece=Piece.PASHA))
    while "place_held" not in story.waiting[0]:
        story = next_answer(story)
    found = hint(story, PlacePiece(piece=Piece.PASHA, area="spies"))
    assert found.targets == ("pasha@0", "spies")


def next_answer(story):
    """The next decision, answered as for an absent player."""
    seat = GAME.to_act(story.state)[0]
    events = GAME.decide(
        story.state, seat, GAME.policy(story.state, seat), SeededChance(bytes(32), story.state.clock)
    )
    return story.told(*events)


def test_naming_an_area_touches_it(a_match) -> None:
    """§5.3"""
    story = a_match().board("military", "A P").rounds()
    assert hint(story, ResolveArea(area="military")).targets == ("military",)


def test_a_spy_move_touches_the_piece_and_where_it_goes(a_match) -> None:
    """§7.6"""
    story = visiting(a_match, "spies", stacks="A P").board("sarmatia", "A MS")
    story = story.plays("A", DeclareVisit(service=True))
    found = hint(story, MovePiece(piece=Piece.SAGE, from_area="sarmatia", to_area="silk_road"))
    assert (found.group, found.targets) == ("move", ("sage:sarmatia@0", "silk_road"))
    assert hint(story, Peek(territory="silk_road")).targets == ("silk_road",)
    assert hint(story, Decline()) == Hint(group="end")


def test_a_visit_touches_its_parts_and_costs_their_sum(a_match) -> None:
    """§6.1, §7.2"""
    story = visiting(a_match, "mercantile", stacks="A M")
    found = hint(story, DeclareVisit(service=True, office="trader"))
    assert (found.group, found.targets) == ("visit", ("train_merchant", "trader"))
    assert paid(found) == {"gold": 15}
    assert hint(story, DeclareVisit()) == Hint(group="visit", targets=("mercantile",))


def test_a_visit_costs_less_for_a_loremaster(a_match) -> None:
    """§6.7"""
    story = visiting(a_match, "mercantile", "loremaster", stacks="A M")
    assert paid(hint(story, DeclareVisit(service=True))) == {"gold": 5}


def test_a_credit_note_is_touched_and_paid(a_match) -> None:
    """§6.6 With a Banker it takes 5 off."""
    story = visiting(a_match, "military", "banker").notes("A")
    found = hint(story, DeclareVisit(office="raider", note=True))
    assert found.targets == ("raider", "credit_note:own@0")
    assert paid(found) == {"gold": 1, "credit_note": 1}


def test_the_favorite_is_touched_before_the_favor_that_it_copies(a_match) -> None:
    """[R18]"""
    found = hint(visiting(a_match, "spies"), DeclareVisit(favor=Favor.QADI))
    assert (found.targets, paid(found)) == (("favorite", "qadi"), {"gold": 1})


@pytest.mark.parametrize("goods", ["3H 3P 3M 3Sp 3Si", "H P M", ""])
@pytest.mark.parametrize("area", ["spies", "military", "culture", "mercantile", "political", "al_rashid"])
def test_the_cost_of_a_visit_is_its_total(a_match, area, goods) -> None:
    """§6.1 For every visit that can be declared, with notes, a Banker and a Loremaster."""
    story = visiting(a_match, area, "banker", "loremaster", goods=goods).notes("A")
    view = GAME.view(story.state, seat_audience(0))
    for action in GAME.legal_actions(story.state, 0).actions:
        told = story.by(0, action)
        (declared,) = [each for each in told.events if hasattr(each, "total") and hasattr(each, "steps")]
        assert paid(GAME.hint(view, action)).get("gold", 0) == declared.total, action


def test_an_audience_touches_benevolence_its_good_and_the_office(a_match) -> None:
    """§8.2"""
    story = visiting(a_match, "al_rashid")
    found = hint(story, DeclareAudience(benevolence=Good.SILK, office="treasurer"))
    assert (found.targets, paid(found)) == (("benevolence", "silk", "treasurer"), {"gold": 3})


def test_a_payment_touches_and_costs_own_goods(a_match) -> None:
    """§6.4"""
    story = visiting(a_match, "military", goods="H P M").plays("A", DeclareVisit(office="negotiator"))
    found = hint(story, Pay(goods=bag("H M")))
    assert (found.group, found.targets) == ("pay", ("hardwood:own@0", "metals:own@0"))
    assert paid(found) == {"hardwood": 1, "metals": 1}


def test_few_payments_are_listed_from_the_cheapest_on(a_match) -> None:
    """§6.4"""
    story = visiting(a_match, "military", goods="2H P M Sp Si").plays("A", DeclareVisit(office="raider"))
    legal = GAME.legal_actions(story.state, 0)
    assert legal.templates == ()
    assert 1 < len(legal.actions) <= LISTED
    assert legal.actions[0] == GAME.policy(story.state, 0)


def test_many_payments_are_counted_from_the_cheapest_on(a_match) -> None:
    """§6.4, §7.7 The General needs a good, so one is left."""
    story = visiting(a_match, "military", goods="8H 8P 8M 8Sp 8Si")
    story = story.plays("A", DeclareVisit(office="raider", favor=Favor.GENERAL))
    view, legal = GAME.view(story.state, seat_audience(0)), GAME.legal_actions(story.state, 0)
    (template,) = legal.templates
    found = GAME.template_hint(view, template)
    assert legal.actions == ()
    assert [(step.field, step.least, step.most, step.name) for step in found.steps] == [
        (f"/goods/{good}", 0, 8, good) for good in Good
    ]
    assert [step.suggested for step in found.steps] == [1, 1, 1, 0, 0]
    assert found.limits == (Limit(name="goods", least=1, most=39),)


def test_gifts_and_swaps_cost_the_good_that_is_given(a_match) -> None:
    """§7.7"""
    story = visiting(a_match, "military", goods="H").plays("A", DeclareVisit(favor=Favor.GENERAL))
    found = hint(story, GiveGood(give=Good.HARDWOOD, colour=Colour.BLUE))
    assert (found.group, found.targets) == ("favor", ("hardwood:own@0", "blue_stack"))
    assert paid(found) == {"hardwood": 1}
    story = visiting(a_match, "mercantile", goods="H", stacks="A M")
    story = story.plays("A", DeclareVisit(favor=Favor.VIZIER))
    found = hint(story, SwapGood(give=Good.HARDWOOD, take=Good.SILK))
    assert (found.targets, paid(found)) == (("hardwood:own@0", "silk"), {"hardwood": 1})


def test_the_impostors_favors_are_touched_in_their_order(a_match) -> None:
    """[R40]"""
    story = visiting(a_match, "spies", goods="H P M").plays("A", DeclareVisit(office="impostor"))
    story = story.plays("A", Pay(goods=bag("H P M")))
    action = ChooseFavors(first=Favor.QADI, second=Favor.COURT_SCHOLAR)
    assert hint(story, action).targets == ("qadi", "court_scholar")


def test_naming_colours_touches_the_stacks(a_match) -> None:
    """[R14]"""
    story = visiting(a_match, "military").plays("A", DeclareVisit(service=True))
    assert hint(story, NameColours(red=2, blue=1)).targets == ("red_stack", "blue_stack")
    assert hint(story, NameColours(red=3, blue=0)).targets == ("red_stack",)


@pytest.mark.parametrize("area", [None, "sarmatia"])
def test_the_alchemist_touches_the_sage(a_match, area) -> None:
    """[R29]"""
    story = visiting(a_match, "al_rashid", goods="H P").board("sarmatia", "A S")
    story = story.plays("A", DeclareAudience(office="alchemist")).plays("A", Pay(goods=bag("H P")))
    assert hint(story, ConvertSage(area=area)).targets == (f"sage:{area or 'reserve'}@0",)


def test_an_office_is_touched_before_what_it_is_used_on(a_match) -> None:
    """§10.2 Of two copies the one that is not used yet."""
    story = a_match(4).goods(A="H").owns("A", "smuggler", "smuggler").board("spies", "A P, B P").rounds()
    use = UseSmuggler(give=Good.HARDWOOD, take=Good.SILK)
    found = hint(story, use)
    assert (found.group, found.targets) == ("office", ("office:smuggler:1@0", "hardwood:own@0", "silk"))
    assert paid(found) == {"hardwood": 1}


def test_a_removal_touches_the_tile_on_the_territory_and_the_own_one(a_match) -> None:
    """[R28]"""
    story = a_match().owns("A", "negotiator").hand("A", "red 2, blue 4").mercenaries("sarmatia", "red 3")
    story = story.rounds().plays("A", UseNegotiator(territory="sarmatia"))
    number = story.state.tiles[2][0].id
    found = hint(story, RemoveMercenary(tile=number, own_value=2))
    assert found.targets == (f"mercenary:{number}", "red_2:hand@0")
    assert paid(found) == {"red_2": 1}


def fighting(a_match, hand: str):
    story = a_match().mercenaries("nilus_valley", "red 3, blue 2").board("nilus_valley", "A P, B M")
    return story.hand("A", hand).rounds().resolve("nilus_valley")


def test_a_fight_touches_and_costs_own_tiles(a_match) -> None:
    """§9.2"""
    story = fighting(a_match, "red 2, red 2, blue 4")
    found = hint(story, Fight(tiles=Squad(red_2=2, blue_4=1)))
    assert (found.group, found.targets) == ("battle", ("red_2:hand@0", "blue_4:hand@0"))
    assert paid(found) == {"red_2": 2, "blue_4": 1}
    assert hint(story, Flee()).targets == ("nilus_valley",)


def test_many_fights_are_counted_from_one_tile_on(a_match) -> None:
    """§9.2"""
    story = fighting(a_match, "red 2, " * 6 + "blue 4, " * 6)
    view, legal = GAME.view(story.state, seat_audience(0)), GAME.legal_actions(story.state, 0)
    (template,) = legal.templates
    assert legal.actions == (Flee(),)
    found = GAME.template_hint(view, template)
    assert found.steps == (
        NumberStep(field="/tiles/red_2", least=0, most=6, suggested=1, name="red_2", limit="tiles"),
        NumberStep(field="/tiles/blue_4", least=0, most=6, suggested=0, name="blue_4", limit="tiles"),
    )
    assert found.limits == (Limit(name="tiles", least=1),)


@pytest.mark.parametrize(("red", "blue", "listed"), [(19, 1, 39), (40, 0, 40), (20, 1, 0), (41, 0, 0)])
def test_fights_are_listed_or_described_but_never_both(a_match, red, blue, listed) -> None:
    """§9.2"""
    story = fighting(a_match, ", ".join(["red 3"] * red + ["blue 4"] * blue))
    legal = GAME.legal_actions(story.state, 0)
    assert len(legal.actions) == 1 + listed
    assert bool(legal.templates) == (not listed)


def test_what_is_taken_is_touched_on_the_territory(a_match) -> None:
    """§9.7"""
    story = a_match().board("silk_road", "A P, B M").rounds().resolve("silk_road")
    found = hint(story, TakeAll(good=Good.SILK))
    assert (found.group, found.targets, found.cost) == ("take", ("silk:silk_road",), ())
    found = hint(story, TakeItems(goods=bag("2Sp"), note=True))
    assert found.targets == ("spices:silk_road", "credit_note:silk_road")
    assert hint(story, TakeItems(goods=bag(""))).targets == ()


def test_hints_need_an_open_decision(a_match) -> None:
    story = a_match().rounds()
    view = GAME.view(story.state, seat_audience(0))
    with pytest.raises(LookupError, match="no area is being resolved"):
        GAME.hint(view, TakeAll(good=Good.SILK))
    with pytest.raises(LookupError, match="no smuggler to activate"):
        GAME.hint(view, UseSmuggler(give=Good.HARDWOOD, take=Good.SILK))
