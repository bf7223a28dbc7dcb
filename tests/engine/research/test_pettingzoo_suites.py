"""PettingZoo's own tests, tools and wrappers run on the games, besides those of test_aec and test_parallel."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, performance_benchmark, render_test, test_save_obs
from pettingzoo.utils import average_total_reward, conversions, random_demo, wrappers

from engine.research.aec import env
from engine.research.parallel import cyclic_env, parallel_env
from tests.support.our_games import OUR_GAMES

test_save_obs.__test__ = False  # PettingZoo's, to be called

pytestmark = pytest.mark.filterwarnings("ignore")  # PettingZoo's advice on observations that are dictionaries


@pytest.fixture(params=OUR_GAMES)
def game(request) -> str:
    return request.param


def first_open(seen) -> int:
    return int(np.flatnonzero(seen["action_mask"])[0])


def test_environments_are_drawn(game) -> None:
    render_test(lambda render_mode=None: env(game, render_mode=render_mode))


def test_environments_can_be_copied_and_pickled_and_go_on_alike(game) -> None:
    """As vectorized environments and workers do."""
    table = env(game)
    table.reset(seed=3)
    for _ in range(5):
        table.step(first_open(table.last()[0]))
    others = (pickle.loads(pickle.dumps(table)), copy.deepcopy(table))
    for _ in range(5):
        for each in (table, *others):
            each.step(first_open(each.last()[0]))
        for other in others:
            assert other.agent_selection == table.agent_selection
            assert np.array_equal(other.last()[0]["observation"], table.last()[0]["observation"])


def test_observations_are_saved_where_they_are_pictures(game) -> None:
    test_save_obs(env(game))


def test_the_demo_and_the_average_of_random_play(game, capsys) -> None:
    random_demo(env(game, max_cycles=20), render=False, episodes=1)
    average_total_reward(env(game, max_cycles=20), max_episodes=1, max_steps=100)
    assert "Average total reward" in capsys.readouterr().out


def test_several_matches_as_one(game) -> None:
    table = wrappers.MultiEpisodeEnv(env(game, max_cycles=5), num_episodes=2)
    table.reset(seed=1)
    for _ in table.agent_iter(200):
        seen, _, ended, cut, _ = table.last()
        table.step(None if ended or cut else first_open(seen))
    together = wrappers.MultiEpisodeParallelEnv(parallel_env(game, max_cycles=5), num_episodes=2)
    seen, _ = together.reset(seed=1)
    for _ in range(12):
        if not together.agents:
            break
        seen, *_ = together.step({agent: first_open(seen[agent]) for agent in together.agents})


def test_one_form_is_made_of_the_other(game, capsys) -> None:
    api_test(conversions.parallel_to_aec(parallel_env(game)), num_cycles=20)
    parallel_api_test(conversions.turn_based_aec_to_parallel(cyclic_env(game)), num_cycles=20)
    assert "Passed" in capsys.readouterr().out


@pytest.mark.slow
def test_the_benchmark_of_speed(capsys) -> None:
    performance_benchmark(env("river_of_gold"))
    assert "turns per second" in capsys.readouterr().out
