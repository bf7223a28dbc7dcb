"""The parallel form: everybody acts in every step. PettingZoo's own tests, and one against the other form."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace

import numpy as np
from pettingzoo.test import max_cycles_test, parallel_api_test, parallel_seed_test

from engine.research.aec import MatchEnv
from engine.research.parallel import cyclic_env, parallel_env
from engine.research.rewards import by_rank


def test_no_agent_steps_more_often_than_the_cycles_allow(table) -> None:
    """PettingZoo's test chooses without regard to the mask: who chooses what is closed waits."""
    max_cycles_test(
        SimpleNamespace(parallel_env=partial(parallel_env, **table), env=partial(cyclic_env, **table))
    )


def test_api(table) -> None:
    parallel_api_test(parallel_env(**table), num_cycles=60)


def test_the_same_seed_gives_the_same_match(table) -> None:
    parallel_seed_test(partial(parallel_env, **table), num_cycles=60)


def play(environment, seed: int) -> dict[str, float]:
    """Choose at random among what the masks allow; give what each agent got."""
    observed, _ = environment.reset(seed=seed)
    whims = np.random.default_rng(seed)
    got = dict.fromkeys(environment.possible_agents, 0.0)
    while environment.agents:
        actions = {
            agent: int(whims.choice(np.flatnonzero(seen["action_mask"]))) for agent, seen in observed.items()
        }
        observed, rewards, terminated, truncated, _ = environment.step(actions)
        for agent, reward in rewards.items():
            got[agent] += reward
    assert all(terminated.values())
    assert not any(truncated.values())
    return got


def test_a_match_can_be_played_to_its_end(table) -> None:
    environment = parallel_env(**table, illegal_reward=-5.0)
    got = play(environment, seed=2)
    outcome = environment.course.outcome
    assert outcome is not None
    assert got == dict(zip(environment.possible_agents, by_rank(outcome), strict=True))


def test_both_forms_play_the_same_match() -> None:
    """The moves of a parallel match, made one after the other, lead to the same table."""
    together = parallel_env("river_dragons", seats=3)
    play(together, seed=4)
    alone = MatchEnv("river_dragons", seats=3)
    alone.reset(seed=4)
    course = alone.course
    for seat, action in together.course.moves:
        word = course.setup.actions.word(action, course.position(seat).view)
        made = len(course.moves)
        while len(course.moves) == made:
            course.choose(seat, word[len(course.position(seat).begun)])
    assert course.state == together.course.state


def test_who_is_not_waited_for_can_only_wait() -> None:
    environment = parallel_env("river_of_gold", seats=2)
    observed, _ = environment.reset(seed=1)
    waiting = [
        agent
        for agent, seen in observed.items()
        if seen["action_mask"].nonzero()[0].tolist() == [environment.wait]
    ]
    assert len(waiting) == 1
    (active,) = set(environment.agents) - set(waiting)
    assert not observed[active]["action_mask"][environment.wait]


def test_an_illegal_choice_waits_and_is_paid_for() -> None:
    environment = parallel_env("river_of_gold", seats=2, illegal_reward=-0.25)
    environment.reset(seed=1)
    before = environment.course.state
    _, rewards, *_ = environment.step(dict.fromkeys(environment.agents, 0))
    assert rewards == {"seat_0": -0.25, "seat_1": -0.25}
    assert environment.course.state == before
