"""The games as OpenSpiel games: OpenSpiel's own random simulations, and the engine as judge of every match."""

from __future__ import annotations

import random

import numpy as np
import pyspiel
import pytest
from open_spiel.python.observation import make_observation

from engine.kernel.chance import ScriptedChance
from engine.match.replay import fold
from engine.research import openspiel
from engine.research.aec import MatchEnv
from engine.research.position import Position
from engine.research.rewards import by_rank
from tests.support.our_games import OUR_GAMES, options_of

GAMES = {
    game_id: (f"{openspiel.PREFIX}{game_id}", {"players": 2, **options_of(game_id)[0]})
    for game_id in OUR_GAMES
}
EXPERT = ("foldtable_river_dragons", {"players": 3, "variant": "expert"})


@pytest.fixture(params=GAMES.values(), ids=GAMES.keys())
def spiel(request):
    name, parameters = request.param
    return pyspiel.load_game(name, parameters)


def play(state, seed: int, indices: int = openspiel.MAX_MATCH):
    """Choose at random; chance chooses by its own odds. Gives every state on the way."""
    whims = random.Random(seed)
    yield state
    while not state.is_terminal() and indices:
        indices -= 1
        if state.is_chance_node():
            numbers, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(whims.choices(numbers, odds)[0])
        else:
            state.apply_action(whims.choice(state.legal_actions()))
        yield state


def test_random_simulations(spiel) -> None:
    pyspiel.random_sim_test(spiel, num_sims=1, serialize=True, verbose=False)


@pytest.mark.slow
def test_random_simulations_on_the_expert_side() -> None:
    pyspiel.random_sim_test(pyspiel.load_game(*EXPERT), num_sims=1, serialize=False, verbose=False)


class Told(ScriptedChance):
    """Luck as the chance nodes told it; where only one number is possible there is no node."""

    def below(self, bound: int) -> int:
        return 0 if bound == 1 else super().below(bound)


def moves_of(spiel, history):
    """Read a history as moves of the engine: the start, then whole actions, each with its luck."""
    moves = [(None, None, [])]
    walked = spiel.new_initial_state()
    for step in history:
        if step.player == pyspiel.PlayerId.CHANCE:
            moves[-1][2].append(step.action)
        else:
            action = walked.node.position.after(step.action)
            if not isinstance(action, Position):
                moves.append((step.player, action, []))
        walked.apply_action(step.action)
    return moves


def test_a_match_ends_as_the_engine_ends_it(spiel) -> None:
    """The same actions, with the numbers of the chance nodes as the rules' luck, lead to the same table and returns."""
    setup = spiel.setup
    *_, end = play(spiel.new_initial_state(), seed=1)
    table = None
    for seat, action, draws in moves_of(spiel, end.full_history()):
        luck = Told(draws)
        if seat is None:
            events = setup.game.start(setup.options, setup.seats, luck)
        else:
            events = setup.game.decide(table, seat, action, luck)
        assert luck.rest == []
        table = fold(setup.game, events, table)
    assert table == end.node.state
    assert end.returns() == list(by_rank(setup.game.outcome(table)))


def test_every_draw_is_a_node_with_equal_odds(spiel) -> None:
    met = 0
    for state in play(spiel.new_initial_state(), seed=2):
        if state.is_chance_node():
            odds = [odd for _, odd in state.chance_outcomes()]
            assert 2 <= len(odds) <= spiel.max_chance_outcomes()
            assert set(odds) == {1 / len(odds)}
            met += 1
    assert met >= 2


def submitted(game, *programs: tuple[int, ...]):
    """River Dragons after the first programs, each given as indices."""
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(0)
    for program in programs:
        for index in program:
            state.apply_action(index)
    return state


def test_a_seat_is_told_nothing_of_a_program_that_is_still_face_down() -> None:
    """§5 — seat 0 submits one of two programs: seat 1 cannot tell them apart, by any observation."""
    game = pyspiel.load_game("foldtable_river_dragons", {"players": 2})
    cards = submitted(game).legal_actions()
    one, other = submitted(game, tuple(cards[:5])), submitted(game, tuple(cards[4::-1]))
    assert one.current_player() == other.current_player() == 1
    assert one.information_state_string(1) == other.information_state_string(1)
    assert one.observation_string(1) == other.observation_string(1)
    assert one.observation_tensor(1) == other.observation_tensor(1)
    assert one.information_state_string(0) != other.information_state_string(0)


def test_a_player_remembers_what_it_has_spelled_so_far() -> None:
    """§5 — with perfect recall the cards chosen for the first slots are in the story."""
    game = pyspiel.load_game("foldtable_river_dragons", {"players": 2})
    state = submitted(game)
    before = state.information_state_string(0)
    index = state.legal_actions()[2]
    state.apply_action(index)
    assert state.information_state_string(0) == before + state.action_to_string(0, index)


def test_the_tensor_is_what_the_environment_shows() -> None:
    """The numbers are those of the PettingZoo environment, at the same table."""
    environment = MatchEnv("river_of_gold", seats=2)
    environment.reset(seed=1)
    game = pyspiel.load_game("foldtable_river_of_gold", {"players": 2})
    *_, state = play(game.new_initial_state(), seed=1, indices=100)
    observer = make_observation(game)
    observer.set_from(state, 0)
    assert observer.tensor.shape == environment.observe("seat_0")["observation"].shape
    environment.course._state, environment.course._positions = state.node.state, {}
    environment.course.waited_for = game.setup.game.to_act(state.node.state)
    assert np.array_equal(observer.tensor, environment.observe("seat_0")["observation"])


def test_a_copy_goes_its_own_way(spiel) -> None:
    *_, state = play(spiel.new_initial_state(), seed=3, indices=80)
    before = str(state)
    copy = state.clone()
    copy.apply_action(copy.legal_actions()[0])
    assert str(state) == before
    assert str(copy) != before


def test_options_are_parameters() -> None:
    game = pyspiel.load_game(*EXPERT)
    assert game.num_players() == 3
    assert game.setup.options.variant == "expert"
    assert pyspiel.load_game(str(game)).get_parameters() == game.get_parameters()


def test_a_margin_can_be_played_for() -> None:
    game = pyspiel.load_game("foldtable_river_of_gold", {"players": 3, "reward": "margin"})
    *_, end = play(game.new_initial_state(), seed=1)
    returns = end.returns()
    assert max(returns) - min(returns) == pytest.approx(1)
    assert sum(returns) == pytest.approx(0)
