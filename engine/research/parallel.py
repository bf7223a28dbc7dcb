"""PettingZoo's parallel form: every agent acts in every step; those that need not act choose to wait. For any game of the registry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import parallel_to_aec

from engine.kernel.chance import SECRET_BYTES
from engine.kernel.seats import PUBLIC, Seat
from engine.research.aec import agents_of, observation_space
from engine.research.course import Course, Observation
from engine.research.rewards import reward_named
from engine.research.setup import set_up

Stepped = tuple[
    dict[str, Observation],
    dict[str, float],
    dict[str, bool],
    dict[str, bool],
    dict[str, dict[str, Any]],
]
"""Observations, rewards, terminations, truncations and infos, by agent."""


def parallel_env(game: str, **settings: Any) -> MatchParallelEnv:
    """Return the parallel form of a game."""
    return MatchParallelEnv(game, **settings)


def cyclic_env(game: str, **settings: Any) -> AECEnv[str, Observation, int]:
    """Return the parallel form as a cycle: every agent chooses once in every cycle, if only to wait."""
    return cast("AECEnv[str, Observation, int]", parallel_to_aec(MatchParallelEnv(game, **settings)))


class MatchParallelEnv(ParallelEnv[str, Observation, int]):
    """A match in which every agent acts in every step. Indices are those of `MatchEnv`, with one more at the end: to wait.

    An agent that chooses what its mask forbids waits instead, and gets `illegal_reward` for it; the match goes on.
    """

    def __init__(
        self,
        game: str,
        options: Mapping[str, Any] | None = None,
        seats: int | None = None,
        reward: str = "rank",
        max_cycles: int | None = None,
        illegal_reward: float = 0.0,
        render_mode: str | None = None,
    ) -> None:
        """Set up a match. `max_cycles`: truncate after this many steps; `render_mode`: None or "ansi"."""
        self.setup = set_up(game, options, seats)
        self.metadata = {"name": f"foldtable_{game}_parallel_v0", "render_modes": ["ansi"]}
        self.render_mode = render_mode
        self._reward = reward_named(reward)
        self._max_cycles = max_cycles
        self._illegal_reward = illegal_reward
        self.possible_agents = agents_of(self.setup)
        self.agents: list[str] = []
        self.wait = len(self.setup.actions.names)
        """The index for waiting."""
        self.action_spaces = {agent: spaces.Discrete(self.wait + 1) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: observation_space(self.setup, self.wait + 1) for agent in self.possible_agents
        }
        self._random: np.random.Generator | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 - the API's
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Start a match. The seed fixes all draws of this match and of those after it; `options` has no effect."""
        if seed is not None or self._random is None:
            self._random, _ = seeding.np_random(seed)
        self.course = Course(self.setup, self._random.bytes(SECRET_BYTES))
        self.agents = list(self.possible_agents)
        self._steps = 0
        return self._observed(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, int]) -> Stepped:
        """Choose for all agents at once: those that must act do so, in order of seats; the others have to wait."""
        agents = list(self.agents)
        rewards = dict.fromkeys(agents, 0.0)
        asked = self.course.waited_for
        for agent in agents:
            seat, index = self._seat(agent), int(actions[agent])
            if seat in asked and index in self.course.position(seat).offered:
                self.course.choose(seat, index)
            elif index != self.wait or seat in asked:
                rewards[agent] = self._illegal_reward
        self._steps += 1
        outcome = self.course.outcome
        if outcome is not None:
            for agent, worth in zip(self.possible_agents, self._reward(outcome), strict=True):
                rewards[agent] += worth
        cut = outcome is None and self._max_cycles is not None and self._steps >= self._max_cycles
        observed = self._observed()
        if outcome is not None or cut:
            self.agents = []
        ended = dict.fromkeys(agents, outcome is not None)
        return observed, rewards, ended, dict.fromkeys(agents, cut), {agent: {} for agent in agents}

    def render(self) -> str | None:
        """Return the match drawn as the public sees it."""
        if self.render_mode is None:
            return None
        game = self.setup.game
        return game.draw(game.view(self.course.state, PUBLIC))

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _seat(self, agent: str) -> Seat:
        return Seat(self.possible_agents.index(agent))

    def _observed(self) -> dict[str, Observation]:
        return {agent: self.course.observe(self._seat(agent), waits=1) for agent in self.agents}
