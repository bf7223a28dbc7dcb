"""§9.1, §9.2 Patrons are chosen before the players' things are set up."""

from __future__ import annotations

import pytest

from engine.kernel.chance import ScriptedChance, SeededChance
from engine.kernel.errors import RuleViolation, TableCode
from engine.kernel.seats import PUBLIC
from engine.match.replay import fold
from engine.river_of_gold.actions import ChoosePatron, ExchangeKoku, RollDie, SetDie
from engine.river_of_gold.box.components import Clan, PatronMode
from engine.river_of_gold.box.ids import PatronId
from engine.river_of_gold.box.patrons import CLAN_OF, patrons_of
from engine.river_of_gold.errors import Code
from engine.river_of_gold.game import GAME
from engine.river_of_gold.options import RiverOfGoldOptions


def started(seats, secret=bytes(32), **options):
    options.setdefault("patrons", PatronMode.DRAFT)
    return fold(GAME, GAME.start(RiverOfGoldOptions(**options), seats, SeededChance(secret, 1)))


def chosen(state, patron, move=2):
    (seat,) = GAME.to_act(state)
    action = ChoosePatron(patron=patron)
    assert action in GAME.legal_actions(state, seat).actions
    return fold(GAME, GAME.decide(state, seat, action, SeededChance(bytes(32), move)), state)


def chosen_all(state, *names):
    """The patrons are taken by name, in the order of choosing."""
    for move, name in enumerate(names, start=2):
        state = chosen(state, next(each for each in PatronId if each.value.endswith(name)), move)
    return state


def by_patron(state, name):
    return next(player for player in state.players if player.patron and player.patron.value.endswith(name))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_draft_goes_backwards_in_turn_order(seats) -> None:
    """§9.1 One patron of each clan lies open; a patron brings its clan; the others stay out."""
    state = started(seats)
    assert len(state.offers) == 4
    assert [CLAN_OF[patron] for patron in state.offers] == list(Clan)
    asked = []
    for move in range(seats):
        (seat,) = GAME.to_act(state)
        asked.append(seat)
        offered = GAME.view(state, PUBLIC).offers
        assert len(offered) == 4 - move
        state = chosen(state, offered[-1], move + 2)
        assert state.players[seat].patron is offered[-1]
        assert state.players[seat].clan is CLAN_OF[offered[-1]]
    assert asked == list(state.order[::-1])
    assert len({player.clan for player in state.players}) == seats
    assert all(player.koku >= 7 and len(player.hand) >= 2 for player in state.players)


def test_the_table_is_there_to_be_seen_during_the_draft() -> None:
    state = started(3)
    seen = GAME.view(state, PUBLIC)
    assert (seen.stage, seen.turn, seen.active) == ("patrons", 0, None)
    assert [each.decision for each in seen.pending] == ["patron"]
    assert seen.pending[0].rule == "9.1"
    assert seen.to_come == state.order[::-1]
    assert all(slot.building is not None for slot in seen.row)
    assert sum(shore.building is not None for shore in seen.shores) == 6
    assert len(seen.masteries) == 3
    assert all(region.values for region in seen.regions)
    assert [stack.left for stack in seen.stacks] == [10, 11]
    assert all((seat.hand_size, seat.koku, seat.clan) == (0, 0, None) for seat in seen.seats)
    assert not any(river.ships for river in seen.river)


def test_nobody_but_the_one_who_chooses_does_anything() -> None:
    state = started(3)
    last, first = state.order[-1], state.order[0]
    for seat, action, code in (
        (first, ChoosePatron(patron=state.offers[0]), TableCode.NOT_YOUR_TURN),
        (last, ExchangeKoku(), TableCode.WRONG_DECISION),
    ):
        with pytest.raises(RuleViolation) as refused:
            GAME.decide(state, seat, action, ScriptedChance())
        assert refused.value.code == code


def test_a_patron_that_is_not_there_cannot_be_taken() -> None:
    state = started(3)
    other = next(patron for patron in PatronId if patron not in state.offers)
    with pytest.raises(RuleViolation) as refused:
        GAME.decide(state, state.order[-1], ChoosePatron(patron=other), ScriptedChance())
    assert (refused.value.code, refused.value.rule) == (Code.PATRON_NOT_OFFERED, "9.1")
    assert refused.value.facts["offers"] == tuple(state.offers)
    taken = state.offers[1]
    state = chosen(state, taken)
    with pytest.raises(RuleViolation):
        GAME.decide(state, GAME.to_act(state)[0], ChoosePatron(patron=taken), ScriptedChance())


def test_a_choice_of_two_is_made_in_turn_order() -> None:
    """§9.2 [F7]"""
    state = started(3, patrons=PatronMode.CHOICE_OF_TWO, clans=(Clan.CRANE, Clan.CRAB, Clan.SCORPION))
    asked = []
    for move in range(3):
        (seat,) = GAME.to_act(state)
        asked.append(seat)
        clan = state.players[seat].clan
        assert GAME.view(state, PUBLIC).offers == patrons_of(clan)
        assert GAME.pending(state)[0].rule == "9.2"
        foreign = ChoosePatron(patron=PatronId.PATRON_KUDAKA)
        with pytest.raises(RuleViolation) as refused:
            GAME.decide(state, seat, foreign, ScriptedChance())
        assert (refused.value.code, refused.value.rule) == (Code.PATRON_NOT_OFFERED, "9.2")
        state = chosen(state, patrons_of(clan)[1], move + 2)
    assert asked == list(state.order)
    assert [player.clan for player in state.players] == ["crane", "crab", "scorpion"]


def test_clans_are_dealt_at_random_before_the_choice_of_two() -> None:
    clans = {
        tuple(player.clan for player in started(2, bytes([n]) * 32, patrons=PatronMode.CHOICE_OF_TWO).players)
        for n in range(30)
    }
    assert len(clans) > 6
    assert all(len(set(pair)) == 2 for pair in clans)


def test_clans_that_are_named_take_the_place_of_the_deal() -> None:
    """§9.2 [F14] Whatever the luck: each chooses between the two patrons of its own clan."""
    named = (Clan.SCORPION, Clan.CRAB, Clan.MANTIS)
    for luck in range(10):
        state = started(3, bytes([luck]) * 32, patrons=PatronMode.CHOICE_OF_TWO, clans=named)
        assert tuple(player.clan for player in state.players) == named
        for _ in named:
            (seat,) = GAME.to_act(state)
            listed = GAME.legal_actions(state, seat).actions
            assert tuple(action.patron for action in listed) == patrons_of(named[seat])
            state = chosen(state, listed[0].patron)


CRAB_MANTIS = {"patrons": PatronMode.CHOICE_OF_TWO, "clans": (Clan.CRAB, Clan.MANTIS)}


def test_kaiu_begins_with_ten_koku_more_and_yoritomo_with_three_cards() -> None:
    """§9, in the order of §2.5 to §2.7"""
    state = started(2, **CRAB_MANTIS)
    names = ("kaiu_shihobu", "yoritomo") if state.order[0] == 0 else ("yoritomo", "kaiu_shihobu")
    state = chosen_all(state, *names)
    assert by_patron(state, "kaiu_shihobu").koku == 17 + state.order.index(0)
    assert len(by_patron(state, "yoritomo").hand) == 3
    assert len(state.deck) == 25


def test_ryoku_decides_her_first_die() -> None:
    """§2.7 [A23] In turn order, with the two favors of the setup; exchanges are possible then."""
    clans = (Clan.CRANE, Clan.MANTIS)
    state = started(2, patrons=PatronMode.CHOICE_OF_TWO, clans=clans)
    state = chosen_all(state, *("kakita_ryoku", "kudaka")[:: 1 if state.order[0] == 0 else -1])
    assert [each.decision for each in GAME.pending(state)] == ["die"]
    assert GAME.to_act(state) == (0,)
    answers = GAME.legal_actions(state, 0).actions
    assert answers == (RollDie(), *(SetDie(face=face) for face in range(1, 7)), ExchangeKoku())
    other = state.players[1].die
    assert bool(other) == (state.order[0] == 1)
    decided = fold(GAME, GAME.decide(state, 0, SetDie(face=5), SeededChance(bytes(32), 9)), state)
    assert (decided.players[0].die, decided.players[0].favor) == (5, 1)
    assert decided.players[1].die
    assert decided.turn == 1
    rolled = fold(GAME, GAME.decide(state, 0, RollDie(), SeededChance(bytes(32), 9)), state)
    assert (rolled.players[0].favor, rolled.turn) == (2, 1)
