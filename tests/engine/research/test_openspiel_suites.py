"""OpenSpiel's own algorithms, bots and tools run on the games; docs/build/research.md lists them, and what cannot run."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
import random

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import (
    evaluate_bots,
    expected_game_score,
    ismcts,
    mcts,
    noisy_policy,
    outcome_sampling_mccfr,
    random_agent,
    tabular_qlearner,
)
from open_spiel.python.bots import uniform_random

from engine.research import openspiel
from tests.support.our_games import OUR_GAMES, options_of

SAMPLER = pyspiel.UniformProbabilitySampler(0.0, 1.0)
SIMULATIONS = 8


@pytest.fixture(scope="module", params=OUR_GAMES)
def game(request):
    return pyspiel.load_game(
        f"{openspiel.PREFIX}{request.param}", {"players": 2, **options_of(request.param)[0]}
    )


def play_on(state, indices: int, seed: int = 1):
    """Choose at random until so many indices are chosen and a player has to decide, or the match is over."""
    whims = random.Random(seed)
    while not state.is_terminal() and (indices > 0 or state.is_chance_node()):
        indices -= 1
        if state.is_chance_node():
            state.apply_action(whims.choice([number for number, _ in state.chance_outcomes()]))
        else:
            state.apply_action(whims.choice(state.legal_actions()))
    return state


@pytest.fixture(scope="module")
def middle(game):
    """A decision in the middle of a match."""
    return play_on(game.new_initial_state(), 60)


@pytest.fixture(scope="module")
def end(game):
    """The last decisions of a match."""
    history = play_on(game.new_initial_state(), openspiel.MAX_MATCH).history()
    state = game.new_initial_state()
    for number, index in enumerate(history):
        if number >= len(history) - SIMULATIONS and not state.is_chance_node():
            break
        state.apply_action(index)
    return state


def same(one, other) -> bool:
    return str(one) == str(other) and one.node.state == other.node.state


def test_states_and_games_are_copied_in_every_way(game, middle) -> None:
    for copied in (
        middle.clone(),
        copy.deepcopy(middle),
        pickle.loads(pickle.dumps(middle)),
        pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, middle))[1],
    ):
        assert same(copied, middle)
        copied.apply_action(copied.legal_actions()[0])
        assert not same(copied, middle), "a copy goes its own way"
    assert str(pickle.loads(pickle.dumps(game))) == str(game)


def legal_in_another_process(state) -> list[int]:
    return list(state.legal_actions())


@pytest.mark.slow
def test_a_state_is_sent_to_another_process() -> None:
    state = play_on(pyspiel.load_game("foldtable_al_rashid").new_initial_state(), 60)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(legal_in_another_process, (state,)) == state.legal_actions()


def test_a_resampled_state_looks_the_same_to_its_player(game, middle) -> None:
    player = middle.current_player()
    for _ in range(5):
        sampled = middle.resample_from_infostate(player, SAMPLER)
        assert sampled.current_player() == player
        assert sampled.legal_actions() == middle.legal_actions()
        assert sampled.information_state_string(player) == middle.information_state_string(player)
        assert sampled.observation_string(player) == middle.observation_string(player)
        assert sampled.observation_tensor(player) == middle.observation_tensor(player)
        assert same(pickle.loads(pickle.dumps(sampled)), sampled)
        play_on(sampled, 20)


def test_a_resampled_state_deals_the_hidden_again_and_tells_nothing_of_the_truth(middle) -> None:
    state = middle.clone()
    for number in range(60):  # in River Dragons something is hidden only while the second seat chooses
        player = state.current_player()
        sampled = [state.resample_from_infostate(player, SAMPLER) for _ in range(5)]
        if len({pickle.dumps(each.node.state) for each in sampled}) > 1:
            break
        play_on(state, 1, seed=number)
    else:
        pytest.fail("nothing was ever dealt again")
    for each in sampled:
        assert each.history() == []
        other = each.information_state_string(1 - player)
        assert each.observation_string(1 - player) in other, (
            "the other's story is made of what is dealt to it now"
        )


def test_another_seat_s_half_spelled_program_is_not_in_a_resampled_state() -> None:
    game = pyspiel.load_game("foldtable_river_dragons", {"players": 2})
    state = play_on(game.new_initial_state(), 0)
    mover = state.current_player()
    state.apply_action(state.legal_actions()[0])
    assert state.current_player() == mover
    for player in range(2):
        sampled = state.resample_from_infostate(player, SAMPLER)
        begun = sampled.node.position.begun
        assert begun == (state.node.position.begun if player == mover else ())


def test_a_draw_is_not_resampled(game) -> None:
    state = game.new_initial_state()
    while not state.is_chance_node():
        state.apply_action(random.Random(1).choice(state.legal_actions()))
    with pytest.raises(ValueError, match="not a draw"):
        state.resample_from_infostate(0, SAMPLER)


@pytest.mark.parametrize("keys", [True, False], ids=["observations", "information states"])
def test_information_set_mcts(game, end, keys) -> None:
    bot = ismcts.ISMCTSBot(
        game=game,
        evaluator=mcts.RandomRolloutEvaluator(1, random_state=np.random.RandomState(1)),
        uct_c=2.0,
        max_simulations=SIMULATIONS,
        use_observation_string=keys,
        allow_inconsistent_action_sets=True,
        random_state=np.random.RandomState(1),
    )
    assert bot.step(end) in end.legal_actions()


def test_mcts(game, end) -> None:
    evaluator = mcts.RandomRolloutEvaluator(1, random_state=np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 2.0, SIMULATIONS, evaluator, random_state=np.random.RandomState(1))
    assert bot.step(end) in end.legal_actions()


def test_bots_play_against_each_other(end) -> None:
    bots = [uniform_random.UniformRandomBot(seat, np.random.RandomState(seat)) for seat in range(2)]
    returns = evaluate_bots.evaluate_bots(end.clone(), bots, np.random.RandomState(1))
    assert sum(returns) == pytest.approx(0)
    player = end.current_player()
    assert pyspiel.make_uniform_random_bot(player, 1).step(end) in end.legal_actions()


def test_policies(game, middle) -> None:
    uniform = policy.UniformRandomPolicy(game)
    for each in (uniform, noisy_policy.NoisyPolicy(uniform, player_id=0, alpha=0.1)):
        chances = each.action_probabilities(middle)
        assert set(chances) == set(middle.legal_actions())
        assert sum(chances.values()) == pytest.approx(1)


def test_the_value_of_a_policy_at_the_end(game) -> None:
    """It walks the whole tree below, so it stands one index before the end."""
    state = play_on(game.new_initial_state(), openspiel.MAX_MATCH)
    assert expected_game_score.policy_value(state, [policy.UniformRandomPolicy(game)] * 2) == pytest.approx(
        state.returns()
    )


def test_agents_in_the_environment_for_learning(game) -> None:
    environment = rl_environment.Environment(
        game, observation_type=rl_environment.ObservationType.OBSERVATION, seed=1
    )
    agents = [
        tabular_qlearner.QLearner(0, game.num_distinct_actions()),
        random_agent.RandomAgent(1, game.num_distinct_actions()),
    ]
    time_step = environment.reset()
    for _ in range(60):
        if time_step.last():
            break
        seat = time_step.observations["current_player"]
        time_step = environment.step([agents[seat].step(time_step).action])
    assert len(time_step.observations["info_state"][0]) == game.observation_tensor_shape()[0]


@pytest.mark.slow
def test_a_playthrough_is_written(game, middle) -> None:
    from open_spiel.python.algorithms import generate_playthrough  # imports SciPy, which no other test needs

    history = middle.history()[:12]
    text = generate_playthrough.playthrough(str(game), action_sequence=history)
    assert "ObservationString" in text


@pytest.mark.slow
@pytest.mark.filterwarnings(
    "ignore::RuntimeWarning"
)  # the reach of a history of hundreds of moves is almost 0
def test_outcome_sampling_regrets_of_one_match(game) -> None:
    np.random.seed(1)  # noqa: NPY002 - the solver's own
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    solver.iteration()
    assert solver._infostates
