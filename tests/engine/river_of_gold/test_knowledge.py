"""§11 What a seat cannot know of the customers: dealt again, and the bound of taking a move back."""

from __future__ import annotations

from itertools import permutations

from engine.kernel.seats import PUBLIC, REFEREE, seat_audience
from engine.match.boundary import UndoBoundaryReason as Reason
from engine.river_of_gold.actions import ChooseRoyalShip
from engine.river_of_gold.box.components import ShipId
from engine.river_of_gold.game import GAME
from tests.engine import knowledge_properties as owed
from tests.engine.river_of_gold.conftest import DOWN, END, UP, deliver, discard, sail, set_die
from tests.support.judgements import judged

A, B, C = (seat_audience(seat) for seat in range(3))


def names(*cards: str) -> set[str]:
    return {f"customer:{card}" for card in cards}


def four_cards(a_match):
    """Only these are not open to A: B holds two, two are in the deck."""
    story = a_match(2).hand("A", "monk_1").hand("B", "noble_1", "noble_2")
    return story.deck("elder_1", "artisan_1").state


def test_every_hand_comes_up_equally_often(a_match) -> None:
    """Any two of the four, in any order."""
    state, chance = four_cards(a_match), owed.luck(1)
    possible = dict.fromkeys(permutations(("artisan_1", "elder_1", "noble_1", "noble_2"), 2), 1)
    seen = [GAME.redeal(state, A, chance).players[1].hand for _ in range(2400)]
    owed.comes_up_as_often_as_it_should(seen, possible)


def test_the_public_deals_every_hand_anew(a_match) -> None:
    state, chance = four_cards(a_match), owed.luck(2)
    firsts = {GAME.redeal(state, PUBLIC, chance).players[0].hand[0] for _ in range(100)}
    assert firsts == {"artisan_1", "elder_1", "noble_1", "noble_2", "monk_1"}


def test_a_card_is_hidden_from_who_cannot_say_where_it_is(a_match) -> None:
    state = four_cards(a_match)
    assert set(GAME.hidden(state, A)) == names("artisan_1", "elder_1", "noble_1", "noble_2")
    assert set(GAME.hidden(state, B)) == names("artisan_1", "elder_1", "monk_1")
    assert set(GAME.hidden(state, PUBLIC)) == set(GAME.hidden(state, A)) | names("monk_1")
    assert GAME.hidden(state, REFEREE) == ()


def test_what_can_be_worked_out_is_not_hidden(a_match) -> None:
    """With the deck empty and one other player, what is nowhere else is in that hand."""
    state = a_match(2).hand("A", "monk_1").hand("B", "noble_1", "noble_2").deck().state
    assert GAME.hidden(state, A) == ()
    assert set(GAME.hidden(state, PUBLIC)) == names("monk_1", "noble_1", "noble_2")
    assert set(GAME.redeal(state, A, owed.luck(1)).players[1].hand) == {"noble_1", "noble_2"}


def test_building_tiles_nobody_has_seen_are_no_fact_of_the_table(a_match) -> None:
    """[F1] What may come next is the same for all, and stays."""
    state = a_match().state
    dealt = GAME.redeal(state, PUBLIC, owed.luck(1))
    assert (dealt.unseen_1, dealt.unseen_2, dealt.era_1) == (state.unseen_1, state.unseen_2, state.era_1)


def told(state, seat, action):
    (one,) = judged(GAME, owed.line(GAME, state, (seat, action))[1:], state.seats)
    return one


def test_favor_spent_on_the_die_can_be_taken_back(a_match) -> None:
    """§3.1"""
    given_ = a_match().state
    assert owed.undone(GAME, given_, 0, (0, UP), (0, DOWN)) == owed.stopped(1, Reason.NOTHING_TO_UNDO, 1)


def test_the_die_for_the_next_turn_closes_the_turn(a_match) -> None:
    """§3.4 Until then the favor and the sail are free."""
    given_ = a_match().with_player("A", favor=2).ships("A", 2, 8).state
    turns = [(0, UP), (0, sail("upstream", 2))]
    assert owed.undone(GAME, given_, 0, *turns) == owed.stopped(1, Reason.NOTHING_TO_UNDO, 1)
    assert owed.undone(GAME, given_, 0, *turns, (0, END)) == owed.stopped(4, Reason.DREW_LUCK, 4)


def test_a_die_that_is_set_is_not_drawn_and_the_next_player_answers(a_match) -> None:
    """[A23] Kakita Ryoku sets her die; with B's move the turn is over for good."""
    given_ = a_match().patron("A", "ryoku").with_player("A", favor=3).ships("A", 2, 8).state
    turns = [(0, sail("upstream", 1)), (0, set_die(4))]
    assert owed.undone(GAME, given_, 0, *turns) == owed.stopped(1, Reason.NOTHING_TO_UNDO, 1)
    assert owed.undone(GAME, given_, 0, *turns, (1, UP)) == owed.stopped(4, Reason.ANSWERED, 4)


def delivering(a_match):
    """A noble of the die's region is in A's hand and payable; B holds a card, C none."""
    story = a_match().with_player("A", die=1).goods("A", "3S 3R 3P")
    return story.hand("A", "noble_1", "elder_2").hand("B", "noble_2")


def test_a_card_delivered_from_a_hidden_hand_is_shown(a_match) -> None:
    """§6.1 Nothing is drawn yet: the royal ship is asked for first."""
    given_ = delivering(a_match).state
    one = told(given_, 0, deliver("noble_1"))
    assert (one.drew, one.revealed_to) == (False, (B, C, PUBLIC))
    assert owed.undone(GAME, given_, 0, (0, UP), (0, DOWN), (0, deliver("noble_1"))) == owed.stopped(
        4, Reason.REVEALED, 4
    )


def test_cards_drawn_for_a_delivery_are_luck(a_match) -> None:
    """§6.4 The drawer alone learns what they are."""
    story = delivering(a_match).plays("A", deliver("noble_1"))
    launch = ChooseRoyalShip(ship=ShipId.UPSTREAM)
    one = told(story.state, 0, launch)
    assert (one.drew, one.revealed_to) == (True, (A,))
    assert owed.undone(GAME, story.state, 0, (0, launch)) == owed.stopped(2, Reason.DREW_LUCK, 2)


def test_the_last_card_of_the_deck_is_no_luck_but_it_is_seen(a_match) -> None:
    """§6.4 A draws the only card that is left, and so knows B's hand as well.

    B knew what was left; C could not tell the deck from B's hand, and now not A's hand from B's.
    """
    story = a_match().building(4, "imperial_market_silk").hand("B", "noble_1").deck("elder_1")
    one = told(story.ships("A", 2, 8).state, 0, sail("upstream", 1))
    assert (one.drew, one.revealed_to) == (False, (A,))


def test_a_discarded_card_is_shown_to_those_who_had_not_seen_it(a_match) -> None:
    """§6.4 [A12]"""
    story = delivering(a_match).plays("A", deliver("noble_1"))
    story = story.plays("A", ChooseRoyalShip(ship=ShipId.UPSTREAM))
    one = told(story.state, 0, discard("elder_2"))
    assert (one.drew, one.revealed_to) == (False, (B, C, PUBLIC))


def test_who_leaves_lays_the_hand_open(a_match) -> None:
    """[F8]"""
    one = told(delivering(a_match).state, 1, None)
    assert (one.drew, one.revealed_to) == (False, (A, C, PUBLIC))
