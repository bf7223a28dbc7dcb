"""The games as PettingZoo environments: PettingZoo's own tests, and the engine as judge of every match."""

from __future__ import annotations

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from engine.kernel.chance import SeededChance
from engine.kernel.seats import Seat, seat_audience
from engine.match.replay import fold
from engine.research.aec import MatchEnv, env
from engine.research.rewards import REWARDS
from tests.support.our_games import OUR_GAMES

THEIRS = [
    "ignore:Observation is not a NumPy array",  # said of every environment with a mask that is not one of theirs
    "ignore:Observation space for each agent probably should be",  # likewise
    "ignore:Action mask numpy array is all zeros",  # of an agent whose match is over
]
pytestmark = [pytest.mark.filterwarnings(line) for line in THEIRS]


def play(environment, whims: np.random.Generator) -> dict[str, float]:
    """Choose at random to the end; give what each agent got."""
    got = dict.fromkeys(environment.possible_agents, 0.0)
    for agent in environment.agent_iter():
        seen, reward, terminated, truncated, _ = environment.last()
        got[agent] += reward
        if terminated or truncated:
            environment.step(None)
            continue
        environment.step(int(whims.choice(np.flatnonzero(seen["action_mask"]))))
    return got


def test_every_game_has_its_table(tables) -> None:
    assert {settings["game"] for settings in tables} == set(OUR_GAMES)


def test_api(table, capsys) -> None:
    api_test(env(**table, render_mode="ansi"), num_cycles=100)
    assert "Passed API test" in capsys.readouterr().out


def test_the_same_seed_gives_the_same_match(table) -> None:
    seed_test(lambda: env(**table), num_cycles=60)


def test_another_seed_gives_another_match() -> None:
    one, other = MatchEnv("river_of_gold"), MatchEnv("river_of_gold")
    one.reset(seed=1)
    other.reset(seed=2)
    assert not np.array_equal(one.observe("seat_0")["observation"], other.observe("seat_0")["observation"])


def test_the_seed_fixes_the_matches_after_it_too() -> None:
    seen = []
    for _ in range(2):
        environment = MatchEnv("river_of_gold")
        environment.reset(seed=5)
        environment.reset()
        seen.append(environment.observe("seat_0")["observation"])
    first = MatchEnv("river_of_gold")
    first.reset(seed=5)
    assert np.array_equal(*seen)
    assert not np.array_equal(seen[0], first.observe("seat_0")["observation"])


@pytest.mark.parametrize("seed", range(3))
def test_a_match_ends_as_the_engine_ends_it(table, seed) -> None:
    """The engine plays the same moves with the same luck, and comes to the rewards the agents got."""
    environment = MatchEnv(**table)
    environment.reset(seed=seed)
    secret = environment.course._secret
    got = play(environment, np.random.default_rng(seed))
    setup = environment.setup
    state = fold(setup.game, setup.game.start(setup.options, setup.seats, SeededChance(secret, 1)))
    for number, (seat, action) in enumerate(environment.course.moves, start=2):
        state = fold(setup.game, setup.game.decide(state, seat, action, SeededChance(secret, number)), state)
    outcome = setup.game.outcome(state)
    assert outcome is not None
    assert got == dict(zip(environment.possible_agents, REWARDS["rank"](outcome), strict=True))
    assert sum(got.values()) == pytest.approx(0)
    assert environment.agents == []


def test_what_an_agent_sees_does_not_depend_on_what_it_cannot_know(table) -> None:
    """Everything hidden from a seat is dealt again: its observation and its mask stay as they are."""
    environment = MatchEnv(**table)
    environment.reset(seed=11)
    whims = np.random.default_rng(11)
    game, dealt_again = environment.setup.game, 0
    for _ in range(250):
        if not environment.agents or any(environment.terminations.values()):
            break
        course = environment.course
        truth = course._state
        for agent in environment.agents:
            seat = Seat(environment.possible_agents.index(agent))
            seen = environment.observe(agent)
            course._state = game.redeal(
                truth, seat_audience(seat), SeededChance(bytes(32), len(course.moves))
            )
            course._positions = {}
            dealt_again += course._state != truth
            other = environment.observe(agent)
            course._state, course._positions = truth, {}
            assert np.array_equal(seen["observation"], other["observation"])
            assert np.array_equal(seen["action_mask"], other["action_mask"])
        mask = environment.observe(environment.agent_selection)["action_mask"]
        environment.step(int(whims.choice(np.flatnonzero(mask))))
    assert dealt_again > 10


def test_only_who_is_waited_for_may_choose(table) -> None:
    environment = MatchEnv(**table)
    environment.reset(seed=3)
    for agent in environment.possible_agents:
        open_indices = environment.observe(agent)["action_mask"].sum()
        assert bool(open_indices) == (agent == environment.agent_selection)


def test_the_mask_opens_exactly_what_is_legal(table) -> None:
    """An open index is accepted and leads on; every closed one is refused; the legal actions begin with the open ones."""
    environment = MatchEnv(**table)
    environment.reset(seed=8)
    setup, whims = environment.setup, np.random.default_rng(8)
    for _ in range(40):
        seat = environment.course.waited_for[0]
        position = environment.course.position(seat)
        mask = environment.observe(environment.agent_selection)["action_mask"]
        legal = setup.game.legal_actions(environment.course.state, seat)
        if not position.begun and not legal.templates:
            words = [setup.actions.word(action, position.view) for action in legal.actions]
            assert {word[0] for word in words} == set(np.flatnonzero(mask))
        for index, is_open in enumerate(mask):
            if is_open:
                assert position.after(index) is not None
            else:
                with pytest.raises(ValueError, match="not legal"):
                    position.after(index)
        environment.step(int(whims.choice(np.flatnonzero(mask))))


def test_an_illegal_index_is_refused_and_changes_nothing(table) -> None:
    environment = MatchEnv(**table)
    environment.reset(seed=3)
    before = environment.observe(environment.agent_selection)
    closed = int(np.flatnonzero(before["action_mask"] == 0)[0])
    with pytest.raises(ValueError, match="not legal"):
        environment.step(closed)
    after = environment.observe(environment.agent_selection)
    assert np.array_equal(before["observation"], after["observation"])


def test_an_illegal_index_loses_the_match_in_the_usual_wrappers(capsys) -> None:
    environment = env("river_of_gold", seats=3)
    environment.reset(seed=3)
    culprit = environment.agent_selection
    seen, *_ = environment.last()
    environment.step(int(np.flatnonzero(seen["action_mask"] == 0)[0]))
    assert all(environment.terminations.values())
    assert environment.rewards == {
        agent: -1.0 if agent == culprit else 0 for agent in environment.possible_agents
    }


def test_the_parts_of_a_program_are_seen_by_its_owner_only() -> None:
    """§5 — a card is chosen for each slot in turn; what is chosen so far is in the own observation."""
    environment = MatchEnv("river_dragons", seats=2)
    environment.reset(seed=0)
    names = environment.setup.names
    first = int(np.flatnonzero(environment.observe("seat_0")["action_mask"])[0])
    other = environment.observe("seat_1")["observation"]
    environment.step(first)
    assert environment.agent_selection == "seat_0"
    assert environment.infos["seat_0"]["so_far"] == [environment.setup.actions.names[first]]
    seen = environment.observe("seat_0")["observation"]
    told = [names[at] for at in np.flatnonzero(seen) if names[at].startswith(("so far", "last"))]
    card = environment.setup.actions.names[first]
    assert told == [f"so far: {card}", f"last: {card}"]
    assert np.array_equal(environment.observe("seat_1")["observation"], other)


def test_the_environment_can_be_cut_off() -> None:
    environment = MatchEnv("river_of_gold", max_cycles=5)
    environment.reset(seed=1)
    whims = np.random.default_rng(1)
    counts = dict.fromkeys(environment.possible_agents, 0)
    for agent in environment.agent_iter():
        seen, reward, terminated, truncated, _ = environment.last()
        assert not terminated
        assert reward == 0
        counts[agent] += not truncated
        choice = None if truncated else int(whims.choice(np.flatnonzero(seen["action_mask"])))
        environment.step(choice)
    assert max(counts.values()) == 5


def test_the_table_can_be_drawn() -> None:
    environment = MatchEnv("river_of_gold", render_mode="ansi")
    environment.reset(seed=1)
    drawn = environment.render()
    assert drawn is not None
    assert "waiting for seat" in drawn


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"game": "river_of_gold", "seats": 9}, "2, 3, 4 seats"),
        ({"game": "river_of_gold", "options": {"patrons": "many"}}, "no such options"),
        ({"game": "river_of_gold", "reward": "fame"}, "rank, win, margin"),
        ({"game": "river_dragons", "options": {"round_limit": "none"}}, "NO_CERTAIN_END"),
        ({"game": "river_of_gold", "options": {"clans": ["crab"]}}, "CLANS_WRONG_NUMBER"),
    ],
)
def test_a_table_that_cannot_be_is_refused(settings, problem) -> None:
    with pytest.raises(ValueError, match=problem):
        MatchEnv(**settings)
