"""Every level plays every game: legal actions to the end, the same for the same seed, within its budget."""

from __future__ import annotations

from itertools import count

import pytest

from engine.bots.bot import redeals
from engine.bots.budget import Playouts, Seconds
from engine.bots.candidates import candidates
from engine.bots.levels import LEVELS
from engine.bots.worth import LOST, SHARED, WON, worth
from engine.kernel.codec import encode
from engine.kernel.outcome import Outcome, SeatResult
from engine.kernel.seats import Seat
from engine.match.playout import random_match
from engine.registry import game as registered_game
from tests.engine.bots.tables import NAMES, SIDES, chosen, luck, tables
from tests.support.our_games import OUR_GAMES

EVERY_SIDE = pytest.mark.parametrize(("name", "options"), SIDES, ids=NAMES)


@EVERY_SIDE
@pytest.mark.parametrize("level", LEVELS)
def test_a_choice_is_legal_and_the_same_for_the_same_seed(
    name: str, options: dict[str, str], level: str
) -> None:
    for place, (game, state, seat) in enumerate(tables(name, options, 4, 3, 90)):
        action = chosen(game, level, state, seat, place, 1)
        legal = game.legal_actions(state, seat)
        assert legal.templates or action in legal.actions
        assert game.decide(state, seat, action, luck(place, 3))
        if place < 2:
            assert chosen(game, level, state, seat, place, 1) == action
        if level == "search" and place == 3:
            break


@EVERY_SIDE
@pytest.mark.parametrize("level", LEVELS)
def test_a_seat_that_is_not_asked_gets_no_choice(name: str, options: dict[str, str], level: str) -> None:
    for game, state, seat in tables(name, options, 6, 2, 5):
        idle = Seat(1 - seat)
        if idle not in game.to_act(state):
            with pytest.raises(LookupError):
                chosen(game, level, state, idle, 1)
            return
    pytest.fail("both seats were asked all the time")


@EVERY_SIDE
def test_a_standing_is_worth_between_losing_and_winning(name: str, options: dict[str, str]) -> None:
    seen = set()
    for game, state, _ in tables(name, options, 8, 3, 5):
        values = [game.evaluate(state, Seat(seat)) for seat in range(3)]
        assert all(LOST < value < WON for value in values)
        seen |= set(values)
    assert len(seen) > 10


@pytest.mark.parametrize("name", OUR_GAMES)
def test_a_match_that_is_over_is_worth_what_it_came_to(name: str) -> None:
    game = registered_game(name)
    *_, last = random_match(game, game.types.options(), 3, bytes(32), luck(1))
    outcome = game.outcome(last.state)
    assert outcome is not None
    for seat in range(3):
        value = worth(game, last.state, Seat(seat))
        if outcome.winners == (seat,):
            assert value == WON
        elif outcome.winners and seat not in outcome.winners:
            assert value == LOST
        else:
            assert value == SHARED


def test_a_win_that_is_shared_is_worth_less_than_one_that_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    class Over:
        @staticmethod
        def outcome(state: tuple[Seat, ...]) -> Outcome:
            results = tuple(SeatResult(seat=Seat(seat), rank=1) for seat in range(3))
            return Outcome(reason="DONE", rule="1", winners=state, results=results)

    assert [worth(Over, (Seat(0), Seat(2)), Seat(seat)) for seat in range(3)] == [SHARED, LOST, SHARED]
    assert [worth(Over, (), Seat(seat)) for seat in range(3)] == [SHARED] * 3
    assert [worth(Over, (Seat(1),), Seat(seat)) for seat in range(3)] == [LOST, WON, LOST]


@EVERY_SIDE
def test_candidates_are_different_and_no_more_than_asked_for(name: str, options: dict[str, str]) -> None:
    for game, state, seat in tables(name, options, 9, 2, 25):
        for most in (1, 4, 200):
            found = candidates(game, state, seat, luck(1), most)
            assert 1 <= len(found) <= most
            assert len({encode(action) for action in found}) == len(found)
            assert found[0] == game.policy(state, seat)
            legal = game.legal_actions(state, seat)
            if not legal.templates and most == 200:
                assert len(found) == len(legal.actions)


def test_a_budget_of_playouts_is_spent_one_by_one() -> None:
    budget = Playouts(3)
    assert [budget.another() for _ in range(5)] == [True, True, True, False, False]


def test_a_budget_of_seconds_ends_with_its_time() -> None:
    clock = count()
    budget = Seconds(3, lambda: float(next(clock)))
    assert [budget.another() for _ in range(4)] == [True, True, False, False]


@pytest.mark.parametrize("name", OUR_GAMES)
def test_search_plays_out_as_often_as_it_may(name: str) -> None:
    """Spent to the last, where there is something to choose from."""
    game, state, seat = next(table for table in tables(name, {}, 3, 2, 1) if len(_listed(table)) > 3)
    budget = Playouts(4)
    LEVELS["search"].choose(game, redeals(game, state, seat, bytes(32)), seat, luck(2), budget)
    assert not budget.another()


def _listed(table) -> list:
    game, state, seat = table
    return candidates(game, state, seat, luck(1), 5)
