"""[F10] A colour is named only as often as it has tiles left: for the General, for recruits, for the Agha, as for the Recruiter [R41]."""

from __future__ import annotations

from functools import partial

import msgspec
import pytest

from engine.al_rashid.actions import (
    ChooseFavors,
    DeclareAudience,
    DeclareVisit,
    GiveGood,
    NameColours,
    Pay,
    UseRecruiter,
)
from engine.al_rashid.box.components import Colour, Favor, Good
from engine.al_rashid.errors import Code
from engine.al_rashid.game import GAME
from engine.al_rashid.owner_events import ColoursNamed, GoodGiven, MercenariesDrawn
from engine.al_rashid.state import Stage
from engine.kernel.chance import SeededChance
from engine.match.replay import fold
from tests.engine.al_rashid.conftest import Story, seat_of
from tests.engine.al_rashid.matches import whole_match

RED, BLUE = Colour.RED, Colour.BLUE
GENERAL = DeclareVisit(favor=Favor.GENERAL)
RECRUITS = DeclareVisit(service=True)
RULES = ("1.0.0", "1.1.0")


def give(colour: Colour) -> GiveGood:
    return GiveGood(give=Good.HARDWOOD, colour=colour)


def all_but(colour: str, left: int) -> str:
    """Every tile of the colour but so many twos, for somebody's hand."""
    return ", ".join([f"{colour} 2"] * (8 - left) + [f"{colour} 3"] * 16 + [f"{colour} 4"] * 8)


def military(a_match, *, red: int = 32, blue: int = 32, goods: str = "9H", stacks: str = "A P") -> Story:
    """A visits the military guild; so many tiles of each colour are left, the rest is in C's hand."""
    story = a_match()
    for colour, left in (("red", red), ("blue", blue)):
        if left < 32:
            story = story.hand("C", all_but(colour, left))
    return story.goods(A=goods).board("military", stacks).rounds().resolve("military")


# The General


def test_the_general_is_given_no_good_for_a_colour_that_has_run_out(a_match) -> None:
    """[F10] Given no red tile, when A names red, then refused; blue is as ever."""
    story = military(a_match, red=0).plays("A", GENERAL)
    story.refuses("A", give(RED), Code.NOTHING_TO_DRAW, "F10", colour="red")
    assert story.legal("A") == {"give_good(give=hardwood, colour=blue)"}
    story = story.plays("A", give(BLUE), luck=[0])
    assert (story.has("A"), story.player("A").hand) == ((8, 0, 0, 0, 0), (0, 0, 0, 1, 0, 0))


def test_by_the_first_rules_the_good_was_given_for_nothing(a_match) -> None:
    """[F10] 1.0.0: accepted, a good less, no tile."""
    story = military(partial(a_match, rules="1.0.0"), red=0).plays("A", GENERAL).plays("A", give(RED))
    assert (story.has("A"), sum(story.player("A").hand)) == ((8, 0, 0, 0, 0), 0)


def test_without_any_tile_the_general_cannot_be_chosen(a_match) -> None:
    """[F10] As without a good to give (§7.7)."""
    story = military(a_match, red=0, blue=0)
    story.refuses("A", GENERAL, Code.NOTHING_TO_DRAW, "F10", favor="general")
    assert not [line for line in story.legal("A") if "general" in line]
    older = military(partial(a_match, rules="1.0.0"), red=0, blue=0)
    assert older.plays("A", GENERAL).waiting == ["A general"]


def test_discards_are_tiles_that_are_left(a_match) -> None:
    """[F10] [R31] The stack is rebuilt from them."""
    story = military(a_match, red=0)
    red_in_hand = story.player("C").hand
    hand = (red_in_hand[0] - 1, *red_in_hand[1:])
    discards = (1, 0, 0, 0, 0, 0)
    players = [*story.state.players]
    players[seat_of("C")] = msgspec.structs.replace(players[seat_of("C")], hand=hand)
    state = msgspec.structs.replace(story.state, players=tuple(players), discards=discards)
    story = Story(state).plays("A", GENERAL).plays("A", give(RED))
    assert story.player("A").hand == (1, 0, 0, 0, 0, 0)


# Recruits and the Agha


@pytest.mark.parametrize(
    ("red", "mixes"),
    [
        pytest.param(0, {(0, 3)}, id="no red"),
        pytest.param(1, {(1, 2), (0, 3)}, id="one red"),
        pytest.param(3, {(3, 0), (2, 1), (1, 2), (0, 3)}, id="enough red"),
    ],
)
def test_a_colour_is_named_as_often_as_it_has_tiles(a_match, red, mixes) -> None:
    """[F10] Rank 1 names three."""
    story = military(a_match, red=red).plays("A", RECRUITS)
    listed = GAME.legal_actions(story.state, seat_of("A")).actions
    assert {(each.red, each.blue) for each in listed} == mixes
    for number in range(red + 1, 4):
        wanted = NameColours(red=number, blue=3 - number)
        story.refuses("A", wanted, Code.NOTHING_TO_DRAW, "F10", colour="red")
    for one_red, one_blue in mixes:
        named = story.plays("A", NameColours(red=one_red, blue=one_blue), luck=_luck(red, one_red, one_blue))
        hand = named.player("A").hand
        assert (sum(hand[:3]), sum(hand[3:])) == (one_red, one_blue)


def _luck(left: int, red: int, blue: int) -> list[int]:
    """A number for every tile but the last one of its colour."""
    return [0] * (blue + min(red, max(left - 1, 0)))


def test_with_fewer_tiles_than_recruits_fewer_are_named(a_match) -> None:
    """[F10] One tile of each colour for three recruits."""
    story = military(a_match, red=1, blue=1).plays("A", RECRUITS)
    story.refuses("A", NameColours(red=2, blue=1), Code.WRONG_NUMBER, "7.5", number=3, expected=2)
    story = story.plays("A", NameColours(red=1, blue=1))
    assert story.player("A").hand == (1, 0, 0, 1, 0, 0)


def test_without_any_tile_nothing_is_asked_and_the_service_still_avoids_dishonor(a_match) -> None:
    """[F10] [R12]"""
    story = military(a_match, red=0, blue=0).plays("A", RECRUITS)
    assert ColoursNamed(seat=seat_of("A"), red=0, blue=0, source="recruit_mercenaries") in story.events
    assert story.waiting == ["C own_turn"]
    assert story.player("A").dishonor == 0


def test_recruits_leave_a_tile_for_the_general_of_the_same_visit(a_match) -> None:
    """[F10] [F3] A declared action must be possible: of three tiles two are for the recruits."""
    story = military(a_match, red=2, blue=1).plays("A", DeclareVisit(service=True, favor=Favor.GENERAL))
    story.refuses("A", NameColours(red=2, blue=1), Code.WRONG_NUMBER, "7.5", number=3, expected=2)
    story = story.plays("A", NameColours(red=2, blue=0))
    story.refuses("A", give(RED), Code.NOTHING_TO_DRAW, "F10", colour="red")
    story = story.plays("A", give(BLUE), luck=[0])
    assert story.player("A").hand == (2, 0, 0, 1, 0, 0)


def test_the_agha_is_no_exception(a_match) -> None:
    """[F10] §10.2 Four tiles named, one red left."""
    story = a_match().hand("C", all_but("red", 1)).goods(A="9H 9P 9M 9Sp 9Si")
    story = story.board("al_rashid", "A P").rounds().resolve("al_rashid")
    story = story.plays("A", DeclareAudience(office="agha"))
    payment = next(iter(GAME.legal_actions(story.state, seat_of("A")).templates)).cheapest.goods
    story = story.plays("A", Pay(goods=payment))
    story.refuses("A", NameColours(red=2, blue=2), Code.NOTHING_TO_DRAW, "F10", colour="red")
    story = story.plays("A", NameColours(red=1, blue=3), luck=[0, 0, 0])
    assert sum(story.player("A").hand) == 4


def test_by_the_first_rules_any_mix_was_named(a_match) -> None:
    """[F10] 1.0.0: three red out of one."""
    story = military(partial(a_match, rules="1.0.0"), red=1).plays("A", RECRUITS)
    assert len(story.legal("A")) == 4
    story = story.plays("A", NameColours(red=3, blue=0))
    assert story.player("A").hand == (1, 0, 0, 0, 0, 0)


# The Impostor, who may do the General twice in a visit


def test_the_impostor_counts_the_generals_of_the_whole_visit(a_match) -> None:
    """[F10] One tile is left and the Favorite copies the General: the Impostor cannot do it once more."""
    story = a_match().hand("C", all_but("red", 1)).hand("C", all_but("blue", 0))
    story = story.goods(A="9H 9P 9M 9Sp 9Si").board("spies", "A P").rounds().resolve("spies")
    story = story.plays("A", DeclareVisit(office="impostor", favor=Favor.GENERAL))
    template = next(iter(GAME.legal_actions(story.state, seat_of("A")).templates))
    story = story.plays("A", Pay(goods=template.cheapest.goods))
    twice = ChooseFavors(first=Favor.GENERAL, second=Favor.QADI)
    story.refuses("A", twice, Code.NOTHING_TO_DRAW, "F10", favor="general")
    story = story.plays("A", ChooseFavors(first=Favor.QADI, second=Favor.COURT_SCHOLAR))
    assert story.waiting == ["A general"]
    assert story.plays("A", give(RED)).player("A").hand == (1, 0, 0, 0, 0, 0)


# Whole matches, alike, and for the absent too


@pytest.mark.parametrize("colour", [RED, BLUE])
def test_the_recruiter_and_the_general_refuse_alike(a_match, colour) -> None:
    """[F10] [R41] The same code for the same reason."""
    left = {colour.value: 0}
    story = military(lambda: a_match().owns("A", "recruiter"), **left)
    story = story.plays("A", GENERAL)
    story.refuses("A", give(colour), Code.NOTHING_TO_DRAW, "F10", colour=colour.value)
    story = (
        a_match().owns("A", "recruiter").hand("C", all_but(colour.value, 0)).board("spies", "A P").rounds()
    )
    story.refuses("A", UseRecruiter(colour=colour), Code.NOTHING_TO_DRAW, "R41", colour=colour.value)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("red", [0, 1, 32])
@pytest.mark.parametrize("visit", [GENERAL, RECRUITS], ids=["general", "recruits"])
def test_an_absent_player_names_what_is_there(a_match, rules, red, visit) -> None:
    """[F10] The policy's answer is legal under the rules of the match."""
    story = military(partial(a_match, rules=rules), red=red).plays("A", visit)
    seat = seat_of("A")
    answer = GAME.policy(story.state, seat)
    assert answer in GAME.legal_actions(story.state, seat).actions
    chance = SeededChance(bytes(32), 1)
    after = fold(GAME, GAME.decide(story.state, seat, answer, chance), story.state)
    if rules == "1.1.0":
        assert sum(after.players[seat].hand) == (1 if visit is GENERAL else 3)


@pytest.mark.parametrize("number", range(3))
def test_every_tile_that_is_named_is_drawn(number) -> None:
    """[F10] Five who keep every red tile they can get: each visit draws as many as were named in it."""
    named = ran_out = 0
    for step in whole_match(5, number, hoarding=True):
        for event in step.events:
            match event:
                case GoodGiven():
                    named += 1
                case ColoursNamed():
                    named += event.red + event.blue
                case MercenariesDrawn() if step.state.stage is Stage.ROUNDS and named:
                    assert len(event.tiles) == named
                    named = 0
        ran_out += not any(step.state.stacks[:3]) and not any(step.state.discards[:3])
    assert (named, ran_out > 0) == (0, True)
